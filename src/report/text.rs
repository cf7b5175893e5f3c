//! The report for people: a code frame of both sides for each finding, why it matters, and the next command.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::next_text::{self, Occasion};
use super::waivers_text;
use crate::comparison::Metrics;
use crate::detectors;
use crate::finding::{Excerpt, short};
use crate::git::ChangeKind;
use crate::policy::waivers::Place;
use crate::proof::{Status, SuiteProof};
use crate::text::{one_line, plural, shell_quote};
use crate::verdict::{Action, Judged, Proved, Report, Verdict};

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing where nothing is wrong.
    Quiet,
    Normal,
    /// Also what is only logged.
    Verbose,
}

/// Findings shown with their code; the rest get a line each.
const FRAMES: usize = 5;

/// Lines for the rest, before they are only counted.
const LINES: usize = 20;

/// The report in colour; whoever prints it takes the colour out where it is not wanted.
pub fn render(report: &Report, detail: Detail, occasion: Occasion) -> String {
    let mut out = told(report, detail, occasion);
    if report.verdict == Verdict::Block {
        out.push_str(&next_text::render(report, occasion));
    }
    out
}

/// The same for a commit that exists already: amended, rebased or picked.
pub fn render_after_the_fact(report: &Report) -> String {
    let told = told(report, Detail::Normal, Occasion::Newest);
    format!(
        "{told}\nThe commit exists already: against its parent it would have been blocked. Amend it to mend it.\n"
    )
}

/// What the message of a commit says about it; the rest was told before the commit.
pub fn render_admitted(mut report: Report) -> String {
    report.findings.retain(|judged| judged.finding.admitted);
    let told = told(&report, Detail::Normal, Occasion::Newest);
    format!(
        "{told}\nThe commit stands: its message says what the change alone did not. Amend it to mend it.\n"
    )
}

/// The findings and the summary.
fn told(report: &Report, detail: Detail, occasion: Occasion) -> String {
    let shown: Vec<&Judged> = report
        .findings
        .iter()
        .filter(|judged| {
            judged.action > Action::Log || (detail == Detail::Verbose && judged.action == Action::Log)
        })
        .collect();
    let proofs = report.proofs.iter().any(|proved| proved.action > Action::Log) || report.no_suite;
    let added = report.waivers.iter().any(|listed| match listed.place {
        Place::Base => false,
        Place::Change => true,
        Place::Unstaged => listed.matches,
    });
    let nothing = shown.is_empty() && report.inconclusive.is_empty() && !proofs && !added;
    if detail == Detail::Quiet && nothing {
        return String::new();
    }
    let mut out = String::new();
    for judged in shown.iter().take(FRAMES) {
        out.push_str(&frame(judged, waive_command(report, judged, occasion)));
        out.push_str("\n\n");
    }
    out.push_str(&remaining(report, &shown, occasion));
    out.push_str(&waivers_text::told(report, detail));
    for unknown in &report.inconclusive {
        out.push_str(&format!(
            "could not tell: {}: {}\n",
            one_line(&unknown.path),
            one_line(&unknown.reason)
        ));
    }
    for proved in &report.proofs {
        out.push_str(&proof(proved, detail));
    }
    if report.no_suite {
        out.push_str(NO_SUITE);
    }
    out.push_str(&summary(report, detail));
    out
}

const NO_SUITE: &str = "\
no test suite was found for this change, so nobody can tell whether it was ever run: name one under `suites` in \
aiwg-gate.yaml\n";

/// The proof of one suite: nothing where it is simply there.
fn proof(proved: &Proved, detail: Detail) -> String {
    let proof = &proved.proof;
    let level = match proved.action {
        Action::Block => Level::ERROR.with_name("blocked"),
        Action::Warn => Level::WARNING,
        Action::Log | Action::Waived => return told_proof(proof, detail),
    };
    let what = match proof.status {
        Status::Failed => "exactly this fails its tests",
        Status::Weak => "the run of exactly this proves too little",
        _ => "nobody ran exactly this",
    };
    let title = format!("{what}: suite {}, {}", one_line(&proof.suite), proof.status.name());
    let mut group = Group::with_title(level.primary_title(title).id("proof"));
    group = group.element(Level::NOTE.with_name("why").message(one_line(&proof.explanation)));
    for line in &proof.details {
        group = group.element(Level::NOTE.with_name("seen").message(one_line(line)));
    }
    if let Some(next) = &proof.next {
        let mend = if proof.status == Status::Failed { "mend what fails, then: " } else { "" };
        group = group.element(Level::HELP.with_name("do").message(format!("{mend}{}", one_line(next))));
    }
    format!("{}\n\n", Renderer::styled().render(&[group]))
}

