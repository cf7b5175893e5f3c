//! Where Python projects begin, and what runs their tests.

use super::*;

const PLAIN: &str = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n";
const FUNCTION: &str = "def test_a():\n    assert True\n";

#[test]
fn pytest_where_anything_speaks_of_it() {
    for (path, content) in [
        ("pytest.ini", "[pytest]"),
        ("conftest.py", ""),
        ("tests/conftest.py", ""),
        ("pyproject.toml", "[dependency-groups]\ndev = [\"pytest>=8\"]"),
        ("tox.ini", "[testenv]\ncommands = pytest"),
        ("requirements-dev.txt", "pytest\n"),
        ("requirements/test.txt", "pytest\n"),
        ("tests/test_b.py", FUNCTION),
        ("tests/test_b.py", "import pytest\n"),
    ] {
        let files = Files::of(&[("setup.py", ""), ("tests/test_a.py", PLAIN)]).with(path, content);
        assert_eq!(files.found(), ["python: python -m pytest"], "{path}");
    }
}

#[test]
fn unittest_starts_where_it_finds_the_tests() {
    for (paths, arguments) in [
        (&["test_a.py"] as &[&str], ""),
        (&["tests/test_a.py"], " -s tests"),
        (&["tests/__init__.py", "tests/unit/test_a.py"], " -s tests -t ."),
        (&["pkg/__init__.py", "pkg/tests/test_a.py"], ""),
        (&["pkg/__init__.py", "pkg/test/a_test.py"], " -p *_test.py"),
        (&["src/pkg/__init__.py", "src/pkg/tests/test_a.py"], " -s src -t src"),
        (&["lib/tests/test_a.py"], " -s lib/tests"),
    ] {
        let files = paths.iter().fold(Files::of(&[("setup.py", "")]), |files, path| files.with(path, PLAIN));
        assert_eq!(files.found(), [format!("python: python -m unittest discover{arguments}")], "{paths:?}");
    }
}

#[test]
fn projects_around_django_use_their_own_program() {
    let files = Files::of(&[("manage.py", ""), ("shop/__init__.py", ""), ("shop/tests.py", PLAIN)]);
    assert_eq!(files.found(), ["python: python manage.py test"]);
    let files = Files::of(&[("setup.py", ""), ("tests/runtests.py", ""), ("tests/a/test_a.py", PLAIN)]);
    assert_eq!(files.found(), ["python: python tests/runtests.py"]);
}

#[test]
fn a_root_without_a_manifest_is_told_by_its_tests() {
    assert_eq!(Files::of(&[("tests/unit/test_a.py", PLAIN)]).touched(&["app.py"]), ["python"]);
    let script = Files::of(&[("test_client.py", "main()"), ("app.py", "")]);
    assert_eq!(script.found(), [""; 0]);
    let go = Files::of(&[("go.mod", "module a"), ("a_test.go", ""), ("test_a.py", FUNCTION)]);
    assert_eq!(go.found(), ["go: go test ./..."]);
}

#[test]
fn quiet_about_manifests_without_tests() {
    let files =
        Files::of(&[("pyproject.toml", "[tool.ruff]"), ("src/app.py", ""), ("docs/test_a.py", FUNCTION)]);
    assert_eq!(files.found(), [""; 0]);
}

#[test]
fn settings_among_the_tests_begin_no_project() {
    let files = Files::of(&[
        ("pyproject.toml", "pytest"),
        ("tests/conftest.py", ""),
        ("tests/pytest.ini", ""),
        ("tests/requirements.txt", ""),
        ("tests/test_a.py", FUNCTION),
        ("pkg/conftest.py", ""),
        ("pkg/test_b.py", FUNCTION),
    ]);
    assert_eq!(files.found(), ["python: python -m pytest"]);
}

#[test]
fn the_first_conftest_begins_a_project_without_a_manifest() {
    let files = Files::of(&[
        ("api/conftest.py", ""),
        ("api/test_a.py", FUNCTION),
        ("api/v2/conftest.py", ""),
        ("api/v2/test_b.py", FUNCTION),
    ]);
    assert_eq!(files.found(), ["api:python: python -m pytest"]);
}

#[test]
fn the_tests_of_a_nested_project_are_not_those_of_the_root() {
    let files = Files::of(&[
        ("pyproject.toml", "[tool.ruff]"),
        ("services/api/pyproject.toml", "pytest"),
        ("services/api/tests/test_a.py", FUNCTION),
    ]);
    assert_eq!(files.found(), ["services/api:python: python -m pytest"]);
    assert_eq!(files.touched(&["scripts/x.py"]), [""; 0]);
}
