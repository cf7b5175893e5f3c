//! Marks in a pipeline that take the force from what stands beside or below them.

use super::condition::{Holds, holds, leaves_out_rows};
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
    found
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
            Holds::Maybe if key == "if" && leaves_out_rows(&entry.value) => {
                rarely = Some(Force::Somewhere(mark(entry)));
            }
            Holds::Maybe => {}
        }
    }
    rarely
}

/// `rules` and `only` of GitLab's.
fn ruled(tree: &Tree<'_>, parent: &[String]) -> Option<Force> {
    let below = |key: &str| [parent, &[key.to_owned()]].concat();
    if let Some(force) = rules(tree, &below("rules")) {
        return Some(force);
    }
    let only = below("only");
    let listed = tree.child(parent, "only").into_iter().chain(tree.children(&only));
    let listed: Vec<&Entry> = listed.filter(|entry| !entry.value.is_empty()).collect();
    let is_rare =
        |entry: &&Entry| matches!(entry.value.as_str(), "tags" | "schedules" | "triggers" | "api" | "web");
    let first = listed.first().filter(|_| listed.iter().all(is_rare))?;
    Some(Force::Rarely(Mark { text: format!("only: {}", first.value), line: first.line }))
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
        match entry.value.as_str() {
            "true" | "yes" | "on" | "${{ true }}" if is_asked_for(tree, parent) => {}
            "true" | "yes" | "on" | "${{ true }}" => return Some(Force::Ignored(mark(entry))),
            "false" | "no" | "off" | "" => {}
            expression => {
                let rows = matrix::rows_by_force(tree, parent, expression);
                let mark = mark(entry);
                return Some(match rows {
                    Some((blocking, lenient)) => Force::Partly { blocking, lenient, mark },
                    None => Force::Unknown(mark),
                });
            }
        }
    }
    None
}
