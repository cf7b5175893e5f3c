//! # coverage-loosened (GP-106)
//!
//! Coverage counts for less than before: the least that is enough was lowered or dropped, the check was made
//! informational, or source files were put on the list of what is not measured. Or nothing measures any more: the
//! command, the upload or the whole workflow is gone, or pull requests no longer start it. Or less is measured: a command
//! gets `--no-cov`, a package is no longer named to it, or a condition lets it run in fewer rows of the matrix. Or the file
//! that held the demand is gone, and nothing else demands as much.
//!
//! Looked at are the settings of coverage.py, jest, vitest, nyc, c8, SimpleCov, Codecov, Sonar, tarpaulin, JaCoCo,
//! Cobertura, Emma and Clover, and the options of commands that measure.
//!
//! Severity: high; medium where something else still demands it, where nothing measures any more, and for a first file
//! of Codecov that switches it off; low for lines that are left out by their text, unless that is most lines.
//!
//! Where nothing of the kind is seen, and the message of the commit says that coverage is left out or lowered, the settings
//! that change are a warning.
//!
//! ## Why it matters
//!
//! A threshold is a promise that new code comes with tests. Lowering it, or hiding the files that miss it, keeps the
//! figure green while the promise is broken, and the lower figure is the starting point from then on.
//!
//! ## Example
//!
//! ```xml
//! <!-- before -->                                     <!-- after -->
//! <jacoco.branchRatio>0.86</jacoco.branchRatio>       <jacoco.branchRatio>0.85</jacoco.branchRatio>
//! ```
//!
//! ## What is not reported
//!
//! - a threshold that is raised, or moves to another file or into a profile
//! - a command that no longer measures beside one that does
//! - tests, examples, benchmarks, generated and vendored files, and files of types only that are not measured
//! - the first set-up of coverage in a project
//! - entries of a list that were renamed along with their files
//!
//! ## What to do
//!
//! Put the threshold back and test what is missing. If a file is generated or holds types only, say so in a comment
//! beside its entry.

mod coverage_pragmas;
pub mod harmless;

use super::gate_loosened::{Matched, measured};
use super::ground::{GroundPair, GroundSide, Loosened, Pool, compare, pairs};
use super::report::{Draft, excerpt};
use super::table;
use crate::comparison::Comparison;
use crate::facts::{About, CheckClass, Ground, ProjectFacts, Setting, SettingValue, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use harmless::{is_harmless, is_of_tools, note_at};

pub const ID: RuleId = table::id("coverage-loosened", "GP-106", FindingType::CoverageRegression);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut findings = coverage_pragmas::findings(comparison, &ID);
    let pairs = pairs(comparison);
    if !pairs.is_empty() {
        let pool = Pool::new(comparison, &pairs);
        findings.extend(pairs.iter().flat_map(|pair| of_pair(pair, &pool)));
        findings.extend(measured(comparison, &pairs, &pool, &ID));
        findings.extend(pairs.iter().filter_map(|pair| silent_from_the_start(pair, &pairs, &pool)));
    }
    findings
}

fn of_pair(pair: &GroundPair<'_>, pool: &Pool<'_>) -> Vec<Finding> {
    let Some(before) = pair.before else { return Vec::new() };
    let Some(after) = pair.after else { return of_gone_file(&before, pool) };
    let own = compare(&before.facts.settings, &after.facts.settings, pool);
    let matched = Matched::of(pair);
    let of_commands = matched.kept.iter().flat_map(|(old, new)| compare(&old.settings, &new.settings, pool));
    // A command that measured may have given way to one that does not.
    let of_gone = matched.gone.iter().flat_map(|old| compare(&old.settings, &[], pool));
    let of_gone = of_gone.filter(|loosened| matches!(loosened, Loosened::GivenUp(_)) && has_tests(&after));
    let is_ours =
        |loosened: &Loosened<'_>| matches!(loosened.setting().about, About::Coverage | About::CoverageLines);
    let first = !has_coverage(&before);
    own.into_iter()
        .filter(is_ours)
        .filter(|loosened| !(first && matches!(loosened, Loosened::LeftOut(_))))
        .chain(of_commands.chain(of_gone).filter(is_ours))
        .filter_map(|loosened| finding(&before, &after, loosened, pool))
        .collect()
}

