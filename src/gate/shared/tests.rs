//! What files get from the functions that they call.

use std::collections::BTreeMap;

use super::*;
use crate::languages::{Source, analyze};

const SHARED: &str = "export const run = () => {
  describe('Common', () => {
    it('a', () => { expect(1).toBe(1) })
    it.each([1, 2])('b', () => {})
    it.skip('c', () => {})
  })
}";

fn facts(path: &str, text: &str) -> FileFacts {
    analyze(Source { path, text: text.as_bytes() })
}

/// The tests of the last file, one a line with its lines; the others are found by path.
fn completed(files: &[(&str, &str)]) -> Vec<String> {
    let (path, text) = files.last().expect("a file");
    let others: BTreeMap<&str, &str> = files.iter().copied().collect();
    let mut modules = Modules::new(|path: &str| Ok(others.get(path).map(|text| Arc::new(facts(path, text)))));
    let mut facts = facts(path, text);
    modules.complete(path, &mut facts).expect("facts");
    facts.tests.iter().map(line).collect()
}

fn line(test: &Test) -> String {
    let skip = test.skip.as_ref().map_or(String::new(), |skip| format!(" {:?}@{}", skip.kind, skip.line));
    format!("{}-{} {:?} {}{skip}", test.span.start, test.span.end, test.level, test.qualified_name())
}

#[test]
fn a_call_defines_a_copy_of_each_test() {
    let user = "import { run } from '../shared.test'\n\ndescribe('X', () => {\n  run({\n    of: 1,\n  })\n})";
    assert_eq!(
        completed(&[("src/shared.test.ts", SHARED), ("src/x/x.test.ts", user)]),
        ["4-6 Shared X::Common::a", "4-6 Shared X::Common::b", "4-6 Shared X::Common::c Unconditional@4"]
    );
}

#[test]
fn a_copy_keeps_what_the_test_says() {
    let user = "import { run } from './shared.test'\nrun()";
    let mut user = facts("x.test.ts", user);
    let shared = facts("shared.test.ts", SHARED);
    let mut modules = Modules::new(|_: &str| Ok(None));
    modules.give("shared.test.ts", "shared.test.ts", &shared);
    modules.complete("x.test.ts", &mut user).expect("facts");
    let (copy, written) = (&user.tests[0], &shared.tests[0]);
    assert_eq!((&copy.body, &copy.words), (&written.body, &written.words));
    assert_eq!(copy.assertions.len(), 1);
    assert_eq!(user.tests[1].cases, Some(2));
}

#[test]
fn the_skip_of_the_calling_suite_applies_if_stronger() {
    let user = "import { run } from './shared.test'
                describe.skip('X', () => { run() })";
    let skipped = "Unconditional@2";
    for line in completed(&[("shared.test.ts", SHARED), ("x.test.ts", user)]) {
        assert!(line.ends_with(skipped), "{line}");
    }
}

#[test]
fn each_call_counts_and_own_tests_stay() {
    let user = "import { run } from './shared.test'
                it('own', () => {})
                describe('X', () => { run() })
                describe('Y', () => { run() })";
    assert_eq!(completed(&[("shared.test.ts", SHARED), ("x.test.ts", user)]).len(), 7);
}

#[test]
fn a_function_may_call_functions_of_its_file_and_of_others() {
    let all = "import { run } from './shared.test'
               function more() { it('d', () => {}) }
               export default () => { run(); describe('more', more) }";
    let user = "import all from './all.test'
                describe('X', () => { all() })";
    assert_eq!(
        completed(&[("shared.test.ts", SHARED), ("all.test.ts", all), ("x.test.ts", user)]),
        [
            "2-2 Shared X::Common::a",
            "2-2 Shared X::Common::b",
            "2-2 Shared X::Common::c Unconditional@2",
            "2-2 Shared X::more::d",
        ]
    );
    // In between nothing runs: the file holds the tests as templates of its own.
    let between = completed(&[("shared.test.ts", SHARED), ("all.test.ts", all)]);
    assert!(between.iter().all(|line| line.contains("Template")), "{between:?}");
}

#[test]
fn quiet_where_functions_call_each_other_in_a_circle() {
    let one = "import { two } from './two.test'\nexport function one() { two(); it('a', () => {}) }";
    let two = "import { one } from './one.test'\nexport function two() { one(); two(); it('b', () => {}) }";
    let user = "import { one } from './one.test'\none()";
    assert_eq!(
        completed(&[("one.test.ts", one), ("two.test.ts", two), ("x.test.ts", user)]),
        ["2-2 Shared a", "2-2 Shared b"]
    );
}

#[test]
fn quiet_where_the_import_leads_nowhere_or_to_no_tests() {
    let user =
        "import { run } from './missing'; import { helper } from './helper'; import { out } from '../../out'
                run(); helper(); out()";
    let helper = "export function helper() { return 1 }";
    assert!(completed(&[("test/helper.ts", helper), ("test/x.test.ts", user)]).is_empty());
}

#[test]
fn an_earlier_version_is_asked_first_and_a_later_one_if_it_lacks_the_function() {
    let mut modules = Modules::new(|_: &str| Ok(None));
    let mut give = |text| modules.give("shared.test.ts", "shared.test.ts", &facts("shared.test.ts", text));
    give("export function run() { it('a', () => {}); it('b', () => {}) }");
    give("export function run() { it('a', () => {}) }\nexport function fresh() { it('c', () => {}) }");
    let mut user = facts("x.test.ts", "import { run, fresh } from './shared.test'; run(); fresh()");
    modules.complete("x.test.ts", &mut user).expect("facts");
    let names: Vec<&str> = user.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}
