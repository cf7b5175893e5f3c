//! What runs the tests of a Python project, and with which words.

use super::super::ground::Ground;
use super::super::look::{Look, join};
use super::super::table::Described;
use super::{is_requirements, layout, test_files};
use crate::policy::Framework;

/// Files in which a project that uses pytest says so.
const SPEAKING: &[&str] = &["pyproject.toml", "tox.ini", "setup.cfg", "setup.py", "Pipfile", "noxfile.py"];

/// Files that only pytest reads.
const PYTEST_ONLY: &[&str] = &["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "conftest.py"];

pub fn describe(ground: &Ground<'_>, folder: &str) -> Described {
    let look = &ground.look;
    let files = test_files(look, folder);
    if uses_pytest(look, folder, &files) {
        return Described::new(Framework::Pytest, &["python", "-m", "pytest"]);
    }
    // Projects around Django run unittest through a program of their own.
    for program in ["runtests.py", "tests/runtests.py"] {
        if look.has(folder, program) {
            return Described::new(Framework::Unittest, &["python", program]);
        }
    }
    if look.has(folder, "manage.py") {
        return Described::new(Framework::Unittest, &["python", "manage.py", "test"]);
    }
    let mut command: Vec<String> = ["python", "-m", "unittest", "discover"].map(str::to_owned).to_vec();
    command.extend(layout::discover_arguments(look, folder, &files));
    Described { framework: Framework::Unittest, command }
}

fn uses_pytest(look: &Look<'_>, folder: &str, files: &[String]) -> bool {
    let only = |folder: &str| look.has_any(folder, PYTEST_ONLY);
    let in_tests = ["tests", "test"].iter().any(|tests| only(&join(folder, tests)));
    only(folder)
        || in_tests
        || says_pytest(look, folder)
        || files.iter().any(|file| is_written_for_pytest(look, file))
}

fn says_pytest(look: &Look<'_>, folder: &str) -> bool {
    let says = |path: &str| look.text(path).is_some_and(|text| text.contains("pytest"));
    let lists = |at: &str, all: bool| {
        let names = look.names(at);
        let wanted = |name: &&String| is_requirements(name) || (all && name.ends_with(".txt"));
        names.iter().filter(wanted).take(16).any(|name| says(&join(at, name)))
    };
    SPEAKING.iter().any(|name| says(&join(folder, name)))
        || lists(folder, false)
        || lists(&join(folder, "requirements"), true)
        || lists(&join(folder, "tests"), false)
}

/// Tests that are plain functions, or that import pytest: unittest would not run them.
fn is_written_for_pytest(look: &Look<'_>, path: &str) -> bool {
    let starts = ["def test_", "async def test_", "import pytest", "from pytest"];
    let text = look.text(path);
    text.is_some_and(|text| text.lines().any(|line| starts.iter().any(|start| line.starts_with(start))))
}
