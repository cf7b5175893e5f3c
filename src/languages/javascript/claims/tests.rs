//! Text in, claim out, one line each.

use super::super::super::testing::check_claims;
use super::claim;

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC*") {
        claim(&text);
    }

    #[test]
    fn no_check_makes_it_panic(text in "(assert|expect|\\(|\\)|a|\\.|should|not|toBe|'|\"|`|=|/| |,|all|typeof|é|\\[|\\{|>)*") {
        claim(&text);
    }
}

#[test]
fn depth_costs_no_stack() {
    for open in ["expect(", "(", "!(", "assert(", "(a || ", "a.should.", "() => {", "`${"] {
        claim(&open.repeat(2048 / open.len()));
        claim(&format!("assert {}1{}", open.repeat(200), ")".repeat(200)));
    }
}

#[test]
fn matchers_of_jest_vitest_and_jasmine() {
    check_claims(
        claim,
        &[
            ("expect(a).toBe(3)", "Value a = 3"),
            ("expect(await f(a, b)).toEqual({ c: 'd', })", "Value f(a, b) = {c: \"d\"}"),
            ("expect(a).toStrictEqual(b)", "Structure a = b"),
            ("expect(a).not.toBe(3)", "Bound not a = 3"),
            ("expect(a).toBe(true)", "Value a = true"),
            ("expect(a).toBeTruthy()", "Truthy a"),
            ("expect(a === 3).toBeTruthy()", "Value a = 3"),
            ("expect(a).toBeFalsy()", "Value a = false"),
            ("expect(a).not.toBeFalsy()", "Truthy a"),
            ("expect(`a${b}`).toBe('ac')", "Value `a${b}` = \"ac\""),
            ("expect(a).toBeNull()", "Value a = null"),
            ("expect(a).not.toBeNull()", "NotNull not a = null"),
            ("expect(a).toBeDefined()", "NotNull not a = undefined"),
            ("expect(a).toBeUndefined()", "Value a = undefined"),
            ("expect(a).toHaveLength(3)", "Value a.length = 3"),
            ("expect(a).toHaveProperty('b')", "Shape a = \"b\""),
            ("expect(a).toHaveProperty('b', 1)", "Value a.b = 1"),
            ("expect(a).toContain('b')", "Pattern a = \"b\""),
            ("expect(a).not.toContain('b')", "Pattern not a = \"b\""),
            ("expect(a).toMatch(/b(\\)'/)", "Pattern a = /b(\\)'/"),
            ("expect(a).toMatchObject({ b: 1 })", "Pattern a = {b: 1}"),
            ("expect(a).toBeInstanceOf(B)", "Shape a = B"),
            ("expect(a).toBeGreaterThan(3)", "Bound a = 3 AtLeast(3.0)"),
            ("expect(a).not.toBeGreaterThan(3)", "Bound a = 3 AtMost(3.0)"),
            ("expect(a).toBeCloseTo(0.3)", "Approximate a = 0.3 Digits(2.0)"),
            ("expect(a).toBeCloseTo(0.3, 5)", "Approximate a = 0.3 Digits(5.0)"),
            ("expect(a).toEqual(expect.any(String))", "Shape a = expect.any(String)"),
            ("expect(a).toEqual(expect.objectContaining(b))", "Pattern a = expect.objectContaining(b)"),
            ("expect(a).toEqual(expect.anything())", "NotNull not a = null"),
            ("expect(a).toMatchSnapshot()", "Snapshot Value a"),
            ("expect(a).toMatchInlineSnapshot(`\n  b\n`)", "Snapshot Value a = ` b `"),
            ("expect.soft(a).toBe(1)", "Value a = 1"),
            ("expect.poll(() => a()).toBe(1)", "Value a() = 1"),
            ("await expect(f()).resolves.toBe(1)", "Value f() = 1"),
            ("expect(el).toBeInTheDocument()", "NotNull el = toBeInTheDocument"),
            ("expect(el).toHaveTextContent('a')", "Pattern el = \"a\""),
            ("expect(true).toBe(true)", "Tautology true"),
            ("expect(true).toBe(false)", "Failure Value"),
            ("expect.fail('why')", "Failure Value"),
            ("expect(a).toBeSomethingElse()", "Helper Value expect(a).toBeSomethingElse()"),
            ("expectTypeOf(a).toEqualTypeOf<B>()", "Shape expectTypeOf(a) = .toEqualTypeOf<B>()"),
        ],
    );
}

