//! A comparison in whose place a choice stands that is content with several answers: `match x { A | B => {} ... }`.

use super::super::super::assertions::expression_key as key;
use super::places::{Pages, Place};
use super::reading::Told;
use crate::facts::Strength;

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let head = place.new.clone().find(|at| chosen(&pages.new[*at].code).is_some())?;
    let subject = chosen(&pages.new[head].code)?;
    let line = pages.new[head].number;
    let (old, test) = pages.test_at(line)?;
    let was = old.assertions.iter().find(|one| {
        place.old.clone().any(|at| pages.old[at].number == one.line)
            && one.claim.strength >= Strength::Value
            && (key(&one.claim.subject) == subject
                || one.claim.expected.as_deref().map(key).as_deref() == Some(&subject))
    })?;
    let arms = pages.block_below(head);
    let is_content = |at: usize| {
        let code = pages.new[at].code.as_str();
        match code.split_once("=>") {
            Some((patterns, rest)) => patterns.contains('|') && !patterns.contains("||") && is_idle(rest),
            None => code.starts_with("case") && code.contains(',') && code.ends_with(':'),
        }
    };
    let takes = arms.into_iter().find(|at| is_content(*at))?;
    Some(Told {
        message: format!("the test {} is content with any of several answers", test.qualified_name()),
        help: format!("ask for the one that is right: {}", was.text),
        old: Some(was.line),
        new: Some(pages.new[takes].number),
        name: Some(test.qualified_name()),
    })
}

/// What a choice is made by.
fn chosen(code: &str) -> Option<String> {
    let rest = code.strip_prefix("match").or_else(|| code.strip_prefix("switch"))?.strip_suffix('{')?;
    let subject = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest);
    (!subject.is_empty()).then(|| key(subject))
}

/// Whether an arm does nothing.
fn is_idle(arm: &str) -> bool {
    matches!(arm.trim_end_matches(','), "{}" | "()" | "{" | "{return}" | "return")
}
