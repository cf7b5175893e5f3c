//! A small project with tests that need nothing but Python itself.

use std::process::Stdio;

use crate::repo::{GATE, Repo};

pub const CART: &str =
    "def total(prices):\n    return sum(prices)\n\n\ndef count(prices):\n    return len(prices)\n";

pub const TESTS: &str = "\
import unittest

from cart import count, total


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_total_of_nothing(self):
        self.assertEqual(total([]), 0)

    def test_count(self):
        self.assertEqual(count([5, 5]), 2)
";

/// Whether there is a Python to run the tests with; says so where not.
pub fn has_python() -> bool {
    let found = std::process::Command::new("python3")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        println!("skipped: python3 is not installed");
    }
    found
}

/// The project, committed without any hook.
pub fn project() -> Option<Repo> {
    let repo = sources()?;
    repo.commit("Add the cart");
    Some(repo)
}

/// The project, nothing committed yet.
pub fn sources() -> Option<Repo> {
    if !has_python() {
        return None;
    }
    let repo = Repo::new();
    repo.write("cart.py", CART);
    repo.write("tests/__init__.py", "");
    repo.write("tests/test_cart.py", TESTS);
    repo.write("README.md", "# Cart\n");
    repo.write(".gitignore", "__pycache__/\n");
    Some(repo)
}

/// The same with the hooks installed.
pub fn hooked() -> Option<Repo> {
    let repo = project()?;
    repo.run(GATE, &["install", "--quiet"]).passes();
    Some(repo)
}

pub trait Proving {
    /// Changes code in a way that keeps the tests green.
    fn edit(&self);
    /// The status of the one suite that the staged change touches.
    fn status(&self) -> String;
}

impl Proving for Repo {
    fn edit(&self) {
        self.write("cart.py", CART.replace("sum(prices)", "sum(prices, 0)"));
    }

    #[track_caller]
    fn status(&self) -> String {
        let told = self.gate_proving(&["check", "--format", "json"]);
        let report: serde_json::Value =
            serde_json::from_str(&told.stdout).unwrap_or_else(|error| panic!("{error}\n{}", told.both()));
        let proofs = report["proofs"].as_array().expect("a list of proofs");
        assert_eq!(proofs.len(), 1, "{report}");
        proofs[0]["status"].as_str().expect("a status").to_owned()
    }
}
