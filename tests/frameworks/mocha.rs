//! Real runs of mocha.

use aiwg_gate::policy::Framework::Mocha;

use crate::project::{Project, compared, place};

const CART: &str = "\
const assert = require('assert');
const total = (items) => items.reduce((a, b) => a + b, 0);
describe('cart', () => {
  it('adds prices', () => { assert.strictEqual(total([1, 2]), 3); });
  describe('with discount', () => {
    it('subtracts it', () => { assert.strictEqual(total([1, 2]), 4); });
    it.skip('is off', () => {});
    it('rounds');
  });
  it('throws', () => { throw new TypeError('no items'); });
  it('decides to skip', function () { this.skip(); });
});
describe('set up', () => {
  beforeEach(() => { throw new Error('no database'); });
  it('needs it', () => {});
  it('never runs', () => {});
});
describe('close', () => {
  after(() => { throw new Error('cannot close'); });
  it('is fine', () => {});
});
it('top level', async () => { await Promise.resolve(1); });
";
const MODULE: &str = "import assert from 'node:assert';\ndescribe('module', () => { it('loads', () => { assert.ok(1); }); });\n";
const PACKAGE: (&str, &str) = ("package.json", r#"{"scripts": {"test": "mocha"}}"#);

#[test]
fn each_outcome_is_recorded_as_mocha_counts_it() {
    let files = [PACKAGE, ("test/cart.js", CART), ("test/module.mjs", MODULE)];
    let Some(project) = Project::with_node("mocha", &files) else { return };
    for command in ["mocha", "npm test", "mocha --parallel"] {
        let ran = project.run(Mocha, command);
        // Hooks that fail count as failing, too.
        ran.says("4 passing");
        ran.says("3 pending");
        ran.says("4 failing");
        assert_eq!(ran.tally(), [4, 2, 0, 3, 2], "{command}");
        ran.test("test/module.mjs::module::loads");
        let failure = ran.failure("test/cart.js::cart::with discount::subtracts it");
        assert_eq!(compared(failure), ("4", "3"));
        assert_eq!((place(failure).as_str(), failure.kind.as_str()), ("test/cart.js:6", "AssertionError"));
        assert_eq!(
            place(ran.problem("\"before each\" hook for \"needs it\": no database")),
            "test/cart.js:14"
        );
        ran.problem("\"after all\" hook for \"is fine\": cannot close");
        ran.says("✔ adds prices");
    }
}

#[test]
fn a_reporter_that_the_command_names_stays() {
    let Some(project) = Project::with_node("mocha", &[PACKAGE, ("test/cart.js", CART)]) else { return };
    let ran = project.run(Mocha, "mocha --reporter dot");
    let counts = ran.read().counts();
    assert_eq!((counts.passed, counts.failed, counts.skipped), (3, 4, 3));
    assert!(!ran.read().named);
    let ran = project.run(Mocha, "mocha --reporter json");
    assert_eq!(ran.tally(), [3, 2, 0, 3, 2]);
}

#[test]
fn a_file_that_does_not_load_is_an_error() {
    let files = [PACKAGE, ("test/a.js", "it('fine', () => {});\n"), ("test/b.js", "require('./nothing');\n")];
    let Some(project) = Project::with_node("mocha", &files) else { return };
    let ran = project.run(Mocha, "mocha");
    assert!(!ran.succeeded);
    ran.says("Cannot find module './nothing'");
    assert_eq!(ran.tally(), [0, 0, 0, 0, 1]);
    assert_eq!(place(ran.problem("Cannot find module './nothing'")), "test/b.js:1");
}

#[test]
fn a_crash_leaves_what_ran_before_it() {
    let crash = "it('fine', () => {});\nit('dies', (done) => { process.kill(process.pid, 'SIGSEGV'); setTimeout(done, 500); });\n";
    let Some(project) = Project::with_node("mocha", &[PACKAGE, ("test/a.js", crash)]) else { return };
    let ran = project.run(Mocha, "mocha");
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [1, 0, 0, 0, 1]);
    ran.problem("mocha did not get to its end");
}

#[test]
fn no_tests_are_no_tests() {
    let Some(project) = Project::with_node("mocha", &[PACKAGE, ("test/a.js", "")]) else { return };
    let ran = project.run(Mocha, "mocha");
    ran.says("0 passing");
    assert_eq!(ran.tally(), [0; 5]);
    let bare = Project::with_node("mocha", &[PACKAGE]).unwrap();
    let ran = bare.run(Mocha, "mocha");
    ran.says("No test files found");
    assert_eq!(ran.tally(), [0; 5]);
}
