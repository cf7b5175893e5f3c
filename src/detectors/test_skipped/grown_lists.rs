//! Lists of what tests pass over that grow: `SKIPPED = [...]`, `known_failures.txt`, `UNSUPPORTED.put(...)`.
//!
//! Part of the rule about skipped tests. A list is known by its name, in whatever language, or by that of its file.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::ID;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;
use crate::project::is_list_of_left_out;
use crate::text::{clipped, contains, name_words, one_line};

/// Words of names that say by themselves that something is passed over.
const PASSED: &[&str] = &[
    "skip",
    "skips",
    "skipped",
    "xfail",
    "xfails",
    "xfailed",
    "flaky",
    "quarantine",
    "quarantined",
    "blacklist",
    "blacklisted",
    "blocklist",
    "denylist",
    "untested",
    "unsupported",
    "disabled",
    "dont",
];

/// Words that say so beside one of the others.
const LEFT_OUT: &[&str] = &["ignore", "ignored", "ignores", "exclude", "excluded", "excludes", "exclusions"];
const OF_TESTS: &[&str] =
    &["case", "cases", "spec", "specs", "suite", "suites", "example", "examples", "fixtures", "files"];
const KNOWN: &[&str] = &["known", "expected", "allowed"];
const FAILING: &[&str] = &[
    "failure",
    "failures",
    "failing",
    "fails",
    "fail",
    "broken",
    "bugs",
    "problems",
    "issues",
    "incompatible",
];

/// What fails somewhere is known to: `FAILS_ON_JAVA_17`.
const WHERE: &[&str] = &["on", "in", "under", "with", "for"];

/// Each name that says so has one of these in it.
const PARTS: &[&str] = &[
    "skip",
    "fail",
    "flaky",
    "quarantine",
    "list",
    "untested",
    "unsupported",
    "disabled",
    "dont",
    "ignore",
    "exclu",
    "known",
    "expected",
    "allowed",
];

/// Longer lists are data.
const MAX_ITEMS: usize = 3_000;
const MAX_LINES: usize = 2_000;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter(|file| {
        let path = file.after.as_ref().map_or("", |side| &side.path);
        file.class == PathClass::Test || is_list_of_left_out(path)
    });
    files.filter_map(|file| grown(comparison, file)).collect()
}

fn grown(comparison: &Comparison, file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    if is_list_of_left_out(&after.path) {
        if comes_with_its_suite(comparison, &after.path) {
            return None;
        }
        let (old, new) = (lines_of(before), lines_of(after));
        return more(comparison, after, &after.path, &old, &new);
    }
    if !hints(&after.text) {
        return None;
    }
    let new = lists(after);
    // Most files have no such list.
    let old = if new.is_empty() { return None } else { lists(before) };
    let known = new.iter().filter_map(|(name, items)| {
        Some((name, old.get(name).or_else(|| renamed(name, &old, &new))?, items))
    });
    known.into_iter().find_map(|(name, old, new)| more(comparison, after, name, old, new))
}

/// Whether tests below the same folder as a list of expected results change with it: what is new there may fail.
fn comes_with_its_suite(comparison: &Comparison, path: &str) -> bool {
    let Some((suite, _)) = path.rsplit_once('/').and_then(|(folder, _)| folder.rsplit_once('/')) else {
        return false;
    };
    let is_below = |side: &FileSide| {
        side.path != path && side.path.strip_prefix(suite).is_some_and(|it| it.starts_with('/'))
    };
    let is_status = path.contains("status") || path.contains("expectations");
    is_status && comparison.files.iter().filter_map(|file| file.after.as_ref()).any(is_below)
}

type Items = BTreeMap<String, u32>;

/// The list that one bears the name of a part of, or the other way around, where it is gone and its items are not.
fn renamed<'l>(
    name: &str,
    old: &'l BTreeMap<String, Items>,
    new: &BTreeMap<String, Items>,
) -> Option<&'l Items> {
    let items = new.get(name)?;
    let mut gone = old.iter().filter(|(other, _)| !new.contains_key(*other));
    let is_it = |(other, had): &(&String, &Items)| {
        let named = name.contains(other.as_str()) || other.contains(name);
        named
            && !had.is_empty()
            && 2 * had.keys().filter(|item| items.contains_key(*item)).count() > had.len()
    };
    gone.find(is_it).map(|(_, items)| items)
}

