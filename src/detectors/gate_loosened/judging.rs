//! How bad it is that a setting became looser.

use super::linted::{has_other_version, linted};
use super::matching::counts;
use super::rows;
use super::settings::again;
use crate::collections::HashSet;
use crate::detectors::coverage_loosened::harmless::{is_harmless, note_at};
use crate::detectors::ground::{GroundSide, Loosened, Pool};
use crate::facts::{About, Check, CheckClass, Ground, Setting, SettingValue, Span, Unreached};
use crate::finding::Severity;
use crate::paths;
use crate::project::{AS_ERROR, class_of_name};
use crate::text::contains;

/// How bad it is, and why it is less than high; `None` where it is nothing.
pub fn judged(
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    loosened: Loosened<'_>,
    pool: &Pool<'_>,
) -> Option<(Severity, &'static str)> {
    let setting = loosened.setting();
    let side = if loosened.is_gone() { before } else { after };
    match (setting.about, loosened) {
        (About::Coverage | About::CoverageLines | About::Offers, _) => None,
        (About::Lint, Loosened::GivenUp(_)) if rules(before) > 0 && rules(after) >= rules(before) => {
            Some((Severity::Low, "other rules came in its place"))
        }
        (About::Lint | About::Checkers, Loosened::LeftOut(_)) if has_more_rules(before, after) => {
            Some((Severity::Low, "other rules came with it"))
        }
        (About::Lint | About::Checkers, Loosened::LeftOut(_)) if pool.is_of_new_files(left_out(setting)) => {
            Some((Severity::Low, "it is about files that are new"))
        }
        // What is taken over from elsewhere may have the rule, and formatters see to the layout.
        (About::Lint, Loosened::GivenUp(rule))
            if rule.key.ends_with(AS_ERROR)
                && (takes_over_rules(before) || takes_over_rules(after) || is_of_layout(&rule.key)) =>
        {
            None
        }
        // A block that is new is told by its rules.
        (About::Checkers, Loosened::LeftOut(_))
            if setting.key.ends_with(" off")
                && !before.facts.settings.iter().any(|old| old.key == setting.key) =>
        {
            None
        }
        // A switch may go because a later version of the tool has it on.
        (About::Checkers, Loosened::GivenUp(_)) if has_other_version(before, after, setting) => {
            Some((Severity::Low, "the version of the tool is another one"))
        }
        (About::Lint | About::Checkers, _) => linted(before, setting, loosened),
        (About::Audit, Loosened::LeftOut(_)) if is_false_alarm(side, setting) => {
            Some((Severity::Low, "it is called a false positive there"))
        }
        (About::Audit, Loosened::LeftOut(_)) => Some((Severity::Medium, "other advisories still count")),
        (About::Audit, _) => None,
        // What a file takes over from another one may well be as strict.
        (About::Types, Loosened::GivenUp(_) | Loosened::Dropped { .. })
            if contains(&after.file.text, b"extends") =>
        {
            None
        }
        (
            About::Types,
            Loosened::Switched(_)
            | Loosened::GivenUp(_)
            | Loosened::Lowered { .. }
            | Loosened::Dropped { .. },
        ) => Some((Severity::Medium, "it is about types")),
        (About::Types, _) => None,
        (About::Rows, Loosened::Narrowed(_)) if rows::was_lenient(before, setting) => None,
        (About::Rows, Loosened::Narrowed(_) | Loosened::Lowered { .. }) => {
            checks_something(before, setting).then(|| rows::left(before, after, setting))
        }
        (About::Jobs, _) => (before.facts.jobs.contains(&setting.key)
            && says_check(&format!("{} {}", setting.key, after.file.path))
            && !has_checks_in(after, &setting.key))
        .then_some((Severity::Medium, "what the job ran cannot be told")),
        (About::Rows, Loosened::LeftOut(_)) if setting.key.ends_with("exclude") => {
            rows::excluded(before, after, setting, left_out(setting))
        }
        (About::Rows, Loosened::LeftOut(_)) => rows::allowed(before, after, left_out(setting)),
        (About::Reports, Loosened::GivenUp(_)) if !is_kept_upload(before, after, setting) => None,
        (About::Rows, _) => None,
        (About::Hooks | About::Reports | About::Shell, _) => {
            Some((Severity::Medium, "the checks themselves still run"))
        }
        (About::Attributes, _) if hidden_tests(after, setting).is_some() => Some((Severity::High, "")),
        // Data, and what programs write, is no loss.
        (About::Attributes, _)
            if after.facts.unreached.iter().any(|it| it.key == left_out(setting) && it.files == 0) =>
        {
            None
        }
        (About::Attributes, _) => hiding(&setting.key, left_out(setting)).map(|severity| (severity, "")),
        (About::Tests, Loosened::LeftOut(_)) if setting.key.ends_with("filterwarnings") => {
            Some(warned(after, setting))
        }
        (About::Tests, Loosened::LeftOut(_))
            if after.facts.of_nothing.iter().any(|it| it == left_out(setting)) =>
        {
            Some((Severity::Low, "nothing in the repository bears that name"))
        }
        (About::Tests, Loosened::LeftOut(_)) => {
            let pattern = left_out(setting);
            let note = note_at(side.file, setting.line);
            let quiet = is_harmless(About::Tests, pattern, &note)
                || pool.is_of_new_files(pattern)
                || pool.is_of_deleted_files(pattern)
                || pool.is_selected(About::Tests, pattern);
            let selective = [" -k", " -m", " !"].iter().any(|option| setting.key.ends_with(option));
            let severity = if selective { Severity::Medium } else { Severity::High };
            (!quiet).then_some((severity, "only what is marked is left out"))
        }
        (About::Tests, Loosened::Narrowed(_)) if setting.key.ends_with("filterwarnings") => {
            Some((Severity::Low, "it is about warnings"))
        }
        // A part of the build that has no tests is no check.
        (About::Tests, Loosened::Narrowed(_)) if setting.key == "module" => after
            .facts
            .unreached
            .iter()
            .any(|it| it.key == setting.key && it.files > 0)
            .then_some((Severity::Medium, "the tests may be run by a build of their own")),
        (About::Tests, Loosened::Narrowed(_)) if setting.key.ends_with(" -e") => {
            Some(rows::left(before, after, setting))
        }
        (About::Tests, Loosened::Narrowed(_))
            if after.facts.unreached.iter().any(|it| it.key == setting.key && it.files == 0) =>
        {
            Some((Severity::Low, "all files of tests that are there are still reached"))
        }
        (About::Tests, Loosened::Narrowed(_) | Loosened::Restricted { .. }) => {
            Some((Severity::Medium, "the tests may be found another way"))
        }
        (About::Tests, Loosened::Switched(_)) => Some(switched(setting)),
        (About::Tests, Loosened::GivenUp(_)) => {
            Some((Severity::Medium, "the tests still run, and fail on less"))
        }
        (About::Tests, Loosened::Lowered { .. }) => {
            Some((Severity::Medium, "the tests still run, and pass more easily"))
        }
        (About::Tests, _) => None,
    }
}

