//! Real runs of node:test.

use aiwg_gate::policy::Framework::NodeTest;
use aiwg_gate::runner::Outcome;

use crate::project::{Project, compared, place, skip};

const CART: &str = "\
import { describe, it, test, beforeEach, after } from 'node:test';
import assert from 'node:assert';
const total = (items) => items.reduce((a, b) => a + b, 0);
describe('cart', () => {
  it('adds prices', () => { assert.strictEqual(total([1, 2]), 3); });
  describe('with discount', () => {
    it('subtracts it', () => { assert.strictEqual(total([1, 2]), 4); });
    it.skip('is off', () => {});
    it.todo('rounds');
  });
  it('throws', () => { throw new TypeError('no items'); });
  it('decides to skip', (t) => { t.skip('not here'); });
});
describe('set up', () => {
  beforeEach(() => { throw new Error('no database'); });
  it('needs it', () => {});
});
test('parent', async (t) => { await t.test('child', () => {}); await t.test('bad child', () => assert.ok(false)); });
test('todo that fails', { todo: true }, () => { throw new Error('not yet'); });
test('top level', async () => { await Promise.resolve(1); });
";
const FINE: &str = "const test = require('node:test');\ntest('fine', () => {});\n";
const PACKAGE: (&str, &str) = ("package.json", r#"{"scripts": {"test": "node --test"}}"#);

fn node() -> bool {
    let there = std::process::Command::new("node").arg("--version").output().is_ok();
    if !there {
        skip("node");
    }
    there
}

#[test]
fn each_outcome_is_recorded_as_node_counts_it() {
    if !node() {
        return;
    }
    let project = Project::new(&[PACKAGE, ("src/cart.test.mjs", CART)]);
    for command in ["node --test", "npm test", "node --test src/", "true && node --test"] {
        let ran = project.run(NodeTest, command);
        for words in ["tests 12", "pass 3", "fail 5", "cancelled 0", "skipped 2", "todo 2"] {
            ran.says(&format!("ℹ {words}\n"));
        }
        // The test whose hook failed is among those that node calls failed.
        assert_eq!(ran.tally(), [3, 4, 1, 4, 0], "{command}");
        let failure = ran.failure("src/cart.test.mjs::cart::with discount::subtracts it");
        assert_eq!(compared(failure), ("4", "3"));
        assert_eq!(
            (place(failure).as_str(), failure.kind.as_str()),
            ("src/cart.test.mjs:7", "AssertionError")
        );
        assert_eq!(ran.test("src/cart.test.mjs::parent::child").line, Some(18));
    }
}

#[test]
fn files_that_break_or_die_are_problems_and_empty_ones_no_tests() {
    if !node() {
        return;
    }
    let crash = "const test = require('node:test');\n\
                 test('dies', () => { process.kill(process.pid, 'SIGSEGV'); return new Promise((r) => setTimeout(r, 999)); });\n";
    let close = "const { describe, it, after } = require('node:test');\n\
                 describe('close', () => { after(() => { throw new Error('cannot close'); }); it('is fine', () => {}); });\n";
    let files = [
        ("a.test.js", FINE),
        ("broken.test.js", "require('./nothing');\n"),
        ("close.test.js", close),
        ("crash.test.js", crash),
        ("empty.test.js", ""),
    ];
    let ran = Project::new(&files).run(NodeTest, "node --test");
    assert!(!ran.succeeded);
    // Node counts the files themselves where they say nothing: two that failed, and the empty one as a pass.
    ran.says("ℹ tests 5\n");
    ran.says("ℹ pass 3\n");
    ran.says("ℹ fail 2\n");
    assert_eq!(ran.tally(), [2, 0, 0, 0, 3]);
    assert_eq!(ran.problem("crash.test.js: test failed (SIGSEGV)").kind, "SIGSEGV");
    ran.problem("broken.test.js: Cannot find module './nothing' (exit code 1)");
    ran.problem("close: cannot close");
}

#[test]
fn a_runner_that_a_test_starts_is_not_part_of_the_run() {
    if !node() {
        return;
    }
    let outer = "const test = require('node:test');\nconst { spawnSync } = require('node:child_process');\n\
                 test('starts another', () => { const env = { ...process.env }; delete env.NODE_TEST_CONTEXT; \
                 spawnSync('node', ['--test', 'inner/a.test.js'], { env }); });\n";
    let project = Project::new(&[PACKAGE, ("outer.test.js", outer), ("inner/a.test.js", FINE)]);
    let ran = project.run(NodeTest, "true && node --test outer.test.js");
    assert_eq!(ran.tally(), [1, 0, 0, 0, 0]);
    ran.test("outer.test.js::starts another");
}

#[test]
fn a_file_that_exits_with_success_leaves_its_tests_missing() {
    if !node() {
        return;
    }
    let head = "const test = require('node:test');\nconst assert = require('node:assert');\n";
    let quits = format!(
        "{head}test('quits', () => {{ process.exit(0); }});\ntest('throws', () => {{ assert.equal(1, 2); }});\n"
    );
    let later = format!(
        "{head}const wait = (ms) => new Promise((done) => setTimeout(done, ms));\n\
         test('fine', async () => {{ await wait(50); }});\n\
         test('leaves', async () => {{ await wait(300); process.exit(0); }});\n\
         test('misses', () => {{ assert.equal(1, 2); }});\n"
    );
    let project =
        Project::new(&[PACKAGE, ("a.test.js", FINE), ("quits.test.js", &quits), ("later.test.js", &later)]);
    let ran = project.run(NodeTest, "node --test");
    assert!(ran.succeeded, "node sees nothing wrong");
    assert!(ran.read().named);
    let missing = project.unexecuted(&ran);
    for name in ["quits", "throws", "misses"] {
        assert!(missing.iter().any(|test| test.ends_with(name)), "{name}: {missing:?}");
    }
    assert_eq!(ran.test("later.test.js::leaves").outcome, Outcome::Errored);
}

#[test]
fn a_file_that_cannot_be_loaded_says_why() {
    if !node() {
        return;
    }
    let broken = "const test = require('node:test');\nrequire('./nosuch');\ntest('one', () => {});\n";
    let ran = Project::new(&[PACKAGE, ("imp.test.js", broken)]).run(NodeTest, "node --test");
    assert!(!ran.succeeded);
    let problem = ran.problem("Cannot find module './nosuch' (exit code 1)");
    assert_eq!((problem.kind.as_str(), place(problem)), ("Error", "imp.test.js:2".to_owned()));
}

#[test]
fn a_reporter_that_the_command_names_stays() {
    if !node() {
        return;
    }
    let project = Project::new(&[("a.test.js", FINE)]);
    let ran = project.run(NodeTest, "node --test --test-reporter=tap");
    ran.says("# pass 1");
    assert_eq!((ran.read().counts().passed, ran.read().named), (1, false));
}

#[test]
fn no_tests_are_no_tests() {
    if !node() {
        return;
    }
    let ran = Project::new(&[PACKAGE]).run(NodeTest, "node --test");
    ran.says("ℹ tests 0\n");
    assert_eq!(ran.tally(), [0; 5]);
}

#[test]
fn a_name_pattern_leaves_tests_that_did_not_run() {
    let Some(project) = Project::with_program("node", &[PACKAGE, ("cart.test.mjs", CART)]) else { return };
    let left = project.unexecuted(&project.run(NodeTest, "node --test --test-name-pattern='top level'"));
    assert!(left.contains(&"cart.test.mjs::adds prices".to_owned()), "{left:?}");
    assert!(!left.contains(&"cart.test.mjs::top level".to_owned()), "{left:?}");
    assert_eq!(project.unexecuted(&project.run(NodeTest, "node --test")), Vec::<String>::new());
}