/// Suites that a push still needs.
pub fn render_unproved(proofs: &[SuiteProof]) -> String {
    let blocked = |proof: &SuiteProof| {
        self::proof(&Proved { proof: proof.clone(), action: Action::Block }, Detail::Normal)
    };
    let mut out: String = proofs.iter().map(blocked).collect();
    if let Some(first) = proofs.first() {
        let next = first.next.as_deref().unwrap_or("aiwg-gate run");
        out.push_str(&format!(
            "aiwg-gate: blocked: nothing was pushed; `{next} {}` on what is pushed, then push again\n",
            shell_quote(&first.suite)
        ));
    }
    out
}

/// Lines about a proof that stands: what it leaves open, or all of it.
fn told_proof(proof: &SuiteProof, detail: Detail) -> String {
    let suite = one_line(&proof.suite);
    let mut out = String::new();
    if detail == Detail::Verbose {
        out.push_str(&format!("proof: {suite}: {}, {}\n", proof.status.name(), one_line(&proof.explanation)));
    }
    if detail != Detail::Quiet && proof.status.is_good() {
        out.extend(proof.details.iter().map(|line| format!("proof: {suite}: {}\n", one_line(line))));
    }
    out
}

/// One finding by itself.
pub fn render_finding(judged: &Judged) -> String {
    format!("{}\n\n", frame(judged, None))
}

/// The command by which a person accepts a finding that blocks. A patch belongs to no commit that could hold a waiver,
/// and a commit that others stand on cannot get one any more.
fn waive_command(report: &Report, judged: &Judged, occasion: Occasion) -> Option<String> {
    let change = &report.change;
    if occasion == Occasion::Older {
        return None;
    }
    let head = || change.head.as_ref().map(|head| head.short());
    let of = match change.kind {
        ChangeKind::Staged => String::new(),
        ChangeKind::Worktree => " --worktree".to_owned(),
        ChangeKind::Commit => format!(" --commit {}", head()?),
        ChangeKind::Range => format!(" --range {}..{}", change.base.as_ref()?.short(), head()?),
        ChangeKind::Patch => return None,
    };
    let print = judged.finding.fingerprint();
    (judged.action == Action::Block)
        .then(|| format!("aiwg-gate waive {}{of} --reason \"...\"", short(&print)))
}

/// Why a rule that the policy adds matters is in its message.
const PROJECT_RULE: &str = "A rule of this repository asks for it.";

/// What a finding is called by what becomes of it.
fn title_of(action: Action) -> &'static str {
    match action {
        Action::Block => "blocked",
        Action::Warn => "warning",
        Action::Log | Action::Waived => "noted",
    }
}

/// One finding: what changed, both sides, why, what to do.
fn frame(judged: &Judged, waive: Option<String>) -> String {
    let finding = &judged.finding;
    let level = match judged.action {
        Action::Block => Level::ERROR.with_name("blocked"),
        Action::Warn => Level::WARNING,
        Action::Log | Action::Waived => Level::NOTE.with_name("noted"),
    };
    let mut group =
        Group::with_title(level.primary_title(one_line(&finding.message)).id(finding.rule.name.as_ref()));
    for (side, excerpt) in [("before", &finding.before), ("after", &finding.after)] {
        if let Some(excerpt) = excerpt.as_ref().filter(|excerpt| !excerpt.lines.is_empty()) {
            group = group.element(snippet(side, excerpt));
        }
    }
    let why = detectors::find(&finding.rule.name).map_or(PROJECT_RULE, |rule| rule.why);
    group = group.element(Level::NOTE.with_name("why").message(why));
    for evidence in &finding.evidence {
        group = group.element(Level::NOTE.with_name("seen").message(one_line(evidence)));
    }
    group = group.element(Level::HELP.with_name("do").message(one_line(&finding.help)));
    if let Some(command) = waive {
        group = group.element(Level::HELP.with_name("waive").message(command));
    }
    Renderer::styled().render(&[group])
}

