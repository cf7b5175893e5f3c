//! Assertions that stand in a comment of their test now, though the same words are still asserted elsewhere in it: of two
//! loops with the same checks, one was commented out.

use super::alike::key;
use super::unit::View;
use crate::collections::HashMap;
use crate::facts::Assertion;

/// Shorter texts are found in comments by chance.
const TOLD: usize = 12;

/// So many bytes of comments are looked through for one test: nobody comments out more by hand.
const SEARCHED: usize = 64 << 20;

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
    // What is asserted nowhere any more is missed by itself.
    lost.retain(|(_, text)| left.contains_key(text));
    if lost.is_empty() {
        return Vec::new();
    }
    let mut comments = Comments::of(before, after);
    lost.retain(|(_, text)| comments.gained(text.trim_end_matches('…')));
    lost.into_iter().map(|(assertion, _)| assertion).collect()
}

/// What stands in the comments of a unit on both sides.
struct Comments {
    was: String,
    is: String,
    /// What was found out, as the same text is asked for once for each of its places.
    known: HashMap<String, bool>,
    /// How many more bytes are looked through.
    budget: usize,
}

impl Comments {
    fn of(before: &View<'_>, after: &View<'_>) -> Self {
        let (was, is) = (comments(before), comments(after));
        Self { was, is, known: HashMap::new(), budget: SEARCHED }
    }

    /// Whether the after side has a text in its comments more often.
    fn gained(&mut self, text: &str) -> bool {
        if text.len() < TOLD {
            return false;
        }
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let Some(budget) = self.budget.checked_sub(self.was.len() + self.is.len()) else { return false };
        self.budget = budget;
        let gained = self.is.matches(text).count() > self.was.matches(text).count();
        self.known.insert(text.to_owned(), gained);
        gained
    }
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
