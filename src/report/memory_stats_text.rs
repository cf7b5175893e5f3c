//! Metrics and learned patterns of debug memory for people.

use super::memory_query_text::{short, unreadable};
use crate::memory::{
    AVERAGE_ATTEMPTS_BELOW, ESCALATION_BELOW, FIRST_ATTEMPT_ABOVE, LearnedPatterns, MEMORY_REUSE_ABOVE,
    Share, Stats, Unreadable,
};
use crate::text::{one_line, plural};

pub fn render(stats: &Stats, files: &[Unreadable]) -> String {
    let mut out = format!(
        "sessions   {}: {} passed, {} failed, {} escalated, {} in progress\n",
        stats.sessions, stats.passed, stats.failed, stats.escalated, stats.in_progress
    );
    out.push_str(&format!("attempts   {}\n", stats.attempts));
    if stats.base_runs > 0 {
        out.push_str(&format!("base       {} of what was there before\n", plural(stats.base_runs, "run")));
    }
    out.push_str("metrics\n");
    for (name, now, target, met) in metrics(stats) {
        out.push_str(&format!("  {name:26} {now:>15}   target {target:8} {met}\n"));
    }
    if !stats.error_types.is_empty() {
        out.push_str("errors\n");
    }
    for (kind, count) in &stats.error_types {
        out.push_str(&format!("  {:26} {count}\n", kind.name()));
    }
    if !stats.files.is_empty() {
        out.push_str("files\n");
    }
    for file in &stats.files {
        let sessions = plural(file.sessions, "session");
        let failed = plural(file.failed_attempts, "failed attempt");
        out.push_str(&format!("  {:26} {sessions}, {failed}\n", one_line(&file.file)));
    }
    out.push_str(&unreadable(files));
    out
}

fn metrics(stats: &Stats) -> [(&'static str, String, String, &'static str); 4] {
    let met = |met: Option<bool>| met.map_or("", |met| if met { "met" } else { "not met" });
    let above = |share: Share, target: f64| share.ratio().map(|ratio| ratio > target);
    let below = |share: Share, target: f64| share.ratio().map(|ratio| ratio < target);
    let target = |sign: char, target: f64| format!("{sign} {:.0} %", target * 100.0);
    let average = stats.average_attempts;
    [
        (
            "first-attempt pass rate",
            percent(stats.first_attempt_passed),
            target('>', FIRST_ATTEMPT_ABOVE),
            met(above(stats.first_attempt_passed, FIRST_ATTEMPT_ABOVE)),
        ),
        (
            "average attempts to pass",
            average.map_or_else(|| "none yet".to_owned(), |average| format!("{average:.1}")),
            format!("< {AVERAGE_ATTEMPTS_BELOW:.1}"),
            met(average.map(|average| average < AVERAGE_ATTEMPTS_BELOW)),
        ),
        (
            "escalation rate",
            percent(stats.escalation),
            target('<', ESCALATION_BELOW),
            met(below(stats.escalation, ESCALATION_BELOW)),
        ),
        (
            "memory reuse",
            percent(stats.memory_reuse),
            target('>', MEMORY_REUSE_ABOVE),
            met(above(stats.memory_reuse, MEMORY_REUSE_ABOVE)),
        ),
    ]
}

fn percent(share: Share) -> String {
    let shown = |ratio: f64| format!("{:.0} % ({} of {})", ratio * 100.0, share.part, share.of);
    share.ratio().map_or_else(|| "none yet".to_owned(), shown)
}

pub fn patterns(learned: &LearnedPatterns) -> String {
    if learned.patterns.is_empty() {
        return "Nothing has been learned yet: a pass after failures teaches what fixed them.\n".to_owned();
    }
    let mut out = String::new();
    for pattern in &learned.patterns {
        out.push_str(&format!(
            "{}  {} x, solved in {:.0} %, last seen {}\n  {}\n  fix: {}\n",
            one_line(&pattern.pattern_id),
            pattern.occurrences,
            pattern.success_rate * 100.0,
            pattern.last_seen.format("%Y-%m-%d"),
            short(&pattern.error_type.before(&pattern.error_pattern)),
            short(&pattern.fix_template)
        ));
    }
    out
}
