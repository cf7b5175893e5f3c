//! Calls that stay but for a word of their name that tells of leniency: `close` became `closeQuietly`, `parse` became
//! `parseOrNull`, `load` became `maybe_load`.

use super::super::gaps::Gap;
use super::super::subject::names_of_any_length;
use super::super::switch_names::words;
use super::super::unverified::Care;
use super::reading::{Page, Told, count};
use crate::text::{clipped, contains, one_line};

/// Words that a name has in addition, in its order, and what they give up.
const AFFIXES: &[(&[&str], Care)] = &[
    (&["or", "null"], Care::Errors),
    (&["or", "none"], Care::Errors),
    (&["or", "undefined"], Care::Errors),
    (&["or", "default"], Care::Errors),
    (&["or", "empty"], Care::Errors),
    (&["quietly"], Care::Errors),
    (&["silently"], Care::Errors),
    (&["silent"], Care::Errors),
    (&["quiet"], Care::Errors),
    (&["ignoring", "errors"], Care::Errors),
    (&["ignore", "errors"], Care::Errors),
    (&["best", "effort"], Care::Errors),
    (&["no", "throw"], Care::Errors),
    (&["maybe"], Care::Errors),
    (&["unchecked"], Care::Checks),
    (&["unsafe"], Care::Checks),
    (&["unverified"], Care::Checks),
    (&["insecure"], Care::Checks),
    (&["lenient"], Care::Checks),
    (&["leniently"], Care::Checks),
    (&["loose"], Care::Checks),
    (&["loosely"], Care::Checks),
    (&["no", "check"], Care::Checks),
    (&["no", "verify"], Care::Checks),
    (&["without", "validation"], Care::Checks),
    (&["without", "check"], Care::Checks),
    (&["without", "checks"], Care::Checks),
    (&["unvalidated"], Care::Checks),
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
        let (care, from, to) = twin(&was, &is)?;
        let gone = page.comparison.production.removed_definitions.contains(&from);
        let defined = |name: &str| {
            page.after.facts.definitions.iter().any(|one| one.name == name && one.span.start == line.number)
        };
        (!gone && !defined(&to) && !page.refuses_more(first.number, line.number)).then(|| Told {
            care,
            message: format!("`{from}` gave way to `{to}`: `{}`", clipped(&one_line(&is), 80)),
            old: Some(first.number),
            new: Some(line.number),
            detail: to,
        })
    })
}

fn twin(was: &str, is: &str) -> Option<(Care, String, String)> {
    let came = names_of_any_length(is).filter(|name| count(is, name) > count(was, name));
    let calls = |text: &str, name: &str| text.contains(&format!("{name}("));
    came.filter(|name| calls(is, name)).find_map(|to| {
        let full = words(to);
        let (care, from) = AFFIXES.iter().find_map(|(affix, care)| {
            let at = (0..full.len()).find(|at| full[*at..].iter().take(affix.len()).eq(affix.iter()))?;
            let rest: Vec<&String> = full[..at].iter().chain(&full[at + affix.len()..]).collect();
            let plain = names_of_any_length(was).find(|from| {
                !rest.is_empty()
                    && words(from).iter().eq(rest.iter().copied())
                    && count(was, from) > count(is, from)
            })?;
            calls(was, plain).then(|| (*care, plain.to_owned()))
        })?;
        Some((care, from, to.to_owned()))
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
    }
}
