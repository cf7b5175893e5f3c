//! Calls that stay but for a word of their name that tells of leniency: `close` became `closeQuietly`, `parse` became
//! `parseOrNull`, `load` became `maybe_load`.

use super::reading::{Page, Part, Told, count};
use crate::detectors::gaps::Gap;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::text::{clipped, contains, one_line};

/// Words that a name has in addition, in its order, and what they give up.
const AFFIXES: &[(&[&str], Part)] = &[
    (&["or", "null"], Part::Errors),
    (&["or", "none"], Part::Errors),
    (&["or", "undefined"], Part::Errors),
    (&["or", "default"], Part::Errors),
    (&["or", "empty"], Part::Errors),
    (&["quietly"], Part::Errors),
    (&["silently"], Part::Errors),
    (&["silent"], Part::Errors),
    (&["quiet"], Part::Errors),
    (&["ignoring", "errors"], Part::Errors),
    (&["ignore", "errors"], Part::Errors),
    (&["best", "effort"], Part::Errors),
    (&["no", "throw"], Part::Errors),
    (&["maybe"], Part::Errors),
    (&["unchecked"], Part::Checks),
    (&["unsafe"], Part::Checks),
    (&["unverified"], Part::Checks),
    (&["insecure"], Part::Checks),
    (&["lenient"], Part::Checks),
    (&["leniently"], Part::Checks),
    (&["loose"], Part::Checks),
    (&["loosely"], Part::Checks),
    (&["no", "check"], Part::Checks),
    (&["no", "verify"], Part::Checks),
    (&["without", "validation"], Part::Checks),
    (&["without", "check"], Part::Checks),
    (&["without", "checks"], Part::Checks),
    (&["unvalidated"], Part::Checks),
];

pub fn may(_: &[u8], fresh: &[u8]) -> bool {
    const HINTS: &[&[u8]] = &[
        b"OrNull",
        b"or_null",
        b"OrNone",
        b"or_none",
        b"OrUndefined",
        b"OrDefault",
        b"or_default",
        b"OrEmpty",
        b"or_empty",
        b"uietly",
        b"ilent",
        b"uiet",
        b"gnoring",
        b"gnore",
        b"est_effort",
        b"BestEffort",
        b"oThrow",
        b"aybe",
        b"nchecked",
        b"nsafe",
        b"nverified",
        b"nsecure",
        b"enient",
        b"oose",
        b"oCheck",
        b"o_check",
        b"oVerify",
        b"o_verify",
        b"ithout",
        b"nvalidated",
    ];
    HINTS.iter().any(|hint| contains(fresh, hint))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    let (first, last) = (gap.gone.first()?, gap.gone.last()?);
    let was: String = page.lines(page.before, first.number, last.number);
    gap.fresh.iter().find_map(|line| {
        let is = page.lines(page.after, line.number, line.number);
        let (part, from, to) = twin(&was, &is)?;
        let gone = page.comparison.production.removed_definitions.contains(&from);
        let defined = |name: &str| {
            page.after.facts.definitions.iter().any(|one| one.name == name && one.span.start == line.number)
        };
        (!gone && !defined(&to) && !page.refuses_more(first.number, line.number)).then(|| Told {
            part,
            message: format!("`{from}` gave way to `{to}`: `{}`", clipped(&one_line(&is), 80)),
            old: Some(first.number),
            new: Some(line.number),
            detail: to,
        })
    })
}

fn twin(was: &str, is: &str) -> Option<(Part, String, String)> {
    let came = names_of_any_length(is).filter(|name| count(is, name) > count(was, name));
    let calls = |text: &str, name: &str| text.contains(&format!("{name}("));
    // What a program gives up by an unchecked error is nothing.
    let is_error = |name: &str| name.ends_with("Exception") || name.ends_with("Error");
    came.filter(|name| calls(is, name) && !is_error(name)).find_map(|to| {
        let full = words(to);
        let (part, from) = AFFIXES.iter().find_map(|(affix, part)| {
            let at = (0..full.len()).find(|at| full[*at..].iter().take(affix.len()).eq(affix.iter()))?;
            let rest: Vec<&String> = full[..at].iter().chain(&full[at + affix.len()..]).collect();
            let plain = names_of_any_length(was).find(|from| {
                !rest.is_empty()
                    && words(from).iter().eq(rest.iter().copied())
                    && count(was, from) > count(is, from)
            })?;
            calls(was, plain).then(|| (*part, plain.to_owned()))
        })?;
        Some((part, from, to.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_tells_of_leniency_is_known() {
        let told = |was: &str, is: &str| twin(was, is).map(|(_, from, to)| (from, to));
        let pair = |from: &str, to: &str| Some((from.to_owned(), to.to_owned()));
        assert_eq!(told("f.close();", "closeQuietly(f);"), pair("close", "closeQuietly"));
        assert_eq!(
            told("x = get_user(id)", "x = get_user_or_none(id)"),
            pair("get_user", "get_user_or_none")
        );
        assert_eq!(told("s.parse(x)", "s.parseUnchecked(x)"), pair("parse", "parseUnchecked"));
        assert_eq!(told("x = get_user_or_none(id)", "x = get_user(id)"), None);
        assert_eq!(told("a.get(x)", "a.getOther(x)"), None);
        assert_eq!(told("throw new Exception(e);", "throw new UncheckedException(e);"), None);
    }
}
