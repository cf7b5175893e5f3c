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
    ("pytest_sessionfinish", &["exitstatus = 0", "exitstatus=0", "exitstatus = ExitCode.OK", "exit(0)"]),
    ("pytest_unconfigure", &["exit(0)"]),
    ("pytest_configure", &["exit(0)", "returncode=0"]),
    ("pytest_sessionstart", &["exit(0)", "returncode=0"]),
    ("pytest_pyfunc_call", &["return True"]),
    ("pytest_runtest_protocol", &["return True"]),
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

/// What a hook calls that runs tests by other means.
const RUN: &[&str] =
    &[".obj", "testfunction", "runtestprotocol(", "call_and_report", "funcargs", ".runtest("];

/// Ends of the whole run that look like success.
const ENDS: &[&str] = &["sys.exit(0)", "os._exit(0)", "exit(0)", "quit()", "sys.exit()"];

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
            facts.settings.extend(fixture(name, &lines, at, end));
            at = end;
        } else {
            facts.settings.extend(ENDS.contains(&line.trim_end()).then(|| loose("module level exit", at)));
            at += 1;
        }
    }
    facts
}

fn loose(key: &str, at: usize) -> Setting {
    Setting {
        about: About::Tests,
        key: key.to_owned(),
        line: at as u32 + 1,
        value: SettingValue::Loose(true),
    }
}

/// A fixture that every test gets and that skips whatever the test is.
fn fixture(name: &str, lines: &[&str], start: usize, end: usize) -> Option<Setting> {
    let above = lines[..start].iter().rev().take(6).take_while(|line| !line.trim().is_empty());
    let above: Vec<&str> = above.copied().collect();
    let decorated = above.iter().any(|line| line.starts_with("@pytest.fixture"));
    if !decorated || !above.iter().any(|line| line.replace(' ', "").contains("autouse=True")) {
        return None;
    }
    let body = &lines[start + 1..end];
    let depth = |line: &str| line.len() - line.trim_start().len();
    // What stands further in depends on something.
    let own = body.iter().filter(|line| !line.trim().is_empty()).map(|line| depth(line)).min()?;
    let skips = |line: &&str| {
        depth(line) == own
            && ["pytest.skip(", "pytest.xfail("].iter().any(|call| line.trim().starts_with(call))
    };
    let at = body.iter().position(skips)?;
    Some(loose(&format!("autouse fixture {name}"), start + 1 + at))
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
    let runs = matches!(name, "pytest_pyfunc_call" | "pytest_runtest_protocol")
        && code().any(|line| RUN.iter().any(|word| line.contains(word)));
    if runs || code().any(|line| CONDITIONS.iter().any(|word| line.contains(word))) {
        return None;
    }
    Some(loose(name, start + place))
}
