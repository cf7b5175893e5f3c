//! Plans what takes the gate out of a repository's hooks and puts back what was there.

use std::path::PathBuf;

use anyhow::Result;

use super::arrange::release;
use super::location::{Choice, Location, same, shown};
use super::plan::{Plan, Step};
use super::settings::{HOOKS_PATH, HOOKS_PATH_SET, MADE_DIRECTORY, Settings};
use super::slot::Slot;
use super::{exclude, husky};
use crate::git::Repository;

/// What removes the hooks; nothing where there are none.
pub fn plan_uninstall(repository: &Repository) -> Result<Plan> {
    let settings = Settings::of(repository)?;
    let location = Location::find(repository)?;
    let mut plan = Plan::default();
    // First of all: from here on git runs the user's own hooks directory again.
    if location.redirect_in_force {
        plan.step(Step::Unset(HOOKS_PATH));
    }
    for directory in hook_directories(&location) {
        Slot::all(&directory).for_each(|slot| release(&mut plan, &slot));
    }
    for directory in husky_directories(&settings, &location) {
        husky::remove(&mut plan, &directory)?;
    }
    end_redirect(&mut plan, &location);
    exclude::remove(&mut plan, repository)?;
    if repository.work_dir().is_some_and(|root| root.join(".aiwg/ralph").exists()) && !plan.changes_nothing()
    {
        plan.note("debug memory stays under .aiwg/, and git lists it as untracked from now on: remove it or ignore it");
    }
    remove_directories(&mut plan, &settings)?;
    Ok(plan)
}

/// Everywhere installing may have written to, also under earlier settings.
fn hook_directories(location: &Location) -> Vec<PathBuf> {
    let mut directories = vec![location.own.clone()];
    let earlier = location.redirect.clone().filter(|_| location.redirect_in_force);
    let configured = Some(location.directory.clone())
        .filter(|_| matches!(location.choice, Choice::Configured | Choice::Redirected { .. }));
    for directory in earlier.into_iter().chain(configured) {
        if !directories.iter().any(|known| same(known, &directory)) {
            directories.push(directory);
        }
    }
    directories
}

fn husky_directories(settings: &Settings, location: &Location) -> Vec<PathBuf> {
    let usual = settings.work_dir().join(".husky");
    match location.choice {
        Choice::Husky(_) if !same(&usual, &location.directory) => vec![usual, location.directory.clone()],
        _ => vec![usual],
    }
}

fn end_redirect(plan: &mut Plan, location: &Location) {
    if location.redirect.is_none() {
        return;
    }
    plan.step(Step::Unset(HOOKS_PATH_SET));
    if location.redirect_in_force {
        plan.line(HOOKS_PATH, "no longer set for this repository");
    } else if !matches!(location.choice, Choice::Redirected { .. } | Choice::Default) {
        plan.note(format!(
            "core.hooksPath was changed since the install and stays: {}",
            shown(&location.in_force)
        ));
    }
}

fn remove_directories(plan: &mut Plan, settings: &Settings) -> Result<()> {
    let made = settings.remembered(MADE_DIRECTORY)?;
    if made.is_empty() {
        return Ok(());
    }
    for directory in made {
        plan.step(Step::RemoveEmptyDirectories(directory));
    }
    plan.step(Step::Unset(MADE_DIRECTORY));
    Ok(())
}
