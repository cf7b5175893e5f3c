//! Which calls are tests, in which files, under which names.

use super::*;

#[test]
fn mocha_bdd_nests_suites() {
    check(
        "test/cart.js",
        "describe('Cart', function () {
           context('when empty', function () { it('has no total', function () {}) })
           specify('adds', () => {})
         })",
        &["Cart::when empty::has no total", "Cart::adds"],
    );
}

#[test]
fn mocha_tdd_uses_suite_and_test() {
    check("test/cart.js", "suite('Cart', () => { test('adds', done => { done() }) })", &["Cart::adds"]);
}

#[test]
fn node_test_knows_subtests_and_unnamed_tests() {
    check(
        "src/a.mjs",
        "import test, { describe, it } from 'node:test'
         test('outer', async (t) => { await t.test('inner', () => {}); await t.test('other', (t) => {}) })
         test(function named() {})
         test(() => {})
         test.describe('group', () => { it('works', () => {}) })",
        &["outer", "  outer::inner", "  outer::other", "named", "(anonymous)", "group::works"],
    );
}

#[test]
fn ava_and_tap_are_known_by_their_import() {
    check(
        "src/a.js",
        "import check from 'ava'; check.serial('a', t => {}); check('b', macro, 1); check.before(t => {})",
        &["a", "b"],
    );
    check(
        "src/b.js",
        "const t = require('tap')
         t.test('outer', t => { t.test('inner', t => { t.end() }); t.end() })",
        &["outer", "  outer::inner"],
    );
    check("src/c.js", "const tape = require('tape'); tape('adds', t => t.end())", &["adds"]);
}

#[test]
fn playwright_groups_by_test_describe() {
    check(
        "src/login.ts",
        "import { test as base, expect } from '@playwright/test'
         const test = base.extend<{ page: Page }>({})
         test.describe('login', () => {
           test.beforeEach(async ({ page }) => {})
           test('works', async ({ page }) => { await test.step('open', async () => {}) })
           test.describe.parallel('more', () => { test('also', async () => {}) })
           test.describe.configure({ mode: 'serial' })
         })",
        &["login::works", "login::more::also"],
    );
}

#[test]
fn uvu_deno_and_qunit_define_tests() {
    check(
        "src/a.js",
        "import { suite } from 'uvu'; const Cart = suite('Cart'); Cart('adds', () => {}); Cart.run()",
        &["adds"],
    );
    check(
        "src/b.ts",
        "Deno.test('one', () => {}); Deno.test({ name: 'two', ignore: true, fn() { f() } })",
        &["one", "two, Unconditional/Test"],
    );
    check(
        "tests/c.js",
        "QUnit.module('Cart', () => { QUnit.test('adds', assert => { assert.expect(1); assert.propEqual(a, b) }) })",
        &["Cart::adds, 1 asserts"],
    );
}

