//! Marks in a pipeline that take the force from what stands beside or below them.

use super::condition::{Holds, LeftOut, MAIN, holds, leaves_out_changes, leaves_out_rows};
use super::document::Entry;
use super::matrix;
use super::pipeline::Tree;
use crate::facts::{Force, Mark};
use crate::text::{clipped, one_line};

/// The mark that takes the force from a step, beside it or above it; the innermost one that is sure.
pub fn force_of(tree: &Tree<'_>, entry: &Entry) -> Option<Force> {
    if let Some(force) = hidden(tree, entry).or_else(|| unlisted(tree, entry)) {
        return Some(force);
    }
    let mut found = None;
    for length in (0..entry.path.len()).rev() {
        let parent = &entry.path[..length];
        let force = tree.mark_at(parent);
        match force {
            Some(Force::Off(_) | Force::Ignored(_)) => return force,
            Some(_) => found = found.or(force),
            None => {}
        }
    }
    found.or_else(|| filtered(tree, entry)).or_else(|| usual_shell(tree, entry).map(Force::Ignored))
}

pub fn mark_at(tree: &Tree<'_>, parent: &[String]) -> Option<Force> {
    off(tree, parent).or_else(|| ruled(tree, parent)).or_else(|| lenient(tree, parent))
}

fn mark(entry: &Entry) -> Mark {
    let text = clipped(&format!("{}: {}", entry.name(), one_line(&entry.value)), 120);
    Mark { text, line: entry.line }
}

/// Conditions that never hold, or on no change.
fn off(tree: &Tree<'_>, parent: &[String]) -> Option<Force> {
    let mut rarely = None;
    for key in ["if", "condition", "when", "enabled"] {
        let Some(entry) = tree.child(parent, key) else { continue };
        let value = entry.value.trim().to_lowercase();
        let held = match (key, value.as_str()) {
            ("when", "never") | ("enabled" | "condition", "false") | ("condition" | "if", "never") => {
                Holds::Never
            }
            ("when", "manual") => Holds::NeverOnChanges,
            ("if", _) => holds(&entry.value),
            _ => Holds::Maybe,
        };
        match held {
            Holds::Never => return Some(Force::Off(mark(entry))),
            Holds::NeverOnChanges => rarely = Some(Force::Rarely(mark(entry))),
            Holds::Maybe if matches!(key, "if" | "condition") => {
                rarely = partly(tree, entry).or(rarely);
            }
            Holds::Maybe => {}
        }
    }
    rarely
}

/// A condition that leaves out systems, or some of what is asked to be merged.
fn partly(tree: &Tree<'_>, entry: &Entry) -> Option<Force> {
    let text = unified(entry);
    if leaves_out_rows(&text) {
        return Some(Force::Somewhere(mark(entry)));
    }
    match leaves_out_changes(&text, &tree.events())? {
        LeftOut::Pulls | LeftOut::Queue => Some(Force::Somewhere(mark(entry))),
        LeftOut::Forks => Some(Force::Unknown(mark(entry))),
    }
}

