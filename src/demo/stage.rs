//! The temporary repository: real git, real hooks, nothing of the user's configuration.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::scenes::{Edit, Edits, Expected, Scene};
use crate::runner::Interrupts;

/// Where nothing can be run, nobody can be asked for it.
const NO_SUITES: &str = "version: 1\nsuites: []\n";

/// Prints a part of the show.
pub type Say<'s> = &'s dyn Fn(&str) -> Result<()>;

pub struct Stage {
    root: TempDir,
    program: String,
    color: bool,
    runs_tests: bool,
    /// Who presses Ctrl-C gets a clean place back, too.
    interrupts: Interrupts,
}

impl Stage {
    /// A repository with the gate installed: an empty one, or with a policy of no suites where there is no Python.
    pub fn set(color: bool) -> Result<Self> {
        let interrupts = Interrupts::watch()?;
        let root = tempfile::Builder::new()
            .prefix("aiwg-gate-demo-")
            .tempdir()
            .context("cannot make a temporary directory")?;
        std::fs::create_dir(root.path().join("shop"))?;
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        let program = program.to_string_lossy().into_owned();
        let mut stage = Self { root, program, color, runs_tests: false, interrupts };
        stage.runs_tests = stage.run(&["python3", "-c", "import unittest"]).is_ok_and(|(ok, _)| ok);
        stage.must(&["git", "init", "--quiet", "--initial-branch=main"])?;
        if !stage.runs_tests {
            stage.edit("aiwg-gate.yaml", &Edit::Write(NO_SUITES))?;
            stage.must(&["git", "add", "--all"])?;
            stage.must(&["git", "commit", "--quiet", "--message", "Have no suites"])?;
        }
        stage.must(&[&stage.program, "--quiet", "install"])?;
        Ok(stage)
    }

    /// Whether there is a Python that can run the tests of the shop.
    pub fn runs_tests(&self) -> bool {
        self.runs_tests
    }

    pub fn directory(&self) -> PathBuf {
        self.root.path().join("shop")
    }

    /// Leaves the repository where it is.
    pub fn keep(self) -> PathBuf {
        self.root.keep().join("shop")
    }

    /// Makes the scene's edits, runs the tests where the scene does, and commits; gives how that ended. A blocked change
    /// is taken back, as a person would.
    pub fn play(&self, scene: &Scene, say: Say<'_>) -> Result<Expected> {
        self.edit_all(scene.edits)?;
        if let Some(arguments) = scene.run.arguments().filter(|_| self.runs_tests) {
            say(&format!("$ aiwg-gate {}\n", arguments.join(" ")))?;
            let (passed, output) = self.run(&[&[self.program.as_str()], arguments].concat())?;
            say(&output)?;
            if !passed {
                bail!("the tests of the demo should pass; please report it");
            }
        }
        if let Some((what, edits)) = scene.later {
            say(&format!("({what})\n"))?;
            self.edit_all(edits)?;
        }
        self.commit(scene.message, say)
    }

    fn commit(&self, message: &str, say: Say<'_>) -> Result<Expected> {
        self.must(&["git", "add", "--all"])?;
        let before = self.head();
        say(&format!("$ git commit -m '{message}'\n"))?;
        let (succeeded, output) = self.run(&["git", "commit", "--quiet", "--message", message])?;
        say(&output)?;
        let committed = self.head() != before;
        if succeeded != committed {
            bail!("git commit said one thing and did another");
        }
        if !committed {
            self.must(&["git", "reset", "--quiet", "--hard"])?;
        }
        let blocks = output.matches("blocked[").count();
        let unproved = output.matches("blocked[proof]").count();
        Ok(match (committed, output.contains("warning[")) {
            (false, _) if unproved == 0 => Expected::Blocked,
            (false, _) if unproved == blocks => Expected::Unproved,
            (false, _) => bail!("the commit was blocked for two reasons; please report it"),
            (true, true) => Expected::Warned,
            (true, false) => Expected::Passes,
        })
    }

    fn edit_all(&self, edits: Edits) -> Result<()> {
        edits
            .iter()
            .try_for_each(|(path, edit)| self.edit(path, edit).with_context(|| format!("cannot edit {path}")))
    }

    fn edit(&self, path: &str, edit: &Edit) -> Result<()> {
        let file = self.directory().join(path);
        match edit {
            Edit::Write(text) => {
                std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
                std::fs::write(file, text)?;
            }
            Edit::Replace(old, new) => {
                let text = std::fs::read_to_string(&file)?;
                let (head, tail) = text.split_once(old).with_context(|| format!("there is no {old:?}"))?;
                std::fs::write(file, [head, new, tail].concat())?;
            }
            Edit::Delete => std::fs::remove_file(file)?,
        }
        Ok(())
    }

    fn head(&self) -> Option<String> {
        self.run(&["git", "rev-parse", "--verify", "--quiet", "HEAD"])
            .ok()
            .filter(|(ok, _)| *ok)
            .map(|(_, id)| id)
    }

    fn must(&self, words: &[&str]) -> Result<()> {
        let (succeeded, output) = self.run(words)?;
        if !succeeded {
            bail!("`{}` failed in the temporary repository:\n{output}", words.join(" "));
        }
        Ok(())
    }

    fn run(&self, words: &[&str]) -> Result<(bool, String)> {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(self.directory());
        for (name, _) in std::env::vars_os() {
            // A demo that is itself started from a hook or a session must touch neither.
            let name_text = name.to_string_lossy();
            if name_text.starts_with("GIT_") || name_text.starts_with("AIWG_") {
                command.env_remove(name);
            }
        }
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", self.root.path().join("gitconfig"));
        for who in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{who}_NAME"), "Demo")
                .env(format!("GIT_{who}_EMAIL"), "demo@example.invalid");
        }
        if self.color {
            command.env("CLICOLOR_FORCE", "1");
        }
        let output = command.output().with_context(|| format!("cannot run {}", words[0]))?;
        self.interrupts.check()?;
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        Ok((output.status.success(), text.into_owned()))
    }
}
