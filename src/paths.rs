//! Classes of paths: what a file is for, from its path, the policy and the attributes of the base side.
//!
//! Pure: it opens nothing and looks at no content. What a file really holds is for the languages to say.

mod defaults;
mod expectations;
mod inputs;

pub use defaults::{
    class_of as class_by_name, is_run, is_source, is_vendored as is_vendored_by_name, may_hold_tests,
};
pub use expectations::is_stored_expectation;
pub use inputs::{is_in_artifacts, is_input_of_tests, is_product_of_runs, is_read_by_no_test};

use anyhow::{Result, anyhow};
use globset::{GlobSet, GlobSetBuilder};

use crate::git::Attributes;
use crate::policy::{Policy, compile_glob};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathClass {
    /// Tests, and what only tests use: helpers, fixtures, snapshots.
    Test,
    Production,
    Documentation,
    /// The policy wants it left alone.
    Ignored,
    /// Written by others, or by a generator.
    Vendored,
}

pub struct Classifier {
    /// The globs of the policy, in the order in which they count.
    globs: [(PathClass, GlobSet); 4],
    attributes: Attributes,
}

impl Classifier {
    /// Fails only on globs that reading a policy refuses.
    pub fn new(policy: &Policy, attributes: Attributes) -> Result<Self> {
        let paths = &policy.paths;
        let globs = [
            (PathClass::Ignored, set(&paths.ignored)?),
            (PathClass::Vendored, set(&paths.vendored)?),
            (PathClass::Test, set(&paths.tests)?),
            (PathClass::Documentation, set(&paths.documentation)?),
        ];
        Ok(Self { globs, attributes })
    }

    /// The policy decides first, then the attributes, then the name.
    pub fn class_of(&self, path: &str) -> PathClass {
        if let Some((class, _)) = self.globs.iter().find(|(_, globs)| globs.is_match(path)) {
            return *class;
        }
        if self.attributes.is_vendored(path) || self.attributes.is_generated(path) {
            return PathClass::Vendored;
        }
        let own = self.attributes.vendored(path) == Some(false);
        if !own && defaults::is_vendored(path) {
            return PathClass::Vendored;
        }
        defaults::class_of(path)
    }

    /// Whether the file can decide what tests do. Vendored and ignored files can: tests run with them all the same.
    pub fn is_input(&self, path: &str) -> bool {
        if inputs::is_gates_own(path) {
            return false;
        }
        if self.is_stated(PathClass::Test, path) {
            return true;
        }
        let documentation = self.is_stated(PathClass::Documentation, path)
            || defaults::class_of(path) == PathClass::Documentation;
        !documentation && !inputs::is_read_by_no_test(path)
    }

    /// Whether a file that git neither tracks nor ignores can decide what tests do, as far as its name tells: reports
    /// and caches that a run leaves behind must not make it look like another state.
    pub fn counts_untracked(&self, path: &str) -> bool {
        self.is_input(path) && inputs::is_likely_work(path)
    }

    /// Whether a list of the policy names the path, whatever the other lists say.
    fn is_stated(&self, class: PathClass, path: &str) -> bool {
        self.globs.iter().any(|(stated, globs)| *stated == class && globs.is_match(path))
    }
}

