//! Keeps the gate's own records out of commits: a marked block in the repository's `info/exclude`.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::block::{self, Rest};
use super::location::shown;
use super::plan::{Mode, Plan, Step, content};
use crate::git::Repository;

const PATTERNS: &str = ".aiwg/ralph/\n.aiwg/logs/\n.aiwg/gates/\n";
const SUBJECT: &str = "info/exclude";

/// The same for a repository in which nothing is installed, should its records not be ignored yet.
pub fn exclude_records(repository: &Repository) -> Result<()> {
    let mut plan = Plan::default();
    add(&mut plan, repository)?;
    plan.apply(repository)
}

pub fn add(plan: &mut Plan, repository: &Repository) -> Result<()> {
    let path = file(repository)?;
    if path.is_symlink() {
        plan.note(format!("{} is a link and left alone; add to it: {}", shown(&path), listed()));
        return Ok(());
    }
    let text = content(&path)?;
    let Ok(wanted) = block::put(text.as_deref(), "", PATTERNS) else {
        plan.note(unfinished(&path));
        return Ok(());
    };
    if text.as_ref() == Some(&wanted) {
        return Ok(());
    }
    if let Some(directory) = path.parent().filter(|directory| !directory.exists()) {
        plan.step(Step::MakeDirectory(directory.to_owned()));
    }
    let mode = if text.is_some() { Mode::Unchanged } else { Mode::Plain };
    plan.step(Step::Write { path, content: wanted, mode });
    plan.line(SUBJECT, format!("lists {}", listed()));
    Ok(())
}

pub fn remove(plan: &mut Plan, repository: &Repository) -> Result<()> {
    let path = file(repository)?;
    if path.is_symlink() {
        return Ok(());
    }
    let Some(text) = content(&path)? else { return Ok(()) };
    match block::take(&text, "") {
        Ok(Rest::Untouched) => return Ok(()),
        Ok(Rest::Text(content)) => plan.step(Step::Write { path, content, mode: Mode::Unchanged }),
        Ok(Rest::Nothing) => plan.step(Step::Remove(path)),
        Err(block::Unfinished) => {
            plan.note(unfinished(&path));
            return Ok(());
        }
    }
    plan.line(SUBJECT, "no longer lists the records of the gate");
    Ok(())
}

fn file(repository: &Repository) -> Result<PathBuf> {
    Ok(std::path::absolute(repository.common_dir().join("info/exclude"))?)
}

fn listed() -> String {
    PATTERNS.trim_end().replace('\n', ", ")
}

fn unfinished(path: &Path) -> String {
    format!("{} is left alone: of the two aiwg-gate marks in it one is missing", shown(path))
}
