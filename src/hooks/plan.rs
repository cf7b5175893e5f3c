//! A list of small steps on files and settings, each of which leaves a state that can be repaired.

use std::fs::Permissions;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::location::shown;
use super::settings::{MADE_DIRECTORY, Settings};
use crate::files::Replace;
use crate::git::Repository;

/// What is going to be done, and how to tell people.
#[derive(Debug, Default)]
pub struct Plan {
    steps: Vec<Step>,
    lines: Vec<Line>,
    notes: Vec<String>,
}

/// One line of what is done: to what, and what.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    pub subject: String,
    pub text: String,
}

#[derive(Debug)]
pub(super) enum Step {
    /// Remembered, so that it goes again when it is empty.
    MakeDirectory(PathBuf),
    RemoveEmptyDirectories(PathBuf),
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Write {
        path: PathBuf,
        content: Vec<u8>,
        mode: Mode,
    },
    Remove(PathBuf),
    Set {
        key: &'static str,
        value: PathBuf,
    },
    Unset(&'static str),
}

/// The permissions of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Executable,
    Plain,
    /// Those of the file that it replaces.
    Unchanged,
}

impl Plan {
    /// What is done, one line each.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What a person should know besides.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether everything is as it should be already.
    pub fn changes_nothing(&self) -> bool {
        self.steps.is_empty()
    }

    /// Carries out the steps in their order.
    pub fn apply(&self, repository: &Repository) -> Result<()> {
        let settings = Settings::of(repository)?;
        self.steps.iter().try_for_each(|step| step.apply(&settings))
    }

    pub(super) fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub(super) fn line(&mut self, subject: impl Into<String>, text: impl Into<String>) {
        self.lines.push(Line { subject: subject.into(), text: text.into() });
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

impl Step {
    fn apply(&self, settings: &Settings) -> Result<()> {
        match self {
            Self::MakeDirectory(path) => make_directory(path, settings),
            Self::RemoveEmptyDirectories(path) => {
                remove_empty(path);
                Ok(())
            }
            Self::Rename { from, to } => rename(from, to),
            Self::Write { path, content, mode } => {
                Replace::default().permissions(new_permissions(*mode)).write(path, content)
            }
            Self::Remove(path) => {
                std::fs::remove_file(path).with_context(|| format!("cannot remove {}", shown(path)))
            }
            Self::Set { key, value } => settings.set(key, value),
            Self::Unset(key) => settings.unset(key),
        }
    }
}

fn make_directory(path: &Path, settings: &Settings) -> Result<()> {
    let missing = path.ancestors().take_while(|ancestor| !ancestor.exists()).last();
    let Some(missing) = missing else { return Ok(()) };
    settings.add(MADE_DIRECTORY, missing)?;
    std::fs::create_dir_all(path).with_context(|| format!("cannot make the directory {}", shown(path)))
}

/// Removes directories that hold nothing but directories; anything else stays.
fn remove_empty(path: &Path) {
    let Ok(entries) = std::fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path());
        }
    }
    // It fails where something is left, as it should.
    let _ = std::fs::remove_dir(path);
}

/// The content of a file, if there is one. A file that cannot be read is not "none": it would be overwritten.
pub(super) fn content(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !path.is_symlink() => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", shown(path))),
    }
}

/// Never replaces a file: what is there may be the only copy of someone's hook.
fn rename(from: &Path, to: &Path) -> Result<()> {
    if std::fs::symlink_metadata(to).is_ok() {
        bail!("cannot rename {} to {}: that name is taken", shown(from), shown(to));
    }
    std::fs::rename(from, to).with_context(|| format!("cannot rename {} to {}", shown(from), shown(to)))
}

/// Less what the user's mask takes away; `None` to leave them as they are.
#[cfg(unix)]
fn new_permissions(mode: Mode) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    match mode {
        Mode::Executable => Some(Permissions::from_mode(0o777)),
        Mode::Plain => Some(Permissions::from_mode(0o666)),
        Mode::Unchanged => None,
    }
}

#[cfg(not(unix))]
fn new_permissions(_mode: Mode) -> Option<Permissions> {
    None
}