/// What a list has in addition, where it has more than it had.
fn more(comparison: &Comparison, side: &FileSide, name: &str, old: &Items, new: &Items) -> Option<Finding> {
    let came: Vec<(&String, u32)> =
        new.iter().filter(|(item, _)| !old.contains_key(*item)).map(|(item, line)| (item, *line)).collect();
    let gone = old.keys().filter(|item| !new.contains_key(*item)).count();
    if came.len() <= gone || came.iter().all(|(item, _)| is_of_news(comparison, item)) {
        return None;
    }
    let (item, line) = came.iter().min_by_key(|(_, line)| *line)?;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!("{name} now also has `{}`, so tests pass it over", clipped(&one_line(item), 80)),
        help: format!("take it out at {}:{line} and make it pass", side.path),
    };
    let mut finding = draft.on(Side::After, side, *line, format!("{}::{name}", side.path));
    finding.after = excerpt(side, Span { start: *line, end: *line }, *line, "this is new");
    finding.lower(Severity::Medium, "only the name of the list says what it is for");
    Some(finding)
}

/// Whether an item is about a file that comes with the change, or about a name that the code did not have.
fn is_of_news(comparison: &Comparison, item: &str) -> bool {
    let words: Vec<&str> = item
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))
        .filter(|word| word.len() > 3)
        .collect();
    let Some(word) = words.iter().max_by_key(|word| word.len()) else { return false };
    let name = word.rsplit('/').next().unwrap_or(word).split('.').next().unwrap_or(word);
    let mut others = comparison.files.iter().filter(|file| file.after.is_some());
    others.any(|file| {
        let (before, after) = (file.before.as_ref(), file.after.as_ref());
        let path = after.map_or("", |side| &side.path);
        let is_new = before.is_none() && name.len() > 3 && path.contains(name);
        let defines = |side: &FileSide| {
            side.facts.functions.iter().any(|one| one.short_name() == name)
                || side.facts.definitions.iter().any(|one| one.name == name)
                || side.facts.tests.iter().any(|one| one.name == name)
        };
        is_new || after.is_some_and(defines) && !before.is_some_and(defines)
    })
}

/// The entries of a file that is such a list.
fn lines_of(side: &FileSide) -> Items {
    let lines = side.lines(Span { start: 1, end: u32::MAX }).zip(1..).take(MAX_ITEMS);
    let entry = |line: &str| {
        let text = line.split(" #").next().unwrap_or_default().trim().trim_end_matches(',');
        let is_comment = ["#", "//", ";", "--"].iter().any(|mark| text.starts_with(mark));
        (text.len() > 2 && !is_comment).then(|| text.to_owned())
    };
    lines.filter_map(|(line, number)| Some((entry(&line)?, number))).collect()
}

fn hints(text: &[u8]) -> bool {
    const HINTS: &[&[u8]] = &[
        b"kip",
        b"KIP",
        b"xfail",
        b"XFAIL",
        b"laky",
        b"LAKY",
        b"uarantin",
        b"lacklist",
        b"LACKLIST",
        b"locklist",
        b"enylist",
        b"ntested",
        b"nsupported",
        b"NSUPPORTED",
        b"isabled",
        b"DISABLED",
        b"gnore",
        b"IGNORE",
        b"xclu",
        b"EXCLU",
        b"nown",
        b"KNOWN",
        b"xpected_",
        b"EXPECTED_",
        b"dont",
        b"FAILS",
        b"ailing",
    ];
    HINTS.iter().any(|hint| contains(text, hint))
}

/// Lists by name, each with its items and their lines.
fn lists(side: &FileSide) -> BTreeMap<String, Items> {
    let lines: Vec<Cow<'_, str>> = side.lines(Span { start: 1, end: u32::MAX }).collect();
    let tests: Vec<Span> = side.facts.tests.iter().map(|test| test.span).collect();
    let mut found: BTreeMap<String, Items> = BTreeMap::new();
    let mut at = 0;
    while at < lines.len() {
        let number = at as u32 + 1;
        let in_test = || tests.iter().any(|span| span.start <= number && number <= span.end);
        if let Some(item) = put(&lines[at]) {
            let (name, item) = item;
            found.entry(name.to_owned()).or_default().entry(item.to_owned()).or_insert(number);
            at += 1;
        } else if let Some((name, start)) = opened(&lines[at]).filter(|_| !in_test()) {
            let (items, end) = items(&lines, at, start);
            let list = found.entry(name.to_owned()).or_default();
            for (item, line) in items {
                list.entry(item).or_insert(line);
            }
            at = end.max(at + 1);
        } else {
            at += 1;
        }
    }
    found
}

/// `SKIPPED.put("a", b)`
fn put(line: &str) -> Option<(&str, &str)> {
    let text = line.trim();
    let call = ["put", "add", "append", "push", "insert", "extend", "update", "addAll", "set"];
    let (head, rest) = text.split_once('(')?;
    let (name, verb) = head.rsplit_once('.')?;
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    (is_plain && call.contains(&verb) && says_passed(name)).then_some((name, rest))
}