fn set(globs: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(compile_glob(glob).map_err(|message| anyhow!("policy: {message}"))?);
    }
    Ok(set.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(globs: &[&str]) -> Vec<String> {
        globs.iter().map(|glob| (*glob).to_owned()).collect()
    }

    #[test]
    fn the_policy_overrides_names_and_its_lists_have_an_order() {
        let mut policy = Policy::default();
        policy.paths.tests = globs(&["checks/**", "vendor/ours/**"]);
        policy.paths.documentation = globs(&["handbook/**", "checks/notes/**"]);
        policy.paths.ignored = globs(&["checks/scratch/", "*.gen.ts"]);
        policy.paths.vendored = globs(&["tests/suite/**"]);
        let classifier = Classifier::new(&policy, Attributes::default()).unwrap();
        for (path, class) in [
            ("checks/a.py", PathClass::Test),
            ("checks/notes/a.md", PathClass::Test),
            ("checks/scratch/a.py", PathClass::Ignored),
            ("tests/a.gen.ts", PathClass::Ignored),
            ("tests/suite/test_a.py", PathClass::Vendored),
            ("vendor/ours/a.go", PathClass::Test),
            ("vendor/theirs/a.go", PathClass::Vendored),
            ("handbook/build.py", PathClass::Documentation),
            ("src/handbook/build.py", PathClass::Production),
            ("tests/test_a.py", PathClass::Test),
        ] {
            assert_eq!(classifier.class_of(path), class, "{path}");
        }
    }

    #[test]
    fn attributes_override_names_but_not_the_policy() {
        let attributes = "*.pb.go linguist-generated\nlib/** linguist-vendored\nvendor/ours/** -linguist-vendored\n\
                          tests/golden/** linguist-generated\nhand.pb.go linguist-generated=false\n";
        let mut policy = Policy::default();
        policy.paths.tests = globs(&["tests/golden/**"]);
        let classifier = Classifier::new(&policy, Attributes::from_files([("", attributes)])).unwrap();
        for (path, class) in [
            ("api/a.pb.go", PathClass::Vendored),
            ("api/hand.pb.go", PathClass::Production),
            ("lib/a_test.go", PathClass::Vendored),
            ("vendor/ours/a_test.go", PathClass::Test),
            ("vendor/ours/a.go", PathClass::Production),
            ("vendor/x/a.go", PathClass::Vendored),
            ("tests/golden/a.go", PathClass::Test),
        ] {
            assert_eq!(classifier.class_of(path), class, "{path}");
        }
    }

    #[test]
    fn inputs_are_what_tests_may_read() {
        let mut policy = Policy::default();
        policy.paths.tests = globs(&[".github/scripts/**", "checks/**"]);
        policy.paths.documentation = globs(&["handbook/**", "checks/notes/**", "examples/tour/**"]);
        policy.paths.ignored = globs(&["examples/**", "*.gen.ts"]);
        policy.paths.vendored = globs(&["third/**"]);
        let attributes = Attributes::from_files([("", "*.pb.go linguist-generated\n")]);
        let classifier = Classifier::new(&policy, attributes).unwrap();
        for (path, input) in [
            ("src/a.py", true),
            ("tests/expected/page.md", true),
            ("examples/a.py", true),
            ("src/a.gen.ts", true),
            ("api/a.pb.go", true),
            ("third/a.c", true),
            ("vendor/x/a.go", true),
            ("node_modules/x/index.js", true),
            ("Makefile", true),
            ("requirements.txt", true),
            ("docs/conf.py", true),
            (".github/scripts/check.py", true),
            ("checks/notes/a.md", true),
            ("handbook/build.py", false),
            ("examples/tour/a.py", false),
            ("examples/README.md", false),
            ("third/LICENSE", false),
            ("docs/index.html", false),
            ("docs/guide.md", false),
            ("README.md", false),
            (".github/workflows/ci.yml", false),
            ("aiwg-gate.yaml", false),
            ("aiwg-gate.waivers.yaml", false),
            (".aiwg/ralph/a.yaml", false),
            ("a/.gitignore", false),
        ] {
            assert_eq!(classifier.is_input(path), input, "{path}");
        }
    }

    #[test]
    fn the_policy_cannot_make_the_gates_own_files_inputs() {
        let mut policy = Policy::default();
        policy.paths.tests = globs(&["*.yaml"]);
        let classifier = Classifier::new(&policy, Attributes::default()).unwrap();
        assert!(!classifier.is_input("aiwg-gate.yaml") && classifier.is_input("handbook/a.yaml"));
    }

    #[test]
    fn untracked_files_count_where_they_are_inputs_and_likely_work() {
        let mut policy = Policy::default();
        policy.paths.documentation = globs(&["handbook/**"]);
        let classifier = Classifier::new(&policy, Attributes::default()).unwrap();
        for (path, counts) in [
            ("src/new.py", true),
            ("tests/data/in.json", true),
            ("vendor/x/a.go", true),
            ("handbook/a.py", false),
            ("coverage/a.json", false),
            (".vscode/settings.json", false),
            ("aiwg-gate.yaml", false),
            ("report.log", false),
        ] {
            assert_eq!(classifier.counts_untracked(path), counts, "{path}");
        }
    }

    #[test]
    fn a_bad_glob_is_an_error_and_no_panic() {
        let mut policy = Policy::default();
        policy.paths.tests = globs(&["a["]);
        assert!(Classifier::new(&policy, Attributes::default()).is_err());
    }
}
