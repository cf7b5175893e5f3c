//! Python: one suite per project with tests. pytest where anything speaks of it, unittest otherwise.

mod framework;
mod layout;

use super::ground::Ground;
use super::look::Look;
use super::search::{Bounds, search};
use super::{places, table};

pub use framework::describe;

pub const LABEL: &str = "python";

/// Files that stand where a project begins.
const MANIFESTS: &[&str] = &[
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "setup.py",
    "Pipfile",
    "noxfile.py",
    "manage.py",
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-test.txt",
    "requirements_dev.txt",
    "requirements_test.txt",
];

/// How far tests are looked for: the folder, its folders of tests and packages, and what is in those.
const BOUNDS: Bounds = Bounds { folders: 64, depth: 3 };

/// How many test files are enough to tell how they are written.
const SAMPLES: usize = 4;

pub fn is_manifest(name: &str) -> bool {
    MANIFESTS.contains(&name) || name == "conftest.py"
}

fn is_requirements(name: &str) -> bool {
    name.starts_with("requirements") && name.ends_with(".txt")
}

pub fn here(ground: &Ground<'_>, folder: &str) -> Option<String> {
    let look = &ground.look;
    if places::is_material(folder) {
        return None;
    }
    let above = || ground.owner_above(LABEL, folder).is_some();
    let project = if begins_project(look, folder) {
        !(places::is_secondary(folder) && above())
    } else {
        // Many folders of one project may have a conftest.py: only the first counts.
        let root = folder.is_empty() && is_plain_project(look);
        root || (look.has(folder, "conftest.py") && !places::is_secondary(folder) && !above())
    };
    (project && !test_files(look, folder).is_empty()).then(|| folder.to_owned())
}

fn begins_project(look: &Look<'_>, folder: &str) -> bool {
    look.has_any(folder, MANIFESTS)
}

/// Some of the test files below a folder, from its own project alone.
fn test_files(look: &Look<'_>, folder: &str) -> Vec<String> {
    let anywhere = begins_project(look, folder) || look.has(folder, "conftest.py");
    let enter = |below: &str| {
        let from_here = places::below(folder, below).unwrap_or(below);
        let first = from_here.split('/').next().unwrap_or_default();
        let usual = places::is_test_folder(first);
        // Without a manifest only the usual places say that this is a Python project.
        usual || (anywhere && !begins_project(look, below))
    };
    let mut files = Vec::new();
    let visit = |at: &str, names: &[String]| {
        let tests = names.iter().filter(|name| is_test_file(name));
        files.extend(tests.map(|name| super::look::join(at, name)).take(SAMPLES - files.len()));
        files.len() >= SAMPLES
    };
    search(look, folder, BOUNDS, enter, visit);
    files
}

/// Whether the root is a Python project without saying so: nothing else stands there, and there are tests. A script
/// may have the name of a test, so they are read.
fn is_plain_project(look: &Look<'_>) -> bool {
    let defines_tests = |path: &String| look.text(path).is_some_and(|text| text.contains("def test"));
    let others = look.names("").iter().any(|name| table::is_manifest(name) && name != "conftest.py");
    !others && test_files(look, "").iter().any(defines_tests)
}

/// As pytest, unittest and Django name them.
fn is_test_file(name: &str) -> bool {
    let stem = name.strip_suffix(".py");
    stem.is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests")
}