/// The name of a list that a line opens, and where its content starts.
fn opened(line: &str) -> Option<(&str, usize)> {
    let text = line.trim_start();
    if text.starts_with(['#', '/', '*']) {
        return None;
    }
    let at = line.find(":=").or_else(|| line.find('=')).or_else(|| line.find(": "))?;
    let rest = &line[at..];
    if rest.starts_with("==") || rest.starts_with("=>") {
        return None;
    }
    let open = at + rest.find(['[', '{', '('])?;
    let mut names =
        line[..at].split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
    // Types may stand before the name, or behind it.
    let name = names.find(|name| says_passed(name))?;
    // A call that computes is no list.
    let between = &line[at..open];
    let makes =
        ["set", "Set", "frozenset", "list", "tuple", "of", "asList", "vec!", "newHashSet", "dict", "Map"];
    let is_call =
        line[open..].starts_with('(') && between.trim_end().ends_with(|c: char| c.is_alphanumeric());
    let makes_one = makes.iter().any(|make| between.trim_end().ends_with(make));
    (!is_call || makes_one).then_some((name, open))
}

fn items(lines: &[Cow<'_, str>], first: usize, start: usize) -> (Vec<(String, u32)>, usize) {
    let mut found = Vec::new();
    let mut depth = 0_i64;
    for (index, line) in lines.iter().enumerate().skip(first).take(MAX_LINES) {
        let text = if index == first { &line[start..] } else { &**line };
        let code = without_comment(text);
        let opens = code.matches(['[', '{', '(']).count() as i64;
        let closes = code.matches([']', '}', ')']).count() as i64;
        depth += opens - closes;
        for item in code.split(',') {
            let item = item.trim().trim_matches(['[', ']', '{', '}', '(', ')', ';', ' ']).trim();
            if item.len() > 1 && found.len() < MAX_ITEMS {
                found.push((item.to_owned(), index as u32 + 1));
            }
        }
        if depth <= 0 {
            return (found, index + 1);
        }
    }
    (Vec::new(), first + 1)
}

fn without_comment(line: &str) -> &str {
    let text = line.trim_start();
    if text.starts_with('#') || text.starts_with("//") || text.starts_with('*') || text.starts_with("/*") {
        return "";
    }
    let end = line.find(" #").into_iter().chain(line.find(" //")).min();
    end.map_or(line, |end| &line[..end])
}

/// Whether a name says that what it lists is not tested.
fn says_passed(name: &str) -> bool {
    if name.len() < 4 || name.len() > 80 {
        return false;
    }
    let lower = name.to_lowercase();
    // A cheap question first: most names have none of the words that count.
    if !PARTS.iter().any(|part| lower.contains(part)) {
        return false;
    }
    let words: HashSet<String> = name_words(name);
    let has = |known: &[&str]| known.iter().any(|word| words.contains(*word));
    let of_tests = has(OF_TESTS) || lower.contains("test");
    // `dont` alone says nothing.
    let passed = PASSED.iter().filter(|word| words.contains(**word)).collect::<BTreeSet<_>>();
    match () {
        () if passed.len() == 1 && passed.contains(&"dont") => of_tests,
        () if !passed.is_empty() => true,
        () => {
            has(LEFT_OUT) && of_tests
                || has(KNOWN) && has(FAILING)
                || has(&["fails", "failing"]) && has(WHERE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lists_that_pass_over_are_known() {
        for name in [
            "SKIPPED",
            "FAILS_ON_JAVA_17",
            "skipTests",
            "known_failures",
            "dont_test",
            "EXPECTED_FAILURES",
            "ignoredCases",
        ] {
            assert!(says_passed(name), "{name}");
        }
        for name in ["ignored_fields", "expected", "tests", "known_hosts", "dont_care"] {
            assert!(!says_passed(name), "{name}");
        }
    }

    #[test]
    fn lists_are_opened_in_many_ways() {
        for (line, name) in [
            ("SKIPPED = [", "SKIPPED"),
            ("const skipTests = new Set([", "skipTests"),
            ("static KNOWN_FAILURES: &[&str] = &[", "KNOWN_FAILURES"),
            ("var knownFailures = map[string]bool{", "knownFailures"),
            ("private static final Set<String> SKIPPED = Set.of(", "SKIPPED"),
            ("dont_test = [Pipeline, FeatureUnion,", "dont_test"),
        ] {
            assert_eq!(opened(line).map(|(name, _)| name), Some(name), "{line}");
        }
        for line in ["skipped = compute(a)", "if skipped == [1]:", "# SKIPPED = ["] {
            assert_eq!(opened(line), None, "{line}");
        }
    }
}
