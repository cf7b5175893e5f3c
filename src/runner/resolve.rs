//! What is really run on this machine for a suite: programs are located, and what is missing is said before the run.
//!
//! Changes how a program is reached, never which tests it runs. A command of the policy is left to the shell.

mod node;
mod python;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use super::suite::{CommandLine, Suite};
use crate::policy::{FILE_NAME, Framework};
use crate::text::one_line;

/// What is run, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    pub command: CommandLine,
    pub framework: Framework,
    /// Where something else runs than the suite names: what, and why.
    pub note: Option<String>,
}

/// What the environment says about programs.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub path: Option<OsString>,
    /// The virtual environment of Python that is active.
    pub virtual_env: Option<PathBuf>,
}

impl Machine {
    pub fn from_environment() -> Self {
        let virtual_env = std::env::var_os("VIRTUAL_ENV").filter(|value| !value.is_empty());
        Self { path: std::env::var_os("PATH"), virtual_env: virtual_env.map(PathBuf::from) }
    }

    fn locate(&self, program: &str) -> Option<PathBuf> {
        which::which_in(program, self.path.as_ref(), ".").ok()
    }
}

/// The place of a suite in a checkout.
struct Place<'p> {
    machine: &'p Machine,
    root: &'p Path,
    /// From the root; empty for the root.
    folder: &'p str,
}

impl<'p> Place<'p> {
    fn directory(&self) -> PathBuf {
        self.root.join(self.folder)
    }

    /// The folder of the suite and those above it, up to the root of the checkout.
    fn upwards(&self) -> impl Iterator<Item = PathBuf> {
        let levels = self.folder.split('/').filter(|part| !part.is_empty()).count();
        self.directory().ancestors().take(levels + 1).map(Path::to_owned).collect::<Vec<_>>().into_iter()
    }
}

/// Finds out what to run for a suite in a checkout with this root.
pub fn resolve(suite: &Suite, root: &Path, machine: &Machine) -> Result<Resolved> {
    let CommandLine::Words(words) = &suite.command else {
        return Ok(Resolved { command: suite.command.clone(), framework: suite.framework, note: None });
    };
    let place = Place { machine, root, folder: &suite.directory };
    let resolved = by_program(suite.framework, words, &place);
    resolved.with_context(|| format!("suite `{}` cannot run here", one_line(&suite.name)))
}

fn by_program(framework: Framework, words: &[String], place: &Place<'_>) -> Result<Resolved> {
    let (program, arguments) = words.split_first().context("its command is empty")?;
    let same =
        |command: Vec<String>| Resolved { command: CommandLine::Words(command), framework, note: None };
    match program.as_str() {
        "python" => python::command(framework, arguments, place).map(same),
        "npm" | "npx" | "pnpm" | "yarn" | "bun" | "bunx" => {
            let located = on_path(program, place.machine)?;
            node::check_installed(program, place)?;
            Ok(same([&[located], arguments].concat()))
        }
        "cargo" if arguments.first().is_some_and(|word| word == "nextest") => nextest(arguments, place),
        _ if program.contains('/') => wrapper(program, place).map(|first| same([&first, arguments].concat())),
        _ => Ok(same([&[on_path(program, place.machine)?], arguments].concat())),
    }
}

/// Falls back to what every cargo has; the tests are the same, and doc tests run too.
fn nextest(arguments: &[String], place: &Place<'_>) -> Result<Resolved> {
    let cargo = on_path("cargo", place.machine)?;
    if place.machine.locate("cargo-nextest").is_some() {
        let command = CommandLine::Words([&[cargo], arguments].concat());
        return Ok(Resolved { command, framework: Framework::Nextest, note: None });
    }
    let rest = arguments.iter().filter(|word| !["nextest", "run"].contains(&word.as_str())).cloned();
    let command = CommandLine::Words([cargo, "test".to_owned()].into_iter().chain(rest).collect());
    let note = "cargo-nextest is not installed, so `cargo test` runs in its place".to_owned();
    Ok(Resolved { command, framework: Framework::CargoTest, note: Some(note) })
}

/// The name of a program that is on the path. Its full place is needed only where names have hidden extensions.
fn on_path(program: &str, machine: &Machine) -> Result<String> {
    let found = machine.locate(program).ok_or_else(|| {
        anyhow!(
            "`{program}` is not on PATH: install it, or name another command under `suites` in {FILE_NAME}"
        )
    })?;
    if !cfg!(windows) {
        return Ok(program.to_owned());
    }
    text(&found)
}

/// A script of the project that brings a build tool along. Checked out without its mode, the shell runs it.
fn wrapper(program: &str, place: &Place<'_>) -> Result<Vec<String>> {
    let program = if cfg!(windows) {
        program.replace("mvnw", "mvnw.cmd").replace("gradlew", "gradlew.bat")
    } else {
        program.to_owned()
    };
    let file = place.directory().join(&program);
    let metadata = std::fs::metadata(&file).with_context(|| {
        format!(
            "`{program}` is not there: restore it with `git checkout`, or name another command in {FILE_NAME}"
        )
    })?;
    let full = text(&file)?;
    Ok(if crate::platform::is_executable(&metadata) { vec![full] } else { vec!["sh".to_owned(), full] })
}

fn text(path: &Path) -> Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.with_context(|| format!("the path {} is not text, so no command can name it", path.display()))
}

#[cfg(test)]
mod tests;