#[test]
fn titles_are_taken_as_written() {
    check(
        "a.test.ts",
        "it(`adds ${n}\n      items`, () => {})
         it('can\\'t', () => {}); it(\"can't\", () => {})
         it('a' + b, () => {}); it(title, () => {}); describe(Cart.name, () => { it('x', fn) })",
        &["adds ${n} items", "can't", "can't", "'a' + b", "title", "Cart.name::x"],
    );
}

#[test]
fn loops_and_helpers_give_one_entry_a_site() {
    check(
        "a.spec.js",
        "for (const x of [1, 2, 3]) { it(`a ${x}`, () => {}) }
         ['p', 'q'].forEach(name => it(name, () => {}))
         methods.forEach((m) => { it(m, () => {}) })
         function shared() { it('shared', () => {}) }
         it('chained', function () {}).timeout(500)
         shared()",
        &["a ${x}, 3 cases", "name, 2 cases", "m, ? cases", "shared", "chained"],
    );
}

#[test]
fn tables_multiply_cases() {
    check(
        "a.test.ts",
        "const rows = [[1, 2], [3, 4], [5, 6]] as const
         it.each([1, 2])('%i', (n) => {})
         test.each<Row>(rows)('row', (n) => {})
         test.each`
           a    | b
           ${1} | ${2}
           ${3} | ${4}
         `('$a', () => {})
         it.each([...rows, 1])('spread', () => {})
         it.concurrent.each(load())('unknown', () => {})
         describe.each([1, 2])('outer', () => { it.for([1, 2, 3])('inner', () => {}); it('plain', () => {}) })
         it.each(Object.entries({ a: 1, b: 2 }))('%s', () => {})",
        &[
            "%i, 2 cases",
            "row, 3 cases",
            "$a, 2 cases",
            "spread, ? cases",
            "unknown, ? cases",
            "outer::inner, 6 cases",
            "outer::plain, 2 cases",
            "%s, 2 cases",
        ],
    );
}

#[test]
fn wrapped_callbacks_are_tests() {
    check(
        "a.spec.ts",
        "it('a', inject([Cart], (cart) => { expect(cart).toBe(1) })); it('b', fakeAsync(() => {})); it('c', run)",
        &["a, 1 asserts", "b", "c"],
    );
}

#[test]
fn names_of_imported_wrappers_tell_what_they_are() {
    check(
        "a.test.js",
        "import { itWithServer, describeIf, testUtils } from './helpers'
         describeIf(process.env.DB)('db', () => { itWithServer('works', async () => {}) })
         testUtils('setup'); itWithServer(options)",
        &["db::works, Conditional/Suite"],
    );
}

#[test]
fn local_functions_hide_the_names_of_runners() {
    check(
        "a.test.js",
        "function test(title, input) { it(title, () => { parse(input) }) }
         test('x', () => 1); const suite = new Bench(); suite.add('y', () => {})",
        &["title"],
    );
}

#[test]
fn other_things_called_test_do_not_count() {
    check(
        "test/a.js",
        "if (/x/.test(y)) process.exit(1); pattern.test('a', () => {}); re.test(str); exit('a', () => {})
         const test = request(app).get('/'); test.write('x'); test.set('a', fn); test(value); it(x)
         // it('commented', () => {})
         const text = \"it('string', () => {})\"; const more = `it('template', () => {})`
         context.res.text('a', () => {}); limit('b', () => {}); submit('c', () => {}); page.it('d', () => {})",
        &[],
    );
}

#[test]
fn paths_that_merely_contain_test_do_not_count() {
    let text = "it('x', () => {})";
    let quiet = [
        "src/latest.ts",
        "src/attestation/a.ts",
        "src/contest.js",
        "src/inspect.js",
        "src/testing.ts",
        "src/aspect/a.js",
        "node_modules/a/test/a.js",
        "src/Latest.tsx",
    ];
    for path in quiet {
        check(path, text, &[]);
    }
    let loud = [
        "src/a.test.ts",
        "src/a.spec.tsx",
        "a_test.js",
        "a-test.mjs",
        "src/__tests__/a.js",
        "test/a.js",
        "tests/deep/a.cjs",
        "spec/a.js",
        "e2e/a.ts",
        "test.js",
        "test-a.js",
        "src/a.test-d.ts",
        "CartSpec.js",
        "a.cy.ts",
    ];
    for path in loud {
        check(path, text, &["x"]);
    }
}

#[test]
fn importing_a_runner_makes_a_test_file() {
    check("src/a.ts", "import { it } from 'vitest'; it('x', () => {})", &["x"]);
    check("src/a.js", "const { it: spec } = require('mocha'); spec('x', () => {})", &["x"]);
    check(
        "src/a.ts",
        "if (import.meta.vitest) { const { it } = import.meta.vitest; it('x', () => {}) }",
        &["x"],
    );
    check("src/a.ts", "import type { Test } from 'vitest'; it('x', () => {})", &[]);
    check("vitest.config.ts", "import { defineConfig } from 'vitest/config'; it('x', () => {})", &[]);
}

#[test]
fn tests_in_other_files_are_definitions() {
    let facts = facts("src/a.js", "it('adds', () => { expect(1).toBe(1) })");
    assert_eq!(facts.tests, []);
    let found: Vec<_> =
        facts.definitions.iter().map(|found| (found.name.as_str(), found.assertions.len())).collect();
    assert_eq!(found, [("adds", 1)]);
}

#[test]
fn tsx_and_jsx_are_read() {
    let text = "it('renders', () => { const view = render(<App a={1}>{list.map(x => <i>{x}</i>)}</App>); expect(view).toBe(1) })";
    check("a.test.tsx", text, &["renders, 1 asserts"]);
    check("a.test.jsx", text, &["renders, 1 asserts"]);
}
