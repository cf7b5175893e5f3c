//! Assertions about what is in a collection that no longer look at all of it: a filter came between.
//!
//! `[w for w in caught] == []` asks for nothing at all to be caught; `[w for w in caught if w.kind != "old"] == []` lets some
//! through.

use super::alike::key;
use crate::facts::{Claim, ClaimKind};

/// Calls that leave out a part of what they are given.
const FILTERS: &[&str] = &[".filter(", ".filteredOn(", ".reject(", ".skip_while("];

/// Whether the new claim says of some elements what the old one said of all.
pub fn leaves_out(old: &Claim, new: &Claim) -> bool {
    let same = old.kind == ClaimKind::Value
        && new.kind == ClaimKind::Value
        && (old.strength, old.negated) == (new.strength, new.negated)
        && old.expected.as_deref().map(key) == new.expected.as_deref().map(key);
    same && counts_all(old)
        && (has_new_condition(&old.subject, &new.subject) || has_new_filter(&old.subject, &new.subject))
}

/// Whether a claim is about how many there are, or about all of them: other claims may well be about some.
fn counts_all(claim: &Claim) -> bool {
    let expected = claim.expected.as_deref().map(key).unwrap_or_default();
    let is_empty =
        matches!(expected.as_str(), "[]" | "{}" | "()" | "set()" | "list()" | "empty" | "0" | "vec![]");
    is_empty || expected.parse::<u64>().is_ok() && super::whole::is_size(&claim.subject)
}

/// `[.. for x in xs]` became `[.. for x in xs if ..]`.
fn has_new_condition(was: &str, is: &str) -> bool {
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (was, is) = (spaced(was), spaced(is));
    let Some(start) = is.find(" for ").and_then(|at| Some(at + is[at..].find(" if ")?)) else { return false };
    let end = is[start..].rfind([']', ')', '}']).map_or(is.len(), |at| start + closing(&is[start..], at));
    !was.contains(" if ") && key(&format!("{}{}", &is[..start], &is[end..])) == key(&was)
}

/// Where the brackets at the end of a text start, the last one of which is at `last`.
fn closing(text: &str, last: usize) -> usize {
    let tail = text[..=last].trim_end_matches([']', ')', '}']);
    // Brackets that the condition opened are its own.
    let opened = tail.matches(['(', '[', '{']).count();
    let closed = tail.matches([')', ']', '}']).count();
    (tail.len() + opened.saturating_sub(closed)).min(text.len())
}

/// `xs.length` became `xs.filter(..).length`.
fn has_new_filter(was: &str, is: &str) -> bool {
    let (was, is) = (key(was), key(is));
    if FILTERS.iter().any(|filter| was.contains(filter)) {
        return false;
    }
    FILTERS.iter().any(|filter| {
        let Some(start) = is.find(filter) else { return false };
        let Some(end) = super::whole::closing(&is, start + filter.len() - 1) else { return false };
        let rest = format!("{}{}", &is[..start], &is[end + 1..]);
        rest == was
            || rest.replace(".collect()", "") == was
            || rest.replace(".iter().count()", ".len()") == was
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_in_a_comprehension_leaves_out() {
        let was = "[str(w) for w in caught]";
        assert!(has_new_condition(was, "[str(w) for w in caught if w.category != ResourceWarning]"));
        assert!(has_new_condition("len([w for w in f(a)])", "len([w for w in f(a) if g(w)])"));
        assert!(!has_new_condition(was, "[repr(w) for w in caught if w.old]"));
        assert!(!has_new_condition(was, "[str(w) for w in caught]"));
    }

    #[test]
    fn a_filter_on_the_way_leaves_out() {
        assert!(has_new_filter("errors.length", "errors.filter(e => e.code !== 7).length"));
        assert!(!has_new_filter("errors.length", "warnings.filter(e => e.fatal).length"));
        assert!(!has_new_filter("errors.filter(a).length", "errors.filter(b).length"));
    }
}
