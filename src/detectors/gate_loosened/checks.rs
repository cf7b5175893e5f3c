//! Commands that check something: gone, commented out, or without force.

use std::collections::BTreeMap;

use super::ID;
use super::broken::is_broken;
use super::gone::{self, Asked};
use super::jobs;
use super::matching::{Matched, Whole, counts};
use super::steps;
use super::ungated;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::ground::{GroundPair, GroundSide, Pool};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Check, CheckClass, Force, Mark, Span};
use crate::finding::{Finding, Severity, Side};
use crate::project::is_named;

pub fn detect(comparison: &Comparison, pairs: &[GroundPair<'_>], pool: &Pool<'_>) -> Vec<Finding> {
    let matched: Vec<Matched<'_>> = pairs.iter().map(Matched::of).collect();
    let whole = Whole::of(pairs, &matched);
    let mut findings = Vec::new();
    for (pair, matched) in pairs.iter().zip(&matched) {
        let mut found = weakened(pair, matched);
        found.extend(bypassed(pair, matched, &whole));
        found.extend(gone::detect(comparison, pair, matched, &whole, pool, &OWN));
        found.extend(jobs::detect(comparison, pairs, pair, matched, &whole));
        found.extend(steps::detect(comparison, pairs, pair, matched, &whole, pool));
        found.extend(ungated::ungated(pair));
        found.extend(masked_parts(pair, matched));
        // What nobody can read any more is told as a whole. To find that out takes a parser.
        if !found.is_empty() && !is_broken(pair) {
            findings.append(&mut found);
        }
    }
    findings
}

/// What measures is another rule's affair.
const OWN: Asked = Asked { rule: ID, is_ours: |check| check.class != CheckClass::Coverage };

pub(super) fn names(checks: &[&Check]) -> String {
    let mut names: Vec<String> = Vec::new();
    for check in checks {
        let name = format!("`{}`", label(check));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(3);
    names.truncate(3);
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// What a person calls the check.
pub(super) fn label(check: &Check) -> &str {
    check
        .signature
        .strip_prefix("uses ")
        .or_else(|| check.signature.strip_prefix("script:"))
        .unwrap_or(check.shown.as_ref().unwrap_or(&check.text))
}

pub(super) fn symbol(file: &FileSide, place: &str) -> String {
    if place.is_empty() { file.path.clone() } else { format!("{}::{place}", file.path) }
}

/// How bad it is when checks of this kind lose their force.
pub(super) fn severity_of(checks: &[&Check]) -> Severity {
    let worst = checks.iter().map(|check| match check.class {
        CheckClass::Gate => Severity::Critical,
        // What measures runs the tests once more.
        CheckClass::Test if check.place.to_lowercase().contains("coverage") => Severity::Medium,
        CheckClass::Test | CheckClass::Lint | CheckClass::Types => Severity::High,
        CheckClass::Audit | CheckClass::Coverage | CheckClass::Build => Severity::Medium,
        CheckClass::Format => Severity::Low,
    });
    worst.max().unwrap_or(Severity::Low)
}

/// The checks that one mark takes the force from.
struct Weakened<'c> {
    checks: Vec<&'c Check>,
    old: &'c Check,
    mark: &'c Mark,
    weakening: Weakening,
}

/// Checks that could fail the run before and no longer can.
fn weakened(pair: &GroundPair<'_>, matched: &Matched<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let mut groups: BTreeMap<(u32, &str), Weakened<'_>> = BTreeMap::new();
    for &(old, new) in &matched.kept {
        let Some((mark, mut weakening)) = weakening(old, new) else { continue };
        if weakening == Weakening::Unknown && spares_old_rows(&before, new) {
            weakening = Weakening::Partly;
        }
        // Where no change started it before, no change is lost.
        if weakening == Weakening::Rarely && before.facts.on_changes == Some(false) {
            continue;
        }
        // A build that is left out somewhere may not be possible there.
        let builds = new.class == CheckClass::Build;
        // What looks at the text of code need not do so everywhere.
        let once = new.class != CheckClass::Test && !mark.text.contains("!") && is_of_rows(mark);
        if weakening == Weakening::Somewhere && (builds || once || is_about_news(&before, mark)) {
            continue;
        }
        let group = groups.entry((mark.line, &mark.text));
        group.or_insert(Weakened { checks: Vec::new(), old, mark, weakening }).checks.push(new);
    }
    let finding = |Weakened { checks, old, mark, weakening }| {
        let first = checks.first()?;
        let what = match weakening {
            Weakening::Off => "no longer runs",
            Weakening::Ignored => "no longer fails the run",
            Weakening::Rarely => "no longer runs on changes",
            Weakening::Somewhere => "no longer runs everywhere",
            Weakening::Partly => "fails the run in fewer cases than before",
            Weakening::Unknown => "may no longer fail the run",
        };
        let draft = Draft {
            rule: ID,
            severity: severity_of(&checks),
            confidence: 0.9,
            message: format!("{} {what}: {}", names(&checks), mark.text),
            help: format!("{} at {}:{} and make the check pass", remedy(mark), after.file.path, mark.line),
        };
        let mut finding = draft.on(Side::After, after.file, mark.line, symbol(after.file, &first.place));
        finding.before = line_of(before.file, old.line, "its failure counted here");
        finding.after = line_of(after.file, mark.line, what);
        lower_weakening(&mut finding, weakening);
        let still_runs = |check: &Check| {
            let mut others = after.facts.checks.iter().filter(|other| counts(other));
            others.any(|other| (&other.signature, &other.text) == (&check.signature, &check.text))
        };
        if weakening == Weakening::Off && checks.iter().all(|check| still_runs(check)) {
            finding.lower(Severity::Medium, "another job still runs the same");
        }
        if checks.iter().all(|check| is_named(check)) {
            finding.lower(Severity::Medium, "only its name says that it checks something");
        } else if checks.iter().all(|check| is_upload(check)) {
            finding.lower(Severity::Low, "it only hands a report on");
        }
        Some(finding)
    };
    groups.into_values().filter_map(finding).collect()
}

/// Whether a failure no longer counts in a row that the matrix had before.
fn spares_old_rows(before: &GroundSide<'_>, check: &Check) -> bool {
    let Force::Partly { lenient, .. } = &check.force else { return false };
    let old = String::from_utf8_lossy(&before.file.text);
    lenient.iter().any(|row| !row.is_empty() && row.split(", ").all(|value| old.contains(value)))
}

/// Whether a condition asks for rows of the matrix.
fn is_of_rows(mark: &Mark) -> bool {
    ["matrix.", "runner."].iter().any(|start| mark.text.contains(start))
}

/// Whether a check sends what others measured elsewhere.
fn is_upload(check: &Check) -> bool {
    check.class == CheckClass::Coverage && check.signature.starts_with("uses ")
}

/// Whether a condition is about a row that the matrix did not have before.
fn is_about_news(before: &GroundSide<'_>, mark: &Mark) -> bool {
    let Some(condition) = mark.text.strip_prefix("if: ") else { return false };
    if !condition.contains("matrix.") && !condition.contains("runner.") {
        return false;
    }
    let old = String::from_utf8_lossy(&before.file.text).to_lowercase();
    let mut named = condition.split('\'').skip(1).step_by(2).map(str::to_lowercase);
    named.any(|name| !old.contains(&name))
}

/// What gives a check its force back. A mark that the check itself is a part of cannot just be taken out.
fn remedy(mark: &Mark) -> String {
    let text = mark.text.as_str();
    if text.starts_with("| ") {
        return "let the pipe fail with it (`set -o pipefail`, or `shell: bash` in a workflow)".to_owned();
    }
    if text == "!" {
        return "take the `!` before it out".to_owned();
    }
    if text.starts_with("if ") {
        return "run it outside of the `if`".to_owned();
    }
    if text.trim_start_matches(['@', '+']).starts_with('-') {
        return "take the leading `-` out".to_owned();
    }
    if text.starts_with('.') {
        return "take the dot before the name of the job out".to_owned();
    }
    if text.starts_with("no workflow lists") {
        return "list the job in a workflow again".to_owned();
    }
    format!("take `{text}` out")
}

#[derive(Clone, Copy, PartialEq)]
enum Weakening {
    Off,
    Ignored,
    Rarely,
    Somewhere,
    Partly,
    Unknown,
}

fn weakening<'c>(old: &Check, new: &'c Check) -> Option<(&'c Mark, Weakening)> {
    match (&old.force, &new.force) {
        (Force::Off(_) | Force::Ignored(_), _) | (_, Force::Blocks) => None,
        (_, Force::Off(mark)) => Some((mark, Weakening::Off)),
        (_, Force::Ignored(mark)) => Some((mark, Weakening::Ignored)),
        (Force::Rarely(_), _) => None,
        (_, Force::Rarely(mark)) => Some((mark, Weakening::Rarely)),
        (Force::Blocks, Force::Somewhere(mark)) => Some((mark, Weakening::Somewhere)),
        (_, Force::Somewhere(_)) => None,
        (Force::Partly { blocking: was, .. }, Force::Partly { lenient, mark, .. }) => {
            was.iter().any(|row| lenient.contains(row)).then_some((mark, Weakening::Partly))
        }
        (Force::Blocks, Force::Partly { blocking, mark, .. }) if blocking.is_empty() => {
            Some((mark, Weakening::Ignored))
        }
        (Force::Blocks, Force::Partly { mark, .. } | Force::Unknown(mark)) => {
            Some((mark, Weakening::Unknown))
        }
        (_, Force::Partly { .. } | Force::Unknown(_)) => None,
    }
}

fn lower_weakening(finding: &mut Finding, weakening: Weakening) {
    match weakening {
        Weakening::Rarely => {
            finding.lower(Severity::Medium, "it may still run by hand, on a schedule or on tags");
        }
        Weakening::Somewhere => {
            finding.lower(Severity::Medium, "where the condition holds it still runs");
        }
        Weakening::Partly => {
            finding.lower(Severity::Medium, "in some rows of the matrix a failure still counts");
        }
        Weakening::Unknown => {
            finding.lower(Severity::Low, "it depends on an expression, and other rows may still count");
        }
        Weakening::Off | Weakening::Ignored => {}
    }
}

pub(super) fn line_of(file: &FileSide, line: u32, label: &str) -> Option<crate::finding::Excerpt> {
    excerpt(file, Span { start: line, end: line }, line, label)
}

/// Options on a kept command that let it pass.
fn bypassed(pair: &GroundPair<'_>, matched: &Matched<'_>, whole: &Whole<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let mut findings = Vec::new();
    for &(old, new) in &matched.kept {
        let Some(option) = new.bypasses.iter().find(|option| !old.bypasses.contains(option)) else {
            continue;
        };
        // A build without its tests is fine where the tests have a step of their own.
        let runs_elsewhere = whole.has(&new.signature) || whole.added.contains(&new.class);
        if !old.bypasses.is_empty() || (is_split(option) && runs_elsewhere) {
            continue;
        }
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.88,
            message: format!("`{}` is now run with {option}, so it passes where it failed", label(old)),
            help: format!("take {option} out at {}:{} and make the check pass", after.file.path, new.line),
        };
        let mut finding = draft.on(Side::After, after.file, new.line, symbol(after.file, &new.place));
        finding.before = line_of(before.file, old.line, "it could fail here");
        finding.after = line_of(after.file, new.line, "now it passes");
        const MILD: &[&str] = &[
            "--passWithNoTests",
            "--pass-with-no-tests",
            "--no-run",
            "--updateSnapshot",
            "--update-snapshots",
        ];
        if MILD.contains(&option.as_str()) {
            finding.lower(Severity::Medium, "tests that are there still count");
        }
        if new.class == CheckClass::Build {
            finding.lower(Severity::Low, "the command only builds");
        }
        findings.push(finding);
    }
    findings
}

