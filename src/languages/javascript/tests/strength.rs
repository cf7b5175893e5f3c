//! Assertions, definitions and comments.

use super::*;

fn assertions(body: &str) -> Vec<String> {
    let facts = facts("a.test.ts", &format!("it('x', async (t) => {{ {body} }})"));
    facts.tests.into_iter().flat_map(|test| test.assertions).map(|check| check.text).collect()
}

#[test]
fn an_expect_chain_is_one_assertion() {
    assert_eq!(assertions("expect(a).not.toBe(b)"), ["expect(a).not.toBe(b)"]);
    assert_eq!(assertions("await expect(f()).rejects.toThrow('x')").len(), 1);
    assert_eq!(assertions("expect(a).to.equal(1).and.to.be.ok"), ["expect(a).to.equal(1).and.to.be.ok"]);
    assert_eq!(assertions("expect(a).to.be.true; chai.expect(b).to.exist; expect.soft(c).toBe(1)").len(), 3);
    assert_eq!(assertions("expect(f(() => expect(a).toBe(1))).toBe(2)").len(), 2);
    assert_eq!(assertions("expect(total, 'to be', 2)").len(), 1);
    assert_eq!(assertions("expectTypeOf(a).toEqualTypeOf<B>(); assertType<A>(b)").len(), 2);
}

#[test]
fn setting_up_is_no_assertion() {
    assert_eq!(
        assertions("expect.assertions(2); expect.hasAssertions(); expect.extend({}); expect(a)").len(),
        0
    );
    assert_eq!(assertions("expect(a).toEqual(expect.objectContaining({ b: expect.any(String) }))").len(), 1);
    assert_eq!(
        assertions("t.plan(2); t.end(); console.assert(x); expected.push(1); assertions.clear()").len(),
        0
    );
}

#[test]
fn assert_functions_count() {
    assert_eq!(
        assertions(
            "assert(a); assert.equal(a, b); assert.strict.deepEqual(a, b); sinon.assert.calledOnce(f)"
        )
        .len(),
        4
    );
    assert_eq!(
        assertions("a.should.equal(b); should.exist(c); f.should.have.been.called; should(d).be.ok()").len(),
        4
    );
    assert_eq!(
        assertions(
            "t.is(a, b); t.deepEqual(a, b); t.assert.equal(a, b); t.log('x'); done.fail('x'); fail('y')"
        )
        .len(),
        4
    );
    check(
        "a.test.mjs",
        "import { strictEqual as same } from 'node:assert'; it('x', () => { same(1, 2) })",
        &["x, 1 asserts"],
    );
}

#[test]
fn chained_checks_count_one_each() {
    assert_eq!(
        assertions("request(app).get('/').expect(200).expect('a', 'b').end(done)"),
        ["expect('a', 'b')", "expect(200)"]
    );
    assert_eq!(assertions("cy.get('a').should('be.visible').click()").len(), 1);
}

#[test]
fn type_level_checks_count() {
    assert_eq!(assertions("type _ = Expect<Equal<A, B>>"), ["type _ = Expect<Equal<A, B>>"]);
}

#[test]
fn definitions_are_named_things_of_the_module() {
    let facts = facts(
        "src/cart.ts",
        "export function total(x: number) { function inner() {} return x }
         export const add = (a) => a; const LIMIT = 10
         class Cart { sum() {} get size() { return 1 } fresh = () => 1 }
         interface Item { a: string } type Id = string; enum Color { Red } abstract class Base {}
         exports.later = function () { const local = 1 }; module.exports = { run() {}, stop: () => 1, a: 1 }
         export default function () {}",
    );
    let found: Vec<String> =
        facts.definitions.iter().map(|one| format!("{:?} {}", one.kind, one.name)).collect();
    assert_eq!(
        found,
        [
            "Function total",
            "Function inner",
            "Function add",
            "Constant LIMIT",
            "Type Cart",
            "Function sum",
            "Function size",
            "Function fresh",
            "Type Item",
            "Type Id",
            "Type Color",
            "Type Base",
            "Function later",
            "Function run",
            "Function stop",
            "Function default",
        ]
    );
}

#[test]
fn helpers_keep_their_assertions() {
    let facts =
        facts("test/a.js", "const check = (x) => { expect(x).toBe(1); assert(x) }\nit('a', () => check(1))");
    let helper = facts.definitions.first().map(|one| (one.name.as_str(), one.kind, one.assertions.len()));
    assert_eq!(helper, Some(("check", DefinitionKind::Function, 2)));
}

#[test]
fn comments_are_kept_in_blocks() {
    let facts =
        facts("a.test.ts", "// a\n// b\nit('x', () => {\n  /* c */\n})\ninterface A {\n  // d\n  a: 1\n}");
    let spans: Vec<_> = facts.comments.iter().map(|comment| (comment.span.start, comment.span.end)).collect();
    assert_eq!(spans, [(1, 2), (4, 4), (7, 7)]);
}

#[test]
fn a_test_is_fingerprinted_without_its_title() {
    let facts = facts("a.test.js", "it('a', () => { f(1) })\nit.skip('b', function () { f(1) })");
    let bodies: Vec<_> = facts.tests.iter().map(|test| &test.body).collect();
    assert!(matches!(bodies[..], [a, b] if a == b));
}