/// Whether the job, the step or the script that goes through a list checks something.
fn checks_something(side: &GroundSide<'_>, setting: &Setting) -> bool {
    let name = side.file.path.rsplit('/').next().unwrap_or_default();
    // Travis runs the tests of the language where nobody says what it shall run, and tox has no other purpose.
    if name == ".travis.yml" || setting.key.starts_with("tox") {
        return true;
    }
    let job = setting.key.split(['/', ' ']).next().unwrap_or_default();
    let is_workflow = side.facts.ground == Ground::Pipeline && !side.facts.jobs.is_empty();
    if is_workflow {
        return has_checks_in(side, job) || class_of_name(&setting.key).is_some();
    }
    let stem = name.split('.').next().unwrap_or_default();
    match side.facts.ground {
        Ground::Pipeline => side.facts.checks.iter().any(counts),
        _ => class_of_name(stem).is_some_and(|class| class != CheckClass::Build),
    }
}

/// Whether the step that a setting of a report belongs to is still there.
fn is_kept_upload(before: &GroundSide<'_>, after: &GroundSide<'_>, setting: &Setting) -> bool {
    let place = setting.key.rsplit_once('/').map_or("", |(place, _)| place);
    let measures = |check: &&Check| check.class == CheckClass::Coverage;
    let own = before.facts.checks.iter().filter(measures).filter(|check| check.place == place);
    let has = |signature: &str| after.facts.checks.iter().any(|check| check.signature == signature);
    own.into_iter().any(|check| has(&check.signature))
}

