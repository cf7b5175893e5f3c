//! What would keep the gate from blocking, each with the command that repairs it.

use std::path::Path;

use super::husky::{self, Layout};
use super::inspect::{HookReport, Problem, State};
use super::location::{Choice, Location, shown, typed};
use super::slot::{Occupant, Slot, may_run};
use super::table::{HOOKS, Role};
use crate::git::Repository;

const INSTALL: &str = "aiwg-gate install";

pub fn list(repository: &Repository, location: &Location, hooks: &[HookReport]) -> Vec<Problem> {
    let mut problems: Vec<_> = elsewhere(location).into_iter().collect();
    if hooks.iter().all(|hook| matches!(hook.state, State::Absent | State::Foreign)) {
        if problems.is_empty() {
            problems.push(problem("the gate is not installed in this repository", INSTALL));
        }
        return problems;
    }
    problems.extend(hooks.iter().filter_map(|hook| of_state(location, hook)));
    problems.extend(missing_program(hooks));
    match location.choice {
        Choice::Husky(layout) => {
            problems.extend(not_called(layout, location, hooks));
            problems.extend(hooks.iter().filter_map(ends_early));
        }
        Choice::Redirected { .. } => problems.extend(not_passed_on(repository, location)),
        _ => {}
    }
    problems
}

fn problem(message: impl Into<String>, repair: impl Into<String>) -> Problem {
    Problem { message: message.into(), repair: repair.into() }
}

/// Git does not look where the hooks are.
fn elsewhere(location: &Location) -> Option<Problem> {
    let in_force = shown(&location.in_force);
    if location.overridden {
        let message = format!(
            "core.hooksPath is {in_force} by `git -c` or the environment: no hook of this repository runs"
        );
        return Some(problem(message, "unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS"));
    }
    if !location.is_in_force() {
        let message =
            format!("core.hooksPath is {in_force}, so git does not look in {}", shown(&location.directory));
        return Some(problem(message, INSTALL));
    }
    // Installed in the usual place, and then a setting sent git to another one.
    let there = |directory: &Path| Slot::all(directory).any(|slot| slot.hook.runs_gate() && slot.is_shim());
    if there(&location.own) && !matches!(location.choice, Choice::Default | Choice::Redirected { .. }) {
        let carried = match location.choice {
            Choice::Husky(_) => {
                husky::hooks().any(|hook| husky::has_block(&location.directory.join(hook.name)))
            }
            _ => there(&location.directory),
        };
        let own = shown(&location.own);
        let message = format!("the hooks were installed in {own}, but core.hooksPath is now {in_force}");
        return (!carried).then(|| problem(message, INSTALL));
    }
    None
}

fn of_state(location: &Location, report: &HookReport) -> Option<Problem> {
    let HookReport { hook, path, .. } = report;
    let name = hook.name;
    // Without the gate, a hook that only passes on changes nothing.
    let matters = hook.role != Role::Passes;
    match report.state {
        State::Absent if matters => Some(problem(format!("the hook {name} is missing"), INSTALL)),
        State::Foreign if matters => {
            Some(problem(format!("the hook {name} is not the gate's: {}", shown(path)), INSTALL))
        }
        State::Edited if matters => Some(problem(
            format!(
                "the hook {name} was edited, so whether it still runs the gate is unknown: {}",
                shown(path)
            ),
            match location.choice {
                // There the gate is a block, which is written anew.
                Choice::Husky(_) => INSTALL.to_owned(),
                _ => format!("mv {} {} && {INSTALL}", typed(path), typed(&path.with_extension("edited"))),
            },
        )),
        State::NotExecutable => Some(problem(
            format!("the hook {name} is not executable, so git skips it: {}", shown(path)),
            format!("chmod +x {}", typed(path)),
        )),
        _ => None,
    }
}

fn missing_program(hooks: &[HookReport]) -> Option<Problem> {
    let lacks = |report: &&HookReport| report.hook.runs_gate() && report.state.binary_found() == Some(None);
    let names: Vec<_> = hooks.iter().filter(lacks).map(|report| report.hook.name).collect();
    let message = format!("the hooks do not find the aiwg-gate program: {}", names.join(", "));
    (!names.is_empty()).then(|| problem(message, INSTALL))
}

/// husky, or git, does not reach the files that carry the gate.
fn not_called(layout: Layout, location: &Location, hooks: &[HookReport]) -> Option<Problem> {
    let called = layout.called(&location.directory);
    let skipped = hooks.iter().map(|report| called.join(report.hook.name)).find(|path| !may_run(path))?;
    match layout {
        Layout::Underscore => {
            let message = format!("husky is not set up in this clone: git cannot run {}", shown(&skipped));
            Some(problem(message, "npx husky"))
        }
        // A missing one is reported as such.
        Layout::Direct if !skipped.exists() => None,
        Layout::Direct => {
            let message = format!("{} is not executable, so git skips it", shown(&skipped));
            Some(problem(message, format!("chmod +x {}", typed(&skipped))))
        }
    }
}

fn ends_early(report: &HookReport) -> Option<Problem> {
    report.state.binary_found()?;
    let line = husky::ends_early(&std::fs::read(&report.path).ok()?)?;
    let message = format!("{} may end at `{line}`, before it reaches the gate", shown(&report.path));
    Some(problem(message, format!("${{EDITOR:-vi}} {}", typed(&report.path))))
}

/// Hooks of the user's own directory that the repository's one keeps from running.
fn not_passed_on(repository: &Repository, location: &Location) -> Vec<Problem> {
    let (Some(outer), Some(root)) = (location.outer(), repository.work_dir()) else { return Vec::new() };
    let mut problems = Vec::new();
    for hook in HOOKS {
        let theirs = outer.join(hook.name);
        let passed_on = match Slot::look(&location.directory, hook).occupant {
            Occupant::Shim(written) | Occupant::Edited(written) => written.outer.as_deref() == Some(outer),
            Occupant::Absent | Occupant::Foreign => false,
        };
        if location.is_in_force() && !passed_on && may_run(&root.join(&theirs)) {
            let message = format!("{} does not run in this repository", shown(&theirs));
            problems.push(problem(message, INSTALL));
        }
    }
    problems
}
