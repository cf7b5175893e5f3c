//! Python: one suite per project with tests. pytest where anything speaks of it, unittest otherwise.

mod framework;
mod layout;

use super::ground::Ground;
use super::look::Look;
use super::places;
use super::search::{Bounds, search};

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
];

/// How far tests are looked for: the folder, its folders of tests and packages, and what is in those.
const BOUNDS: Bounds = Bounds { folders: 64, depth: 3 };

/// How many test files are enough to tell how they are written.
const SAMPLES: usize = 4;

pub fn is_manifest(name: &str) -> bool {
    MANIFESTS.contains(&name) || name == "conftest.py" || is_requirements(name)
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
        !(places::is_among_tests(folder) && above())
    } else {
        // Many folders of one project may have a conftest.py: only the first counts.
        folder.is_empty() || (look.has(folder, "conftest.py") && !places::is_among_tests(folder) && !above())
    };
    (project && !test_files(look, folder).is_empty()).then(|| folder.to_owned())
}

fn begins_project(look: &Look<'_>, folder: &str) -> bool {
    look.has_any(folder, MANIFESTS) || look.names(folder).iter().any(|name| is_requirements(name))
}

/// Some of the test files below a folder, from its own project alone.
fn test_files(look: &Look<'_>, folder: &str) -> Vec<String> {
    let anywhere = begins_project(look, folder) || look.has(folder, "conftest.py");
    let enter = |below: &str| {
        let from_here = places::below(folder, below).unwrap_or(below);
        let first = from_here.split('/').next().unwrap_or_default();
        let usual = places::is_test_folder(first);
        // Without a manifest only the usual places say that this is a Python project.
        (anywhere || usual) && (usual || !begins_project(look, below))
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

/// As pytest, unittest and Django name them.
fn is_test_file(name: &str) -> bool {
    let stem = name.strip_suffix(".py");
    stem.is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests")
}
