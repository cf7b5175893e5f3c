//! Build constraints above the package clause: files that are built only sometimes, or never.

use super::super::Builder;
use super::names::NEVER_TAGS;
use crate::facts::SkipKind;
use tree_sitter::Node;

/// Notes the build constraint that a comment holds, if it holds one.
/// Systems and processors that the name of a file can end in.
const SYSTEMS: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "ios",
    "js",
    "linux",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "386",
    "amd64",
    "arm",
    "arm64",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mipsle",
    "ppc64",
    "ppc64le",
    "riscv64",
    "s390x",
    "wasm",
];

/// The system or processor that Go takes from the name of a test file.
pub(super) fn system_of(path: &str) -> Option<&str> {
    let stem = path.rsplit('/').next()?.strip_suffix("_test.go")?;
    let (_, system) = stem.rsplit_once('_')?;
    SYSTEMS.contains(&system).then_some(system)
}

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
