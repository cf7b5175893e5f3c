//! Skips that no single test owns: in a helper, a decorator, an alias, a hook, at the head of a file.
//!
//! Part of the rule about skipped tests. Told by how skips are spelled, where more of them stand in the test code than
//! before; what new tests bring along is theirs, and what is told test by test is not told again.

use super::ID;
use super::left_rounds::leaves;
use crate::collections::HashMap;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::evidence::does_nothing;
use crate::detectors::off_when::{self, Off};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Function, Scope, SkipKind, Span, Test};
use crate::finding::{Finding, Severity, Side};
use crate::languages::{bare_lines, may_spell_skip, skips_spelled};
use crate::pairing::Fate;
use crate::paths::PathClass;
use crate::text::{clipped, contains, one_line};

/// Folders of what tests look at: a skip there is data.
const DATA: &[&str] =
    &["fixtures", "fixture", "__fixtures__", "testdata", "test-data", "resources", "samples"];

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut balance = 0_i64;
    for (index, file) in comparison.files.iter().enumerate().filter(|(_, file)| is_of_tests(file)) {
        let (before, after) = (file.before.as_ref(), file.after.as_ref());
        if let (Some(before), Some(after)) = (before, after)
            && !hints(before, before.lines_unlike(after))
            && !hints(after, after.lines_unlike(before))
        {
            continue;
        }
        let old =
            before.map(|side| outside(spelled(side, after), &left(comparison, index))).unwrap_or_default();
        let new =
            after.map(|side| outside(spelled(side, before), &came(comparison, index))).unwrap_or_default();
        balance += new.len() as i64 - old.len() as i64;
        let Some(after) = after.filter(|_| new.len() > old.len()) else { continue };
        let is_new = before.is_none();
        if is_new && (!is_hook_file(&after.path) || brings_tests(comparison, &after.path)) {
            continue;
        }
        // A test that was left quietly and says so now is skipped as often as before.
        if before.is_some_and(|before| leaves(before) > leaves(after)) {
            continue;
        }
        let fresh = fresh(&old, &new);
        let line = fresh.into_iter().find(|(line, _)| is_new || takes_away(comparison, index, *line));
        found.extend(line.map(|(line, code)| finding(after, line, &code)));
    }
    // What only moved is as much as before.
    if balance > 0 { found } else { Vec::new() }
}

/// Whether new tests come with a new file of hooks, which may be meant for them.
fn brings_tests(comparison: &Comparison, path: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut files = comparison.files.iter().filter(|file| file.before.is_none());
    files.any(|file| {
        let side = file.after.as_ref().filter(|side| side.path.starts_with(folder));
        side.is_some_and(|side| !side.facts.tests.is_empty())
    })
}

/// Where tests of a file stood that are not there any more.
fn left(comparison: &Comparison, file: usize) -> Vec<Span> {
    let fates = comparison.pairing.fates.iter().filter(|(at, _)| at.file == file);
    let gone = fates.filter(|(_, fate)| !matches!(fate, Fate::Same { .. }));
    gone.map(|(at, _)| comparison.before(*at).1.span).collect()
}

/// Where new tests of a file stand.
fn came(comparison: &Comparison, file: usize) -> Vec<Span> {
    let added = comparison.pairing.added.iter().filter(|at| at.file == file);
    added.map(|at| comparison.after(*at).1.span).collect()
}

fn outside(lines: Vec<(u32, String)>, spans: &[Span]) -> Vec<(u32, String)> {
    let is_out = |line: u32| !spans.iter().any(|span| span.start <= line && line <= span.end);
    lines.into_iter().filter(|(line, _)| is_out(*line)).collect()
}

fn is_of_tests(file: &FileComparison) -> bool {
    let has_tests = |side: &Option<FileSide>| side.as_ref().is_some_and(|side| !side.facts.tests.is_empty());
    let path = file.after.as_ref().or(file.before.as_ref()).map_or("", |side| &side.path);
    let serves = |side: &Option<FileSide>| side.as_ref().is_some_and(serves_tests);
    (file.class == PathClass::Test || has_tests(&file.before) || serves(&file.before))
        && !path.split('/').any(|part| DATA.contains(&part))
}

