//! How many cases a test has.

use super::*;

#[test]
fn parameter_rows_are_counted() {
    let text = "
import pytest
ROWS = [(1, 2), (3, 4), (5, 6)]
GROWN = [1]
GROWN.append(2)
both = pytest.mark.parametrize('flag', [True, False])
@pytest.mark.parametrize('a', [1, 2, 3])
def test_list(a): pass
@pytest.mark.parametrize('a', [1, 2])
@pytest.mark.parametrize('b', (1, 2, 3))
def test_product(a, b): pass
@pytest.mark.parametrize(argnames='a', argvalues=[pytest.param(1, id='x'), pytest.param(2, marks=pytest.mark.skip)])
def test_params(a): pass
@pytest.mark.parametrize('a, b', ROWS)
def test_table(a, b): pass
@pytest.mark.parametrize('a', [1] + [2, 3])
def test_joined(a): pass
@pytest.mark.parametrize('a', range(4))
def test_range(a): pass
@both
def test_alias(flag): pass
@pytest.mark.parametrize('a', load())
def test_computed(a): pass
@pytest.mark.parametrize('a', [x for x in y])
def test_comprehended(a): pass
@pytest.mark.parametrize('a', [1, *more])
def test_splat(a): pass
@pytest.mark.parametrize('a', GROWN)
def test_grown(a): pass
@pytest.mark.parametrize('a', [
    1,
    # 2,
    3,
])
def test_comment(a): pass
@pytest.mark.parametrize('a', [])
def test_empty(a): pass
";
    assert_eq!(
        pytest(text),
        "test_list, 3 cases
test_product, 6 cases
test_params, 2 cases, Conditional/Test
test_table, 3 cases
test_joined, 3 cases
test_range, 4 cases
test_alias, 2 cases
test_computed, ? cases
test_comprehended, ? cases
test_splat, ? cases
test_grown, ? cases
test_comment, 2 cases
test_empty, 0 cases, Unconditional/Test
"
    );
}

#[test]
fn parameters_of_a_class_multiply() {
    let text = "
@pytest.mark.parametrize('a', [1, 2])
class TestA:
    @pytest.mark.parametrize('b', [1, 2, 3])
    def test_six(self, a, b): pass
    class TestInner:
        def test_two(self, a): pass
    def test_two(self, a): pass
def test_one(): pass
";
    assert_eq!(
        pytest(text),
        "TestA::test_six, 6 cases\nTestA::TestInner::test_two, 2 cases\nTestA::test_two, 2 cases\ntest_one\n"
    );
}

#[test]
fn other_libraries_parametrise_too() {
    let text = "
from parameterized import parameterized
from absl.testing import parameterized as absl
from ddt import data
class Case(TestCase):
    @parameterized.expand([(1, 2), (3, 4)])
    def test_expand(self, a, b): pass
    @absl.parameters((1, 2), (3, 4), (5, 6))
    def test_absl(self, a, b): pass
    @data(1, 2)
    def test_ddt(self, a): pass
";
    assert_eq!(
        pytest(text),
        "Case::test_expand, 2 cases\nCase::test_absl, 3 cases\nCase::test_ddt, 2 cases\n"
    );
}
