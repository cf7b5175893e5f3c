//! A temporary repository whose git sees nothing of the developer's own configuration.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

pub const GATE: &str = env!("CARGO_BIN_EXE_aiwg-gate");

pub struct Repo {
    /// Holds the home directory beside the working tree; removed with the value.
    root: TempDir,
    /// Where commands run.
    directory: PathBuf,
}

/// What a command printed and how it ended.
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    #[track_caller]
    pub fn passes(self) -> Self {
        assert_eq!(self.code, 0, "expected success\n{}", self.both());
        self
    }

    #[track_caller]
    pub fn blocks(self) -> Self {
        assert_eq!(self.code, 1, "expected exit code 1\n{}", self.both());
        self
    }

    /// Exit code 2, and a message that contains `words`.
    #[track_caller]
    pub fn errs(self, words: &str) -> Self {
        assert_eq!(self.code, 2, "expected exit code 2\n{}", self.both());
        assert!(self.stderr.contains(words), "expected {words:?} in\n{}", self.both());
        self
    }

    #[track_caller]
    pub fn says(self, words: &str) -> Self {
        assert!(self.both().contains(words), "expected {words:?} in\n{}", self.both());
        self
    }

    #[track_caller]
    pub fn never_says(self, words: &str) -> Self {
        assert!(!self.both().contains(words), "did not expect {words:?} in\n{}", self.both());
        self
    }

    pub fn both(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl Repo {
    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        Self::init(&[])
    }

    /// An empty repository made with further options of `git init`.
    pub fn init(options: &[&str]) -> Self {
        let root = tempfile::tempdir().expect("a temporary directory");
        std::fs::create_dir(root.path().join("home")).expect("a home directory");
        let directory = root.path().join("work");
        std::fs::create_dir(&directory).expect("a working directory");
        let repo = Self { root, directory };
        repo.git(&[&["init", "--quiet", "--initial-branch=main"], options].concat());
        repo
    }

    /// The same environment, seen from another directory below the temporary root or below the working tree.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.directory.join(relative)
    }

    /// A command in the working tree with nothing of the developer's environment but PATH.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let home = self.root.path().join("home");
        let mut command = Command::new(program);
        command.current_dir(&self.directory).env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", &home).env("XDG_CONFIG_HOME", home.join(".config"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"));
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C.UTF-8").env("TZ", "UTC").env("TERM", "dumb");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Gate Tests");
            command.env(format!("GIT_{who}_EMAIL"), "tests@example.invalid");
            command.env(format!("GIT_{who}_DATE"), "2026-01-02T03:04:05Z");
        }
        command
    }

    /// Runs a program and gives what it did.
    #[track_caller]
    pub fn run(&self, program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Outcome {
        outcome(self.command(program).args(args))
    }

    /// Runs git, which must succeed; gives its output without the last line break.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        self.try_git(args).passes().stdout.trim_end_matches('\n').to_owned()
    }

    #[track_caller]
    pub fn try_git(&self, args: &[&str]) -> Outcome {
        self.run("git", args)
    }

    /// Runs the gate. Most tests are about detection alone, and a change that nobody ran would be blocked for that
    /// reason whatever is found in it: `check` is told not to ask. [`Self::gate_proving`] leaves that out.
    #[track_caller]
    pub fn gate(&self, args: &[&str]) -> Outcome {
        self.run(GATE, &without_proofs(args))
    }

    /// Runs the gate with exactly these arguments.
    #[track_caller]
    pub fn gate_proving(&self, args: &[&str]) -> Outcome {
        self.run(GATE, args)
    }

    /// Runs the gate as [`Self::gate`] does with `--format json`, and parses what it prints.
    #[track_caller]
    pub fn gate_json(&self, args: &[&str]) -> serde_json::Value {
        let outcome = self.gate(&[args, &["--format", "json"]].concat());
        assert!(matches!(outcome.code, 0 | 1), "{}", outcome.both());
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}\n{}", outcome.both()))
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a written file");
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).expect("a readable file")
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.path(path)).expect("a removed file");
    }

    /// Stages everything.
    pub fn add(&self) {
        self.git(&["add", "--all"]);
    }

    /// Commits everything without asking any hook; gives the new commit.
    #[track_caller]
    pub fn commit(&self, message: &str) -> String {
        self.add();
        self.git(&["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }
}

/// The arguments, with `--no-proof` behind the word `check`.
pub fn without_proofs<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let alone = |word: &&'a str| if *word == "check" { vec!["check", "--no-proof"] } else { vec![*word] };
    args.iter().flat_map(alone).collect()
}

/// Runs a prepared command.
#[track_caller]
pub fn outcome(command: &mut Command) -> Outcome {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    Outcome {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
