//! What a run came to, for people: counts, failures with their places, what the run proves, what to do next.

use super::memory_recorded_text;
use super::text::Detail;
use crate::memory::Failure;
use crate::proof::Status;
use crate::run::SuiteRun;
use crate::runner::End;
use crate::text::{clipped, one_line, plural};

/// Failures that are shown; the rest is counted.
const SHOWN: usize = 10;

/// The longest line of a message.
const WIDTH: usize = 160;

pub fn render(run: &SuiteRun, detail: Detail) -> String {
    let mut out = String::new();
    if detail == Detail::Quiet && run.failures().is_empty() && run.proof.status == Status::Valid {
        return out;
    }
    out.push_str(&headline(run));
    out.push_str(&failures(run));
    out.push_str(&proof(run));
    out.push_str(&format!("  output: {}\n", one_line(&run.log.display().to_string())));
    out.push_str(&memory_recorded_text::render(&run.recorded));
    out
}

/// `unit: passed: 12 passed, 0 failed, 1 skipped in 1.2 s`
fn headline(run: &SuiteRun) -> String {
    let verdict = match (&run.end, run.has_failed()) {
        (End::Interrupted, _) => "\x1b[33;1minterrupted\x1b[0m".to_owned(),
        (End::Timeout, _) => "\x1b[31;1mout of time\x1b[0m".to_owned(),
        (End::Signal(signal), _) => format!("\x1b[31;1mcrashed\x1b[0m (signal {signal})"),
        (_, true) => "\x1b[31;1mfailed\x1b[0m".to_owned(),
        (_, false) if !run.failures().is_empty() => "\x1b[33;1mfailed as known\x1b[0m".to_owned(),
        (_, false) => "\x1b[32;1mpassed\x1b[0m".to_owned(),
    };
    let counts = run.counts;
    let mut parts = vec![format!("{} passed", counts.passed), format!("{} failed", counts.failed)];
    if counts.errors > 0 {
        parts.push(plural(usize::try_from(counts.errors).unwrap_or(usize::MAX), "error"));
    }
    parts.push(format!("{} skipped", counts.skipped));
    let counted = match (counts.total, &run.end) {
        (0, End::Exited(code)) => format!("exit code {code}, no tests counted"),
        (0, _) => "no tests counted".to_owned(),
        _ => parts.join(", "),
    };
    let seconds = run.duration.as_secs_f64();
    format!("\naiwg-gate: {}: {verdict}: {counted} in {seconds:.1} s\n", one_line(&run.suite))
}

fn failures(run: &SuiteRun) -> String {
    let failures = run.failures();
    let mut out: String = failures.iter().take(SHOWN).map(failure).collect();
    if failures.len() > SHOWN {
        out.push_str(&format!("  ... and {} more\n", failures.len() - SHOWN));
    }
    out
}

fn failure(failure: &Failure) -> String {
    let message = one_line(failure.error_message.lines().find(|line| !line.trim().is_empty()).unwrap_or(""));
    let message = clipped(message.trim(), WIDTH);
    let mut out = format!("  {}\n", one_line(&failure.test_name));
    if !message.is_empty() {
        out.push_str(&format!("      {message}\n"));
    }
    if let (Some(expected), Some(actual)) = (&failure.expected, &failure.actual) {
        let short = |text: &str| clipped(&one_line(text), WIDTH / 2);
        out.push_str(&format!("      expected {}, got {}\n", short(expected), short(actual)));
    }
    if let Some(place) = &failure.source_location {
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        out.push_str(&format!("      at {}{line}\n", one_line(&place.file)));
    }
    out
}

/// What the run is good for at the next commit.
fn proof(run: &SuiteRun) -> String {
    let proof = &run.proof;
    let mut out = match proof.status {
        Status::Valid => "  proof: valid for this content\n".to_owned(),
        Status::Failed => return String::new(),
        status => format!("  proof: {}: {}\n", status.name(), one_line(&proof.explanation)),
    };
    out.extend(proof.details.iter().map(|line| format!("    {}\n", one_line(line))));
    if let Some(next) = &proof.next {
        out.push_str(&format!("    do: {}\n", one_line(next)));
    }
    out
}
