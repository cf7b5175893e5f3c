//! What stands inside a test: whether its checks can fail it, what it names, replaces and is fed with.

use super::*;
use crate::facts::{Reach, Test};

/// The first test of a file.
fn test(text: &str) -> Test {
    let facts = facts("a.test.js", text);
    facts.tests.into_iter().next().unwrap_or_else(|| panic!("no test in {text}"))
}

/// How the checks in the body of a test can be reached.
fn reach(body: &str) -> Vec<Reach> {
    let test = test(&format!("it('x', async () => {{ {body} }})"));
    test.assertions.iter().map(|check| check.reach).collect()
}

#[test]
fn handlers_that_forget_swallow_checks() {
    for handler in
        ["catch {}", "catch (e) { /* fine */ }", "catch (e) { console.log(e) }", "catch (e) { return }"]
    {
        assert_eq!(reach(&format!("try {{ expect(a).toBe(1) }} {handler}")), [Reach::Swallowed], "{handler}");
    }
    for handler in ["catch (e) { throw e }", "catch (e) { done(e) }", "catch (e) { error = e }"] {
        assert_eq!(reach(&format!("try {{ expect(a).toBe(1) }} {handler}")), [Reach::Branch], "{handler}");
    }
    assert_eq!(reach("try { f() } catch (e) { expect(e).toBe(1) }"), [Reach::Branch]);
    assert_eq!(reach("try { expect(a).toBe(1) } finally { g() }"), [Reach::Always]);
}

#[test]
fn what_never_runs_is_dead() {
    assert_eq!(reach("expect(a).toBe(1); return; expect(b).toBe(1)"), [Reach::Always, Reach::Dead]);
    assert_eq!(reach("throw new Error(); expect(b).toBe(1)"), [Reach::Dead]);
    assert_eq!(reach("if (x) return; expect(b).toBe(1)"), [Reach::Always]);
    assert_eq!(
        reach("if (false) { expect(a).toBe(1) } else { expect(b).toBe(1) }"),
        [Reach::Dead, Reach::Always]
    );
    assert_eq!(reach("for (const a of []) { expect(a).toBe(1) }"), [Reach::Dead]);
    assert_eq!(reach("return g(); function g() { expect(a).toBe(1) }"), [Reach::Always]);
}

#[test]
fn branches_and_loops_may_not_run() {
    assert_eq!(
        reach("if (x) { expect(a).toBe(1) } for (const b of load()) { expect(b).toBe(1) }"),
        [Reach::Branch, Reach::Branch]
    );
    assert_eq!(reach("for (const a of [1, 2]) { expect(a).toBe(1) }"), [Reach::Always]);
    assert_eq!(reach("const b = []; for (const a of b) { expect(a).toBe(1) }"), [Reach::Branch]);
}

#[test]
fn promises_that_nobody_waits_for() {
    assert_eq!(reach("expect(f()).resolves.toBe(1)"), [Reach::NotAwaited]);
    assert_eq!(reach("expect(f()).to.be.rejectedWith(E)"), [Reach::NotAwaited]);
    assert_eq!(reach("assert.rejects(f())"), [Reach::NotAwaited]);
    assert_eq!(reach("f().then((a) => { expect(a).toBe(1) })"), [Reach::NotAwaited]);
    for fine in [
        "await expect(f()).resolves.toBe(1)",
        "return expect(f()).rejects.toThrow()",
        "await Promise.all([expect(f()).resolves.toBe(1)])",
        "expect(f()).to.eventually.equal(1).notify(done)",
        "await f().then((a) => { expect(a).toBe(1) })",
        "f().then((a) => { expect(a).toBe(1) }); await flushPromises()",
    ] {
        assert_eq!(reach(fine), [Reach::Always], "{fine}");
    }
    let done = test("it('x', (done) => { f().then((a) => { expect(a).toBe(1) }) })");
    assert_eq!(done.assertions.first().map(|check| check.reach), Some(Reach::Always));
}

#[test]
fn vitest_waits_for_what_a_test_drops() {
    let text = "import { it, expect } from 'vitest'; it('x', () => { expect(f()).resolves.toBe(1) })";
    assert_eq!(test(text).assertions.first().map(|check| check.reach), Some(Reach::Always));
}

#[test]
fn functions_that_nobody_calls_check_nothing() {
    assert_eq!(reach("const check = () => { expect(a).toBe(1) }; run()"), [Reach::NeverCalled]);
    assert_eq!(reach("function check() { expect(a).toBe(1) } run()"), [Reach::NeverCalled]);
    assert_eq!(reach("const check = () => { expect(a).toBe(1) }; run(check)"), [Reach::Always]);
    assert_eq!(reach("run(() => { expect(a).toBe(1) })"), [Reach::Always]);
    assert_eq!(reach("const f = (a) => { expectTypeOf(a).toBeString() }"), [Reach::Always]);
}

#[test]
fn names_rows_and_stand_ins_are_kept() {
    let test = test(
        "const rows = [[5,6]]
it.each([[1,2], { a: 'b' }])('x', () => {
  const total = add( 1, 2 ), [p] = pair(), f = () => 1
  let later
  later = 'x'
  jest.spyOn(mailer, 'send'); const fn = vi.fn()
  sinon.stub(db, 'query').returns(1); jest.doMock('./mailer', () => 1)
})",
    );
    let bindings: Vec<String> =
        test.bindings.iter().map(|one| format!("{} {} = {}", one.line, one.name, one.value)).collect();
    assert_eq!(bindings, ["3 total = add(1, 2)", "5 later = \"x\"", "6 fn = vi.fn()"]);
    assert_eq!(test.rows, ["[1, 2]", "{a: \"b\"}"]);
    let doubles: Vec<&str> = test.doubles.iter().map(|one| one.target.as_str()).collect();
    assert_eq!(doubles, ["mailer.send", "", "db.query", "./mailer"]);
}

#[test]
fn rows_of_tables_are_kept() {
    let named = test("const rows = [1, 2]\ntest.each(rows)('x', (a) => { expect(a).toBe(1) })");
    assert_eq!(named.rows, ["1", "2"]);
    let table =
        test("test.each`\n a | b\n ${1} | ${2}\n ${3} | ${4}\n`('x', ({ a }) => { expect(a).toBe(1) })");
    assert_eq!(table.rows, ["a | b", "${1} | ${2}", "${3} | ${4}"]);
}

#[test]
fn chained_checks_are_about_the_chain() {
    let test = test("it('x', () => request(app)\n  .get('/')\n  .expect('a', 'b').expect(200))");
    let subjects: Vec<&str> = test.assertions.iter().map(|check| check.claim.subject.as_str()).collect();
    assert_eq!(subjects, ["request(app).get(\"/\").status", "request(app).get(\"/\").\"a\""]);
}

#[test]
fn constants_keep_their_value() {
    let facts = facts("a.test.ts", "const LIMIT = 10\nexport const NAMES = ['a',\n  'b',\n]");
    let values: Vec<_> = facts.definitions.iter().map(|one| one.value.as_deref()).collect();
    assert_eq!(values, [Some("10"), Some("[\"a\", \"b\"]")]);
}

#[test]
fn checks_inside_checks_and_branches_stay_linear() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
    for code in [deep("expect(", ").b"), deep("(a || ", ")"), deep("(a || expect(b).c(1) || ", ")")] {
        facts("a.test.js", &format!("it('x', () => {{ {code} }})"));
    }
}
