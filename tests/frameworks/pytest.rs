//! Real runs of pytest.

use aiwg_gate::policy::Framework::Pytest;

use crate::project::{Project, compared, place};

const CART: &str = r#"import pytest


def test_total():
    assert sum([1, 2]) == 3


def test_wrong():
    assert sum([1, 2]) == 4


def test_raises():
    raise ValueError("no items")


@pytest.mark.parametrize("a,b", [(1, 1), (2, 3)])
def test_rows(a, b):
    assert a == b


@pytest.mark.skip(reason="later")
def test_off():
    pass


@pytest.mark.xfail(reason="known")
def test_known():
    assert False


@pytest.fixture
def database():
    raise RuntimeError("no database")


def test_needs(database):
    pass


@pytest.fixture
def file():
    yield
    raise RuntimeError("cannot close")


def test_closes(file):
    pass


class TestInner:
    def test_nested(self):
        pass
"#;
const FINE: &str = "def test_fine():\n    pass\n";

#[test]
fn each_outcome_is_recorded_as_pytest_counts_it() {
    let Some(project) = Project::with_python("pytest", &[("tests/test_cart.py", CART)]) else { return };
    let ran = project.run(Pytest, "pytest -p no:cacheprovider");
    ran.says("3 failed, 4 passed, 1 skipped, 1 xfailed, 2 errors in");
    assert_eq!(ran.tally(), [4, 3, 1, 2, 1]);
    assert_eq!(ran.read().counts().errors, 2);
    let failure = ran.failure("tests/test_cart.py::test_wrong");
    assert_eq!((compared(failure), place(failure)), (("4", "3"), "tests/test_cart.py:9".to_owned()));
    let failure = ran.failure("tests/test_cart.py::test_raises");
    assert_eq!((failure.kind.as_str(), place(failure).as_str()), ("ValueError", "tests/test_cart.py:13"));
    ran.test("tests/test_cart.py::test_rows[2-3]");
    ran.test("tests/test_cart.py::TestInner::test_nested");
    ran.problem("cannot close");
    assert_eq!(project.unexecuted(&ran), Vec::<String>::new());
}

#[test]
fn a_run_of_a_part_leaves_tests_that_did_not_run() {
    let Some(project) = Project::with_python("pytest", &[("tests/test_cart.py", CART)]) else { return };
    let ran = project.run(Pytest, "pytest -p no:cacheprovider -k 'total or rows'");
    assert_eq!(ran.tally(), [2, 1, 0, 0, 0]);
    let left = project.unexecuted(&ran);
    assert!(left.contains(&"tests/test_cart.py::test_nested".to_owned()), "{left:?}");
    assert!(!left.contains(&"tests/test_cart.py::test_rows".to_owned()), "{left:?}");
    assert!(!left.contains(&"tests/test_cart.py::test_off".to_owned()), "{left:?}");
}

#[test]
fn files_that_cannot_be_collected_are_problems() {
    let files = [("test_a.py", FINE), ("test_b.py", "import nothing_like_it\n"), ("test_c.py", "def x(:\n")];
    let Some(project) = Project::with_python("pytest", &files) else { return };
    let ran = project.run(Pytest, "pytest -p no:cacheprovider");
    ran.says("2 errors in");
    assert_eq!(ran.tally(), [0, 0, 0, 0, 2]);
    assert_eq!(place(ran.problem("test_b")), "test_b.py:1");
}

#[test]
fn a_crash_tells_how_far_it_came() {
    let crash = "import os, signal\ndef test_fine():\n    pass\ndef test_dies():\n    os.kill(os.getpid(), signal.SIGSEGV)\n";
    let Some(project) = Project::with_python("pytest", &[("test_a.py", crash)]) else { return };
    let ran = project.run(Pytest, "pytest -p no:cacheprovider -v");
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [1, 0, 1, 0, 0]);
    assert_eq!(place(ran.failure("test_a.py::test_dies")), "test_a.py:5");
    let counts = project.run(Pytest, "pytest -p no:cacheprovider").read().counts();
    assert_eq!((counts.passed, counts.failed, counts.errors), (1, 0, 1));
}

#[test]
fn no_tests_are_no_tests() {
    let Some(project) = Project::with_python("pytest", &[]) else { return };
    let ran = project.run(Pytest, "pytest -p no:cacheprovider");
    ran.says("no tests ran");
    assert_eq!(ran.tally(), [0; 5]);
}

#[test]
fn a_passing_run_through_every_way_to_start_it() {
    let files = [
        ("sub/pytest.ini", "[pytest]\n"),
        ("sub/tests/test_a.py", FINE),
        ("Makefile", "test:\n\tpytest -q sub\n"),
    ];
    let Some(project) = Project::with_python("pytest", &files) else { return };
    for command in [
        "pytest sub",
        "python -m pytest -q",
        "cd sub && pytest",
        "make test",
        "pytest --junitxml=own.xml sub",
    ] {
        let ran = project.run(Pytest, command);
        assert_eq!(ran.tally(), [1, 0, 0, 0, 0], "{command}");
        assert!(ran.succeeded, "{command}");
        assert_eq!(project.unexecuted(&ran), Vec::<String>::new(), "{command}: {:?}", ran.results);
    }
}

#[test]
fn a_run_without_any_body_is_an_error_in_words() {
    let Some(project) = Project::with_python("pytest", &[("tests/test_cart.py", CART)]) else { return };
    for command in ["pytest --setup-plan", "pytest --setup-only -q", "python -m pytest --co"] {
        let told = project.run(Pytest, command).results.unwrap_err();
        assert!(told.contains("told to run no tests"), "{command}: {told}");
    }
    // The same by a file with settings, which no command shows.
    project.write("pytest.ini", "[pytest]\naddopts = --setup-plan -p no:cacheprovider\n");
    project.write(
        "tests/test_cart.py",
        "import pytest\n\n\ndef test_a():\n    assert 0\n\n\n@pytest.mark.skip\ndef test_b():\n    pass\n",
    );
    let told = project.run(Pytest, "pytest").results.unwrap_err();
    assert!(told.contains("told to run no tests"), "{told}");
}

const SKIPS: &str = r#"import pytest


def need_database():
    pytest.skip("no database here")


def test_by_own_helper():
    need_database()


def test_by_other_fixture(other):
    pass


@pytest.mark.slow
def test_marked_as_slow():
    pass


def test_filtered():
    pass


def test_expected(request):
    request.node.add_marker(pytest.mark.xfail(reason="known"))
    assert 0
"#;
const CONFTEST: &str = r#"import pytest


@pytest.fixture
def other():
    pytest.skip("no network here")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name in ("test_filtered", "test_marked_as_slow"):
            item.add_marker(pytest.mark.skip(reason="asked for by an option"))
"#;

#[test]
fn skips_are_their_tests_own_where_they_stand_in_their_file() {
    let files = [
        ("tests/test_a.py", SKIPS),
        ("tests/conftest.py", CONFTEST),
        ("pytest.ini", "[pytest]\nmarkers = slow\n"),
    ];
    let Some(project) = Project::with_python("pytest", &files) else { return };
    let ran = project.run(Pytest, "pytest -p no:cacheprovider");
    ran.says("4 skipped, 1 xfailed");
    let left = project.unexecuted(&ran);
    assert_eq!(left, ["tests/test_a.py::test_by_other_fixture", "tests/test_a.py::test_filtered"]);
}
