//! What starts a workflow: the events of GitHub's, with what they are limited to, and the switches of Azure's.

use super::document::{Document, Entry};
use crate::facts::Trigger;

/// Events that have to do with a change.
const CHANGES: [&str; 7] = [
    "push",
    "pull_request",
    "pull_request_target",
    "merge_group",
    "workflow_call",
    "workflow_run",
    "check_suite",
];

/// The events that changes are, in the order of the file.
pub fn triggers(document: &Document) -> Vec<Trigger> {
    let mut found: Vec<Trigger> = Vec::new();
    for entry in document.entries.iter().filter(|entry| entry.path.first().is_some_and(|key| key == "on")) {
        let keys: Vec<&str> = entry.keys().collect();
        let (event, limit) = match keys[..] {
            ["on"] => (entry.value.as_str(), None),
            ["on", event] => (event, None),
            ["on", event, limit, ..] => (event, Some(limit)),
            _ => continue,
        };
        if !CHANGES.contains(&event) {
            continue;
        }
        let at = found.iter().position(|trigger| trigger.event == event).unwrap_or_else(|| {
            found.push(Trigger { event: event.to_owned(), line: entry.line, ..Trigger::default() });
            found.len() - 1
        });
        if let Some(limit) = limit {
            add(&mut found[at], limit, entry);
        }
    }
    found
}

fn add(trigger: &mut Trigger, limit: &str, entry: &Entry) {
    let list = match limit {
        "branches" => &mut trigger.branches,
        "branches-ignore" => &mut trigger.branches_ignored,
        "paths" => &mut trigger.paths,
        "paths-ignore" => &mut trigger.paths_ignored,
        "types" => &mut trigger.types,
        "tags" | "tags-ignore" => &mut trigger.tags,
        _ => return,
    };
    if !entry.value.is_empty() {
        list.push((entry.value.clone(), entry.line));
    }
}

/// Whether pushes and pull requests start it, where the file says what does.
pub fn on_changes(document: &Document, triggers: &[Trigger]) -> Option<bool> {
    let top =
        |key: &'static str| document.entries.iter().filter(move |entry| entry.keys().next() == Some(key));
    if top("on").next().is_some() {
        return Some(triggers.iter().any(Trigger::is_of_changes));
    }
    let is_off = |key: &'static str| top(key).any(|entry| entry.value == "none");
    let says = top("trigger").next().is_some() || top("pr").next().is_some();
    says.then(|| !(is_off("trigger") && is_off("pr")))
}
