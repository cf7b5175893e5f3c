//! Real runs of jest.

use aiwg_gate::policy::Framework::Jest;

use crate::project::{Project, compared, place};

const CART: &str = "\
const total = (items) => items.reduce((a, b) => a + b, 0);
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
const FINE: &str = "test('fine', () => {});\n";
const PACKAGE: (&str, &str) =
    ("package.json", r#"{"scripts": {"test": "npm run unit", "unit": "jest --ci"}}"#);

#[test]
fn each_outcome_is_recorded_as_jest_counts_it() {
    let Some(project) = Project::with_node("jest", &[PACKAGE, ("src/cart.test.js", CART)]) else { return };
    let ran = project.run(Jest, "jest");
    ran.says("Tests:       4 failed, 1 skipped, 1 todo, 3 passed, 9 total");
    assert_eq!(ran.tally(), [3, 4, 0, 2, 0]);
    assert!(!ran.succeeded);
    let failure = ran.failure("src/cart.test.js::cart::with discount::subtracts it");
    assert_eq!(compared(failure), ("4", "3"));
    assert_eq!(place(failure), "src/cart.test.js:5");
    assert!(failure.message.starts_with("expect(received).toBe(expected)"), "{}", failure.message);
    let failure = ran.failure("src/cart.test.js::cart::throws");
    assert_eq!((failure.kind.as_str(), failure.message.as_str()), ("TypeError", "no items"));
    assert_eq!(place(ran.failure("src/cart.test.js::set up::needs it")), "src/cart.test.js:13");
    assert_eq!(ran.test("src/cart.test.js::cart::row 1 gives 1").line, Some(9));
}

#[test]
fn a_file_that_does_not_load_and_one_without_tests_are_problems() {
    let files = [
        PACKAGE,
        ("a.test.js", FINE),
        ("broken.test.js", "const x = require('./nothing');\ntest('never seen', () => {});\n"),
        ("empty.test.js", ""),
        ("late.test.js", "afterAll(() => { throw new Error('cannot close'); });\ntest('first', () => {});\n"),
    ];
    let Some(project) = Project::with_node("jest", &files) else { return };
    let ran = project.run(Jest, "npm test");
    ran.says("Test Suites: 3 failed, 1 passed, 4 total");
    ran.says("Tests:       2 passed, 2 total");
    assert_eq!(ran.tally(), [2, 0, 0, 0, 3]);
    assert_eq!(place(ran.problem("Cannot find module './nothing'")), "broken.test.js:1");
    ran.problem("empty.test.js: Your test suite must contain at least one test.");
    ran.problem("late.test.js: cannot close");
}

#[test]
fn a_passing_run_through_every_way_to_start_it() {
    let Some(project) = Project::with_node("jest", &[PACKAGE, ("a.test.js", FINE)]) else { return };
    for command in
        ["jest", "npx jest", "npm test", "npm run unit -- a.test.js", "node node_modules/jest/bin/jest.js"]
    {
        let ran = project.run(Jest, command);
        assert_eq!(ran.tally(), [1, 0, 0, 0, 0], "{command}");
        assert!(ran.succeeded, "{command}");
        ran.test("a.test.js::fine");
    }
}

#[test]
fn the_summary_is_read_where_no_report_can_be_asked_for() {
    let Some(project) = Project::with_node("jest", &[PACKAGE, ("src/cart.test.js", CART)]) else { return };
    let ran = project.run(Jest, "jest || true");
    let counts = ran.read().counts();
    assert!(!ran.read().named);
    assert_eq!((counts.total, counts.passed, counts.failed, counts.skipped), (9, 3, 4, 2));
}

#[test]
fn a_crash_is_an_error_and_not_a_result() {
    let crash = "test('fine', () => {});\ntest('dies', () => { process.kill(process.pid, 'SIGSEGV'); });\n";
    let Some(project) = Project::with_node("jest", &[PACKAGE, ("a.test.js", crash)]) else { return };
    let ran = project.run(Jest, "jest");
    assert!(!ran.succeeded);
    assert!(
        ran.results.as_ref().is_err_and(|error| error.contains("did not get to its end")),
        "{:?}",
        ran.results
    );
    // In a worker jest itself survives, and says which file died.
    project.write("b.test.js", FINE);
    let ran = project.run(Jest, "jest --maxWorkers=2");
    ran.says("Tests:       1 passed, 1 total");
    assert_eq!(ran.tally(), [1, 0, 0, 0, 1]);
    ran.problem("SIGSEGV");
}

#[test]
fn no_tests_are_no_tests() {
    let Some(project) = Project::with_node("jest", &[PACKAGE]) else { return };
    let ran = project.run(Jest, "jest");
    ran.says("No tests found");
    assert_eq!(ran.tally(), [0; 5]);
    assert_eq!(project.run(Jest, "jest --passWithNoTests").tally(), [0; 5]);
}

#[test]
fn a_name_filter_leaves_tests_that_did_not_run() {
    let Some(project) = Project::with_node("jest", &[PACKAGE, ("src/cart.test.js", CART)]) else { return };
    let left = project.unexecuted(&project.run(Jest, "jest -t 'top level'"));
    assert!(left.contains(&"src/cart.test.js::adds prices".to_owned()), "{left:?}");
    assert!(!left.contains(&"src/cart.test.js::is off".to_owned()), "{left:?}");
    assert!(!left.contains(&"src/cart.test.js::top level".to_owned()), "{left:?}");
    assert_eq!(project.unexecuted(&project.run(Jest, "jest")), Vec::<String>::new());
}
