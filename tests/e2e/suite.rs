//! Repositories with small test files, and what the gate says about changes to them.

use crate::repo::{GATE, Outcome, Repo, outcome, without_proofs};

/// The policy that says there are no suites. Tests of what the hooks find commit it first: otherwise each commit would
/// be blocked because nobody ran it.
pub const NO_SUITES: &str = "version: 1\nsuites: []\n";

/// The test file that most tests are about.
pub const FILE: &str = "tests/test_cart.py";

/// A test file with one test for each word; no two of them are alike.
pub fn tests(words: &[&str]) -> String {
    let test = |word: &&str| {
        format!("def test_{word}():\n    {word} = make_{word}()\n    assert {word}.{word} == '{word}'\n\n\n")
    };
    words.iter().map(test).collect()
}

/// The same with every test skipped.
pub fn skipped(words: &[&str]) -> String {
    let skipped = tests(words).replace("def test_", "@pytest.mark.skip\ndef test_");
    format!("import pytest\n\n\n{skipped}")
}

/// What a finding is about, as `rule name`, for all that are not merely logged.
pub fn findings(report: &serde_json::Value) -> Vec<String> {
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    let findings = report["findings"].as_array().expect("a list").iter();
    let told = findings.filter(|finding| finding["action"] != "log");
    let name = |symbol: String| symbol.rsplit("::").next().unwrap_or_default().to_owned();
    told.map(|finding| format!("{} {}", text(&finding["rule"]), name(text(&finding["symbol"])))).collect()
}

/// The paths listed as inconclusive.
pub fn inconclusive(report: &serde_json::Value) -> Vec<String> {
    let listed = report["inconclusive"].as_array().expect("a list").iter();
    listed.map(|unknown| unknown["path"].as_str().expect("text").to_owned()).collect()
}

impl Repo {
    /// A repository whose only commit has these tests, and no suite that could run them.
    pub fn with_tests(words: &[&str]) -> Self {
        let repo = Self::new();
        repo.write(FILE, tests(words));
        repo.write("aiwg-gate.yaml", NO_SUITES);
        repo.commit("First");
        repo
    }

    /// The same with hooks.
    pub fn hooked(words: &[&str]) -> Self {
        let repo = Self::with_tests(words);
        repo.install();
        repo
    }

    /// Commits, past all hooks, that there are no suites.
    #[track_caller]
    pub fn commit_no_suites(&self) {
        self.write("aiwg-gate.yaml", NO_SUITES);
        self.commit("No suites");
    }

    #[track_caller]
    pub fn install(&self) {
        self.gate(&["install", "--binary", GATE]).passes();
    }

    /// Writes the test file and stages it.
    pub fn stage(&self, words: &[&str]) {
        self.write(FILE, tests(words));
        self.git(&["add", FILE]);
    }

    /// Commits the test file without asking any hook.
    #[track_caller]
    pub fn commit_tests(&self, words: &[&str]) -> String {
        self.write(FILE, tests(words));
        self.commit(&format!("Test {}", words.join(", ")))
    }

    /// Switches to a new branch that starts at a commit.
    #[track_caller]
    pub fn branch(&self, name: &str, from: &str) {
        self.git(&["checkout", "--quiet", "-b", name, from]);
    }

    #[track_caller]
    pub fn checkout(&self, revision: &str) {
        self.git(&["checkout", "--quiet", revision]);
    }

    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits what is staged, with hooks.
    #[track_caller]
    pub fn try_commit(&self, options: &[&str]) -> Outcome {
        self.try_git(&[&["commit", "--quiet", "-m", "A change"], options].concat())
    }

    /// The findings of a check, logged ones aside.
    #[track_caller]
    pub fn findings(&self, args: &[&str]) -> Vec<String> {
        findings(&self.gate_json(&[&["check"], args].concat()))
    }

    /// Runs the gate with something on its standard input.
    #[track_caller]
    pub fn gate_reading(&self, args: &[&str], input: impl AsRef<[u8]>) -> Outcome {
        let file = self.root().join("input");
        std::fs::write(&file, input).expect("a file");
        outcome(
            self.command(GATE).args(without_proofs(args)).stdin(std::fs::File::open(file).expect("a file")),
        )
    }

    /// The verdict kept on a commit.
    #[track_caller]
    pub fn note(&self, revision: &str) -> serde_json::Value {
        let note = self.git(&["notes", "--ref=aiwg-gate", "show", revision]);
        serde_json::from_str(&note).unwrap_or_else(|error| panic!("{error}\n{note}"))
    }

    pub fn has_note(&self, revision: &str) -> bool {
        self.try_git(&["notes", "--ref=aiwg-gate", "show", revision]).code == 0
    }
}
