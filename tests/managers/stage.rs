//! A project with tests, and what the gate promises there whoever calls it.

use std::ffi::OsString;
use std::process::Command;

use crate::repo::{GATE, Outcome, Repo, outcome};
use crate::tools;

pub struct Stage {
    pub repo: Repo,
    path: OsString,
    /// Further variables of all commands.
    pub environment: Vec<(&'static str, OsString)>,
}

const PRICE: &str = "def price(count):\n    return 3 * count\n\n\ndef tax(sum):\n    return sum // 5\n";
const TEST: &str = "from price import price\n\n\ndef test_price():\n    assert price(2) == 6\n";
const TAX_TEST: &str = "from price import tax\n\n\ndef test_tax():\n    assert tax(10) == 2\n";

impl Stage {
    /// A project whose PATH has the manager and the gate; nothing where the manager is not installed.
    pub fn with(manager: &str) -> Option<Self> {
        let directories = tools::find(manager)?;
        let repo = Repo::new();
        let bin = repo.root().join("bin");
        std::fs::create_dir(&bin).expect("a directory");
        std::os::unix::fs::symlink(GATE, bin.join("aiwg-gate")).expect("a link");
        let usual = std::env::var_os("PATH").unwrap_or_default();
        let all = [bin].into_iter().chain(directories).chain(std::env::split_paths(&usual));
        let path = std::env::join_paths(all).expect("a path");
        let stage = Self { repo, path, environment: Vec::new() };
        stage.repo.write("price.py", PRICE);
        stage.repo.write("tests/test_price.py", TEST);
        stage.repo.write("tests/test_tax.py", TAX_TEST);
        // These tests are about who calls the gate; what was run is not their question.
        stage.repo.write("aiwg-gate.yaml", "version: 1\nsuites: []\n");
        stage.repo.commit("Start");
        Some(stage)
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = self.repo.command(program);
        command.env("PATH", &self.path).envs(self.environment.iter().cloned());
        command
    }

    #[track_caller]
    pub fn run(&self, program: &str, args: &[&str]) -> Outcome {
        outcome(self.command(program).args(args))
    }

    /// With hooks.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> Outcome {
        self.run("git", args)
    }

    /// Writes files and commits them past all hooks.
    pub fn configure(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            self.repo.write(path, text);
        }
        self.repo.commit("Configure");
    }

    /// A file changed and another one new, neither of them staged.
    fn unstaged_work(&self) -> Work<'_> {
        self.repo.write("price.py", PRICE.replace("// 5", "// 4"));
        self.repo.write("ideas.txt", "Cheaper?\n");
        Work { repo: &self.repo, difference: self.repo.git(&["diff"]) }
    }

    /// A change that only deletes a test file is stopped, staged or named; everything stays as it is.
    #[track_caller]
    pub fn blocks_a_lost_test(&self) {
        let head = self.repo.git(&["rev-parse", "HEAD"]);
        let work = self.unstaged_work();
        for (delete, commit) in [
            (&["rm", "--quiet", "tests/test_tax.py"][..], &["commit", "-m", "Tidy up"][..]),
            (&["rm", "--quiet", "tests/test_tax.py"], &["commit", "-m", "Tidy up", "tests/test_tax.py"]),
        ] {
            self.repo.git(delete);
            let before = self.repo.git(&["status", "--porcelain"]);
            self.git(commit).blocks().says("tests/test_tax.py was deleted with 1 test");
            assert_eq!(self.repo.git(&["rev-parse", "HEAD"]), head);
            assert_eq!(self.repo.git(&["status", "--porcelain"]), before);
            work.is_there();
            self.repo.git(&["restore", "--staged", "--worktree", "tests/test_tax.py"]);
        }
        work.clear();
    }

    /// A new function with its test goes through, beside lines of the same file that are not staged.
    #[track_caller]
    pub fn lets_honest_work_pass(&self) {
        let head = self.repo.git(&["rev-parse", "HEAD"]);
        let staged = PRICE.replace("3 * count", "count * 3");
        self.repo.write("price.py", &staged);
        self.repo.write(
            "tests/test_more.py",
            TEST.replace("test_price", "test_none").replace("(2) == 6", "(0) == 0"),
        );
        self.repo.add();
        self.repo.write("price.py", staged.replace("// 5", "// 4"));
        self.repo.write("ideas.txt", "Cheaper?\n");
        let work = Work { repo: &self.repo, difference: self.repo.git(&["diff"]) };
        self.git(&["commit", "-m", "Turn it around"]).passes().says("aiwg-gate: pass: 2 files changed");
        assert_eq!(self.repo.git(&["rev-parse", "HEAD^"]), head);
        assert_eq!(self.repo.git(&["show", "HEAD:price.py"]), staged.trim_end());
        work.is_there();
        work.clear();
        self.repo.git(&["notes", "--ref=aiwg-gate", "show", "HEAD"]);
    }

    /// A merge is judged too.
    #[track_caller]
    pub fn judges_a_merge(&self) {
        self.repo.git(&["switch", "--quiet", "-c", "side"]);
        self.repo.write("side.py", "");
        self.repo.commit("Side");
        self.repo.git(&["switch", "--quiet", "main"]);
        self.repo.write("main.py", "");
        self.repo.commit("Main");
        self.git(&["merge", "--no-edit", "side"]).passes().says("aiwg-gate: pass");
    }

    /// Commits past the gate are named on their way out, in the first push and in one of a new branch.
    #[track_caller]
    pub fn names_pushed_commits_past_the_gate(&self) {
        let remote = self.repo.root().join("a remote.git");
        let remote = remote.to_str().expect("text");
        self.repo.git(&["init", "--quiet", "--bare", remote]);
        self.repo.git(&["remote", "add", "upstream", remote]);
        self.git(&["push", "upstream", "main"]).passes().says("never judged").says(" Start\n");
        self.repo.git(&["switch", "--quiet", "-c", "topic"]);
        self.repo.commit("Slipped by");
        self.git(&["push", "upstream", "topic"]).passes().says(" Slipped by\n").never_says(" Start\n");
        self.repo.commit("And again");
        self.git(&["push", "upstream", "topic"]).passes().says(" And again\n").never_says(" Slipped by\n");
        self.git(&["push", "upstream", ":topic"]).passes().never_says("never judged");
    }
}

/// Work that no commit may touch.
struct Work<'a> {
    repo: &'a Repo,
    difference: String,
}

impl Work<'_> {
    #[track_caller]
    fn is_there(&self) {
        assert_eq!(self.repo.git(&["diff"]), self.difference);
        assert_eq!(self.repo.read("ideas.txt"), "Cheaper?\n");
    }

    fn clear(&self) {
        self.repo.git(&["restore", "price.py"]);
        self.repo.remove("ideas.txt");
    }
}
