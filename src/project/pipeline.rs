//! Workflows of build servers: GitHub, GitLab, Travis, Azure, CircleCI, AppVeyor and their like.
//!
//! They name things differently, but all are keys with shell text under them, and marks beside or above that text
//! which say that a failure does not count.

use super::circumstances;
use super::command;
use super::document::{Document, Entry};
use super::gates;
use super::lists;
use super::marks::force_of;
use super::masking::Shell;
use super::named;
use super::rows;
use super::tools;
pub use super::tree::Tree;
use super::trigger;
use super::uses::{action, called, measuring_input, task};
use super::variables;
use super::words::words_of;
use super::yaml;
use crate::facts::{
    About, Check, CheckClass, Circumstances, Force, Ground, Mark, ProjectFacts, Setting, SettingValue,
};
use crate::text::{clipped, one_line};

/// Keys whose value is shell text.
const COMMANDS: &[&str] = &[
    "run",
    "script",
    "before_script",
    "command",
    "commands",
    "bash",
    "pwsh",
    "powershell",
    "test_script",
    "build_script",
    "before_test",
    "after_test",
    "cmd",
    "ps",
    "sh",
];

/// Keys of shell text that runs when all is over: how it ends no longer counts, but what it measures does.
const AFTERWARDS: &[&str] = &["after_success", "after_script", "on_success", "on_finish"];

/// Inputs by which what a step finds fails the run.
const FAILS: &[&str] = &[
    "fail_ci_if_error",
    "failTaskOnFailedTests",
    "fail-on-error",
    "fail_on_error",
    "fail_on_failure",
    "fail-on-alert",
    "failOnStderr",
];

/// Keys that say nothing about what a step is for.
const STRUCTURE: &[&str] = &[
    "jobs",
    "steps",
    "stages",
    "stage",
    "matrix",
    "include",
    "runs",
    "run",
    "script",
    "command",
    "commands",
    "bash",
    "pwsh",
    "powershell",
    "strategy",
    "workflows",
    "pipelines",
    "default",
    "step",
    "parallel",
    "phases",
];

pub fn read(text: &str) -> ProjectFacts {
    let document = yaml::read(text);
    let tree = Tree::new(&document);
    let mut facts = ProjectFacts { ground: Ground::Pipeline, ..ProjectFacts::default() };
    for entry in &document.entries {
        read_entry(&tree, entry, &mut facts);
    }
    facts.checks.extend(by_default(&tree));
    let named = named::of_jobs(&tree, &facts.checks);
    facts.checks.extend(named);
    for check in &mut facts.checks {
        check.around.system = system_of(&tree, check);
    }
    facts.commented = commented(&document, text);
    facts.triggers = trigger::triggers(&document);
    facts.on_changes = trigger::on_changes(&document, &facts.triggers);
    facts.on_schedule = document.entries.iter().any(|entry| entry.is("on.schedule.cron"));
    facts.gates = gates::gates(&tree);
    facts.settings.extend(rows::settings(&tree));
    facts.settings.extend(switched_off(&tree));
    facts.settings.extend(document.entries.iter().filter_map(|entry| staged(&tree, entry)));
    facts.jobs = jobs(&tree);
    facts
}

/// The names of the jobs: GitHub and CircleCI have them below a key, Azure in a list, GitLab at the top.
fn jobs(tree: &Tree<'_>) -> Vec<String> {
    let below: Vec<String> = tree
        .children(&["jobs".to_owned()])
        .map(|job| job.name().to_owned())
        .filter(|name| name != "include")
        .collect();
    if !below.is_empty() {
        return below;
    }
    let is_job = |entry: &&Entry| {
        let keys: Vec<&str> = entry.keys().collect();
        let is_script = || entry.path.get(1).is_some_and(|key| key == "script");
        matches!(keys[..], [.., "jobs", "job"]) || keys.len() == 2 && is_script() && !keys[0].starts_with('.')
    };
    let entries = tree.document.entries.iter().filter(is_job);
    let mut names: Vec<String> = entries
        .map(|entry| if entry.name() == "job" { entry.value.clone() } else { entry.path[0].clone() })
        .collect();
    names.dedup();
    names
}