/// A file that is gone with what it demanded, where nothing else in the change demands as much. One that is nothing but
/// settings of coverage is told once, by the first demand.
fn of_gone_file(before: &GroundSide<'_>, pool: &Pool<'_>) -> Vec<Finding> {
    let name = before.file.path.rsplit('/').next().unwrap_or_default();
    let is_own = ["codecov", "coveragerc", "nycrc", "c8rc", "tarpaulin", "simplecov"];
    if !is_own.iter().any(|own| name.contains(own)) {
        return Vec::new();
    }
    let lost = compare(&before.facts.settings, &[], pool);
    let first = lost.into_iter().find(|lost| matches!(lost, Loosened::Dropped { .. }));
    let found = first.and_then(|first| finding(before, before, first, pool));
    let lower = |mut finding: Finding| {
        finding.lower(Severity::Medium, "the file is gone as a whole");
        finding
    };
    found.map(lower).into_iter().collect()
}

fn has_tests(side: &GroundSide<'_>) -> bool {
    side.facts.checks.iter().any(|check| check.class == CheckClass::Test)
}

/// A first file of Codecov that says nothing but that coverage shall not count, or may drop. Without the file neither
/// holds.
fn silent_from_the_start(
    pair: &GroundPair<'_>,
    pairs: &[GroundPair<'_>],
    pool: &Pool<'_>,
) -> Option<Finding> {
    let (None, Some(after)) = (pair.before, pair.after) else { return None };
    let measures = |side: &GroundSide<'_>| {
        side.facts.checks.iter().filter(|check| check.class == CheckClass::Coverage).count()
    };
    let starts = pairs.iter().any(|pair| {
        pair.after.is_some_and(|after| measures(&after) > pair.before.map_or(0, |before| measures(&before)))
    });
    if !after.file.path.contains("codecov") || starts || pool.is_new_ground(&after.file.path) {
        return None;
    }
    let is_loose = |setting: &&Setting| {
        setting.about == About::Coverage
            && match setting.value {
                SettingValue::Loose(loose) => loose,
                SettingValue::Demands(number) => number < 0.0,
                _ => false,
            }
    };
    let demands = |setting: &Setting| matches!(setting.value, SettingValue::Demands(number) if number > 0.0);
    let first = after.facts.settings.iter().find(is_loose)?;
    if after.facts.settings.iter().any(demands) {
        return None;
    }
    let nothing = ProjectFacts::default();
    let before = GroundSide { file: after.file, facts: &nothing };
    let none = Setting { value: SettingValue::Demands(0.0), ..first.clone() };
    let loosened = match first.value {
        SettingValue::Demands(_) => Loosened::Lowered { before: &none, after: first },
        _ => Loosened::Switched(first),
    };
    let mut finding = finding(&before, &after, loosened, pool)?;
    finding.lower(Severity::Medium, "the file is new, and may have a reason");
    Some(finding)
}

/// Whether the file is about coverage already; one that is nothing else is from its first line.
fn has_coverage(before: &GroundSide<'_>) -> bool {
    let name = before.file.path.rsplit('/').next().unwrap_or_default();
    let is_build = name.starts_with("build.gradle") || name == "pom.xml";
    let measures = |tool: &str| crate::text::contains(&before.file.text, tool.as_bytes());
    is_build && ["jacoco", "cobertura", "kover"].iter().any(|tool| measures(tool))
        || name.contains("codecov")
        || before.facts.settings.iter().any(|it| matches!(it.about, About::Coverage | About::CoverageLines))
}

fn finding(
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    loosened: Loosened<'_>,
    pool: &Pool<'_>,
) -> Option<Finding> {
    let setting = loosened.setting();
    let side = if loosened.is_gone() { before } else { after };
    let by_hand = after.facts.ground == Ground::Pipeline && after.facts.on_changes == Some(false);
    let by_hand = by_hand.then_some((Severity::Medium, "no change starts the workflow"));
    let lowered = judged(side, loosened, pool)?.or(by_hand);
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: if matches!(loosened, Loosened::Lowered { .. }) { 0.92 } else { 0.85 },
        message: message(loosened),
        help: format!(
            "put {} back and test what is missing ({}:{})",
            setting.key, side.file.path, setting.line
        ),
    };
    let which = if loosened.is_gone() { Side::Before } else { Side::After };
    let mut finding =
        draft.on(which, side.file, setting.line, format!("{}::{}", side.file.path, setting.key));
    let line = |setting: &Setting| Span { start: setting.line, end: setting.line };
    match loosened {
        Loosened::Lowered { before: old, after: new } => {
            // What holds where nothing is written stands nowhere.
            let name = old.key.rsplit(['.', ' ']).next().unwrap_or_default();
            let is_written = before.file.lines(line(old)).any(|line| line.contains(name));
            let shown = || excerpt(before.file, line(old), old.line, "this was enough before");
            finding.before = is_written.then(shown).flatten();
            finding.after = excerpt(after.file, line(new), new.line, "now less is");
        }
        _ if loosened.is_gone() => {
            finding.before = excerpt(before.file, line(setting), setting.line, "this is gone")
        }
        _ => finding.after = excerpt(after.file, line(setting), setting.line, "this is new"),
    }
    if let Some((severity, why)) = lowered {
        finding.lower(severity, why);
    }
    Some(finding)
}

