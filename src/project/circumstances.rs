//! What a step of a pipeline is given that others may not be: variables, services, an image; and its condition.

use super::document::Entry;
use super::pipeline::Tree;
use super::words::words_of;
use crate::facts::{Check, Circumstances, Mark};
use crate::text::{clipped, one_line};

/// Words of variables that change nothing in what is tested.
const BESIDE: &[&str] = &[
    "ci",
    "color",
    "colors",
    "debug",
    "log",
    "verbose",
    "timeout",
    "cache",
    "home",
    "path",
    "dir",
    "token",
    "secret",
    "key",
    "password",
    "user",
    "term",
    "backtrace",
    "retries",
    "workers",
    "jobs",
    "parallel",
    "memory",
    "artifacts",
    "telemetry",
    "name",
    "lang",
    "tz",
    "report",
    "output",
    "heap",
];

/// So many of them are looked at.
const MAX_GIVEN: usize = 40;

/// What the step of an entry and its job say. What holds for the whole file is the same for all.
pub fn of(tree: &Tree<'_>, entry: &Entry) -> Circumstances {
    let mut found = Circumstances::default();
    for length in (1..entry.path.len()).rev() {
        let parent = &entry.path[..length];
        if let Some(condition) = ["if", "condition"].iter().find_map(|key| tree.child(parent, key)) {
            let text = clipped(&one_line(&condition.value), 400);
            found.condition = found.condition.or(Some(Mark { text, line: condition.line }));
        }
        for key in ["env", "environment", "variables"] {
            let below = [parent, &[key.to_owned()]].concat();
            let set = tree
                .children(&below)
                .filter(|set| !set.value.is_empty() && is_telling(set.name(), &set.value));
            found.given.extend(set.map(|set| format!("{}={}", set.name(), one_line(&set.value))));
        }
        let services = [parent, &["services".to_owned()]].concat();
        let named = tree.children(&services).map(image_of);
        found.given.extend(named.filter(|name| !name.is_empty()).map(|name| format!("service {name}")));
    }
    found.given.sort();
    found.given.dedup();
    found.given.truncate(MAX_GIVEN);
    found
}

/// The check with what its step is given, beside what stands in front of the command itself.
pub fn with(mut check: Check, around: &Circumstances) -> Check {
    check.around.condition.clone_from(&around.condition);
    check.around.given.extend(around.given.iter().cloned());
    check
}

/// The variables in front of a command.
pub fn in_front(raw: &[String], command: &[String]) -> Circumstances {
    let front = &raw[..raw.len() - command.len()];
    let set =
        front.iter().filter_map(|word| word.split_once('=')).filter(|(name, value)| is_telling(name, value));
    Circumstances {
        given: set.map(|(name, value)| format!("{name}={value}")).collect(),
        ..Circumstances::default()
    }
}

/// `postgres` of `postgres:12`, or the key where it has a name of its own.
fn image_of(service: &Entry) -> String {
    let name = if service.path.last().is_some_and(|key| key.starts_with('#')) {
        &service.value
    } else {
        service.name()
    };
    name.split([':', '@']).next().unwrap_or_default().to_owned()
}

fn is_telling(name: &str, value: &str) -> bool {
    let is_beside = words_of(name).iter().any(|word| BESIDE.contains(&word.as_str()));
    !is_beside
        && !value.contains("secrets.")
        && !value.contains("matrix.")
        && !matches!(value, "0" | "false" | "")
}