/// A condition as GitHub writes it: Azure takes variables out of a list, Travis has words for operators.
fn unified(entry: &Entry) -> String {
    if entry.name() == "condition" {
        let text = entry.value.replace("variables['", "variables.").replace("']", "");
        return text.replace("variables.Agent.OS", "runner.os");
    }
    if !entry.keys().any(|key| key == "include") {
        return entry.value.clone();
    }
    let mut is_value = false;
    let words = entry.value.split_whitespace().map(|word| {
        let was_value = std::mem::replace(&mut is_value, matches!(word, "=" | "!="));
        match word {
            "AND" => "&&".to_owned(),
            "OR" => "||".to_owned(),
            "NOT" => "!".to_owned(),
            "=" => "==".to_owned(),
            word if was_value => format!("'{word}'"),
            word => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `rules` and `only` of GitLab's.
fn ruled(tree: &Tree<'_>, parent: &[String]) -> Option<Force> {
    let below = |key: &str| [parent, &[key.to_owned()]].concat();
    if let Some(force) = rules(tree, &below("rules")).or_else(|| only_main(tree, &below("rules"))) {
        return Some(force);
    }
    let only = below("only");
    let listed = tree.child(parent, "only").into_iter().chain(tree.children(&only));
    let listed: Vec<&Entry> = listed.filter(|entry| !entry.value.is_empty()).collect();
    let is_rare =
        |entry: &&Entry| matches!(entry.value.as_str(), "tags" | "schedules" | "triggers" | "api" | "web");
    let is_main = |entry: &&Entry| MAIN.contains(&entry.value.as_str());
    let first = listed.first()?;
    let mark = Mark { text: format!("only: {}", first.value), line: first.line };
    match () {
        () if listed.iter().all(is_rare) => Some(Force::Rarely(mark)),
        () if listed.iter().all(|entry| is_main(entry) || is_rare(entry)) => Some(Force::Somewhere(mark)),
        () => None,
    }
}

/// Rules of which each that lets a job run is about a branch that everything goes to.
fn only_main(tree: &Tree<'_>, list: &[String]) -> Option<Force> {
    let is_main = |text: &str| {
        let branch =
            ["$CI_COMMIT_BRANCH ==", "$CI_COMMIT_REF_NAME =="].iter().find_map(|it| text.strip_prefix(it));
        let branch = branch.map(|branch| branch.trim().trim_matches(['"', '\'']));
        branch.is_some_and(|branch| branch == "$CI_DEFAULT_BRANCH" || MAIN.contains(&branch))
    };
    let is_rare = |text: &str| text.contains("CI_COMMIT_TAG") || text.contains("\"schedule\"");
    let mut found = None;
    for index in 0.. {
        let rule = [list, &[format!("#{index}")]].concat();
        if tree.children(&rule).next().is_none() {
            return found;
        }
        if tree.value(&rule, "when").is_some_and(|when| when == "never") {
            continue;
        }
        let entry = tree.child(&rule, "if").filter(|entry| is_main(&entry.value) || is_rare(&entry.value))?;
        found = found.or_else(|| is_main(&entry.value).then(|| Force::Somewhere(mark(entry))));
    }
    found
}

/// What the workflows of CircleCI limit a job to, where each of them limits it to the main branch.
fn filtered(tree: &Tree<'_>, entry: &Entry) -> Option<Force> {
    let [jobs, name, ..] = &entry.path[..] else { return None };
    let only = tree.filters_of(name).filter(|only| jobs == "jobs" && !only.is_empty())?;
    let is_main = |entry: &&Entry| MAIN.contains(&entry.value.as_str());
    let first = only.first().filter(|_| only.iter().all(is_main))?;
    Some(Force::Somewhere(Mark { text: format!("branches: only: {}", first.value), line: first.line }))
}

/// What the rules of a job come to: the first that holds decides.
fn rules(tree: &Tree<'_>, list: &[String]) -> Option<Force> {
    let mut when: Vec<&Entry> = Vec::new();
    for index in 0.. {
        let rule = [list, &[format!("#{index}")]].concat();
        if tree.children(&rule).next().is_none() {
            break;
        }
        // One that lets the job run when it holds leaves the question open.
        let said =
            tree.child(&rule, "when").filter(|entry| matches!(entry.value.as_str(), "never" | "manual"))?;
        when.push(said);
        if !["if", "changes", "exists"].iter().any(|key| has(tree, &rule, key)) {
            break;
        }
    }
    let last = when.last()?;
    let never = when.iter().all(|entry| entry.value == "never");
    let mark = Mark { text: format!("rules: when: {}", last.value), line: last.line };
    Some(if never { Force::Off(mark) } else { Force::Rarely(mark) })
}

fn has(tree: &Tree<'_>, parent: &[String], key: &str) -> bool {
    tree.child(parent, key).is_some() || tree.children(&[parent, &[key.to_owned()]].concat()).next().is_some()
}

/// A job of GitLab's with a dot before its name, which nothing in the file takes up.
fn hidden(tree: &Tree<'_>, entry: &Entry) -> Option<Force> {
    let name = entry.path.first().filter(|name| name.starts_with('.'))?;
    if tree.is_taken_up(name) {
        return None;
    }
    let line = tree.child(&[], name).map_or(entry.line, |job| job.line);
    Some(Force::Off(Mark { text: format!("{name}:"), line }))
}

/// A job of CircleCI's that no workflow lists.
fn unlisted(tree: &Tree<'_>, entry: &Entry) -> Option<Force> {
    let [jobs, name, ..] = &entry.path[..] else { return None };
    let line = tree.child(std::slice::from_ref(jobs), name).map_or(entry.line, |job| job.line);
    let is_off = jobs == "jobs" && tree.is_unlisted(name);
    is_off.then(|| Force::Off(Mark { text: format!("no workflow lists the job {name}"), line }))
}

/// Whether a later step asks how this one ended, and fails the run by it.
fn is_asked_for(tree: &Tree<'_>, step: &[String]) -> bool {
    let Some(id) = tree.value(step, "id") else { return false };
    let (outcome, job) = (format!("steps.{id}.outcome"), &step[..step.len().min(2)]);
    let fails = |text: &str| text.contains("exit ") || text.contains("setFailed");
    let mut later = tree.document.entries.iter().filter(|entry| entry.path.starts_with(job));
    later.any(|entry| {
        let own = &entry.path[..entry.path.len() - 1];
        entry.value.contains(&outcome)
            && (fails(&entry.value) || tree.value(own, "run").is_some_and(fails))
            // Where more has to be true, a failure may pass.
            && (entry.name() != "if" || !entry.value.contains("&&"))
    })
}

fn lenient(tree: &Tree<'_>, parent: &[String]) -> Option<Force> {
    for key in ["continue-on-error", "continueOnError", "allow_failure", "soft_fail", "ignore_failure"] {
        let Some(entry) = tree.child(parent, key) else { continue };
        match entry.value.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "${{ true }}" if is_asked_for(tree, parent) => {}
            "true" | "yes" | "on" | "${{ true }}" => return Some(Force::Ignored(mark(entry))),
            "false" | "no" | "off" | "" => {}
            _ => {
                let rows = matrix::rows_by_force(tree, parent, &entry.value);
                let mark = mark(entry);
                return Some(match rows {
                    Some((blocking, lenient)) => Force::Partly { blocking, lenient, mark },
                    None => Force::Unknown(mark),
                });
            }
        }
    }
    idle_shell(tree, parent).map(Force::Ignored)
}

/// The same where the job, or else the whole workflow, says it for all steps that have no shell of their own.
fn usual_shell(tree: &Tree<'_>, entry: &Entry) -> Option<Mark> {
    let (_, step) = entry.path.split_last()?;
    let said_in = |parent: &[String]| {
        let parent = [parent, &["defaults".to_owned(), "run".to_owned()]].concat();
        tree.child(&parent, "shell").is_some().then_some(parent)
    };
    if tree.child(step, "shell").is_some() {
        return None;
    }
    let parent = entry.path.get(..2).and_then(said_in).or_else(|| said_in(&[]))?;
    idle_shell(tree, &parent)
}

/// A program that is given the commands in the place of a shell, and makes nothing of them: `true {0}`.
fn idle_shell(tree: &Tree<'_>, parent: &[String]) -> Option<Mark> {
    let entry = tree.child(parent, "shell")?;
    let (program, rest) = entry.value.split_once(' ')?;
    let name = program.rsplit('/').next().unwrap_or(program);
    (rest.contains("{0}") && matches!(name, "true" | ":" | "echo" | "printf" | "cat" | "test" | "ls"))
        .then(|| mark(entry))
}
