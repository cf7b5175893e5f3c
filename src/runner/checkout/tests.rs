//! Checkouts of real repositories, made by the real git.
#![cfg(unix)]

mod borrowing;
mod content;
mod languages;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Checkout, CheckoutContent};
use crate::git::Repository;

/// A repository below a temporary folder, with nothing of the developer's own settings.
struct Stage {
    root: tempfile::TempDir,
    work: PathBuf,
}

impl Stage {
    fn new() -> Self {
        Self::init(&[])
    }

    fn init(options: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let work = std::fs::canonicalize(root.path()).unwrap().join("project");
        std::fs::create_dir(&work).unwrap();
        let stage = Self { root, work };
        stage.git(&[&["init", "--quiet", "--initial-branch=main"], options].concat());
        for (key, value) in [("user.name", "Gate Tests"), ("user.email", "tests@example.invalid")] {
            stage.git(&["config", key, value]);
        }
        stage
    }

    fn git(&self, args: &[&str]) -> String {
        git_in(&self.work, args)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.work.join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }

    fn add(&self) {
        self.git(&["add", "--all"]);
    }

    fn commit(&self) {
        self.add();
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "state"]);
    }

    fn open(&self) -> Repository {
        Repository::open(&self.work).unwrap()
    }

    fn index(&self) -> Checkout {
        self.with(&["node_modules", ".venv", "venv", "target"], &[])
    }

    fn with(&self, link: &[&str], directories: &[&str]) -> Checkout {
        make(&self.open(), &CheckoutContent::Index, link, directories)
    }

    fn base(&self) -> Checkout {
        let repository = self.open();
        let head = repository.head().unwrap().unwrap();
        make(&repository, &CheckoutContent::Commit(head), &[], &[])
    }
}

fn make(repository: &Repository, content: &CheckoutContent, link: &[&str], directories: &[&str]) -> Checkout {
    let owned = |list: &[&str]| -> Vec<String> { list.iter().map(|&text| text.to_owned()).collect() };
    Checkout::make(repository, content, &owned(link), &owned(directories)).unwrap()
}

#[track_caller]
fn git_in(directory: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(args).current_dir(directory).stdin(Stdio::null());
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "git {args:?}: {words}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn read(checkout: &Checkout, path: &str) -> String {
    std::fs::read_to_string(checkout.root().join(path)).unwrap()
}

fn is_there(checkout: &Checkout, path: &str) -> bool {
    std::fs::symlink_metadata(checkout.root().join(path)).is_ok()
}

/// What a command in the root of a checkout prints, with the variables of the checkout.
#[track_caller]
fn run_in(checkout: &Checkout, script: &str) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(checkout.root()).stdin(Stdio::null());
    command.envs(checkout.environment("", &[]));
    let output = command.output().unwrap();
    let both = [output.stdout, output.stderr].concat();
    String::from_utf8(both).unwrap().trim_end().to_owned()
}
