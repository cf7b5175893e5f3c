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
    for open in ["assert (", "assert not (", "all(", "assert_(", "(a or ", "a.all(", "self.assertTrue("] {
        claim(&open.repeat(2048 / open.len()));
        claim(&format!("assert {}1{}", open.repeat(200), ")".repeat(200)));
    }
}

#[test]
fn assert_statements_claim_what_they_compare() {
    check_claims(
        claim,
        &[
            ("assert x == 3", "Value x = 3"),
            ("assert x == 'a', 'why, so'", "Value x = \"a\""),
            ("assert (\n    total(a)  # it's long\n    == 3\n)", "Value total(a) = 3"),
            ("assert x", "Truthy x"),
            ("assert not x", "Value x = False"),
            ("assert x is None", "Value x = None"),
            ("assert x is not None", "NotNull not x = None"),
            ("assert x is True", "Value x = True"),
            ("assert x is y", "Structure x = y"),
            ("assert x != 3", "Bound not x = 3"),
            ("assert 'a' in x", "Pattern x = \"a\""),
            ("assert 'a' not in x", "Pattern not x = \"a\""),
            ("assert x in (1, 2)", "Pattern x = (1, 2)"),
            ("assert len(x) == 3", "Value len(x) = 3"),
            ("assert len(x) > 0", "Bound len(x) = 0 AtLeast(0.0)"),
            ("assert x <= 10", "Bound x = 10 AtMost(10.0)"),
            ("assert a == 1 and b == 2", "Value a == 1 and b == 2"),
            ("assert a == 1 or b", "Truthy a = 1"),
            ("assert [x for x in y if x == 1] == [1]", "Value [x for x in y if x == 1] = [1]"),
            ("assert f(a=1, b=2) == {'k': 1,}", "Value f(a=1, b=2) = {\"k\": 1}"),
        ],
    );
}

#[test]
fn conditions_are_looked_into() {
    check_claims(
        claim,
        &[
            ("assert isinstance(x, Foo)", "Shape x = Foo"),
            ("assert not isinstance(x, (A, B))", "Shape not x = (A, B)"),
            ("assert type(x) is Foo", "Shape x = Foo"),
            ("assert x.startswith('a')", "Pattern x = startswith \"a\""),
            ("assert re.match(r'a+', x)", "Pattern x = r\"a+\""),
            ("assert x == pytest.approx(3.5)", "Approximate x = 3.5 Tolerance(1e-6)"),
            ("assert x == approx(y, abs=0.1)", "Approximate x = y Tolerance(0.1)"),
            ("assert abs(x - y) < 1e-9", "Approximate x = y Tolerance(1e-9)"),
            ("assert np.allclose(a, b, rtol=1e-3)", "Approximate a = b Tolerance(0.001)"),
            ("assert (a == b).all()", "Value a = b"),
            ("assert np.all(a == b)", "Value a = b"),
            ("assert all(x > 0 for x in y)", "Bound all(x > 0 for x in y)"),
            ("assert x == snapshot", "Snapshot Value x"),
            ("assert x == snapshot({'a': 1})", "Snapshot Value x = {\"a\": 1}"),
            ("assert m.called", "Called Truthy m"),
            ("assert self.called", "Truthy self.called"),
            ("assert a.items() >= b.items()", "Pattern a.items() = b.items()"),
            ("assert m.call_args == call(1)", "Value m.call_args = call(1)"),
        ],
    );
}

#[test]
fn what_always_holds_is_said_so() {
    check_claims(
        claim,
        &[
            ("assert True", "Tautology True"),
            ("assert 1", "Tautology 1"),
            ("assert x == x", "Tautology x"),
            ("assert x or True", "Tautology x or True"),
            ("assert (x == 1, 'why')", "Tautology (x == 1, \"why\")"),
            ("self.assertTrue(True)", "Tautology True"),
            ("self.assertEqual(1, 1)", "Tautology 1"),
            ("assert len(x) >= 0", "Tautology len(x) = 0 AtLeast(0.0)"),
            ("assert False, 'unreachable'", "Failure Value"),
        ],
    );
}