fn message(loosened: Loosened<'_>) -> String {
    let Setting { key, value, .. } = loosened.setting();
    let number = |setting: &Setting| match setting.value {
        SettingValue::Demands(number) => number.abs(),
        _ => 0.0,
    };
    match (loosened, value) {
        (_, SettingValue::LeavesOut(pattern)) => {
            format!("coverage of {pattern} is no longer measured ({key})")
        }
        (_, SettingValue::Selects(pattern)) => {
            format!("coverage is no longer measured of {pattern} ({key})")
        }
        (Loosened::Lowered { before, after }, _) => {
            format!("{key} went from {} to {}", number(before), number(after))
        }
        (Loosened::Dropped { before, .. }, _) => format!("{key} no longer demands {}", number(before)),
        (Loosened::GivenUp(_), SettingValue::Insists(_)) => {
            format!("nothing in this change measures coverage any more where {key} was")
        }
        (Loosened::GivenUp(_), _) => format!("{key} is no longer set, and so coverage counts for less"),
        _ if key.contains("--no-cov") => format!("{key}: coverage is no longer measured there"),
        _ => format!("{key}: coverage no longer fails the run"),
    }
}

/// Why it is less than high, if it is; `None` where it is nothing.
fn judged(
    side: &GroundSide<'_>,
    loosened: Loosened<'_>,
    pool: &Pool<'_>,
) -> Option<Option<(Severity, &'static str)>> {
    let setting = loosened.setting();
    if setting.about == About::CoverageLines {
        let SettingValue::LeavesOut(pattern) = &setting.value else { return None };
        let single = Some((Severity::Low, "it is about single lines"));
        return Some(single.filter(|_| !matches_any_code(pattern)));
    }
    match loosened {
        Loosened::LeftOut(_) => {
            let SettingValue::LeavesOut(pattern) = &setting.value else { return None };
            let note = note_at(side.file, setting.line);
            let tools = is_of_tools(pattern);
            let quiet =
                !tools && is_harmless(About::Coverage, pattern, &note) || pool.is_of_deleted_files(pattern);
            let new = pool.is_of_new_files(pattern);
            let lowered = new
                .then_some((Severity::Low, "the files are new, so nothing that was measured is lost"))
                .or(tools.then_some((Severity::Medium, "by their name they are tools")));
            (!quiet).then_some(lowered)
        }
        Loosened::Narrowed(_) => Some(Some((Severity::Medium, "the rest is still measured"))),
        Loosened::Switched(_) if setting.key.contains("--no-cov") => {
            Some(Some((Severity::Medium, "other runs may still measure it")))
        }
        Loosened::GivenUp(_) => Some(Some((Severity::Medium, "coverage is still measured"))),
        Loosened::Dropped { others: true, .. } => Some(Some((Severity::Medium, "other thresholds stay"))),
        Loosened::Lowered { after, .. } if matches!(after.value, SettingValue::Demands(number) if number < 0.0) => {
            Some(Some((Severity::Medium, "it is about how far coverage may drop")))
        }
        _ => Some(None),
    }
}

/// Whether a pattern of lines matches what most code is made of: `def .*`, `return`.
fn matches_any_code(pattern: &str) -> bool {
    const CODE: &[&str] =
        &["", "def", "return", "if", "else", "for", "while", "class", "raise", "try", "except", "async def"];
    let words: String =
        pattern.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { ' ' }).collect();
    let words: Vec<&str> =
        words.split_whitespace().filter(|word| !matches!(*word, "s" | "b" | "w")).collect();
    let is_open = !pattern.contains("\\.") && !pattern.contains('@');
    is_open && CODE.contains(&words.join(" ").as_str())
}
