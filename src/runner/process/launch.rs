//! From a command line to a program that can be started, or to words that say why it cannot.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::environment::is_gits_own;
use crate::runner::suite::CommandLine;
use crate::text::one_line;

/// What to run.
pub struct Launch<'a> {
    pub command: &'a CommandLine,
    pub directory: &'a Path,
    /// Variables to set beside the inherited ones.
    pub environment: &'a [(String, String)],
    pub timeout: Duration,
    /// The file that gets the output, bounded as [`super::Ended::output`] is.
    pub capture: &'a Path,
}

impl Launch<'_> {
    /// The command, without its streams; an error in words for a person.
    pub fn prepare(&self) -> Result<Command, String> {
        let directory = std::path::absolute(self.directory).unwrap_or_else(|_| self.directory.to_owned());
        // Without a slash at its end.
        let directory: PathBuf = directory.components().collect();
        if !directory.is_dir() {
            return Err(format!(
                "the folder {} is not there: correct `working_directory` of the suite",
                one_line(&directory.to_string_lossy())
            ));
        }
        let (program, arguments) = self.words()?;
        let mut command = Command::new(self.locate(program, &directory)?);
        // Some tools believe this variable more than the system.
        command.env("PWD", &directory);
        command.args(arguments).current_dir(directory).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_gits_own) {
                command.env_remove(name);
            }
        }
        for (name, value) in self.environment {
            check_variable(name, value)?;
            command.env(name, value);
        }
        Ok(command)
    }

    fn words(&self) -> Result<(&str, Vec<&str>), String> {
        match self.command {
            CommandLine::Shell(line) => Ok(("sh", vec!["-c", line])),
            CommandLine::Words(words) => match words.split_first() {
                Some((program, rest)) if !program.is_empty() => {
                    Ok((program, rest.iter().map(String::as_str).collect()))
                }
                _ => Err("there is no command to run".to_owned()),
            },
        }
    }

    fn locate(&self, program: &str, directory: &Path) -> Result<PathBuf, String> {
        let path = self.search_path();
        which::which_in(program, path.as_deref(), directory).map_err(|_| {
            let name = one_line(program);
            if program.contains(std::path::MAIN_SEPARATOR) {
                let place = one_line(&directory.to_string_lossy());
                format!(
                    "`{name}` is not a program in {place}: correct the command, or make the file executable"
                )
            } else {
                format!("`{name}` was not found on PATH: install it, or correct the command of the suite")
            }
        })
    }

    /// PATH as the child will have it.
    fn search_path(&self) -> Option<OsString> {
        let set = self.environment.iter().rev().find(|(name, _)| name == "PATH");
        set.map(|(_, value)| OsStr::new(value).to_owned()).or_else(|| std::env::var_os("PATH"))
    }
}

/// The system refuses such names and values without saying which.
fn check_variable(name: &str, value: &str) -> Result<(), String> {
    if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
        return Err(format!("the variable `{}` cannot be set: correct `environment`", one_line(name)));
    }
    Ok(())
}
