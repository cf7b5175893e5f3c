//! Both ways to suites agree, whatever the tree: all of them from the manifests, and those above a path.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const FOLDERS: &[&str] =
    &["", "a", "a/b", "a/tests", "tests", "crates/x", "crates/y", "src/z", "docs", "a/fixtures/q"];

const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"x\""),
    ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"a\"]"),
    ("Cargo.toml", "[package]\nname = \"x\"\nworkspace = \"../..\""),
    ("lib.rs", "#[test]"),
    ("main.rs", ""),
    ("pyproject.toml", "[tool.ruff]"),
    ("setup.cfg", "[tool:pytest]"),
    ("conftest.py", ""),
    ("test_a.py", "def test_a(): pass"),
    ("tests.py", ""),
    ("package.json", r#"{"scripts": {"test": "jest"}}"#),
    ("package.json", r#"{"scripts": {"test": "echo ok"}, "devDependencies": {"vitest": "1"}}"#),
    ("package.json", r#"{"workspaces": ["*"], "devDependencies": {"mocha": "1"}}"#),
    ("pnpm-lock.yaml", ""),
    ("index.ts", ""),
    ("go.mod", "module x"),
    ("a_test.go", ""),
    ("pom.xml", "<module>b</module><module>crates/x</module><module>src/z</module>"),
    ("src/test/A.java", ""),
    ("settings.gradle", ""),
    ("build.gradle.kts", ""),
    ("gradlew", ""),
    ("data.json", ""),
    ("Makefile", ""),
];

fn trees() -> impl Strategy<Value = Files> {
    let file = (0..FOLDERS.len(), 0..FILES.len()).prop_map(|(folder, file)| {
        let (name, content) = FILES[file];
        (super::super::look::join(FOLDERS[folder], name), content.to_owned())
    });
    proptest::collection::btree_map(any::<u8>(), file, 0..24)
        .prop_map(|files| Files(files.into_values().collect()))
}

fn suites(suites: &[Suite]) -> BTreeSet<String> {
    suites.iter().map(|suite| format!("{} {:?} {:?}", told(suite), suite.framework, suite.inputs)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_suites_above_a_path_are_those_of_all_that_have_it_as_input(files in trees()) {
        let policy = Policy::default();
        let whole = Finder::new(&policy, &files);
        let all = whole.all(&files.manifests());
        for path in files.paths().into_iter().chain(["new/x.rs", "a/new/y.py", "crates/x/z.json", "top.ts"]) {
            let owners: Vec<Suite> = all.iter().filter(|suite| whole.has_input(suite, path)).cloned().collect();
            let touched = Finder::new(&policy, &files).touched(&[path]);
            prop_assert_eq!(suites(&touched), suites(&owners), "{}", path);
        }
    }

    #[test]
    fn every_suite_has_inputs_and_stands_where_they_are(files in trees()) {
        let policy = Policy::default();
        let finder = Finder::new(&policy, &files);
        for suite in finder.all(&files.manifests()) {
            let inputs: Vec<&str> =
                files.paths().into_iter().filter(|path| finder.has_input(&suite, path)).collect();
            prop_assert!(!inputs.is_empty(), "{} in {:?}", suite.name, files);
            let inside = |path: &&str| super::super::places::below(&suite.directory, path).is_some();
            prop_assert!(inputs.iter().all(inside), "{}", suite.name);
        }
    }

    #[test]
    fn a_change_that_keeps_everything_loses_nothing(files in trees()) {
        let policy = Policy::default();
        let finder = Finder::new(&policy, &files);
        prop_assert!(super::super::vanished(&finder, &finder, &files.paths()).is_empty());
    }

    #[test]
    fn removing_everything_loses_nothing(files in trees()) {
        let policy = Policy::default();
        let (before, nothing) = (Finder::new(&policy, &files), Files::default());
        prop_assert!(super::super::vanished(&before, &Finder::new(&policy, &nothing), &files.paths()).is_empty());
    }

    #[test]
    fn no_text_in_a_manifest_is_too_much(
        name in "Cargo.toml|package.json|pyproject.toml|pom.xml|go.mod",
        text in ".{0,200}",
    ) {
        let files = Files::default().with(&name, &text).with("src/a.rs", &text).with("test_a.py", &text);
        let found = files.found();
        prop_assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len());
    }
}
