//! Real runs of vitest.

use aiwg_gate::policy::Framework::Vitest;

use crate::project::{Project, compared, place};

const CART: &str = "\
import { describe, it, test, expect, beforeEach } from 'vitest';
const total = (items: number[]) => items.reduce((a, b) => a + b, 0);
describe('cart', () => {
  it('adds prices', () => { expect(total([1, 2])).toBe(3); });
  describe('with discount', () => {
    it('subtracts it', () => { expect(total([1, 2])).toBe(4); });
    it.skip('is off', () => {});
    it.todo('rounds');
  });
  it.each([[1, 1], [2, 3]])('row %i gives %i', (a, b) => { expect(a).toEqual(b); });
  it('throws', () => { throw new TypeError('no items'); });
});
describe('set up', () => {
  beforeEach(() => { throw new Error('no database'); });
  it('needs it', () => {});
});
test('top level', async () => { await Promise.resolve(1); });
";
const FINE: &str = "import { test } from 'vitest';\ntest('fine', () => {});\n";
const PACKAGE: (&str, &str) = ("package.json", r#"{"type": "module", "scripts": {"test": "vitest"}}"#);

#[test]
fn each_outcome_is_recorded_as_vitest_counts_it() {
    let Some(project) = Project::with_node("vitest", &[PACKAGE, ("src/cart.test.ts", CART)]) else { return };
    let ran = project.run(Vitest, "vitest run");
    ran.says("Tests  4 failed | 3 passed | 1 skipped | 1 todo (9)");
    assert_eq!(ran.tally(), [3, 4, 0, 2, 0]);
    let failure = ran.failure("src/cart.test.ts::cart::with discount::subtracts it");
    assert_eq!(compared(failure), ("4", "3"));
    assert_eq!(place(failure), "src/cart.test.ts:6");
    assert_eq!(failure.kind, "AssertionError");
    assert_eq!(ran.failure("src/cart.test.ts::cart::throws").kind, "TypeError");
    assert_eq!(place(ran.failure("src/cart.test.ts::set up::needs it")), "src/cart.test.ts:14");
    assert_eq!(ran.test("src/cart.test.ts::cart::row 1 gives 1").line, Some(10));
}

#[test]
fn a_file_that_does_not_load_and_one_without_tests_are_problems() {
    let files = [
        PACKAGE,
        ("a.test.ts", FINE),
        (
            "broken.test.ts",
            "import { test } from 'vitest';\nimport './nothing';\ntest('never seen', () => {});\n",
        ),
        ("empty.test.ts", ""),
    ];
    let Some(project) = Project::with_node("vitest", &files) else { return };
    let ran = project.run(Vitest, "npm test");
    ran.says("Test Files  2 failed | 1 passed (3)");
    ran.says("Tests  1 passed (1)");
    assert_eq!(ran.tally(), [1, 0, 0, 0, 2]);
    ran.problem("nothing");
    ran.problem("No test suite found");
}

#[test]
fn an_error_that_no_test_waits_for_fails_the_run() {
    let late = "import { test } from 'vitest';\n\
                test('later', async () => { Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 9)); });\n";
    let Some(project) = Project::with_node("vitest", &[PACKAGE, ("a.test.ts", late)]) else { return };
    let ran = project.run(Vitest, "vitest run");
    ran.says("Errors  1 error");
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [1, 0, 0, 0, 1]);
}

#[test]
fn watching_is_never_entered() {
    let Some(project) = Project::with_node("vitest", &[PACKAGE, ("a.test.ts", FINE)]) else { return };
    for command in ["vitest", "npm test", "npx vitest --run", "vitest --reporter=dot"] {
        let ran = project.run(Vitest, command);
        assert_eq!(ran.tally(), [1, 0, 0, 0, 0], "{command}");
        assert!(ran.succeeded, "{command}");
    }
}

#[test]
fn a_crash_is_no_pass() {
    let crash =
        "import { test } from 'vitest';\ntest('dies', () => { process.kill(process.pid, 'SIGSEGV'); });\n";
    let Some(project) = Project::with_node("vitest", &[PACKAGE, ("a.test.ts", crash)]) else { return };
    let ran = project.run(Vitest, "vitest run --pool=forks");
    assert!(!ran.succeeded);
    let counts = ran.results.as_ref().map(|results| results.counts());
    assert!(
        counts.is_err() || counts.is_ok_and(|counts| counts.passed == 0 && counts.errors > 0),
        "{:?}",
        ran.results
    );
}

#[test]
fn no_tests_are_no_tests() {
    let Some(project) = Project::with_node("vitest", &[PACKAGE]) else { return };
    let ran = project.run(Vitest, "vitest run");
    ran.says("No test files found");
    assert_eq!(ran.tally(), [0; 5]);
}

#[test]
fn a_name_filter_leaves_tests_that_did_not_run() {
    let test = "import { test } from 'vitest';\ntest('one', () => {});\ntest('two', () => {});\ntest.skip('off', () => {});\n";
    let Some(project) = Project::with_node("vitest", &[("a.test.js", test)]) else { return };
    assert_eq!(project.unexecuted(&project.run(Vitest, "vitest run -t one")), ["a.test.js::two"]);
    assert_eq!(project.unexecuted(&project.run(Vitest, "vitest run")), Vec::<String>::new());
}
