//! `conftest.py`: what pytest leaves out, and hooks that decide how tests end.
//!
//! Told by lines: an assignment of `collect_ignore`, and what stands in the body of a hook function.

use super::scripts::strings;
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Hooks, and the words in their bodies that take tests out of the run or change how they end.
const HOOKS: &[(&str, &[&str])] = &[
    (
        "pytest_collection_modifyitems",
        &["mark.skip", "mark.xfail", "items[:]", "items.remove", "deselected", "items.clear", "items ="],
    ),
    ("pytest_ignore_collect", &["return True", "return 1"]),
    ("pytest_runtest_makereport", &["outcome = \"passed\"", "outcome = 'passed'", "outcome=\"passed\""]),
    ("pytest_runtest_setup", &["pytest.skip("]),
    ("pytest_sessionfinish", &["exitstatus = 0", "exitstatus=0", "exitstatus = ExitCode.OK", "_exit(0)"]),
    ("pytest_runtest_call", &["force_result"]),
];

/// What makes a hook depend on where and how tests are run.
const CONDITIONS: &[&str] = &[
    "getoption",
    "getvalue",
    "environ",
    "getenv",
    "platform",
    "version",
    "get_closest_marker",
    "iter_markers",
    "keywords",
    "importorskip",
    "which(",
    "find_spec",
    "is_available",
    "has_",
    "not in sys.modules",
    "ImportError",
    "config.option",
];

pub fn read(text: &str) -> ProjectFacts {
    let lines: Vec<&str> = text.lines().collect();
    let mut facts = ProjectFacts { ground: Ground::Runner, ..ProjectFacts::default() };
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if line.starts_with("collect_ignore") {
            at = ignore_list(&lines, at, &mut facts);
        } else if let Some((name, _)) = line.strip_prefix("def ").and_then(|rest| rest.split_once('(')) {
            let end = body_end(&lines, at);
            facts.settings.extend(hook(name, &lines[at..end], at));
            at = end;
        } else {
            at += 1;
        }
    }
    facts
}

/// The entries of `collect_ignore = [...]` or `+= [...]`; returns the line behind it.
fn ignore_list(lines: &[&str], start: usize, facts: &mut ProjectFacts) -> usize {
    let key = lines[start].split(['=', '+', '.', ' ', ':']).next().unwrap_or_default();
    let mut at = start;
    let mut open = 0_i64;
    while let Some(line) = lines.get(at) {
        let code = line.split('#').next().unwrap_or_default();
        let found = strings(code).into_iter().map(|pattern| Setting {
            about: About::Tests,
            key: key.to_owned(),
            line: at as u32 + 1,
            value: SettingValue::LeavesOut(pattern),
        });
        facts.settings.extend(found);
        open += code.matches(['[', '(']).count() as i64 - code.matches([']', ')']).count() as i64;
        at += 1;
        if open <= 0 {
            break;
        }
    }
    at
}

fn body_end(lines: &[&str], start: usize) -> usize {
    let ends = |line: &&str| !line.is_empty() && !line.starts_with([' ', '\t', ')', '#']);
    let length = lines[start + 1..].iter().position(ends);
    length.map_or(lines.len(), |length| start + 1 + length)
}

/// A hook that takes something away without asking how tests are run.
fn hook(name: &str, body: &[&str], start: usize) -> Option<Setting> {
    let (_, words) = HOOKS.iter().find(|(hook, _)| *hook == name)?;
    let code = || body.iter().map(|line| line.split('#').next().unwrap_or_default());
    let place = code().position(|line| words.iter().any(|word| line.contains(word)))?;
    if code().any(|line| CONDITIONS.iter().any(|word| line.contains(word))) {
        return None;
    }
    let line = (start + place) as u32 + 1;
    Some(Setting { about: About::Tests, key: name.to_owned(), line, value: SettingValue::Loose(true) })
}