/// The system that the job of a check runs on, if it is not the one that most use.
fn system_of(tree: &Tree<'_>, check: &Check) -> Option<&'static str> {
    let job = ["jobs".to_owned(), check.place.split('/').next()?.to_owned()];
    let system = tree.value(&job, "runs-on")?.to_lowercase();
    ["windows", "macos"].into_iter().find(|name| system.contains(name))
}

fn read_entry(tree: &Tree<'_>, entry: &Entry, facts: &mut ProjectFacts) {
    let name = entry.name();
    if COMMANDS.contains(&name) && !entry.value.is_empty() && !entry.path.iter().any(|key| key == "defaults")
    {
        let found = command::read_in(shell_of(tree, entry), &entry.value, entry.line, &place_of(tree, entry));
        let force = force_of(tree, entry);
        facts.settings.extend(found.settings);
        facts.settings.extend(lists::settings(&entry.value, entry.line, &place_of(tree, entry)));
        if found.checks.is_empty() {
            facts.checks.extend(named::of_step(tree, entry, &place_of(tree, entry)));
        }
        let around = circumstances::of(tree, entry);
        let placed = found.checks.into_iter().map(|check| with_force(check, force.as_ref()));
        facts.checks.extend(placed.map(|check| circumstances::with(check, &around)));
    } else if AFTERWARDS.contains(&name) && !entry.value.is_empty() {
        let found = command::read(&entry.value, entry.line, &place_of(tree, entry)).checks;
        facts.checks.extend(found.into_iter().filter_map(measuring));
    } else if name == "uses" {
        let known = action(tree, entry);
        let named = || named::of_step(tree, entry, &place_of(tree, entry));
        let around = circumstances::of(tree, entry);
        let found = known.or_else(named).into_iter().chain(called(tree, entry));
        facts.checks.extend(found.map(|check| circumstances::with(check, &around)));
    } else if name == "task" {
        facts.checks.extend(task(tree, entry));
    } else if let Some(check) = measuring_input(tree, entry) {
        facts.checks.push(check);
    } else if FAILS.contains(&name) {
        // Where the step itself may fail, the report never counted.
        let lenient = matches!(force_of(tree, entry), Some(Force::Ignored(_) | Force::Off(_)));
        facts.settings.push(switch(About::Reports, tree, entry, entry.value != "true" || lenient));
    } else if entry.keys().any(|key| key == "allow_failures") && !entry.value.is_empty() {
        facts.settings.extend(rows::allowed(tree, entry));
    } else if entry
        .keys()
        .rev()
        .nth(1)
        .is_some_and(|parent| matches!(parent, "env" | "environment" | "variables"))
    {
        if command::switches_hooks_off(name, &entry.value) {
            facts.settings.push(switch(About::Hooks, tree, entry, true));
        }
        let place = place_of(tree, entry);
        facts.settings.extend(
            variables::settings(name, &entry.value, entry.line)
                .map(|setting| Setting { key: format!("{place}/{}", setting.key), ..setting }),
        );
    } else if matches!(name, "env" | "environment") && entry.value.contains('=') {
        // Travis writes them in one line.
        let place = place_of(tree, entry);
        for (name, value) in entry.value.split_whitespace().filter_map(|word| word.split_once('=')) {
            facts.settings.extend(
                variables::settings(name, value.trim_matches(['"', '\'']), entry.line)
                    .map(|setting| Setting { key: format!("{place}/{}", setting.key), ..setting }),
            );
        }
    }
}

/// Travis runs `npm test` for a package where nobody says what it shall run.
fn by_default(tree: &Tree<'_>) -> Option<Check> {
    let is_node = tree.value(&[], "language") == Some("node_js");
    let says =
        |entry: &Entry| entry.keys().any(|key| matches!(key, "script" | "jobs" | "matrix" | "include"));
    if !is_node || tree.document.entries.iter().any(says) {
        return None;
    }
    command::read("npm test", 1, "script").checks.into_iter().next()
}

/// A command that measures or hands on what was measured; its force does not matter.
fn measuring(check: Check) -> Option<Check> {
    let speaks = words_of(&check.signature).iter().any(|word| matches!(word.as_str(), "coverage" | "cov"));
    let measures = check.class == CheckClass::Coverage || speaks;
    measures.then_some(Check { class: CheckClass::Coverage, force: Force::Blocks, ..check })
}

/// A stage of checks, or the whole file, that runs under a condition only.
fn staged(tree: &Tree<'_>, entry: &Entry) -> Option<Setting> {
    let stage = match entry.keys().collect::<Vec<_>>()[..] {
        ["stages", "if"] => tree.value(&entry.path[..entry.path.len() - 1], "name")?,
        _ => return None,
    };
    super::words::class_of_name(stage)?;
    let value = SettingValue::LeavesOut(format!("what is not {}", one_line(&entry.value)));
    Some(Setting { about: About::Checkers, key: format!("the stage {stage}"), line: entry.line, value })
}

/// Jobs that never run, whatever is in them.
fn switched_off(tree: &Tree<'_>) -> Vec<Setting> {
    let jobs = ["jobs".to_owned()];
    let off = tree.children(&jobs).filter_map(|job| match tree.mark_at(&job.path) {
        Some(Force::Off(mark)) => Some((job, mark)),
        _ => None,
    });
    let setting = |(job, mark): (&Entry, Mark)| Setting {
        about: About::Jobs,
        key: job.name().to_owned(),
        line: mark.line,
        value: SettingValue::Loose(true),
    };
    off.map(setting).collect()
}

/// The shell that runs a step. GitHub's own choice does not fail with a pipe; `bash` by name does.
fn shell_of(tree: &Tree<'_>, entry: &Entry) -> Shell {
    let top = |key: &str| tree.child(&[], key).is_some() || tree.children(&[key.to_owned()]).next().is_some();
    if entry.name() != "run" || !(top("on") || top("runs")) {
        return Shell::STRICT;
    }
    let defaults = |parent: &[String]| [parent, &["defaults".to_owned(), "run".to_owned()]].concat();
    let job = &entry.path[..entry.path.len().min(2)];
    let step = &entry.path[..entry.path.len() - 1];
    let places = [step.to_vec(), defaults(job), defaults(&[])];
    let on_windows = tree.value(job, "runs-on").is_some_and(|system| system.contains("windows"));
    match places.iter().find_map(|place| tree.value(place, "shell")) {
        None if on_windows => Shell::STRICT,
        None | Some("sh") => Shell { stops: true, pipes_fail: false },
        Some(own) if own.contains("{0}") => {
            let words: Vec<String> = own.split_whitespace().skip(1).map(str::to_owned).collect();
            Shell::PLAIN.told(&[&["set".to_owned()], &words[..]].concat())
        }
        Some(_) => Shell::STRICT,
    }
}

fn switch(about: About, tree: &Tree<'_>, entry: &Entry, loose: bool) -> Setting {
    let key = format!("{}/{}", place_of(tree, entry), entry.name());
    Setting { about, key, line: entry.line, value: SettingValue::Loose(loose) }
}

/// The job and the step; the key itself where the file has neither.
pub fn place_of(tree: &Tree<'_>, entry: &Entry) -> String {
    let mut parts: Vec<String> = Vec::new();
    for length in 1..=entry.path.len() {
        let (parent, key) = (&entry.path[..length], &entry.path[length - 1]);
        let named =
            || ["name", "displayName", "job", "label", "id"].iter().find_map(|name| tree.value(parent, name));
        if key.starts_with('#') {
            parts.extend(named().map(one_line));
        } else if length < entry.path.len()
            && !STRUCTURE.contains(&key.as_str())
            && !matches!(key.as_str(), "with" | "env")
        {
            parts.push(key.clone());
        }
    }
    if parts.is_empty() { entry.name().to_owned() } else { clipped(&parts.join("/"), 120) }
}

pub fn with_force(mut check: Check, around: Option<&Force>) -> Check {
    if let Some(around) = around.filter(|_| check.force == Force::Blocks) {
        check.force = around.clone();
    }
    check
}

/// Checks that stand in comments.
pub fn commented(document: &Document, text: &str) -> Vec<Check> {
    let in_scripts = text.lines().enumerate().filter_map(|(index, line)| {
        let comment = line.trim_start().strip_prefix('#')?;
        Some((comment.trim_start_matches(['#', ' ', '\t']).to_owned(), index as u32 + 1))
    });
    let beside = document.remarks.iter().map(|remark| (remark.text.clone(), remark.line));
    let mut lines: Vec<(String, u32)> = in_scripts.chain(beside).collect();
    lines.sort_by_key(|(_, line)| *line);
    lines.dedup_by_key(|(_, line)| *line);
    lines.into_iter().filter_map(|(text, line)| commented_check(&text, line)).collect()
}

fn commented_check(text: &str, line: u32) -> Option<Check> {
    let step = text.trim_start_matches(['-', ' ']);
    let unquoted = |text: &str| yaml::unquoted(text);
    if let Some(action) = step.strip_prefix("uses:") {
        let (class, signature) = tools::of_action(action.trim())?;
        let text = action.trim().to_owned();
        return Some(Check {
            class,
            signature,
            place: String::new(),
            text,
            line,
            force: Force::Blocks,
            shown: None,
            bypasses: Vec::new(),
            around: Circumstances::default(),
            settings: Vec::new(),
        });
    }
    let command = COMMANDS.iter().find_map(|key| step.strip_prefix(key)?.strip_prefix(':')).unwrap_or(step);
    command::read(&unquoted(command), line, "").checks.into_iter().next()
}
