//! What is installed in a repository now, seen as git and the hooks themselves would see it.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::location::{Choice, Location};
use super::slot::{Occupant, Slot, may_run};
use super::table::{HOOKS, Hook};
use super::{block, husky, problems, shim};
use crate::git::Repository;

pub struct Installation {
    /// Where the files are that carry the gate, or would be.
    pub directory: PathBuf,
    /// How that directory was chosen.
    pub choice: Choice,
    /// The hooks that the gate uses, in the order of the table.
    pub hooks: Vec<HookReport>,
    /// What would keep the gate from blocking.
    pub problems: Vec<Problem>,
}

pub struct HookReport {
    pub hook: &'static Hook,
    pub path: PathBuf,
    pub state: State,
    /// Whether a hook from before is kept beside it.
    pub keeps_existing: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// As this version writes it; with the program that it would run.
    Ours {
        version: u32,
        binary_found: Option<PathBuf>,
    },
    /// Written by another version; it still works.
    Outdated {
        version: u32,
        binary_found: Option<PathBuf>,
    },
    /// Ours, but git does not run it.
    NotExecutable,
    /// Ours once, changed since by someone.
    Edited,
    /// Someone else's.
    Foreign,
    Absent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One sentence.
    pub message: String,
    /// The command that repairs it.
    pub repair: String,
}

impl State {
    /// The program that the hook would run, if it is one of ours; `Some(None)` if there is none.
    pub fn binary_found(&self) -> Option<Option<&Path>> {
        match self {
            Self::Ours { binary_found, .. } | Self::Outdated { binary_found, .. } => {
                Some(binary_found.as_deref())
            }
            _ => None,
        }
    }
}

/// Looks at the hooks without changing anything.
pub fn inspect(repository: &Repository) -> Result<Installation> {
    let location = Location::find(repository)?;
    let hooks: Vec<_> = match &location.choice {
        Choice::Husky(_) => husky::hooks().map(|hook| husky_report(&location.directory, hook)).collect(),
        _ => HOOKS.iter().filter(|hook| hook.is_installed()).map(|hook| report(&location, hook)).collect(),
    };
    let problems = problems::list(repository, &location, &hooks);
    let Location { directory, choice, .. } = location;
    Ok(Installation { directory, choice, hooks, problems })
}

fn report(location: &Location, hook: &'static Hook) -> HookReport {
    let slot = Slot::look(&location.directory, hook);
    let state = match slot.occupant {
        Occupant::Absent => State::Absent,
        Occupant::Foreign => State::Foreign,
        Occupant::Edited(_) => State::Edited,
        Occupant::Shim(_) if !slot.executable => State::NotExecutable,
        Occupant::Shim(written) => {
            let binary_found = program(Some(&written.program));
            match written.version {
                shim::VERSION => State::Ours { version: shim::VERSION, binary_found },
                version => State::Outdated { version, binary_found },
            }
        }
    };
    HookReport { hook, path: slot.path, state, keeps_existing: slot.has_kept }
}

fn husky_report(directory: &Path, hook: &'static Hook) -> HookReport {
    let path = directory.join(hook.name);
    let text = std::fs::read(&path);
    let binary_found = program(None);
    let state = match text.as_deref().map(block::body) {
        Err(_) => State::Absent,
        Ok(Err(block::Unfinished)) => State::Edited,
        Ok(Ok(None)) => State::Foreign,
        Ok(Ok(Some(body))) if body == husky::body(hook).as_bytes() => {
            State::Ours { version: husky::VERSION, binary_found }
        }
        Ok(Ok(Some(body))) => match husky::version(body) {
            Some(version) if version != husky::VERSION => State::Outdated { version, binary_found },
            _ => State::Edited,
        },
    };
    HookReport { hook, path, state, keeps_existing: false }
}

/// The program that a hook finds: the recorded one, then PATH, then cargo's directory.
fn program(recorded: Option<&Path>) -> Option<PathBuf> {
    let recorded = recorded.map(Path::to_owned).filter(|path| may_run(path));
    recorded.or_else(|| which::which("aiwg-gate").ok()).or_else(|| cargo_bin().filter(|path| may_run(path)))
}

fn cargo_bin() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set("CARGO_HOME").or_else(|| Some(set("HOME")?.join(".cargo")))?;
    Some(home.join("bin").join(format!("aiwg-gate{}", std::env::consts::EXE_SUFFIX)))
}
