//! Waivers for people: in a report, and in a list of their own.

use super::text::Detail;
use crate::finding::short;
use crate::policy::waivers::{Listed, Place, State};
use crate::text::{one_line, plural};
use crate::verdict::{Judged, Report};

/// What people decided: findings that are waived, waivers that the change adds, and those that ran out.
pub fn told(report: &Report, detail: Detail) -> String {
    let mut out = String::new();
    if detail != Detail::Quiet {
        out.extend(report.findings.iter().filter_map(waived));
    }
    out.extend(report.waivers.iter().filter(|listed| listed.place == Place::Change).map(added_waiver));
    let forgotten = |listed: &&Listed| listed.place == Place::Unstaged && listed.matches;
    for Listed { waiver, state, .. } in report.waivers.iter().filter(forgotten) {
        let (print, why) = (short(&waiver.fingerprint), state.explanation().unwrap_or("it has expired"));
        out.push_str(&format!("waiver {print} does not count: {}\n", one_line(why)));
    }
    let expired = |listed: &&Listed| listed.state == State::Expired && listed.place == Place::Base;
    let (needed, idle): (Vec<&Listed>, Vec<&Listed>) =
        report.waivers.iter().filter(expired).partition(|listed| listed.matches);
    for Listed { waiver, .. } in needed {
        let (print, rule) = (short(&waiver.fingerprint), one_line(&waiver.rule));
        out.push_str(&format!("waiver expired on {}: {print}, {rule}\n", waiver.expires));
    }
    if !idle.is_empty() && detail == Detail::Verbose {
        let idle = plural(idle.len(), "other waiver");
        out.push_str(&format!("{idle} expired; `aiwg-gate waive --list` shows where each stands\n"));
    }
    out
}

fn waived(judged: &Judged) -> Option<String> {
    let (finding, waiver) = (&judged.finding, judged.waiver.as_ref()?);
    Some(format!(
        "waived[{}]: {}:{}: {} (until {}: {})\n",
        finding.rule.name,
        one_line(&finding.path),
        finding.line,
        one_line(&finding.message),
        waiver.expires,
        one_line(&waiver.reason)
    ))
}

fn added_waiver(listed: &Listed) -> String {
    let waiver = &listed.waiver;
    let counts = match &listed.state {
        State::Refused(reason) => format!("does not count: {}", one_line(reason)),
        State::Expired => "does not count: it has expired".to_owned(),
        State::Used => "it waives a finding of this change".to_owned(),
        State::Unused => "nothing in this change needs it".to_owned(),
    };
    format!(
        "waiver added: {}, {}, by {}, until {}: {} ({counts})\n",
        short(&waiver.fingerprint),
        one_line(&waiver.rule),
        one_line(&waiver.by),
        waiver.expires,
        one_line(&waiver.reason)
    )
}

pub fn render(waivers: &[Listed]) -> String {
    if waivers.is_empty() {
        return "There are no waivers.\n".to_owned();
    }
    waivers.iter().map(entry).collect()
}

fn entry(listed: &Listed) -> String {
    let waiver = &listed.waiver;
    let added = match listed.place {
        Place::Base => "",
        Place::Change => ", added by this change",
        Place::Unstaged => ", not staged yet",
    };
    let mut out = format!(
        "{}  {:8}  {}  until {}{added}\n    {} ({}, {})\n",
        short(&waiver.fingerprint),
        state(&listed.state),
        one_line(&waiver.rule),
        waiver.expires,
        one_line(&waiver.reason),
        one_line(&waiver.by),
        waiver.created
    );
    if let Some(reason) = listed.state.explanation() {
        out.push_str(&format!("    does not count: {}\n", one_line(reason)));
    }
    out
}

/// Whether it counts, and whether it is needed for this change.
fn state(state: &State) -> &'static str {
    match state {
        State::Used => "active",
        State::Unused => "unused",
        State::Expired => "expired",
        State::Refused(_) => "refused",
    }
}
