//! Assertions of Go and what they claim.

use super::super::super::testing::claimed;
use super::*;

fn check(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(claimed(&claim(text)), *expected, "{text}");
    }
}

#[test]
fn testify() {
    check(&[
        ("assert.Equal(t, 3, total(cart))", "Value total(cart) = 3"),
        ("assert.Equal(t, got, 3)", "Value got = 3"),
        ("require.Equalf(t, want, got, \"x %d\", 1)", "Value got = want"),
        ("s.Equal(3, x)", "Value x = 3"),
        ("s.Require().Equal(3, x)", "Value x = 3"),
        ("assert.Equal(t, 1, 1)", "Tautology 1 = -"),
        ("assert.NotEqual(t, 1, x)", "not Bound x = 1"),
        ("assert.True(t, a == 1)", "Value a = 1"),
        ("assert.True(t, ok, \"why\")", "Truthy ok = true"),
        ("assert.True(t, strings.Contains(s, \"a\"))", "Pattern s = \"a\""),
        ("assert.False(t, ok)", "not Value ok = false"),
        ("assert.Nil(t, x)", "Value x = nil"),
        ("assert.Nil(t, err)", "Shape err = nil"),
        ("assert.NotNil(t, x)", "NotNull x = -"),
        ("require.NoError(t, err)", "Shape err = nil"),
        ("assert.Error(t, err)", "Raises Shape err = -"),
        ("assert.ErrorIs(t, err, io.EOF)", "Raises Value err = io.EOF"),
        ("assert.EqualError(t, err, \"bad\")", "Raises Value err = - ~ \"bad\""),
        ("assert.ErrorContains(t, err, \"bad\")", "Raises Pattern err = - ~ \"bad\""),
        ("assert.Len(t, xs, 3)", "Value len(xs) = 3"),
        ("assert.Empty(t, xs)", "Value xs = empty"),
        ("assert.Empty(t, cmp.Diff(want, got))", "Value got = want"),
        ("assert.NotEmpty(t, xs)", "NotNull xs = -"),
        ("assert.Contains(t, s, \"a\")", "Pattern s = \"a\""),
        ("assert.NotContains(t, s, \"a\")", "not Pattern s = \"a\""),
        ("assert.InDelta(t, 1.5, x, 0.1)", "Approximate x = 1.5 Tolerance(0.1)"),
        ("assert.Greater(t, n, 3)", "Bound n = 3 AtLeast(3.0)"),
        ("assert.GreaterOrEqual(t, n, len(want), \"why\")", "Bound n = len(want)"),
        ("assert.GreaterOrEqual(t, len(xs), 0)", "Tautology len(xs) = -"),
        ("assert.True(t, len(xs) >= 0)", "Tautology len(xs) = -"),
        ("assert.True(t, len(xs) > 0)", "Bound len(xs) = 0 AtLeast(0.0)"),
        ("assert.Same(t, a, b)", "Structure b = a"),
        ("assert.IsType(t, &Foo{}, x)", "Shape x = &Foo{}"),
        ("assert.Panics(t, func() { f() })", "Raises Shape func() {f()} = -"),
        ("assert.Fail(t, \"no\")", "Failure Value  = -"),
        ("t.Errorf(\"got %d\", x)", "Failure Value  = -"),
        ("testutil.Ok(t, err)", "Shape err = nil"),
        ("is.Equal(a, 3)", "Value a = 3"),
        ("testutil.RequireErrorContains(t, err, \"bad\")", "Raises Pattern err = - ~ \"bad\""),
        ("m.AssertExpectations(t)", "Called Value m = expectations"),
        ("m.AssertCalled(t, \"Get\", 1)", "Called Value m.Get = (1)"),
    ]);
}

#[test]
fn checkers() {
    check(&[
        ("c.Assert(x, qt.Equals, 3)", "Value x = 3"),
        ("c.Assert(err, qt.IsNil)", "Shape err = nil"),
        ("c.Assert(f, qt.Not(qt.IsNil))", "NotNull f = -"),
        ("c.Assert(n > 3, qt.IsTrue)", "Bound n = 3 AtLeast(3.0)"),
        ("c.Assert(x, qt.Not(qt.Equals), 3)", "not Bound x = 3"),
        ("c.Check(xs, HasLen, 3)", "Value len(xs) = 3"),
        ("c.Assert(err, qt.ErrorMatches, \"bad.*\")", "Raises Pattern err = - ~ \"bad.*\""),
        ("qt.Assert(t, qt.Equals(x, 3))", "Value x = 3"),
        ("So(x, ShouldEqual, 3)", "Value x = 3"),
        ("So(x, ShouldNotBeNil)", "NotNull x = -"),
        ("So(x, ShouldBeGreaterThan, 3)", "Bound x = 3 AtLeast(3.0)"),
    ]);
}

#[test]
fn gomega_chains() {
    check(&[
        ("Expect(x).To(Equal(3))", "Value x = 3"),
        ("g.Expect(x).NotTo(Equal(3))", "not Bound x = 3"),
        ("Expect(err).NotTo(HaveOccurred())", "Shape err = nil"),
        ("Expect(err).To(MatchError(\"bad\"))", "Raises Value err = - ~ \"bad\""),
        ("Expect(s).To(ContainSubstring(\"a\"))", "Pattern s = ContainSubstring(\"a\")"),
        ("Expect(n).To(BeNumerically(\">\", 3))", "Bound n = 3 AtLeast(3.0)"),
        ("Eventually(f).WithTimeout(s).Should(BeTrue())", "Truthy f = true"),
    ]);
}

#[test]
fn failing_conditions() {
    for (condition, expected) in [
        ("got != want", "Failure Value got = want"),
        ("!reflect.DeepEqual(got, want)", "Failure Value got = want"),
        ("err != nil", "Failure Shape err = nil"),
        ("err == nil", "Raises Shape err = -"),
        ("!strings.Contains(out, \"a\")", "Failure Pattern out = \"a\""),
        ("!ok", "Failure Truthy ok = true"),
        ("len(xs) != 3", "Failure Value len(xs) = 3"),
        ("n < 3", "Failure Bound n = 3 AtLeast(3.0)"),
        ("n < len(want)", "Failure Bound n = len(want)"),
        ("time.Since(*created) < time.Second*5", "Failure Bound time.Since(*created) = time.Second*5"),
        ("!errors.Is(err, io.EOF)", "Failure Value err = io.EOF"),
        ("x != 1 || err != nil", "Failure Value x = 1"),
    ] {
        let claim = failing(condition);
        let line = claimed(&claim);
        assert!(line == expected || line.replace("Failure", "Raises") == expected, "{condition}: {line}");
    }
}
