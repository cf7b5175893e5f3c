//! Assertions that stand in a comment of their test now, though the same words are still asserted elsewhere in it: of two
//! loops with the same checks, one was commented out.

use std::collections::HashMap;

use super::alike::key;
use super::unit::View;
use crate::facts::Assertion;

/// Shorter texts are found in comments by chance.
const TOLD: usize = 12;

/// The assertions of the before side that the after side has less often, and in new comments.
pub fn commented<'a>(
    before: &View<'_>,
    after: &View<'_>,
    old: &[&'a Assertion],
    new: &[&Assertion],
) -> Vec<&'a Assertion> {
    let mut left: HashMap<String, usize> = HashMap::new();
    for assertion in new {
        *left.entry(key(&assertion.text)).or_default() += 1;
    }
    let mut lost: Vec<(&Assertion, String)> = Vec::new();
    for assertion in old {
        let text = key(&assertion.text);
        match left.get_mut(&text).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => lost.push((assertion, text)),
        }
    }
    if lost.is_empty() {
        return Vec::new();
    }
    let (was, is) = (comments(before), comments(after));
    let known = |text: &str| new.iter().any(|one| key(&one.text) == text);
    let became_comment = |text: &str| {
        let words = text.trim_end_matches('…');
        words.len() >= TOLD && is.matches(words).count() > was.matches(words).count()
    };
    // What is asserted nowhere any more is missed by itself.
    lost.retain(|(_, text)| known(text) && became_comment(text));
    lost.into_iter().map(|(assertion, _)| assertion).collect()
}

/// What stands in the comments of a unit, without their marks and without white space.
fn comments(view: &View<'_>) -> String {
    let comments = &view.file.facts.comments;
    let start = comments.partition_point(|comment| comment.span.end < view.span.start);
    let mut text = String::new();
    for comment in comments[start..].iter().take_while(|comment| comment.span.start <= view.span.end) {
        for line in view.file.lines(comment.span) {
            text += &key(line.trim().trim_start_matches(['/', '#', '*', ' ']));
        }
    }
    text
}