/// Whether a file beside the tests is there for them alone: it takes the test that runs, or stands in a folder of helpers.
fn serves_tests(side: &FileSide) -> bool {
    let takes_test = side.facts.language == "go"
        && [&b"*testing.T"[..], b"testing.TB"].iter().any(|handle| contains(&side.text, handle));
    let folders =
        ["test_utils", "testutil", "testutils", "testlib", "testkit", "test_helpers", "testhelpers"];
    let mut parts = side.path.rsplit('/').skip(1);
    takes_test || parts.any(|part| folders.contains(&part) || part.ends_with("-testlib"))
}

fn hints(side: &FileSide, code: &[u8]) -> bool {
    may_spell_skip(side.facts.language, code)
}

/// The lines of a side that spell a skip, without white space and strings; what stands above and below all that differs
/// is the same on both sides.
fn spelled(side: &FileSide, other: Option<&FileSide>) -> Vec<(u32, String)> {
    let here = other.map_or(Span { start: 1, end: u32::MAX }, |other| side.span_unlike(other));
    if !hints(side, &side.text[side.bytes(here)]) {
        return Vec::new();
    }
    let language = side.facts.language;
    let lines = bare_lines(language, &side.text, &side.facts.signals.remarks);
    let times = |(line, number): (&String, u32)| {
        let count = skips_spelled(language, line);
        std::iter::repeat_n((number, plain(line)), count)
    };
    let lines = lines.iter().zip(1..).skip(here.start as usize - 1).take_while(|(_, line)| *line <= here.end);
    lines.flat_map(times).chain(turned(side)).collect()
}

/// A line without white space, and without the words by which a skip may be left or not: `raise pytest.skip()` does what
/// `pytest.skip()` does.
fn plain(line: &str) -> String {
    let words = line.split_whitespace();
    let leaves = |word: &&str| matches!(*word, "raise" | "return" | "await" | "throw" | "new");
    words.skip_while(leaves).collect()
}

/// Lines of hooks that turn how a test ended into a skip.
fn turned(side: &FileSide) -> Vec<(u32, String)> {
    if !is_hook_file(&side.path) || !contains(&side.text, b"outcome") {
        return Vec::new();
    }
    let lines = side.lines(Span { start: 1, end: u32::MAX }).zip(1..);
    let code = lines.map(|(line, number)| (number, line.split_whitespace().collect::<String>()));
    code.filter(|(_, code)| code.contains(".outcome=") && code.contains("skipped")).collect()
}

/// A file whose hooks the runner calls for every test below it.
fn is_hook_file(path: &str) -> bool {
    path.rsplit('/').next() == Some("conftest.py")
}

/// Those that the other side has not, or not as often.
fn fresh(old: &[(u32, String)], new: &[(u32, String)]) -> Vec<(u32, String)> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (_, code) in old {
        *known.entry(code).or_default() += 1;
    }
    let is_new = |(_, code): &&(u32, String)| match known.get_mut(code.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    new.iter().filter(is_new).cloned().collect()
}

/// Whether a line keeps a test from running that was there before.
fn takes_away(comparison: &Comparison, file: usize, line: u32) -> bool {
    let FileComparison { before: Some(before), after: Some(after), .. } = &comparison.files[file] else {
        return false;
    };
    let here = Span { start: line, end: line };
    if stands_on_news(before, after, line) || is_known(comparison, file, line) {
        return false;
    }
    if let Some((old, (_, new))) = kept(comparison).find(|(_, at)| at.0 == file && at.1.span.contains(here)) {
        return !was_off(old) && !does_nothing(old) && !is_narrowed(old, new);
    }
    let around = after.facts.functions.iter().filter(|one| !one.name.is_empty() && one.span.contains(here));
    let around: Vec<&Function> = around.collect();
    if around.is_empty() {
        // Outside of functions: for what was there before, if anything was.
        return before.facts.tests.iter().any(|test| !was_off(test)) || after.facts.language.is_empty();
    }
    let was_there = |one: &Function| before.facts.functions.iter().any(|old| old.name == one.name);
    let mut new = around.iter().filter(|one| !was_there(one)).peekable();
    new.peek().is_none() || new.any(|one| is_asked_for(comparison, one.short_name()))
}