#[test]
fn errors_that_are_expected() {
    check_claims(
        claim,
        &[
            ("expect(() => f(a)).toThrow()", "Raises Shape f(a)"),
            ("expect(() => { f(a); }).toThrow('no')", "Raises Pattern f(a) ~ \"no\""),
            ("expect(() => f(a)).toThrow(TypeError)", "Raises Shape f(a) = TypeError"),
            ("expect(f).toThrow(new TypeError('no'))", "Raises Pattern f = TypeError ~ \"no\""),
            ("expect(() => f()).not.toThrow()", "Raises Shape not f()"),
            ("expect(f()).rejects.toThrow(/no/)", "Raises Pattern f() ~ /no/"),
            ("expect(f()).rejects.toEqual({ a: 1 })", "Raises Pattern f() ~ {a: 1}"),
            ("expect(f).to.throw(TypeError, 'no')", "Raises Pattern f = TypeError ~ \"no\""),
            ("expect(f).to.throw", "Raises Shape f"),
            ("assert.throws(() => f(a), TypeError)", "Raises Shape f(a) = TypeError"),
            ("assert.throws(() => f(a), /no/)", "Raises Pattern f(a) ~ /no/"),
            ("assert.throws(f, { code: 'A' })", "Raises Pattern f ~ {code: \"A\"}"),
            ("assert.throws(f, 'should fail')", "Raises Shape f"),
            ("assert.doesNotThrow(f)", "Raises Shape not f"),
            ("await assert.rejects(f(), TypeError)", "Raises Shape f() = TypeError"),
            ("t.throws(f, { message: 'a' })", "Raises Pattern f ~ {message: \"a\"}"),
        ],
    );
}

#[test]
fn chai_and_should() {
    check_claims(
        claim,
        &[
            ("expect(a).to.equal(3)", "Value a = 3"),
            ("expect(a).to.deep.equal({ b: 1 })", "Value a = {b: 1}"),
            ("expect(a).to.be.true", "Value a = true"),
            ("expect(a).to.not.be.undefined", "NotNull not a = undefined"),
            ("expect(a).to.exist", "NotNull not a = null"),
            ("expect(a).to.not.exist", "Value a = null"),
            ("expect(a).to.be.ok", "Truthy a"),
            ("expect(a).to.be.an('array')", "Shape a = \"array\""),
            ("expect(a).to.be.an('array').that.includes(2)", "Pattern a = 2"),
            ("expect(a).to.have.property('b').that.equals(2)", "Value a.b = 2"),
            ("expect(a).to.have.length.above(2)", "Bound a.length = 2 AtLeast(2.0)"),
            ("expect(a).to.have.lengthOf(2)", "Value a.length = 2"),
            ("expect(a).to.be.closeTo(1, 0.5)", "Approximate a = 1 Tolerance(0.5)"),
            ("expect(a).to.be.empty", "Value a = empty"),
            ("expect(spy).to.have.been.calledWith(1, 2)", "Called Value spy = 1, 2"),
            ("chai.expect(a).to.equal(3)", "Value a = 3"),
            ("a.b.should.equal(3)", "Value a.b = 3"),
            ("should.exist(a)", "NotNull not a = null"),
            ("should.not.exist(a)", "Value a = null"),
            ("should(a).be.ok()", "Truthy a"),
            ("f.should.have.been.called", "Called Truthy f"),
        ],
    );
}