/// Whether a file of rules has more of them than it lists.
fn takes_over_rules(side: &GroundSide<'_>) -> bool {
    let text = String::from_utf8_lossy(&side.file.text);
    text.lines().map(str::trim).any(|line| {
        ["extends", "configs", "presets", "= require("].iter().any(|word| line.contains(word))
            || ["import ", "..."].iter().any(|start| line.starts_with(start))
    })
}

/// Whether a rule is about where things stand, by its name.
fn is_of_layout(rule: &str) -> bool {
    const LAYOUT: &[&str] = &[
        "indent",
        "spac",
        "quote",
        "semi",
        "comma",
        "newline",
        "eol",
        "brace",
        "paren",
        "padd",
        "tab",
        "max-len",
        "linebreak",
        "lines",
        "wrap",
        "align",
        "bracket",
    ];
    LAYOUT.iter().any(|word| rule.contains(word))
}

/// How many rules a file lists one by one.
fn rules(side: &GroundSide<'_>) -> usize {
    let is_rule = |setting: &&Setting| {
        let listed = ["module ", "rule "].iter().any(|kind| setting.key.starts_with(kind));
        setting.about == About::Lint && listed
    };
    side.facts.settings.iter().filter(is_rule).count()
}

/// Whether a linter is told to look at more than before.
fn has_more_rules(before: &GroundSide<'_>, after: &GroundSide<'_>) -> bool {
    let selects = |setting: &&Setting| {
        let is_rule = matches!(setting.value, SettingValue::Selects(_) | SettingValue::Insists(_));
        matches!(setting.about, About::Lint | About::Checkers) && is_rule
    };
    let count = |side: &GroundSide<'_>| side.facts.settings.iter().filter(selects).count();
    let all = |side: &GroundSide<'_>| {
        let is_all = |setting: &&Setting| setting.value == SettingValue::Selects("**".to_owned());
        side.facts.settings.iter().filter(selects).any(|setting| is_all(&setting))
    };
    count(after) > count(before) || all(after) && !all(before)
}

/// So far above an entry its reason is looked for.
const REASON: u32 = 8;

/// What people write where a scanner is wrong.
const WRONG: &[&str] = &[
    "false positive",
    "not affected",
    "unaffected",
    "not vulnerable",
    "not a security issue",
    "not used",
    "don't use",
    "do not use",
    "does not apply",
    "disputed",
];

/// Whether the lines above an entry, which it may share with those beside it, say that the scanner is wrong.
fn is_false_alarm(side: &GroundSide<'_>, setting: &Setting) -> bool {
    let entries: HashSet<u32> = side.facts.settings.iter().map(|other| other.line).collect();
    let mut first = setting.line;
    while entries.contains(&(first - 1)) {
        first -= 1;
    }
    let above = (1..first).rev().take(REASON as usize).take_while(|line| !entries.contains(line));
    above.chain([setting.line]).any(|line| {
        let text: String = side.file.lines(Span { start: line, end: line }).collect();
        let text = text.to_lowercase().replace('-', " ");
        WRONG.iter().any(|words| text.contains(words))
    })
}

/// Whether a job runs a check that can stop anything.
fn has_checks_in(side: &GroundSide<'_>, job: &str) -> bool {
    let is_of = |check: &&Check| check.place.split('/').next() == Some(job);
    side.facts.checks.iter().filter(is_of).any(|check| check.class != CheckClass::Build)
}

/// Whether a name speaks of checks, be it in one word with something else: `linkcheck`.
fn says_check(name: &str) -> bool {
    let lower = name.to_lowercase().replace("checkout", "");
    ["check", "test", "lint", "verif", "validat", "audit", "scan", "analy"]
        .iter()
        .any(|word| lower.contains(word))
}

fn left_out(setting: &Setting) -> &str {
    match &setting.value {
        SettingValue::LeavesOut(pattern) => pattern,
        _ => "",
    }
}

