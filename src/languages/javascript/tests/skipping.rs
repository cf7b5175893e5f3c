//! Each way not to run, and how sure it is.

use super::*;

#[test]
fn modifiers_and_prefixes_skip() {
    check(
        "a.test.js",
        "it.skip('a', () => {}); xit('b', () => {}); xtest('c', () => {}); it.todo('d'); test.concurrent.skip('e', f)
         it['skip']('f', () => {}); it.skip.each([1, 2])('g', () => {}); it('ok', () => {})",
        &[
            "a, Unconditional/Test",
            "b, Unconditional/Test",
            "c, Unconditional/Test",
            "d, Unconditional/Test",
            "e, Unconditional/Test",
            "f, Unconditional/Test",
            "g, 2 cases, Unconditional/Test",
            "ok",
        ],
    );
}

#[test]
fn suites_pass_their_skip_on() {
    check(
        "a.test.js",
        "describe.skip('a', () => { it('x', () => {}) }); xdescribe('b', () => { it('x', () => {}) })
         xcontext('c', () => { describe('d', () => { it('x', () => {}) }) }); describe('e', () => { it('x', f) })",
        &[
            "a::x, Unconditional/Suite",
            "b::x, Unconditional/Suite",
            "c::d::x, Unconditional/Suite",
            "e::x",
        ],
    );
}

#[test]
fn titles_without_a_function_are_pending() {
    check(
        "test/a.js",
        "it('later'); it('now', () => {}); describe('nothing')",
        &["later, Unconditional/Test", "now"],
    );
}

#[test]
fn focus_disables_the_rest() {
    check("a.test.js", "it.only('a', () => {}); it('b', () => {})", &["a", "b, Focus/File"]);
    check("a.test.js", "fit('a', () => {}); it('b', () => {})", &["a", "b, Focus/File"]);
    check(
        "a.test.js",
        "fdescribe('s', () => { it('a', () => {}) }); describe.only('u', () => { it('b', f) }); it('c', () => {})",
        &["s::a", "u::b", "c, Focus/File"],
    );
    check("a.test.js", "test('a', { only: true }, () => {}); test('b', () => {})", &["a", "b, Focus/File"]);
}

#[test]
fn expected_failures_run() {
    check(
        "a.test.js",
        "it.fails('a', () => {}); it.failing('b', () => {}); it('c', { fails: true }, () => {}); test.fail('d', () => {})",
        &[
            "a, ExpectedFailure/Test",
            "b, ExpectedFailure/Test",
            "c, ExpectedFailure/Test",
            "d, ExpectedFailure/Test",
        ],
    );
}

#[test]
fn conditions_decide_between_sure_and_maybe() {
    check(
        "a.test.ts",
        "it.skipIf(isWindows)('a', () => {}); it.skipIf(true)('b', () => {}); it.skipIf(false)('c', () => {})
         it.runIf(isWindows)('d', () => {}); it.runIf(false)('e', () => {}); it.runIf(!0)('f', () => {})
         describe.skipIf(process.env.CI)('g', () => { it('x', () => {}) })",
        &[
            "a, Conditional/Test",
            "b, Unconditional/Test",
            "c",
            "d, Conditional/Test",
            "e, Unconditional/Test",
            "f",
            "g::x, Conditional/Suite",
        ],
    );
}

#[test]
fn options_skip_with_a_reason() {
    check(
        "a.test.mjs",
        "import test from 'node:test'
         test('a', { skip: true }, () => {}); test('b', { skip: 'flaky' }, () => {}); test('c', { skip: false }, f)
         test('d', { skip: process.platform === 'win32' }, () => {}); test('e', { todo: 'soon' }, () => {})
         test('f', () => {}, { skip: true }); test('g', { timeout: 5 }, () => {})
         test('h', async t => { await t.test('i', { skip: true }, () => {}) })",
        &[
            "a, Unconditional/Test",
            "b, Unconditional/Test \"flaky\"",
            "c",
            "d, Conditional/Test",
            "e, Unconditional/Test \"soon\"",
            "f, Unconditional/Test",
            "g",
            "h",
            "  h::i, Unconditional/Test",
        ],
    );
}

#[test]
fn statements_skip_the_test_they_stand_in() {
    check(
        "a.test.js",
        "it('a', function () { this.skip(); f() }); it('b', function () { if (!fast) this.skip() })
         it('c', (t) => { t.skip('slow') }); it('d', (ctx) => { ctx.skip() }); it('e', () => { pending('later') })
         it('f', ({ skip }) => { skip() }); it('g', function () { if (true) { this.skip() } })
         it('h', function () { slow && this.skip() }); it('i', function () { list.forEach(() => this.skip()) })
         it('j', (ctx) => { ctx.skip(isCI, 'flaky') }); it('k', function () { skipUnlessRoot(this) }); it('l', () => {})",
        &[
            "a, Unconditional/Test",
            "b, Conditional/Test",
            "c, Unconditional/Test \"slow\"",
            "d, Unconditional/Test",
            "e, Unconditional/Test \"later\"",
            "f, Unconditional/Test",
            "g, Unconditional/Test",
            "h, Conditional/Test",
            "i, Conditional/Test",
            "j, Conditional/Test \"flaky\"",
            "k, Conditional/Test",
            "l",
        ],
    );
}