#[test]
fn functions_of_assert_and_contexts() {
    check_claims(
        claim,
        &[
            ("assert(a)", "Truthy a"),
            ("assert(a === 3, 'why')", "Value a = 3"),
            ("assert.ok(a.includes('b'))", "Pattern a = \"b\""),
            ("assert(['a', 'b'].includes(c))", "Pattern c = [\"a\", \"b\"]"),
            ("assert(a instanceof B)", "Shape a = B"),
            ("assert(typeof a === 'string')", "Shape a = \"string\""),
            ("assert(a.indexOf('b') !== -1)", "Pattern a = \"b\""),
            ("assert(a.indexOf('b') >= 0)", "Pattern a = \"b\""),
            ("assert(a.indexOf('b') > -1)", "Pattern a = \"b\""),
            ("assert(~a.indexOf('b'))", "Pattern a = \"b\""),
            ("assert(!a)", "Value a = false"),
            ("assert.equal(a, 3)", "Value a = 3"),
            ("assert.equal(3, a)", "Value a = 3"),
            ("assert.strictEqual(a, b, 'why')", "Value a = b"),
            ("assert.deepStrictEqual(a, [1])", "Structure a = [1]"),
            ("assert.notEqual(a, 3)", "Bound not a = 3"),
            ("assert.strict.equal(a, 3)", "Value a = 3"),
            ("assert.match(a, /b/)", "Pattern a = /b/"),
            ("assert.doesNotMatch(a, /b/)", "Pattern not a = /b/"),
            ("assert.isNull(a)", "Value a = null"),
            ("assert.isTrue(a)", "Value a = true"),
            ("assert.isTrue(a > 3)", "Bound a = 3 AtLeast(3.0)"),
            ("assert.isAtLeast(a, 3)", "Bound a = 3 AtLeast(3.0)"),
            ("assert.instanceOf(a, B)", "Shape a = B"),
            ("assert.fail('why')", "Failure Value"),
            ("assertEquals(a, 3)", "Value a = 3"),
            ("assertNotEquals(a, 3)", "Bound not a = 3"),
            ("assertSomething(a)", "Helper Value assertSomething(a)"),
            ("sinon.assert.calledWith(f, 1)", "Called Value f = 1"),
            ("sinon.assert.notCalled(f)", "Called Truthy not f"),
            ("sinon.assert.calledOnce(f)", "Called Shape f = calledOnce"),
            ("t.is(a, 3)", "Value a = 3"),
            ("t.not(a, 3)", "Bound not a = 3"),
            ("t.true(a)", "Value a = true"),
            ("t.deepEqual(a, b)", "Value a = b"),
            ("t.notOk(a)", "Value a = false"),
            ("t.pass()", "Tautology"),
            ("t.error(err)", "Value err = null"),
        ],
    );
}

#[test]
fn doubles_that_were_called() {
    check_claims(
        claim,
        &[
            ("expect(f).toHaveBeenCalledWith(1, 2)", "Called Value f = 1, 2"),
            ("expect(f).toHaveBeenCalledTimes(2)", "Called Shape f = 2"),
            ("expect(f).toHaveBeenCalledOnce()", "Called Shape f = toHaveBeenCalledOnce"),
            ("expect(f).toHaveBeenCalled()", "Called Truthy f"),
            ("expect(f).not.toHaveBeenCalled()", "Called Truthy not f"),
        ],
    );
}

#[test]
fn checks_in_words() {
    check_claims(
        claim,
        &[
            ("expect(200)", "Value status = 200"),
            ("expect(200, done)", "Value status = 200"),
            ("expect(200, 'hi', done)", "Value status = 200, \"hi\""),
            ("expect('Content-Type', /json/)", "Pattern \"Content-Type\" = /json/"),
            ("expect({ a: 1 })", "Value body = {a: 1}"),
            ("should('eq', 3)", "Value = 3"),
            ("should('not.exist')", "Value = null"),
            ("should('have.length', 3)", "Value .length = 3"),
            ("should('be.visible')", "NotNull = visible"),
            ("expect(a, 'to be', 2)", "Value a = 2"),
            ("expect(a, 'not to equal', 2)", "Bound not a = 2"),
            ("expect(a, 'to be', 2).and('to be ok')", "Value a = 2"),
            ("expect(f, 'was not called')", "Called Truthy not f"),
            ("expect(f, 'was called once')", "Called Shape f = was called once"),
            ("expect(f, 'to have a call satisfying', [1])", "Called Value f = [1]"),
        ],
    );
}