/// Switches that only matter in some projects.
const MILD: &[&str] = &[
    "passWithNoTests",
    "xfail_strict",
    " addopts",
    " filterwarnings",
    "lib.doctest",
    "lib.test",
    "bin.test",
    "package.autotests",
    "forbidOnly",
    "forbid-only",
    "typecheck.enabled",
    "failOnEmptyTestSuite",
    "failOnNoMatchingTests",
    "test.test",
];

/// Warnings about what will change one day: to hide them hides nothing that is wrong today.
const OF_LATER: &[&str] = &["DeprecationWarning", "FutureWarning"];

/// Warnings that are to be none: where all of them fail the tests, one that is hidden did so.
fn warned(after: &GroundSide<'_>, setting: &Setting) -> (Severity, &'static str) {
    let fails = |other: &Setting| {
        other.key == setting.key && matches!(&other.value, SettingValue::Insists(what) if what == "error")
    };
    let is_of_later = OF_LATER.iter().any(|kind| left_out(setting).contains(kind));
    match !is_of_later && after.facts.settings.iter().any(fails) {
        true => (Severity::Medium, "other warnings still fail the tests"),
        false => (Severity::Low, "it is about warnings"),
    }
}

fn switched(setting: &Setting) -> (Severity, &'static str) {
    if setting.key.contains("-p no:") {
        return (Severity::Medium, "the tests still run, and fail on less");
    }
    let name = setting.key.rsplit('/').next().unwrap_or_default();
    if name.contains('_') && !name.contains(|c: char| c.is_lowercase() || c == ' ') {
        return (Severity::Medium, "what becomes of the variable cannot be told");
    }
    if again(&setting.key) {
        return (Severity::Medium, "the tests still run, and pass if they do so once");
    }
    match MILD.iter().any(|key| setting.key.ends_with(key)) {
        true => (Severity::Medium, "tests that are there still count"),
        false => (Severity::High, ""),
    }
}

/// The tests that a mark takes out of sight of the gate, itself included, where they are there already.
pub(super) fn hidden_tests<'c>(after: &GroundSide<'c>, setting: &Setting) -> Option<&'c Unreached> {
    let obeyed = setting.about == About::Attributes && is_obeyed(&setting.key);
    let is_of = |it: &&Unreached| {
        it.key == left_out(setting)
            && it.first.as_ref().is_some_and(|first| !is_harmless(About::Attributes, first, ""))
    };
    after.facts.unreached.iter().filter(|_| obeyed).find(is_of)
}

/// Whether the gate looks away from what bears this mark.
fn is_obeyed(mark: &str) -> bool {
    matches!(mark, "linguist-vendored" | "linguist-generated")
}

/// How bad it is that attributes take this out of sight: from the next commit on the gate looks away, too.
fn hiding(mark: &str, pattern: &str) -> Option<Severity> {
    let obeyed = is_obeyed(mark);
    let everything = matches!(pattern, "*" | "**" | "/**" | "*.*");
    let others = is_harmless(About::Attributes, pattern, "") || paths::is_vendored_by_name(pattern);
    let a_part = is_code(pattern) && !others;
    match () {
        () if everything && obeyed || hides_code(pattern) => Some(Severity::High),
        () if a_part && obeyed => Some(Severity::Medium),
        () => None,
    }
}

fn is_code(pattern: &str) -> bool {
    let is_folder = ["/**", "/", "/*"].iter().any(|end| pattern.ends_with(end));
    paths::is_source(pattern) || is_folder
}

/// Whether a pattern of attributes is about code that people write, by what its folders are called.
pub fn hides_code(pattern: &str) -> bool {
    let own = ["src", "lib", "app", "pkg", "internal", "test", "tests", "spec", "crates", "packages", "cmd"];
    let parts: Vec<&str> = pattern.split('/').collect();
    let in_own = parts.iter().any(|part| own.contains(part));
    let all_of_a_language =
        pattern.starts_with("*.") && paths::is_source(pattern) && pattern.matches('.').count() == 1;
    is_code(pattern) && (in_own || all_of_a_language) && !is_harmless(About::Attributes, pattern, "")
}