fn is_split(option: &str) -> bool {
    option.to_lowercase().contains("skip") || option.starts_with("-x ") || option == "--no-run"
}

/// New parts of a known script that hide their own failure.
fn masked_parts(pair: &GroundPair<'_>, matched: &Matched<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let known =
        |name: &str| before.facts.checks.iter().any(|check| check.signature == format!("script:{name}"));
    let mut findings = Vec::new();
    for check in &matched.added {
        let (Some(name), Force::Ignored(mark)) = (check.signature.strip_prefix("script:"), &check.force)
        else {
            continue;
        };
        let whole = name.split(':').next().unwrap_or_default();
        let whole = whole
            .strip_prefix("pre")
            .or_else(|| whole.strip_prefix("post"))
            .filter(|rest| known(rest))
            .unwrap_or(whole);
        if whole == name || !known(whole) {
            continue;
        }
        let draft = Draft {
            rule: ID,
            severity: Severity::Medium,
            confidence: 0.8,
            message: format!(
                "the new script {name}, a part of {whole}, hides its own failure: {}",
                mark.text
            ),
            help: format!("{} at {}:{}", remedy(mark), after.file.path, check.line),
        };
        let mut finding = draft.on(Side::After, after.file, check.line, symbol(after.file, &check.place));
        finding.after = line_of(after.file, check.line, "it ends well whatever happens");
        findings.push(finding);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_leaves_the_check_in_place() {
        for (text, expected) in [
            ("|| true", "take `|| true` out"),
            ("continue-on-error: true", "take `continue-on-error: true` out"),
            ("if: false", "take `if: false` out"),
            ("| tee log", "let the pipe fail with it (`set -o pipefail`, or `shell: bash` in a workflow)"),
            ("!", "take the `!` before it out"),
            ("if pytest; then", "run it outside of the `if`"),
            ("@-pytest", "take the leading `-` out"),
            ("no workflow lists the job a", "list the job in a workflow again"),
            (".test:", "take the dot before the name of the job out"),
        ] {
            assert_eq!(remedy(&Mark { text: text.to_owned(), line: 1 }), expected, "{text}");
        }
    }
}
