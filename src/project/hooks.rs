//! Hook managers, pre-commit and lefthook, and the hooks of coding agents.

use std::collections::BTreeMap;

use super::document::Entry;
use super::pipeline::{self, Tree};
use super::words::class_of_name;
use super::{braces, yaml};
use crate::facts::{
    About, Check, CheckClass, Circumstances, Force, Ground, Mark, ProjectFacts, Setting, SettingValue,
};

/// Each hook of pre-commit is a check of its own.
pub fn pre_commit(text: &str) -> ProjectFacts {
    let document = yaml::read(text);
    let tree = Tree::new(&document);
    let mut facts = ProjectFacts { ground: Ground::Hooks, ..ProjectFacts::default() };
    for entry in document.entries.iter().filter(|entry| entry.is("repos.hooks.id")) {
        facts.checks.extend(hook(&tree, entry));
    }
    for entry in
        document.entries.iter().filter(|entry| entry.is("exclude") || entry.is("repos.hooks.exclude"))
    {
        // Patterns that match everything leave nothing to look at.
        let about = if matches!(entry.value.as_str(), ".*" | "^" | "" | "." | "^.*$") {
            About::Hooks
        } else {
            About::Lint
        };
        for part in alternatives(&entry.value) {
            let value = SettingValue::LeavesOut(part);
            facts.settings.push(Setting { about, key: "exclude".to_owned(), line: entry.line, value });
        }
    }
    facts.settings.extend(document.entries.iter().flat_map(|entry| told(&tree, entry)));
    let marks = document.remarks.iter().filter_map(|remark| {
        let id = remark.text.trim_start_matches(['-', ' ', '#']).strip_prefix("id:")?.trim();
        Some(check(id, remark.line, Force::Blocks))
    });
    facts.commented = marks.collect();
    facts
}

/// The parts of a pattern of paths, any of which is enough: `^(docs|tests)/`.
fn alternatives(pattern: &str) -> Vec<String> {
    let text = pattern.trim().trim_start_matches("(?x)").trim();
    let inner = text.trim_start_matches('^').trim_end_matches('$');
    let (open, close) = (inner.find('('), inner.rfind(')'));
    let (Some(open), Some(close), 1) = (open, close, inner.matches('(').count()) else {
        return vec![inner.to_owned()];
    };
    if close < open {
        return vec![pattern.to_owned()];
    }
    let (start, end) = (&inner[..open], &inner[close + 1..]);
    let parts = inner[open + 1..close].split('|').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| format!("{start}{part}{end}").replace("^", "")).collect()
}

/// What a hook of pre-commit is told: options it insists on, plugins it has, files it looks at.
fn told(tree: &Tree<'_>, entry: &Entry) -> Vec<Setting> {
    if entry.value.is_empty() {
        return Vec::new();
    }
    if entry.is("ci.skip") {
        let value = SettingValue::LeavesOut(entry.value.clone());
        return vec![Setting { about: About::Checkers, key: "ci.skip".to_owned(), line: entry.line, value }];
    }
    let hook = entry.path.iter().position(|key| key == "hooks").map(|at| at + 1);
    let Some(id) = hook.and_then(|at| tree.value(entry.path.get(..=at)?, "id")) else { return Vec::new() };
    let selects = |name: &str, what: String| Setting {
        about: About::Checkers,
        key: format!("{id} {name}"),
        line: entry.line,
        value: SettingValue::Selects(what),
    };
    match () {
        () if entry.is("repos.hooks.args") => {
            let words = [id.to_owned(), entry.value.clone()];
            super::strictness::settings(id, &words, entry.line)
        }
        () if entry.is("repos.hooks.files") => {
            alternatives(&entry.value).into_iter().map(|part| selects("files", part)).collect()
        }
        () if entry.is("repos.hooks.additional_dependencies") => {
            let name = entry.value.split(['=', '<', '>', '~', '@', '[', ' ']).next().unwrap_or_default();
            let adds =
                ["flake8-", "pep8-", "eslint-plugin-", "pylint-"].iter().any(|it| name.starts_with(it));
            adds.then(|| selects("plugins", name.to_owned())).into_iter().collect()
        }
        () => Vec::new(),
    }
}

