//! What counts as a check.

use super::*;

#[test]
fn checks_are_counted_once_each() {
    for (body, count) in [
        ("assert a == b, 'why'", 1),
        ("self.assertEqual(a, b)", 1),
        ("self.assert_(a)", 1),
        ("self.fail('no')", 1),
        ("with pytest.raises(ValueError, match='x'): f()", 1),
        ("with self.assertRaises(ValueError) as caught: f()", 1),
        ("with pytest.raises(ValueError):\n        assert f()", 2),
        ("pytest.warns(UserWarning, f)", 1),
        ("pytest.fail('no')", 1),
        ("assert a == pytest.approx(b)", 1),
        ("np.testing.assert_allclose(a, b)", 1),
        ("tm.assert_frame_equal(a, b)", 1),
        ("assert_that(a).is_equal_to(b)", 1),
        ("assert_that(a, raises(ValueError))", 1),
        ("mocked.assert_called_once_with(1)", 1),
        ("self._assert_same(a, b)", 1),
        ("eq_(a, b)", 1),
        ("expect(page).to_have_title('x')", 1),
        ("result.stdout.fnmatch_lines(['x'])", 1),
        ("raise AssertionError('no')", 0),
        ("self.assertions.append(1)", 0),
        ("parser.fail('no')", 0),
        ("'assert a == b'", 0),
    ] {
        let tests = facts("test_a.py", &format!("def test_x():\n    {body}\n")).tests;
        let counts: Vec<usize> = tests.iter().map(|test| test.assertions.len()).collect();
        assert_eq!(counts, [count], "{body}");
    }
}

#[test]
fn checks_in_decorator_arguments_are_data() {
    let text = "
@pytest.mark.parametrize('expectation', [does_not_raise(), pytest.raises(ValueError)])
def test_a(expectation): pass
@raises(ValueError)
def test_b(): pass
";
    assert_eq!(pytest(text), "test_a, 2 cases\ntest_b, 1 asserts\n");
}

#[test]
fn checks_of_helpers_count_for_the_helper() {
    let facts = facts("test_a.py", "def check(a):\n    assert a\n    assert a > 1\ndef test_x(): check(2)\n");
    let counts: Vec<_> =
        facts.definitions.iter().map(|one| (one.name.as_str(), one.assertions.len())).collect();
    assert_eq!(counts, [("check", 2)]);
}
