//! Results that the test itself puts in order before it compares them: `got.sort()`, `sort.Strings(got)`, a swap of two
//! elements.

use super::alike::{key, split, words};
use super::unit::View;
use crate::collections::HashSet;
use crate::facts::{Assertion, ClaimKind, Span, Strength};
use crate::text::contains;

/// Calls after which what they are given is in order.
const SORTS: &[&str] = &[
    "sort.",
    "slices.Sort",
    "Collections.sort",
    "Arrays.sort",
    ".sort(",
    ".sort_unstable",
    ".sort_by",
    "sorted(",
];

/// More comparisons of one assertion with another would take too long.
const COMPARED: usize = 1_000_000;

/// The comparisons of a list that the test now puts in order above them, with the line that does so.
pub fn arranged(
    before: &View<'_>,
    after: &View<'_>,
    old: &[&Assertion],
    new: &[Assertion],
) -> Vec<(Assertion, Assertion)> {
    let lines = |view: &View<'_>| -> Vec<String> {
        let span = Span { start: view.span.start, end: view.span.end };
        view.file.lines(span).map(|line| line.trim().to_owned()).collect()
    };
    let text = after.file.text.get(after.file.bytes(after.span)).unwrap_or_default();
    if !contains(text, b"ort") && !contains(text, b"], ") {
        return Vec::new();
    }
    let now = lines(after);
    if !now.iter().any(|line| arranges(line).is_some()) {
        return Vec::new();
    }
    let known: HashSet<String> = lines(before).iter().map(|line| key(line)).collect();
    let fresh: Vec<(u32, &str, &String)> = (after.span.start..)
        .zip(&now)
        .filter(|(_, line)| !known.contains(&key(line)))
        .filter_map(|(number, line)| Some((number, arranges(line)?, line)))
        .collect();
    if fresh.is_empty() || old.len().saturating_mul(new.len()) > COMPARED {
        return Vec::new();
    }
    let mut found = Vec::new();
    for assertion in new.iter().filter(|one| is_exact(one)) {
        let subject = assertion.claim.subject.trim().trim_start_matches(['&', '*']);
        let Some((line, _, text)) =
            fresh.iter().find(|(line, name, _)| *line < assertion.line && *name == subject)
        else {
            continue;
        };
        let same = |one: &&&Assertion| {
            let expected = |one: &Assertion| {
                let mut all = words(one.claim.expected.as_deref().unwrap_or_default());
                all.sort_unstable();
                all
            };
            key(&one.claim.subject) == key(subject) && is_exact(one) && expected(one) == expected(assertion)
        };
        let setting = || Assertion { line: *line, text: (*text).clone(), ..assertion.clone() };
        if let Some(was) = old.iter().find(same) {
            found.push(((*was).clone(), setting()));
            continue;
        }
        let made = made_of(&now, after.span.start, subject, *line);
        let gathered: Vec<&&Assertion> =
            old.iter().filter(|one| is_gathered(one, assertion, &made)).collect();
        if let [first, ..] = gathered[..]
            && gathered.iter().all(|one| !new.iter().any(|other| other.text == one.text))
            && (gathered.len() > 1 || expects_several(first))
        {
            found.push(((*first).clone(), setting()));
        }
    }
    found
}

/// What stands between the line that gives a name its value and the one that sorts it, white space taken out.
fn made_of(lines: &[String], first: u32, name: &str, sort: u32) -> String {
    let above = lines.iter().zip(first..).take_while(|(_, number)| *number < sort).map(|(line, _)| line);
    let lines: Vec<&String> = above.collect();
    let sets = |line: &&String| {
        line.split_once('=').is_some_and(|(target, _)| split(target).any(|word| word == name))
    };
    let start = lines.iter().rposition(sets).unwrap_or(lines.len());
    lines[start..].iter().map(|line| key(line)).collect()
}

/// Whether a comparison of before was about a part of what a sorted list is made of, and expected a part of what is expected
/// of the list.
fn is_gathered(was: &Assertion, now: &Assertion, made: &str) -> bool {
    let subject = key(&was.claim.subject);
    let expected = was.claim.expected.as_deref().map(key).unwrap_or_default();
    let bare = expected.trim_start_matches("vec!").trim_matches(['[', ']', '(', ')', '{', '}']);
    let all = now.claim.expected.as_deref().map(key).unwrap_or_default();
    is_exact(was)
        && subject.contains('(')
        && made.contains(&subject)
        && !bare.is_empty()
        && all.contains(bare)
}

fn expects_several(one: &Assertion) -> bool {
    one.claim
        .expected
        .as_deref()
        .is_some_and(|expected| expected.contains(',') || !expected.contains(['[', '"', '\'']))
}

fn is_exact(one: &Assertion) -> bool {
    let claim = &one.claim;
    matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure)
        && claim.strength >= Strength::Value
        && !claim.negated
}

/// The name of what a line puts in order.
fn arranges(line: &str) -> Option<&str> {
    let code = line.trim_end_matches(';');
    if let Some((left, right)) = code.split_once(" = ")
        && let (Some((a, b)), Some((c, d))) = (left.split_once(", "), right.split_once(", "))
        && (a.trim(), b.trim()) == (d.trim(), c.trim())
    {
        return a.split('[').next().filter(|name| a.contains('[') && is_name(name));
    }
    let sort = SORTS.iter().find(|sort| code.contains(**sort))?;
    if sort.starts_with('.') {
        return code.split('.').next().filter(|name| is_name(name));
    }
    if *sort == "sorted(" {
        let (name, value) = code.split_once('=')?;
        return Some(name.trim()).filter(|name| is_name(name) && value.contains(name));
    }
    let given = code.split_once('(')?.1;
    split(given).next().filter(|_| code.starts_with(sort))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
