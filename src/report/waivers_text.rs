//! The list of waivers for people.

use crate::finding::short;
use crate::policy::waivers::{Listed, Place, State};
use crate::text::one_line;

pub fn render(waivers: &[Listed]) -> String {
    if waivers.is_empty() {
        return "There are no waivers.\n".to_owned();
    }
    waivers.iter().map(entry).collect()
}

fn entry(listed: &Listed) -> String {
    let waiver = &listed.waiver;
    let added = if listed.place == Place::Change { ", added by this change" } else { "" };
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
