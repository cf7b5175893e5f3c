//! Conditions that tell kinds of errors apart, by code, by name or by type: which of two lets more of them pass.
//!
//! Part of the rule about swallowed errors.

use super::conditions::{bare, holds_for_less};
use super::subject::names_of_any_length;

/// Whether an error was handed on unless it was of some kinds, and more kinds are left out of that now.
pub fn passes_more_kinds(old: &str, new: &str) -> bool {
    if names_error(old) && excludes(bare(old)) && list_grew(old, new) {
        return true;
    }
    let (old, new) = (one_by_one(old), one_by_one(new));
    let tells_apart = |part: &str| excludes(part) && names_error(part);
    holds_for_less(&old, &new).is_some_and(|less| {
        less.lost.is_empty() && !less.added.is_empty() && less.added.iter().all(|part| tells_apart(part))
    }) && old.split("&&").flat_map(|part| part.split(" and ")).any(tells_apart)
}

/// Whether errors of some kinds passed, and errors of more kinds do now: `if errors.Is(err, A) || errors.Is(err, B)`.
pub fn holds_for_more_kinds(old: &str, new: &str) -> bool {
    if names_error(old) && !excludes(bare(old)) && !old.contains(" not in ") && list_grew(old, new) {
        return true;
    }
    let more = holds_for_less(new, old);
    let is_kind = |part: &str| part.contains(['=', '(']) || part.contains("instanceof");
    names_error(old)
        && more.is_some_and(|more| {
            more.added.is_empty() && more.lost.iter().all(|part| names_error(part) && is_kind(part))
        })
}

/// Whether a condition is another one with more in a list of values, or with one more choice in a pattern.
fn list_grew(old: &str, new: &str) -> bool {
    let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (old, new) = (squeeze(bare(old)), squeeze(bare(new)));
    let head = crate::text::common_start(old.as_bytes(), new.as_bytes());
    let tail = old.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other).count();
    let tail = tail.min(old.len() - head);
    if head + tail != old.len() || new.len() <= old.len() || !new.is_char_boundary(head) {
        return false;
    }
    let Some(more) = new.get(head..new.len() - tail) else { return false };
    let parts = more.trim_matches(',');
    let in_list = old[..head]
        .rfind(['(', '[', '{'])
        .is_some_and(|at| old[..at].ends_with("in") || old.as_bytes()[at] != b'(');
    let listed = in_list && (more.starts_with(',') || more.ends_with(',')) && !parts.contains("&&");
    let chosen = (more.starts_with('|') || more.ends_with('|')) && !more.contains("||") && old.contains('/');
    listed || chosen
}

/// Whether a part of a condition holds for all but one kind.
fn excludes(part: &str) -> bool {
    let part = part.trim();
    part.contains("!=") && !["nil", "null", "None", "undefined"].iter().any(|none| part.ends_with(none))
        || part.starts_with('!')
        || part.starts_with("not ")
}

/// Whether a condition speaks of an error.
pub fn names_error(condition: &str) -> bool {
    names_of_any_length(condition).any(is_error_name)
}

/// Whether a variable holds an error, or says whether there is one, by its name.
pub fn is_error_name(name: &str) -> bool {
    let lower = name.trim_start_matches('_').to_lowercase();
    ["e", "ex", "err", "error", "exc", "exception", "errno", "errs", "errors"].contains(&lower.as_str())
        || ["error", "err", "exception"].iter().any(|end| lower.ends_with(end))
}

/// A condition with each list that something must not be in told one by one: `code not in (A, B)` becomes
/// `code != A and code != B`.
fn one_by_one(condition: &str) -> String {
    let condition = bare(condition);
    if let Some((subject, list)) = condition.split_once(" not in ")
        && let Some(list) = bracketed(list)
    {
        return all_but(subject.trim(), list);
    }
    let includes = condition.strip_prefix('!').and_then(|rest| rest.split_once(".includes("));
    if let Some((list, subject)) = includes
        && let Some(list) = bracketed(list)
    {
        return all_but(subject.trim_end_matches([')', ' ']), list);
    }
    condition.replace("!==", "!=")
}

/// What stands between brackets that hold a list and nothing else.
fn bracketed(text: &str) -> Option<&str> {
    let text = text.trim();
    let inner = text.strip_prefix(['(', '[', '{'])?.trim_end_matches([')', ']', '}']);
    (!inner.contains(['(', '[', '{', ')', ']', '}'])).then_some(inner)
}

fn all_but(subject: &str, list: &str) -> String {
    let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| format!("{subject} != {part}")).collect::<Vec<_>>().join(" && ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_more_kind_passes() {
        for (old, new, expected) in [
            ("e.errno != errno.EINVAL", "e.errno not in (errno.EINVAL, errno.ECONNRESET)", true),
            ("(err.code !== 'ENOENT')", "(err.code !== 'ENOENT' && err.code !== 'EPERM')", true),
            ("(!['A', 'B'].includes(err.code))", "(!['A', 'B', 'C'].includes(err.code))", true),
            (
                "err != nil && !errors.Is(err, A)",
                "err != nil && !errors.Is(err, A) && !errors.Is(err, B)",
                true,
            ),
            ("e.errno not in (A, B)", "e.errno != A", false),
            ("err != nil", "err != nil && !errors.Is(err, A)", false),
            ("mode not in ('r', 'w')", "mode not in ('r', 'w', 'a')", false),
        ] {
            assert_eq!(passes_more_kinds(old, new), expected, "{old} -> {new}");
        }
        assert!(holds_for_more_kinds("errors.Is(err, A)", "errors.Is(err, A) || errors.Is(err, B)"));
        assert!(!holds_for_more_kinds("errors.Is(err, A)", "errors.Is(err, A) || done"));
        assert!(!holds_for_more_kinds("a == 1", "a == 1 || a == 2"));
        assert!(holds_for_more_kinds("silent and e.errno in (A, B)", "silent and e.errno in (A, B, C)"));
        assert!(!holds_for_more_kinds("e.errno in (A, B, C)", "e.errno in (A, B)"));
        assert!(passes_more_kinds("!/one|two/.test(e.message)", "!/one|two|three/.test(e.message)"));
        assert!(!passes_more_kinds("!/one/.test(text)", "!/one|two/.test(text)"));
    }
}
