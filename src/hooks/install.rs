//! Plans what puts the gate into a repository's hooks.

use std::path::Path;

use anyhow::{Result, bail};

use super::arrange::{occupy, park, release};
use super::location::{Choice, Location, shown};
use super::plan::{Plan, Step};
use super::settings::{HOOKS_PATH, HOOKS_PATH_SET};
use super::shim::Shim;
use super::slot::{Occupant, Slot, may_run};
use super::{exclude, husky};
use crate::git::Repository;
use crate::text::contains;

/// What installs the hooks, or brings them up to date; they call `program`, an absolute path.
pub fn plan_install(repository: &Repository, program: &Path) -> Result<Plan> {
    let location = Location::find(repository)?;
    refuse(&location)?;
    let mut plan = Plan::default();
    match &location.choice {
        Choice::Husky(layout) => husky::add(&mut plan, *layout, &location.directory)?,
        _ => Installer { repository, location: &location, program }.hooks(&mut plan)?,
    }
    forget_redirect(&mut plan, &location);
    exclude::add(&mut plan, repository)?;
    advise(&mut plan, repository, &location);
    Ok(plan)
}

fn refuse(location: &Location) -> Result<()> {
    if location.overridden {
        bail!(
            "core.hooksPath is set to {} by `git -c` or the environment (GIT_CONFIG_COUNT, \
             GIT_CONFIG_PARAMETERS), which no setting of the repository can override; take it away and try \
             again",
            shown(&location.in_force)
        );
    }
    if location.directory.exists() && !location.directory.is_dir() {
        bail!(
            "core.hooksPath switches hooks off: {} is not a directory; run \
             `git config --unset core.hooksPath` and try again",
            shown(&location.directory)
        );
    }
    Ok(())
}

struct Installer<'a> {
    repository: &'a Repository,
    location: &'a Location,
    program: &'a Path,
}

impl Installer<'_> {
    /// The user's own hooks directory stays in force until every hook that takes over is written.
    fn hooks(&self, plan: &mut Plan) -> Result<()> {
        let Location { directory, redirect, redirect_in_force, .. } = self.location;
        let redirects = self.location.outer().is_some();
        let redirected = redirect.as_ref() == Some(directory);
        if redirects && !redirected {
            plan.step(Step::Set { key: HOOKS_PATH_SET, value: directory.clone() });
        }
        if !directory.exists() {
            plan.step(Step::MakeDirectory(directory.clone()));
        }
        for slot in Slot::all(directory) {
            self.hook(plan, &slot)?;
        }
        if redirects && !(redirected && *redirect_in_force) {
            plan.step(Step::Set { key: HOOKS_PATH, value: directory.clone() });
            plan.line(HOOKS_PATH, format!("set to {} for this repository", shown(directory)));
        }
        Ok(())
    }

    fn hook(&self, plan: &mut Plan, slot: &Slot) -> Result<()> {
        if self.is_wanted(slot) {
            let shim = Shim { hook: slot.hook, program: self.program, outer: self.location.outer() };
            return occupy(plan, slot, shim.render()?, &self.runs_first(slot));
        }
        match self.location.choice {
            // The user's own hooks directory had switched this hook off. Whoever wrote it may have forgotten
            // it years ago: installing a gate is no reason to start it.
            Choice::Redirected { .. } => park(plan, slot),
            // Left from a time when the gate stood in for the user's own hooks directory.
            _ if slot.is_shim() || matches!(slot.occupant, Occupant::Absent) => {
                release(plan, slot);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_wanted(&self, slot: &Slot) -> bool {
        slot.hook.is_installed() || self.runs_outside(slot)
    }

    /// Whether the user's own hooks directory has such a hook.
    fn runs_outside(&self, slot: &Slot) -> bool {
        let root = self.repository.work_dir().unwrap_or(Path::new(""));
        self.location.outer().is_some_and(|outer| may_run(&root.join(outer).join(slot.hook.name)))
    }

    fn runs_first(&self, slot: &Slot) -> String {
        if let Some(outer) = self.location.outer() {
            let path = shown(&outer.join(slot.hook.name));
            return if self.runs_outside(slot) { format!(", runs {path} first") } else { String::new() };
        }
        let runs = match slot.occupant {
            Occupant::Foreign => slot.executable,
            _ if slot.has_kept => may_run(&slot.kept),
            _ => return String::new(),
        };
        let how = if runs { "runs it first" } else { "does not run it, as it is not executable" };
        format!(", keeps the existing hook as {} and {how}", slot.kept_name())
    }
}

/// The setting that an earlier install made has lost its reason, or was replaced by someone.
fn forget_redirect(plan: &mut Plan, location: &Location) {
    if location.redirect.is_none() || location.outer().is_some() {
        return;
    }
    if location.redirect_in_force {
        plan.step(Step::Unset(HOOKS_PATH));
        plan.line(HOOKS_PATH, "no longer set for this repository: your own configuration has none");
    }
    plan.step(Step::Unset(HOOKS_PATH_SET));
}

fn advise(plan: &mut Plan, repository: &Repository, location: &Location) {
    let Some(work_dir) = repository.work_dir() else { return };
    if Slot::all(&location.directory).any(|slot| is_lefthook(&slot.path) || is_lefthook(&slot.kept)) {
        plan.note(
            "lefthook writes its hooks anew whenever its configuration changes, and then the gate is out: \
             name the gate in lefthook.yml instead",
        );
    }
    match &location.choice {
        Choice::Configured if !plan.changes_nothing() && is_tracked_place(work_dir, location) => {
            plan.note(format!(
                "{} is part of the working tree: leave these hooks out of commits, \
             they name a program of this machine",
                shown(&location.directory)
            ))
        }
        Choice::Default if work_dir.join(".husky").is_dir() => plan.note(
            "there is a .husky directory, but husky is not set up in this clone: \
             run `aiwg-gate install` again once it is",
        ),
        _ => {}
    }
}

/// By the function that all its hooks have.
fn is_lefthook(path: &Path) -> bool {
    let text = |path| std::fs::read(path).unwrap_or_default();
    path.is_file() && contains(&text(path), b"call_lefthook")
}

fn is_tracked_place(work_dir: &Path, location: &Location) -> bool {
    let own = location.own.parent().unwrap_or(&location.own);
    location.directory.starts_with(work_dir) && !location.directory.starts_with(own)
}