#[test]
fn unittest_and_its_kin() {
    check_claims(
        claim,
        &[
            ("self.assertEqual(f(x), 3)", "Value f(x) = 3"),
            ("self.assertEqual(3, f(x), 'why')", "Value f(x) = 3"),
            ("self.assertEquals(expected, f(x))", "Value f(x) = expected"),
            ("self.assertNotEqual(x, 3)", "Bound not x = 3"),
            ("self.assertTrue(x)", "Truthy x"),
            ("self.assertTrue(x == 3)", "Value x = 3"),
            ("self.assertTrue('a' in x)", "Pattern x = \"a\""),
            ("self.assertFalse(x)", "Value x = False"),
            ("self.assertFalse(x == 3)", "Bound not x = 3"),
            ("self.assertIsNone(x)", "Value x = None"),
            ("self.assertIsNotNone(x)", "NotNull not x = None"),
            ("self.assertIs(x, True)", "Value x = True"),
            ("self.assertIs(x, y)", "Structure x = y"),
            ("self.assertIn('a', x)", "Pattern x = \"a\""),
            ("self.assertIn(x, (1, 2))", "Pattern x = (1, 2)"),
            ("self.assertNotIn('a', x)", "Pattern not x = \"a\""),
            ("self.assertIsInstance(x, A)", "Shape x = A"),
            ("self.assertGreater(x, 3)", "Bound x = 3 AtLeast(3.0)"),
            ("self.assertAlmostEqual(x, 3.1)", "Approximate x = 3.1 Digits(7.0)"),
            ("self.assertAlmostEqual(x, 3.1, places=2)", "Approximate x = 3.1 Digits(2.0)"),
            ("self.assertAlmostEqual(x, y, delta=0.5)", "Approximate x = y Tolerance(0.5)"),
            ("self.assertRegex(x, r'a')", "Pattern x = r\"a\""),
            ("self.assertCountEqual(x, [1, 2])", "Value x = [1, 2]"),
            ("self.assertDictEqual(x, {'a': 1})", "Value x = {\"a\": 1}"),
            ("self.assertContains(response, 'a', status_code=200)", "Pattern response = \"a\""),
            ("self.assertQuerysetEqual(qs, [a])", "Value qs = [a]"),
            ("self.assertNumQueries(3)", "Value queries = 3"),
            ("eq_(f(), 3)", "Value f() = 3"),
            ("ok_(x)", "Truthy x"),
            ("check.is_none(x)", "Value x = None"),
            ("self.fail('why')", "Failure Value"),
            ("pytest.fail('why')", "Failure Value"),
            ("assert_shape(x)", "Helper Value assert_shape(x)"),
        ],
    );
}

#[test]
fn errors_that_are_expected() {
    check_claims(
        claim,
        &[
            ("pytest.raises(ValueError)", "Raises Shape = ValueError"),
            ("pytest.raises((A, B), match='no')", "Raises Pattern = (A, B) ~ \"no\""),
            ("pytest.raises(ValueError, f, 1)", "Raises Shape f(1) = ValueError"),
            ("self.assertRaises(ValueError, f, 1)", "Raises Shape f(1) = ValueError"),
            ("self.assertRaises(ValueError)", "Raises Shape = ValueError"),
            ("self.assertRaisesRegex(ValueError, 'no')", "Raises Pattern = ValueError ~ \"no\""),
            ("self.assertRaisesMessage(E, msg)", "Raises Pattern = E ~ msg"),
            ("pytest.warns(UserWarning, match='a')", "Raises Pattern = UserWarning ~ \"a\""),
            ("tm.assert_produces_warning(None)", "Raises Shape not"),
            ("tm.assert_produces_warning(W, match=msg)", "Raises Pattern = W ~ msg"),
            ("@raises(ValueError)", "Raises Shape = ValueError"),
            ("expect_raises_message(E, 'no')", "Raises Pattern = E ~ \"no\""),
        ],
    );
}

#[test]
fn arrays_frames_and_doubles() {
    check_claims(
        claim,
        &[
            ("np.testing.assert_array_equal(a, b)", "Value a = b"),
            ("assert_allclose(a, b)", "Approximate a = b Tolerance(1e-7)"),
            ("np.testing.assert_allclose(a, b, rtol=1e-3, atol=0.5)", "Approximate a = b Tolerance(0.5)"),
            ("assert_almost_equal(a, b, decimal=3)", "Approximate a = b Digits(3.0)"),
            ("tm.assert_frame_equal(result, expected)", "Structure result = expected"),
            ("tm.assert_series_equal(result, expected, check_dtype=False)", "Value result = expected"),
            ("tm.assert_frame_equal(a, b, rtol=0.1)", "Approximate a = b Tolerance(0.1)"),
            ("m.send.assert_called_once_with(1, b=2)", "Called Value m.send = 1, b=2"),
            ("m.assert_called_once()", "Called Shape m"),
            ("m.assert_called()", "Called Truthy m"),
            ("m.assert_not_called()", "Called Shape not m"),
            ("result.stdout.fnmatch_lines(['*a*'])", "Pattern result.stdout = [\"*a*\"]"),
            ("result.assert_outcomes(passed=1)", "Value result = passed=1"),
            ("expect(page).to_have_title('a')", "Value page = \"a\""),
        ],
    );
}
