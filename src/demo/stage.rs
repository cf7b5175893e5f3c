//! The temporary repository: real git, real hooks, nothing of the user's configuration.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::scenes::{Edit, Expected, Scene};

/// How a scene went.
pub struct Played {
    /// What `git commit` and the gate printed.
    pub output: String,
    pub outcome: Expected,
}

pub struct Stage {
    root: TempDir,
    color: bool,
}

impl Stage {
    /// An empty repository with the gate installed.
    pub fn set(color: bool) -> Result<Self> {
        let root = tempfile::Builder::new()
            .prefix("aiwg-gate-demo-")
            .tempdir()
            .context("cannot make a temporary directory")?;
        std::fs::create_dir(root.path().join("shop"))?;
        let stage = Self { root, color };
        stage.must(&["git", "init", "--quiet", "--initial-branch=main"])?;
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        stage.must(&[&program.to_string_lossy(), "--quiet", "install"])?;
        Ok(stage)
    }

    pub fn directory(&self) -> PathBuf {
        self.root.path().join("shop")
    }

    /// Leaves the repository where it is.
    pub fn keep(self) -> PathBuf {
        self.root.keep().join("shop")
    }

    /// Makes the scene's edits and commits them; a blocked change is taken back, as a person would.
    pub fn play(&self, scene: &Scene) -> Result<Played> {
        for (path, edit) in scene.edits {
            self.edit(path, edit).with_context(|| format!("cannot edit {path}"))?;
        }
        self.must(&["git", "add", "--all"])?;
        let before = self.head();
        let (succeeded, output) = self.run(&["git", "commit", "--quiet", "--message", scene.message])?;
        let committed = self.head() != before;
        if succeeded != committed {
            bail!("git commit said one thing and did another:\n{output}");
        }
        let outcome = match (committed, output.contains("warning[")) {
            (false, _) => Expected::Blocked,
            (true, true) => Expected::Warned,
            (true, false) => Expected::Passes,
        };
        if !committed {
            self.must(&["git", "reset", "--quiet", "--hard"])?;
        }
        Ok(Played { output, outcome })
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
            // A demo that is itself started from a hook must not touch the repository of that hook.
            if name.to_string_lossy().starts_with("GIT_") {
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
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        Ok((output.status.success(), text.into_owned()))
    }
}
