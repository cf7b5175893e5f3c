//! Real runs of unittest.

use aiwg_gate::policy::Framework::Unittest;

use crate::project::{Project, compared, place};

const CART: &str = r#"import unittest


class TestCart(unittest.TestCase):
    def test_total(self):
        """Adds prices."""
        self.assertEqual(sum([1, 2]), 3)

    def test_wrong(self):
        self.assertEqual(sum([1, 2]), 4)

    def test_raises(self):
        raise ValueError("no items")

    @unittest.skip("later")
    def test_off(self):
        pass

    @unittest.expectedFailure
    def test_known(self):
        self.fail()

    @unittest.expectedFailure
    def test_surprise(self):
        pass

    def test_rows(self):
        for row in (1, 2):
            with self.subTest(row=row):
                self.assertEqual(row, 1)

    def test_prints(self):
        print("printed ... ok")


class TestSetUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no database")

    def test_needs(self):
        pass
"#;

#[test]
fn each_outcome_is_recorded_as_unittest_counts_it() {
    let files = [
        ("tests/__init__.py", ""),
        ("tests/test_cart.py", CART),
        ("tests/test_no.py", "import nothing_like_it\n"),
    ];
    let Some(project) = Project::with_program("python3", &files) else { return };
    let ran = project.run(Unittest, "python3 -m unittest");
    ran.says("Ran 9 tests in");
    ran.says("FAILED (failures=2, errors=3, skipped=1, expected failures=1, unexpected successes=1)");
    assert_eq!(ran.tally(), [2, 3, 1, 2, 2]);
    assert_eq!(ran.read().counts().errors, 3);
    let failure = ran.failure("tests::test_cart::TestCart::test_wrong");
    assert_eq!((compared(failure), place(failure)), (("4", "3"), "tests/test_cart.py:10".to_owned()));
    ran.test("tests::test_cart::TestCart::test_rows[row=2]");
    assert_eq!(ran.problem("no database").kind, "RuntimeError");
    assert_eq!(project.unexecuted(&ran), ["tests/test_cart.py::test_needs"]);
}

#[test]
fn dots_are_counted_where_names_cannot_be_asked_for() {
    let files = [("tests/__init__.py", ""), ("tests/test_cart.py", CART)];
    let Some(project) = Project::with_program("python3", &files) else { return };
    let counts = project.run(Unittest, "python3 -m unittest || true").read().counts();
    assert_eq!((counts.failed, counts.errors, counts.skipped), (3, 2, 2));
}

#[test]
fn a_passing_run_through_every_way_to_start_it() {
    let test = "import unittest\nclass TestA(unittest.TestCase):\n    def test_fine(self):\n        pass\n";
    let Some(project) =
        Project::with_program("python3", &[("tests/__init__.py", ""), ("tests/test_a.py", test)])
    else {
        return;
    };
    for command in [
        "python3 -m unittest",
        "python3 -m unittest discover -s tests",
        "python3 -m unittest tests.test_a -v",
    ] {
        let ran = project.run(Unittest, command);
        ran.says("Ran 1 test in");
        assert_eq!(ran.tally(), [1, 0, 0, 0, 0], "{command}");
        assert!(ran.succeeded);
        assert_eq!(project.unexecuted(&ran), Vec::<String>::new(), "{command}");
    }
}

#[test]
fn a_crash_ends_the_test_that_was_open() {
    let crash = "import os, signal, unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\n    def test_b(self):\n        os.kill(os.getpid(), signal.SIGSEGV)\n";
    let Some(project) = Project::with_program("python3", &[("test_a.py", crash)]) else { return };
    let ran = project.run(Unittest, "python3 -m unittest");
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [1, 0, 1, 0, 0]);
    assert_eq!(place(ran.failure("test_a::TestA::test_b")), "test_a.py:5");
}

#[test]
fn no_tests_are_no_tests() {
    let Some(project) = Project::with_program("python3", &[("test_a.py", "")]) else { return };
    let ran = project.run(Unittest, "python3 -m unittest");
    ran.says("Ran 0 tests in");
    assert_eq!(ran.tally(), [0; 5]);
}
