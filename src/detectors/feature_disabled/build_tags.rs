//! Existing code that only some builds have from now on, and the usual one has not: a build tag of the project's own, a
//! condition of the compiler that never holds, a bean that a property has to ask for.
//!
//! Part of the rule about disabled features. Tags that name a system, a processor or a version are no features.

use super::{draft, lower_by_intent, one};
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide, vanished};
use crate::detectors::code_lines::{TestCode, existing, is_scratch};
use crate::detectors::report::excerpt;
use crate::finding::{Finding, Side};
use crate::text::contains;

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(existing);
    let judged = files.filter(|(before, after)| !is_scratch(&after.path) && before.text != after.text);
    judged.filter_map(|(before, after)| in_file(comparison, before, after)).collect()
}

fn in_file(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Option<Finding> {
    let (line, what) = match after.facts.language {
        "go" => tagged(before, after)?,
        "rust" => never_built(before, after)?,
        "java" => asked_for(before, after)?,
        _ => return None,
    };
    let message = format!("what was always built is built only with {what} now");
    let mut finding = draft(message, 0.75).on(Side::After, after, line, after.path.clone());
    finding.after = excerpt(after, one(line), line, "off unless asked for");
    lower_by_intent(comparison, &mut finding, &what);
    Some(finding)
}

/// Tags that the tools of Go set themselves.
const OWN_TAGS: &str = "\
    aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos \
    unix 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm \
    cgo race msan asan gc gccgo purego appengine ppc riscv sparc";

/// A tag of the project's own that a file of Go needs now.
fn tagged(before: &FileSide, after: &FileSide) -> Option<(u32, String)> {
    let (_, mut old) = constraint(before).unwrap_or_default();
    old.extend(older_tags(before));
    let (line, new) = constraint(after)?;
    let own = |tag: &&String| {
        !OWN_TAGS.split_whitespace().any(|known| known == tag.as_str()) && !tag.starts_with("go1.")
    };
    // A program of its own, which a person runs, is no part of the build.
    let is_tool = |tag: &&String| {
        matches!(tag.as_str(), "ignore" | "tools" | "generate") && contains(&after.text, b"\npackage main")
    };
    let own = |tag: &&String| own(tag) && !is_tool(tag);
    let known: HashSet<&String> = old.iter().collect();
    let tag = new.iter().filter(own).find(|tag| !known.contains(tag))?;
    Some((line, format!("the tag `{tag}`")))
}

/// The line of the build constraint of a file, and the tags without which it is not built.
fn constraint(side: &FileSide) -> Option<(u32, Vec<String>)> {
    let lines = side.lines(crate::facts::Span { start: 1, end: 60 }).zip(1..);
    let head = lines.take_while(|(line, _)| !line.starts_with("package "));
    let mut found = head.filter_map(|(line, number)| {
        let asked = line.strip_prefix("//go:build ").map(str::to_owned)?;
        let needed = asked
            .split("&&")
            .map(str::trim)
            .filter(|part| part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-')));
        let needed: Vec<String> = needed.map(str::to_owned).collect();
        (!asked.contains("||")).then_some((number, needed))
    });
    found.next()
}

/// The tags in the lines that older versions of Go read, beside which the newer ones are written.
fn older_tags(side: &FileSide) -> Vec<String> {
    let head = side.lines(crate::facts::Span { start: 1, end: 60 });
    let head = head.take_while(|line| !line.starts_with("package "));
    let lines: Vec<String> = head
        .filter_map(|line| Some(line.strip_prefix("//")?.trim_start().strip_prefix("+build ")?.to_owned()))
        .collect();
    let tags = lines.iter().flat_map(|line| line.split([' ', ','])).filter(|tag| !tag.starts_with('!'));
    tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

/// Conditions of the compiler that hold for no build, white space taken out.
const NEVER: &[&str] =
    &["#[cfg(any())]", "#[cfg(FALSE)]", "#[cfg(false)]", "#![cfg(any())]", "#![cfg(FALSE)]"];

fn never_built(before: &FileSide, after: &FileSide) -> Option<(u32, String)> {
    if !contains(&after.text, b"cfg(any())")
        && !contains(&after.text, b"cfg(FALSE)")
        && !contains(&after.text, b"cfg(false)")
    {
        return None;
    }
    let fresh = vanished(after.code(), before.code());
    let off = after
        .code()
        .iter()
        .find(|line| NEVER.contains(&line.code.as_str()) && fresh.contains_key(line.code.as_str()))?;
    stands_on_old(before, after, off.number).then(|| (off.number, "a condition that never holds".to_owned()))
}

/// A bean that was always there and needs a property now.
fn asked_for(before: &FileSide, after: &FileSide) -> Option<(u32, String)> {
    let mark = "@ConditionalOnProperty(";
    if !contains(&after.text, mark.as_bytes()) {
        return None;
    }
    let fresh = vanished(after.code(), before.code());
    let new = after.code().iter().find(|line| {
        line.code.starts_with(mark)
            && fresh.contains_key(line.code.as_str())
            && line.code.ends_with(')')
            && !line.code.contains("matchIfMissing=true")
    })?;
    let had = before.code().iter().any(|line| line.code.starts_with(mark));
    (!had && stands_on_old(before, after, new.number)).then(|| (new.number, "a property".to_owned()))
}

/// Whether what follows a line was there before.
fn stands_on_old(before: &FileSide, after: &FileSide, line: u32) -> bool {
    // What served tests alone is told of elsewhere.
    let tests = TestCode::of(before);
    let mut below = after.code().iter().filter(|code| code.number > line && !code.code.is_empty());
    let Some(item) = below.find(|code| !code.code.starts_with(['@', '#'])) else { return false };
    let was = before.code().iter().find(|old| old.code == item.code);
    was.is_some_and(|was| !tests.contains(was.number))
}