#[test]
fn hooks_skip_their_suite() {
    check(
        "test/a.js",
        "describe('a', function () { before(function () { this.skip() }); it('x', function () {}) })
         describe('b', function () { before(function () { if (!db) this.skip() }); it('x', function () {}) })
         describe('c', () => { beforeEach(({ skip: leave }) => { if (old) leave() }); it('x', () => {}) })",
        &["a::x, Unconditional/Suite", "b::x, Conditional/Suite", "c::x, Conditional/Suite"],
    );
}

#[test]
fn playwright_skips_by_statement() {
    check(
        "e2e/a.spec.ts",
        "test.describe('s', () => {
           test.skip(({ browserName }) => browserName !== 'chromium', 'chromium only')
           test('a', async () => {})
         })
         test('b', async () => { test.skip(); f() })
         test('c', async () => { test.skip(isMac, 'not on mac') })
         test('d', async () => { test.fixme(true, 'broken') })
         test('e', async () => { test.fail() })
         test.skip('f', async () => {}); test.fixme('g', async () => {}); test('h', async () => {})",
        &[
            "s::a, Conditional/Suite \"chromium only\"",
            "b, Unconditional/Test",
            "c, Conditional/Test \"not on mac\"",
            "d, Unconditional/Test \"broken\"",
            "e, ExpectedFailure/Test",
            "f, Unconditional/Test",
            "g, Unconditional/Test",
            "h",
        ],
    );
}

#[test]
fn aliases_carry_their_skip() {
    check(
        "a.test.js",
        "const itWin = process.platform === 'win32' ? it : it.skip
         const maybe = cond ? describe : describe.skip; const never = it.skip; const off = false ? it : xit
         const itIf = (cond) => (cond ? it : it.skip)
         itWin('a', () => {}); maybe('s', () => { it('b', () => {}) }); never('c', () => {}); off('d', () => {})
         itIf(x)('e', () => {}); testOn(y)('f', () => {}); (z ? describe.skip : describe)('t', () => { it('g', h) })
         function testOn(os) { return os ? test : test.skip }",
        &[
            "a, Conditional/Test",
            "s::b, Conditional/Suite",
            "c, Unconditional/Test",
            "d, Unconditional/Test",
            "e, Conditional/Test",
            "f, Conditional/Test",
            "t::g, Conditional/Suite",
        ],
    );
}

#[test]
fn renamed_and_extended_runners_are_followed() {
    check(
        "src/a.ts",
        "import { test as base } from 'vitest'; const it = base.extend({ a: 1 }); const check = it
         it('a', () => {}); check.skip('b', () => {}); base.only('c', () => {})",
        &["a, Focus/File", "b, Unconditional/Test", "c"],
    );
}

#[test]
fn early_returns_skip() {
    check(
        "a.test.js",
        "it('a', () => { return; expect(1).toBe(1) })
         it('b', (done) => { 'use strict'; /* why */ return done(); f() })
         it('c', () => { if (isWindows) return; f() })
         it('d', () => { if (isWindows) { console.log('no'); return } f() })
         it('e', () => { return expect(f()).resolves.toBe(1); })
         it('f', () => { return run(); more() })
         it('g', () => { return })
         it('h', () => { f(); return; g() })
         it('i', () => { if (x) { expect(x).toBe(1); return } f() })",
        &[
            "a, 1 asserts, Unconditional/Test",
            "b, Unconditional/Test",
            "c, Conditional/Test",
            "d, Conditional/Test",
            "e, 1 asserts",
            "f",
            "g",
            "h",
            "i, 1 asserts",
        ],
    );
}

#[test]
fn skips_elsewhere_do_not_count() {
    check(
        "a.test.js",
        "function helper() { this.skip() }
         class Parser { next() { this.skip() } }
         it('a', () => { parser.skip(); stream.skip(1); expect(skipSpace('x')).toBe(1) })",
        &["a, 1 asserts"],
    );
}

#[test]
fn marks_say_where_and_what() {
    let facts = facts("a.test.js", "\nit.skip('a', () => {})");
    let skip = facts.tests.first().and_then(|test| test.skip.clone());
    assert_eq!(skip.map(|skip| (skip.line, skip.mark)), Some((2, "it.skip".to_owned())));
}