fn hook(tree: &Tree<'_>, entry: &Entry) -> Option<Check> {
    let (_, parent) = entry.path.split_last()?;
    let below = [parent, &["stages".to_owned()]].concat();
    let stages: Vec<&Entry> = tree.child(parent, "stages").into_iter().chain(tree.children(&below)).collect();
    let stages: Vec<&Entry> = stages.into_iter().filter(|stage| !stage.value.is_empty()).collect();
    let manual = stages.first().filter(|_| stages.iter().all(|stage| stage.value == "manual"));
    let force = match manual {
        Some(stage) => Force::Off(Mark { text: "stages: [manual]".to_owned(), line: stage.line }),
        None => Force::Blocks,
    };
    Some(check(&entry.value, entry.line, force))
}

fn check(id: &str, line: u32, force: Force) -> Check {
    Check {
        class: class_of_hook(id),
        signature: format!("hook {id}"),
        place: id.to_owned(),
        text: format!("id: {id}"),
        line,
        force,
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    }
}

/// Most hooks tidy text; those that check code have telling names.
pub fn class_of_hook(id: &str) -> CheckClass {
    const CODE: &[&str] = &[
        "mypy",
        "flake8",
        "ruff",
        "pylint",
        "eslint",
        "clippy",
        "bandit",
        "golangci-lint",
        "pyright",
        "ty",
        "shellcheck",
        "ruff-check",
        "aiwg-gate",
    ];
    match class_of_name(id) {
        _ if id.starts_with("aiwg-gate") => CheckClass::Gate,
        _ if CODE.contains(&id) => CheckClass::Lint,
        Some(class @ (CheckClass::Test | CheckClass::Types)) => class,
        _ => CheckClass::Format,
    }
}

/// The settings of a coding agent: of its hooks only those count that call this gate.
pub fn agent(text: &str) -> ProjectFacts {
    let off = text.lines().zip(1..).find(|(line, _)| {
        let said: String = line.split_whitespace().collect();
        said.contains("\"disableAllHooks\":true")
    });
    let force = match off {
        Some((line, number)) => Force::Off(Mark { text: line.trim().to_owned(), line: number }),
        None => Force::Blocks,
    };
    let calls = text.lines().zip(1..).filter(|(line, _)| line.contains("aiwg-gate"));
    let checks = calls.map(|(line, number)| Check {
        class: CheckClass::Gate,
        signature: "aiwg-gate agent-hook".to_owned(),
        place: String::new(),
        text: line.trim().to_owned(),
        line: number,
        force: force.clone(),
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    });
    let settings = agent_hooks(text);
    ProjectFacts { ground: Ground::Hooks, checks: checks.collect(), settings, ..ProjectFacts::default() }
}

/// How many commands an agent runs on each event. What only tells people that it is done checks nothing.
fn agent_hooks(text: &str) -> Vec<Setting> {
    const TELL: &[&str] =
        &["notify", "notification", "osascript", "afplay", "say ", "beep", "echo ", "paplay", "curl "];
    // A diary of what the agent does stops nothing.
    const KEEP: &[&str] = &["log", "logger", "logging", "logs", "timestamp", "telemetry", "metrics"];
    let document = braces::read(text);
    let mut events: BTreeMap<&str, (u32, f64)> = BTreeMap::new();
    for entry in document.entries.iter().filter(|entry| entry.name() == "command" && !entry.value.is_empty())
    {
        let keys: Vec<&str> = entry.keys().collect();
        let ["hooks", event, ..] = keys[..] else { continue };
        let only_tells = TELL.iter().any(|word| entry.value.to_lowercase().contains(word))
            || super::words::words_of(&entry.value).iter().any(|word| KEEP.contains(&word.as_str()));
        if event != "Notification" && !only_tells && !entry.value.contains("aiwg-gate") {
            events.entry(event).or_insert((entry.line, 0.0)).1 += 1.0;
        }
    }
    let setting = |(event, (line, count)): (&str, (u32, f64))| Setting {
        about: About::Hooks,
        key: format!("hooks.{event}"),
        line,
        value: SettingValue::Demands(count),
    };
    events.into_iter().map(setting).collect()
}

pub fn lefthook(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Hooks, ..pipeline::read(text) };
    let document = yaml::read(text);
    for entry in document.entries.iter().filter(|entry| entry.name() == "skip" && entry.value == "true") {
        let (_, parent) = entry.path.split_last().unwrap_or((&entry.value, &[]));
        let name = parent.last().map(String::as_str).unwrap_or_default();
        let mark = Mark { text: "skip: true".to_owned(), line: entry.line };
        for check in facts.checks.iter_mut().filter(|check| check.place.split('/').any(|part| part == name)) {
            check.force = Force::Off(mark.clone());
        }
    }
    facts
}