/// Whether a line is one of several conditions that together hold no more often than before.
fn is_known(comparison: &Comparison, file: usize, line: u32) -> bool {
    let kept = comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } if after.file == file => {
            Some((comparison.before(*before), comparison.after(*after)))
        }
        _ => None,
    });
    let mut under = kept.filter(|(_, (_, new))| new.conditions.iter().any(|skip| skip.line == line));
    under.next().is_some_and(|(old, new)| off_when::compare(old, new) == Off::NoMore)
}

/// So far below a mark is what it stands on.
const BELOW: u32 = 12;

/// Whether a mark stands on something that is new as well, be it a test that nobody took for one.
fn stands_on_news(before: &FileSide, after: &FileSide, line: u32) -> bool {
    let is_there = |text: &str| contains(&before.text, text.as_bytes());
    let lines: Vec<String> =
        after.lines(Span { start: line, end: line + BELOW }).map(|line| line.trim().to_owned()).collect();
    let first = lines.first().map(String::as_str).unwrap_or_default();
    // The head of a test or a suite has its title with it: `test.runIf(a)('title', () => {`.
    if first.ends_with(['{', '(']) && !first.starts_with(['@', '#', 'i']) || first.ends_with("=> {") {
        let mut titles = lines.iter().take(2).rev().filter_map(|line| title(line));
        return titles.next().is_some_and(|title| !is_there(title));
    }
    if !first.starts_with(['@', '#']) {
        return false;
    }
    let mut depth = 0_i64;
    for text in &lines {
        let is_mark = depth > 0 || text.starts_with(['@', '#', '/', '*']) || text.is_empty();
        if !is_mark {
            return !is_there(text);
        }
        depth += text.matches(['(', '[', '{']).count() as i64 - text.matches([')', ']', '}']).count() as i64;
    }
    false
}

/// The last text in quotes of a line, if it can be a title.
fn title(line: &str) -> Option<&str> {
    let quote = line.chars().rev().find(|c| matches!(c, '\'' | '"' | '`'))?;
    let end = line.rfind(quote)?;
    let start = line[..end].rfind(quote)?;
    Some(&line[start + 1..end]).filter(|title| title.len() > 3)
}

fn was_off(test: &Test) -> bool {
    test.skip.as_ref().is_some_and(|skip| skip.kind != SkipKind::Conditional)
}

/// Whether a condition around a test went, so that it may stand on the test alone now.
fn is_narrowed(old: &Test, new: &Test) -> bool {
    let mut around = old.conditions.iter().filter(|skip| skip.scope != Scope::Test);
    around.any(|was| !new.conditions.iter().any(|is| is.mark == was.mark))
}

/// Tests that are there on both sides, those of the after side with their file.
fn kept(comparison: &Comparison) -> impl Iterator<Item = (&Test, (usize, &Test))> {
    comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } => {
            Some((comparison.before(*before).1, (after.file, comparison.after(*after).1)))
        }
        _ => None,
    })
}

/// Whether a test that was there before comes to use a helper.
fn is_asked_for(comparison: &Comparison, helper: &str) -> bool {
    helper.len() > 2
        && kept(comparison)
            .any(|(old, (_, new))| new.words.contains(helper) && !old.words.contains(helper) && !was_off(old))
}

fn finding(side: &FileSide, line: u32, code: &str) -> Finding {
    let written = side.lines(Span { start: line, end: line }).next().unwrap_or_default();
    let shown = clipped(&one_line(written.trim()), 100);
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!("`{shown}` now keeps tests from running that ran before"),
        help: format!(
            "take it out at {}:{line}, or let it hold only where they really cannot run",
            side.path
        ),
    };
    let mut finding = draft.on(Side::After, side, line, side.path.clone());
    finding.detail = code.to_owned();
    finding.after = excerpt(side, Span { start: line, end: line }, line, "this is new");
    finding.lower(Severity::Medium, "which tests it holds for cannot be told");
    finding
}
