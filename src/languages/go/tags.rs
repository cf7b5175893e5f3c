//! Build constraints above the package clause: files that are built only sometimes, or never.

use super::super::Builder;
use super::names::NEVER_TAGS;
use crate::facts::SkipKind;
use tree_sitter::Node;

/// Notes the build constraint that a comment holds, if it holds one.
pub(super) fn note_constraint(comment: Node<'_>, facts: &mut Builder<'_>) {
    let text = facts.text(comment);
    let never = if let Some(expression) = text.strip_prefix("//go:build ") {
        never_holds(expression.split("&&"), expression.contains("||"))
    } else if let Some(options) =
        text.strip_prefix("//").and_then(|rest| rest.trim_start().strip_prefix("+build "))
    {
        let mut options = options.split_whitespace();
        let first = options.next().unwrap_or_default();
        never_holds(first.split(','), options.next().is_some())
    } else {
        return;
    };
    let kind = if never { SkipKind::Unconditional } else { SkipKind::Conditional };
    let skip = facts.mark(comment, kind, None);
    facts.skip_file(skip);
}

fn never_holds<'a>(mut all_of: impl Iterator<Item = &'a str>, has_choice: bool) -> bool {
    let bare = |tag: &'a str| tag.trim().trim_matches(['(', ')']).trim();
    !has_choice && all_of.any(|tag| NEVER_TAGS.contains(&bare(tag)))
}
