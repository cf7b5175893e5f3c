//! Tests of what an earlier commit took out of the code, tests that stand elsewhere in the repository, and folders that do
//! not stand there.

use crate::repo::Repo;
use crate::suite::NO_SUITES;

const CODE: &str = "def build(args):\n    if '--legacy-mode' in args:\n        print('Running the legacy clean step for you')\n    \
                    return len(args)\n";
const LATER: &str = "def build(args):\n    return len(args)\n";

const OTHER: &str = "from app import build\n\n\ndef test_count():\n    assert build(['a', 'b']) == 2\n";
const LEGACY: &str = "\n\ndef test_it_says_what_it_cleans(capsys):\n    build(['--legacy-mode'])\n    \
                      assert 'Running the legacy clean step for you' in capsys.readouterr().out\n";

const NOTHING: [&str; 0] = [];

fn with_legacy() -> Repo {
    let repo = Repo::new();
    repo.write("app.py", CODE);
    repo.write("tests/test_app.py", format!("{OTHER}{LEGACY}"));
    repo.write("aiwg-gate.yaml", NO_SUITES);
    repo.commit("First");
    repo
}

#[test]
fn a_test_of_what_left_the_code_before_is_no_loss() {
    let repo = with_legacy();
    repo.write("app.py", LATER);
    repo.commit("Without the legacy mode");
    repo.write("README", "nothing\n");
    repo.commit("Something else");
    repo.write("tests/test_app.py", OTHER);
    repo.commit("Without its test");
    assert_eq!(repo.findings(&["--commit", "HEAD"]), NOTHING);
}

#[test]
fn a_test_of_what_is_still_in_the_code_is_a_loss() {
    let repo = with_legacy();
    repo.write("app.py", format!("{CODE}\n\ndef more():\n    return 1\n"));
    repo.commit("More");
    repo.write("tests/test_app.py", OTHER);
    repo.commit("Without a test");
    assert_eq!(repo.findings(&["--commit", "HEAD"]), ["test-removed test_it_says_what_it_cleans"]);
}

#[test]
fn what_moved_within_the_code_has_not_left_it() {
    let repo = with_legacy();
    repo.write("app.py", "from legacy import build\n");
    repo.write("legacy.py", CODE);
    repo.commit("Move");
    repo.write("tests/test_app.py", OTHER);
    repo.commit("Without a test");
    assert_eq!(repo.findings(&["--commit", "HEAD"]), ["test-removed test_it_says_what_it_cleans"]);
}

#[test]
fn tests_may_follow_code_that_was_taken_back_before() {
    let repo = Repo::new();
    repo.write("app.py", LATER);
    repo.write("tests/test_app.py", OTHER);
    repo.write("aiwg-gate.yaml", NO_SUITES);
    repo.commit("First");
    let more =
        "\n\ndef test_twice():\n    assert build(['a']) == 2 * build(['a']) - 1 and build('ab') == 2\n";
    repo.write("app.py", LATER.replace("len(args)", "len(list(args))"));
    repo.write("tests/test_app.py", format!("{OTHER}{more}"));
    repo.commit("More");
    repo.write("app.py", LATER);
    repo.commit("Take the code back");
    repo.write("tests/test_app.py", OTHER);
    repo.commit("Take its test back");
    let report = repo.gate_json(&["check", "--commit", "HEAD"]);
    assert_eq!((&report["verdict"], &report["findings"][0]["action"]), (&"warn".into(), &"warn".into()));
}

const RUNNER: &str = "export default { test: { exclude: ['**/dist/**'] } }\n";

#[test]
fn a_folder_that_only_stands_on_disk_may_be_left_out() {
    let repo = Repo::new();
    repo.write("vitest.config.ts", RUNNER);
    repo.write("tests/legacy/a.test.ts", "test('a', () => { expect(1 + 1).toBe(2) })\n");
    repo.write("aiwg-gate.yaml", NO_SUITES);
    repo.commit("First");
    let without_sandbox = RUNNER.replace("'**/dist/**'", "'**/dist/**', '**/sandbox/**'");
    repo.write("vitest.config.ts", &without_sandbox);
    repo.commit("Leave out what is not there");
    assert_eq!(repo.findings(&["--commit", "HEAD"]), NOTHING);
    repo.write("vitest.config.ts", without_sandbox.replace("'**/dist/**'", "'**/dist/**', '**/legacy/**'"));
    repo.commit("Leave out what is there");
    assert_eq!(repo.findings(&["--commit", "HEAD"]), ["gate-loosened test.exclude"]);
}
