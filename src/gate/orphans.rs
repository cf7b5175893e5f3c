//! Tests that call what their package does not have: nothing could build them before the change either.

use super::facts::Analyzed;
use crate::collections::HashSet;
use crate::facts::{Orphan, Test};
use crate::similarity::Words;

/// So many lost tests are looked at.
const MAX_TESTS: usize = 100;

/// Words before a bracket that call nothing of the package: keywords, and what the language brings along.
const BUILT_IN: &str = "any append bool byte cap case chan clear close complex complex128 complex64 const copy defer \
    delete else error float32 float64 for func go if imag int int16 int32 int64 int8 interface len make map max min new \
    panic print println range real recover return rune select string struct switch type uint uint16 uint32 uint64 uint8 \
    uintptr var";

/// The lost tests of a file that call something which neither the file itself nor any other one of its package names.
pub fn orphans(file: &Analyzed, lost: &[String], others: &[&Words]) -> Vec<Orphan> {
    let text = String::from_utf8_lossy(&file.text);
    // With names of another package taken over as they are, nobody can tell where one comes from.
    if text.contains("\t. \"") || text.contains("import . \"") {
        return Vec::new();
    }
    let used: HashSet<&str> = other_uses(&text);
    let lines: Vec<&str> = text.lines().collect();
    let is_lost = |test: &&Test| test.suite.is_empty() && lost.contains(&test.name);
    let is_missing = |name: &&str| {
        Words::can_have(name) && !used.contains(name) && !others.iter().any(|words| words.contains(name))
    };
    let orphan = |test: &Test| {
        let span = test.span.start.max(1) as usize - 1..(test.span.end as usize).min(lines.len());
        let own = lines.get(span)?.join("\n");
        let callee = called(&own).into_iter().find(is_missing)?.to_owned();
        Some(Orphan { name: test.name.clone(), callee })
    };
    file.facts.tests.iter().filter(is_lost).take(MAX_TESTS).filter_map(orphan).collect()
}

/// The names that a text calls by themselves, not as a part of something, and does nothing else with.
fn called(text: &str) -> Vec<&str> {
    let is_built_in = |name: &str| BUILT_IN.split_whitespace().any(|word| word == name);
    let used = other_uses(text);
    let calls = words(text).filter(|(_, use_)| *use_ == Use::Call).map(|(name, _)| name);
    let mut called: Vec<&str> = calls.filter(|name| !used.contains(name) && !is_built_in(name)).collect();
    called.sort_unstable();
    called.dedup();
    called
}

/// The names of which a text does not only call what they stand for.
fn other_uses(text: &str) -> HashSet<&str> {
    words(text).filter(|(_, use_)| *use_ == Use::Other).map(|(name, _)| name).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Call,
    Other,
}

/// The words of a text, and whether each is called; what stands behind `func` is defined.
fn words(text: &str) -> impl Iterator<Item = (&str, Use)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    let mut last = "";
    std::iter::from_fn(move || {
        let start = rest.find(is_part)?;
        let is_member = rest[..start].ends_with('.');
        let word = rest[start..].split(|c| !is_part(c)).next().unwrap_or_default();
        rest = &rest[start + word.len()..];
        let is_name = !word.starts_with(|c: char| c.is_ascii_digit()) && last != "func";
        last = word;
        let is_call = rest.starts_with('(') && !is_member && is_name;
        Some((word, if is_call { Use::Call } else { Use::Other }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_only_called_are_found() {
        let text =
            "func TestA(t *testing.T) { f := func() {}; f(); got := flag(a.b(1), \"flag(%q)\"); len(got) }";
        assert_eq!(called(text), ["flag"]);
    }
}