fn snippet<'a>(side: &str, excerpt: &'a Excerpt) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = excerpt.lines.join("\n");
    let index = (excerpt.line - excerpt.start) as usize;
    let start: usize = excerpt.lines.iter().take(index).map(|line| line.len() + 1).sum();
    let line = excerpt.lines.get(index).map_or("", String::as_str);
    let indent = line.len() - line.trim_start().len();
    let span = start + indent..start + line.trim_end().len().max(indent);
    Snippet::source(source)
        .line_start(excerpt.start as usize)
        .path(format!("{} ({side})", one_line(&excerpt.path)))
        .fold(false)
        .annotation(AnnotationKind::Primary.span(span).label(excerpt.label.as_str()))
}

/// Findings beyond the ones shown in full.
fn remaining(report: &Report, shown: &[&Judged], occasion: Occasion) -> String {
    let mut out = String::new();
    for judged in shown.iter().skip(FRAMES).take(LINES) {
        let finding = &judged.finding;
        let place = format!("{}:{}", one_line(&finding.path), finding.line);
        let waive = waive_command(report, judged, occasion)
            .map(|command| format!(" ({command})"))
            .unwrap_or_default();
        out.push_str(&format!(
            "{}[{}]: {place}: {}{waive}\n",
            title_of(judged.action),
            finding.rule.name,
            one_line(&finding.message)
        ));
    }
    if let Some(more) = shown.len().checked_sub(FRAMES + LINES).filter(|&more| more > 0) {
        out.push_str(&format!("... and {more} more; `aiwg-gate check --format json` lists all\n"));
    }
    out
}

/// One line: the verdict and the counts of both sides.
fn summary(report: &Report, detail: Detail) -> String {
    let count = |action| report.findings.iter().filter(|judged| judged.action == action).count();
    let (blocking, warning, logged) = (count(Action::Block), count(Action::Warn), count(Action::Log));
    let verdict = match report.verdict {
        Verdict::Pass => "\x1b[32;1mpass\x1b[0m",
        Verdict::Warn => "\x1b[33;1mwarn\x1b[0m",
        Verdict::Block if blocking == 0 && is_stopped_by_proof(report) => {
            "\x1b[31;1mblocked by the proof\x1b[0m"
        }
        Verdict::Block => "\x1b[31;1mblocked\x1b[0m",
    };
    let mut parts = vec![format!("{} changed", plural(report.change.files, "file"))];
    parts.push(difference("tests", report, |metrics| metrics.tests));
    parts.push(difference("skipped", report, |metrics| metrics.skipped));
    parts.push(difference("assertions", report, |metrics| metrics.assertions));
    if blocking + warning > 0 {
        parts.push(format!("{blocking} blocking, {}", plural(warning, "warning")));
    }
    parts.extend(proof_summary(report));
    match count(Action::Waived) {
        0 => {}
        waived => parts.push(format!("{waived} waived")),
    }
    if logged > 0 {
        let hint = if detail == Detail::Verbose { "" } else { " (-v shows them)" };
        parts.push(format!("{logged} logged{hint}"));
    }
    format!("aiwg-gate: {verdict}: {}\n", parts.join(", "))
}

fn is_stopped_by_proof(report: &Report) -> bool {
    report.proofs.iter().any(|proved| proved.action == Action::Block)
}

/// The suites and where they stand, those left out that no one asks for.
fn proof_summary(report: &Report) -> Option<String> {
    let asked = report.proofs.iter().filter(|proved| proved.proof.status != Status::NotRequired);
    let told: Vec<String> = asked
        .map(|proved| format!("{} {}", one_line(&proved.proof.suite), proved.proof.status.name()))
        .collect();
    (!told.is_empty()).then(|| format!("proof {}", told.join(", ")))
}

fn difference(name: &str, report: &Report, of: fn(Metrics) -> i64) -> String {
    let (before, after) = (of(report.before), of(report.after));
    if before == after {
        format!("{name} {after}")
    } else {
        format!("{name} {before} -> {after} ({:+})", after - before)
    }
}
