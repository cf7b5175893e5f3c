//! An audit for people: how many commits, which rules, then the commits that would have been blocked.

use chrono::DateTime;

use crate::audit::{Audited, Outcome, Summary};
use crate::text::{clipped, line_start, one_line, plural};
use crate::verdict::Verdict;

/// So many commits of a kind are listed, unless all are asked for.
const LISTED: usize = 50;

/// Longest subject and finding shown: terminals break lines by themselves, and the end may be a command to type.
const LONGEST: usize = 2000;

/// The text, put together commit by commit.
pub struct AuditText {
    summary: Summary,
    /// List every commit that did not pass, warnings and all.
    verbose: bool,
    blocked: Vec<String>,
    warned: Vec<String>,
    unknown: Vec<String>,
}

impl AuditText {
    pub fn new(verbose: bool) -> Self {
        let (blocked, warned, unknown) = (Vec::new(), Vec::new(), Vec::new());
        Self { summary: Summary::default(), verbose, blocked, warned, unknown }
    }

    pub fn add(&mut self, audited: &Audited) {
        self.summary.add(audited);
        let list = match &audited.outcome {
            Outcome::Unknown(_) => &mut self.unknown,
            Outcome::Judged(report) => match report.verdict {
                Verdict::Block => &mut self.blocked,
                Verdict::Warn if self.verbose => &mut self.warned,
                _ => return,
            },
        };
        if self.verbose || list.len() < LISTED {
            list.push(entry(audited));
        }
    }

    pub fn finish(&self, quiet: bool) -> String {
        let mut out = self.head();
        if quiet {
            return out;
        }
        out.push_str(&self.rules());
        out.push_str(&self.types());
        out.push_str(&list("would have been blocked", &self.blocked, self.summary.blocked));
        if self.verbose {
            out.push_str(&list("would have been warned about", &self.warned, self.summary.warned));
        }
        out.push_str(&list("could not be judged", &self.unknown, self.summary.unknown));
        out
    }

    fn head(&self) -> String {
        let summary = &self.summary;
        let mut out = format!("{} judged", plural(summary.judged(), "commit"));
        if summary.judged() + summary.unknown == 0 {
            return out + ": there are none to judge\n";
        }
        if let (Some(oldest), Some(newest)) = (summary.oldest, summary.newest) {
            out.push_str(&format!(", {} to {}", day(oldest), day(newest)));
        }
        let part = |count: usize| format!("{count} ({:.1} %)", summary.share(count));
        out.push('\n');
        if summary.judged() > 0 {
            out.push_str(&format!(
                "{} would have passed, {} been warned about, {} been blocked\n",
                part(summary.passed),
                part(summary.warned),
                part(summary.blocked)
            ));
        }
        if summary.unknown > 0 {
            out.push_str(&format!("{} could not be judged\n", plural(summary.unknown, "commit")));
        }
        out
    }

    fn rules(&self) -> String {
        let rules = self.summary.rules();
        if rules.is_empty() {
            return String::new();
        }
        let width = rules.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(4);
        let mut out = format!(
            "\n{:width$}  findings          commits\n{:width$}  {:>8}  {:>6}  {:>7}  blocked  warned   share\n",
            "", "rule", "all", "waived", "all"
        );
        for (name, count) in rules {
            out.push_str(&format!(
                "{:width$}  {:>8}  {:>6}  {:>7}  {:>7}  {:>6}  {:>4.1} %\n",
                line_start(name),
                count.findings,
                count.waived,
                count.commits,
                count.blocked,
                count.warned,
                self.summary.share(count.blocked + count.warned)
            ));
        }
        out.push_str("share: of all commits, those that the rule would have blocked or warned about\n");
        out
    }

    fn types(&self) -> String {
        let types = self.summary.types();
        if types.is_empty() {
            return String::new();
        }
        let mut out = format!(
            "\n{:20}  findings          commits\n{:20}  {:>8}  {:>6}  blocked  warned   share\n",
            "", "type", "all", "waived"
        );
        for (name, count) in types {
            out.push_str(&format!(
                "{name:20}  {:>8}  {:>6}  {:>7}  {:>6}  {:>4.1} %\n",
                count.findings,
                count.waived,
                count.blocked,
                count.warned,
                self.summary.share(count.blocked + count.warned)
            ));
        }
        out
    }
}

fn list(what: &str, entries: &[String], total: usize) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{what}: {total}\n{}", entries.concat());
    if entries.len() < total {
        out.push_str(&format!("  and {} more: -v lists all\n", total - entries.len()));
    }
    out
}

/// Two lines: the commit, and the first thing that was found.
fn entry(audited: &Audited) -> String {
    let commit = &audited.commit;
    let subject = clipped(&one_line(&commit.subject), LONGEST);
    let why = match &audited.outcome {
        Outcome::Unknown(why) => one_line(why),
        Outcome::Judged(_) => first_finding(audited),
    };
    let why = clipped(&why, LONGEST);
    format!("  {}  {}  {subject}\n              {why}\n", commit.id.short(), day(commit.time))
}

fn first_finding(audited: &Audited) -> String {
    let alerts = audited.alerts();
    let Some(first) = alerts.first() else {
        let unknown = audited.report().and_then(|report| report.inconclusive.first());
        return unknown.map_or_else(String::new, |unknown| {
            format!("could not tell: {}: {}", one_line(&unknown.path), one_line(&unknown.reason))
        });
    };
    let more = if alerts.len() > 1 { format!(" (+{})", alerts.len() - 1) } else { String::new() };
    format!("{}{more}: {}", audited.rules().join(", "), one_line(&first.finding.message))
}

/// The day of a moment in UTC.
pub fn day(seconds: i64) -> String {
    DateTime::from_timestamp(seconds, 0)
        .map_or_else(|| "?".repeat(10), |time| time.format("%Y-%m-%d").to_string())
}
