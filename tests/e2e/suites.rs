//! Suites that are found without configuration really run the tests of the project, with the real tools.

use std::fs;
use std::path::Path;
use std::process::Command;

use aiwg_gate::policy::Policy;
use aiwg_gate::runner::{CommandLine, DiskTree, Finder, Machine, is_manifest, resolve};
use tempfile::TempDir;

const TEST: &str =
    "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(True)\n";

/// Finds the one suite of a project with these files and runs it; gives what it printed.
fn run(files: &[(&str, &str)]) -> String {
    let folder = TempDir::new().unwrap();
    for (path, content) in files {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    let manifests: Vec<String> =
        files.iter().map(|(path, _)| (*path).to_owned()).filter(|path| is_manifest(path)).collect();
    let policy = Policy::default();
    let tree = DiskTree::new(folder.path());
    let suites = Finder::new(&policy, &tree).all(&manifests);
    assert_eq!(suites.len(), 1, "{suites:?}");
    let machine = Machine { virtual_env: None, ..Machine::from_environment() };
    let resolved = resolve(&suites[0], folder.path(), &machine).unwrap();
    let CommandLine::Words(words) = resolved.command else { panic!("found suites are words") };
    output(&words, &folder.path().join(&suites[0].directory))
}

fn output(words: &[String], directory: &Path) -> String {
    let output = Command::new(&words[0]).args(&words[1..]).current_dir(directory).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {text}");
    text.into_owned()
}

#[test]
fn unittest_discovers_the_tests_of_every_usual_layout() {
    let layouts: &[&[(&str, &str)]] = &[
        &[("setup.py", ""), ("test_a.py", TEST)],
        &[("setup.py", ""), ("tests/test_a.py", TEST)],
        &[("setup.py", ""), ("tests/__init__.py", ""), ("tests/test_a.py", TEST)],
        &[
            ("setup.py", ""),
            ("tests/__init__.py", ""),
            ("tests/unit/__init__.py", ""),
            ("tests/unit/test_a.py", TEST),
        ],
        &[
            ("setup.py", ""),
            ("shop/__init__.py", ""),
            ("shop/tests/__init__.py", ""),
            ("shop/tests/test_a.py", TEST),
        ],
        &[
            ("setup.py", ""),
            ("shop/__init__.py", ""),
            ("shop/test/__init__.py", ""),
            ("shop/test/a_test.py", TEST),
        ],
        &[
            ("setup.py", ""),
            ("src/shop/__init__.py", ""),
            ("src/shop/tests/__init__.py", ""),
            ("src/shop/tests/test_a.py", TEST),
        ],
        &[("setup.py", ""), ("lib/tests/test_a.py", TEST)],
        &[("services/api/setup.py", ""), ("services/api/tests/test_a.py", TEST)],
        &[("tests/test_a.py", TEST)],
    ];
    for layout in layouts {
        let printed = run(layout);
        assert!(printed.contains("Ran 1 test "), "{layout:?}: {printed}");
    }
}

#[test]
fn a_script_of_node_runs_its_tests() {
    let printed = run(&[
        ("package.json", r#"{"name": "a", "scripts": {"test": "node --test --test-reporter=tap"}}"#),
        ("a.test.js", "require('node:test')('adds', () => {});\n"),
    ]);
    assert!(printed.contains("# pass 1"), "{printed}");
}
