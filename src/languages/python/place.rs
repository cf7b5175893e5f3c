//! What the runners collect from a file, by its path alone.

use crate::languages::Source;

/// Folders that hold tests.
const FOLDERS: &[&str] = &["test", "tests", "testing", "testsuite", "unittest", "unittests"];

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Place {
    /// pytest takes functions and plain classes from here.
    pub functions: bool,
    /// `unittest.TestCase` classes from here are run, by whichever runner.
    pub cases: bool,
}

impl Place {
    pub fn of(source: &Source<'_>) -> Self {
        let stem = source.stem();
        if !source.path.ends_with(".py") || stem == "conftest" {
            return Self::default();
        }
        let functions = stem.starts_with("test_") || stem.ends_with("_test") || is_plural(stem);
        let cases = functions || has_test_word(stem) || source.folders().any(is_test_folder);
        Self { functions, cases }
    }
}

/// A folder on the way that pytest does not enter unless it is told to.
pub fn hidden_folder(path: &str) -> Option<&str> {
    path.split('/').rev().skip(1).find(|folder| {
        matches!(*folder, "build" | "dist" | "venv" | "node_modules" | "CVS" | "_darcs")
            || folder.starts_with('.')
            || folder.ends_with(".egg")
    })
}

/// `tests.py` and `app_tests.py` are not among pytest's defaults, yet projects that put bare test
/// functions there configure pytest to read them.
fn is_plural(stem: &str) -> bool {
    stem == "tests" || stem.ends_with("_tests")
}

fn has_test_word(stem: &str) -> bool {
    stem.starts_with("test") || stem.ends_with("Test") || stem.ends_with("Tests")
}

fn is_test_folder(folder: &str) -> bool {
    FOLDERS.contains(&folder)
        || ["test_", "tests_"].iter().any(|start| folder.starts_with(start))
        || ["_test", "_tests"].iter().any(|end| folder.ends_with(end))
}
