//! What the pack reads from Python files, one line a test.

use super::super::testing::inventory;
use super::super::{Source, analyze};
use crate::facts::{FileFacts, Health};

mod insides;

/// The inventory of a file that pytest collects from.
fn pytest(text: &str) -> String {
    inventory("tests/test_cart.py", text)
}

fn facts(path: &str, text: &str) -> FileFacts {
    analyze(Source { path, text: text.as_bytes() })
}

/// The skip of the only test, as `kind/scope "reason"`.
fn skip_of(text: &str) -> String {
    let line = pytest(text);
    line.trim_end().split_once("test_x").map_or_else(String::new, |(_, rest)| rest.to_owned())
}

// ---- what is collected ----

#[test]
fn functions_and_methods_of_pytest() {
    let text = "
def test_sum(): assert add(1, 2) == 3
async def test_later(): assert await add(1, 2) == 3
def testify(): pass
def helper(): assert True
def _test_hidden(): pass
class TestCart:
    def test_total(self):
        assert total() == 3
        assert total() != 4
    def check(self): pass
    class TestEmpty:
        def test_none(self): pass
class testLower:
    def test_not_collected(self): pass
class Helper:
    def test_not_collected(self): pass
";
    assert_eq!(
        pytest(text),
        "test_sum, 1 asserts
test_later, 1 asserts
testify
TestCart::test_total, 2 asserts
TestCart::TestEmpty::test_none
"
    );
}

#[test]
fn paths_decide_what_runners_see() {
    let text = "
import unittest
def test_function(): pass
class TestPlain:
    def test_method(self): pass
class Case(unittest.TestCase):
    def test_case(self): pass
";
    let all = "test_function\nTestPlain::test_method\nCase::test_case\n";
    for path in ["test_a.py", "pkg/a_test.py", "app/tests.py", "tests/a_tests.py"] {
        assert_eq!(inventory(path, text), all, "{path}");
    }
    for path in ["tests/a.py", "app/testcart.py", "test/a.py", "lib/testing/a.py", "gis_tests/models.py"] {
        assert_eq!(inventory(path, text), "Case::test_case\n", "{path}");
    }
    for path in
        ["src/latest.py", "src/attestation/a.py", "tests/conftest.py", "contest.py", "tests/test_a.pyi"]
    {
        assert_eq!(inventory(path, text), "", "{path}");
    }
}

#[test]
fn test_cases_have_any_name() {
    let text = "
import unittest
from unittest import TestCase as TC, IsolatedAsyncioTestCase
from django.test import SimpleTestCase
from .base import BaseTest, UserMixin
class Cart(unittest.TestCase):
    def setUp(self): pass
    def test_a(self): self.assertEqual(1, 1)
    def testB(self): self.fail('no')
    def check(self): pass
    class TestInner:
        def test_unseen(self): pass
class Derived(Cart):
    def __init__(self, name): pass
    def test_c(self): pass
class Renamed(TC):
    def test_d(self): pass
class Later(UserMixin, IsolatedAsyncioTestCase):
    async def test_e(self): pass
class Web(SimpleTestCase, metaclass=Meta):
    def test_f(self): pass
class Foreign(BaseTest):
    def test_g(self): pass
class Old(six.with_metaclass(Meta, unittest.TestCase)):
    def test_h(self): pass
class Lone(unittest.TestCase):
    def runTest(self): pass
class User(UserMixin):
    def test_unseen(self): pass
class Result(unittest.TestResult):
    def test_unseen(self): pass
";
    assert_eq!(
        pytest(text),
        "Cart::test_a, 1 asserts
Cart::testB, 1 asserts
Derived::test_c
Renamed::test_d
Later::test_e
Web::test_f
Foreign::test_g
Old::test_h
Lone::runTest
"
    );
}

#[test]
fn mixins_run_where_a_case_of_the_file_derives_from_them() {
    let text = "
from unittest import TestCase
class CartTests:
    def test_shared(self): pass
class FastCart(CartTests, TestCase):
    pass
class Hidden:
    class Abstract(TestCase):
        def test_inherited(self): pass
class Concrete(Hidden.Abstract):
    pass
class Unused:
    def test_unused(self): pass
";
    assert_eq!(pytest(text), "CartTests::test_shared\nAbstract::test_inherited\n");
}

#[test]
fn a_constructor_keeps_pytest_away() {
    let text = "
class TestServer:
    def __init__(self, port): pass
    def test_x(self): pass
class TestDerived(TestServer):
    def test_y(self): pass
";
    assert_eq!(pytest(text), "");
}

#[test]
fn nested_functions_and_fixtures_are_no_tests() {
    let text = "
import pytest
def test_outer():
    def test_inner(): assert True
    class TestInner:
        def test_deep(self): assert True
    test_inner()
@pytest.fixture
def test_data(): return 1
@pytest.fixture(scope='module')
def test_client(): return 1
class TestA:
    @property
    def test_name(self): return 'x'
    @staticmethod
    def test_static(): pass
";
    assert_eq!(pytest(text), "test_outer, 2 asserts\nTestA::test_static\n");
}

#[test]
fn the_last_definition_of_a_name_counts() {
    let text = "
def test_a(): assert 1
def test_a(): pass
class TestC:
    def test_b(self): assert 1
    def test_c(self): pass
    def test_b(self): pass
class TestD:
    def test_lost(self): pass
class TestD:
    def test_kept(self): pass
def test_gone(): pass
def test_too(): pass
del test_gone, test_too
def test_none(): pass
test_none = None
def test_muted(): pass
test_muted.__test__ = False
";
    assert_eq!(pytest(text), "test_a\nTestC::test_c\nTestC::test_b\nTestD::test_kept\n");
}

#[test]
fn branches_of_a_module_give_each_test_once() {
    let text = "
import sys
if sys.platform == 'win32':
    def test_a(): assert windows()
    def test_only_windows(): pass
else:
    def test_a(): pass
try:
    import numpy
except ImportError:
    def test_b(): pass
else:
    def test_b(): assert numpy.array([1])
if False:
    def test_never(): pass
if __name__ == '__main__':
    def test_main(): pass
if TYPE_CHECKING:
    class TestTypes:
        def test_never(self): pass
with context():
    def test_in_with(): pass
";
    assert_eq!(pytest(text), "test_a, 1 asserts\ntest_only_windows\ntest_b, 1 asserts\ntest_in_with\n");
}

#[test]
fn test_flag_keeps_a_class_out() {
    let text = "
class TestBase:
    __test__ = False
    def test_a(self): pass
class TestQuiet(TestBase):
    def test_b(self): pass
";
    assert_eq!(pytest(text), "TestBase::test_a, NotCollected/Suite\n");
    let revived = "
class TestBase:
    __test__ = False
    def test_a(self): pass
class TestLoud(TestBase):
    __test__ = True
    def test_b(self): pass
";
    assert_eq!(pytest(revived), "TestBase::test_a\nTestLoud::test_b\n");
    assert_eq!(pytest("__test__ = False\ndef test_a(): pass\n"), "test_a, NotCollected/File\n");
}

#[test]
fn hypothesis_tests_are_tests() {
    let text = "
from hypothesis import given, strategies as st
from hypothesis.stateful import RuleBasedStateMachine
@given(st.integers(), st.text())
def test_round_trip(number, text):
    assert decode(encode(number)) == number
class CartMachine(RuleBasedStateMachine):
    def total(self): assert self.cart.total() >= 0
TestCart = CartMachine.TestCase
TestCase = unittest.TestCase
";
    assert_eq!(pytest(text), "test_round_trip, 1 asserts\nTestCart::runTest\n");
}

// ---- parameter rows ----

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

// ---- skip marks ----

#[test]
fn each_decorator_has_its_kind() {
    for (decorator, expected) in [
        ("pytest.mark.skip", ", Unconditional/Test"),
        ("pytest.mark.skip('slow')", ", Unconditional/Test \"slow\""),
        ("pytest.mark.skip(reason='a ' 'b')", ", Unconditional/Test \"a b\""),
        ("mark.skip()", ", Unconditional/Test"),
        ("pytest.mark.skipif(sys.platform == 'win32', reason='posix')", ", Conditional/Test \"posix\""),
        ("pytest.mark.skipif(True, reason='off')", ", Unconditional/Test \"off\""),
        ("pytest.mark.skipif(condition=1 == 1, reason='off')", ", Unconditional/Test \"off\""),
        ("pytest.mark.skipif('True')", ", Unconditional/Test"),
        ("pytest.mark.skipif(False, reason='on')", ""),
        ("pytest.mark.skipif(x or True, reason='off')", ", Unconditional/Test \"off\""),
        ("pytest.mark.xfail", ", ExpectedFailure/Test"),
        ("pytest.mark.xfail(reason='bug', strict=True)", ", ExpectedFailure/Test \"bug\""),
        ("pytest.mark.xfail(sys.version_info < (3, 9), reason='old')", ", Conditional/Test \"old\""),
        ("pytest.mark.xfail(False)", ""),
        ("pytest.mark.xfail(run=False)", ", Unconditional/Test"),
        ("unittest.skip('slow')", ", Unconditional/Test \"slow\""),
        ("skip('slow')", ", Unconditional/Test \"slow\""),
        ("unittest.skipIf(os.name == 'nt', 'posix')", ", Conditional/Test \"posix\""),
        ("skipIf(not False, 'off')", ", Unconditional/Test \"off\""),
        ("unittest.skipUnless(shutil.which('git'), 'needs git')", ", Conditional/Test \"needs git\""),
        ("skipUnless(False, 'off')", ", Unconditional/Test \"off\""),
        ("skipUnless(True, 'on')", ""),
        ("unittest.expectedFailure", ", ExpectedFailure/Test"),
        ("skipUnlessDBFeature('has_json')", ", Conditional/Test"),
        ("support.requires_network", ", Conditional/Test"),
        ("testing.requires.sqlite", ", Conditional/Test"),
        ("needs_git", ", Conditional/Test"),
        ("cpython_only", ", Conditional/Test"),
        ("requests_mock.activate", ""),
        ("pytest.mark.slow", ""),
        ("pytest.mark.usefixtures('skip_slow')", ""),
        ("mock.patch('skip')", ""),
    ] {
        assert_eq!(skip_of(&format!("@{decorator}\ndef test_x(): pass\n")), expected, "{decorator}");
    }
}

#[test]
fn the_strongest_mark_stands() {
    let text =
        "@pytest.mark.skipif(a, reason='b')\n@pytest.mark.skip\n@pytest.mark.xfail\ndef test_x(): pass\n";
    assert_eq!(skip_of(text), ", Unconditional/Test");
}

#[test]
fn aliases_are_followed_inside_the_file() {
    let text = "
import unittest
from unittest import skip as later
import pytest as pt
skip_windows = pytest.mark.skipif(sys.platform == 'win32', reason='posix')
broken = pytest.mark.skip(reason='broken')
never = pytest.mark.skipif(False, reason='never')
skip_when = pytest.mark.skipif
if sys.platform == 'win32':
    posix = pytest.mark.skip(reason='posix')
else:
    posix = lambda function: function
slow = pytest.mark.skip if FAST else pytest.mark.slow
@skip_windows
def test_a(): pass
@broken
def test_b(): pass
@never
def test_c(): pass
@skip_when(True, reason='off')
def test_d(): pass
@posix
def test_e(): pass
@later('later')
def test_f(): pass
@pt.mark.skip
def test_g(): pass
@slow
def test_h(): pass
";
    assert_eq!(
        pytest(text),
        "test_a, Conditional/Test \"posix\"
test_b, Unconditional/Test \"broken\"
test_c
test_d, Unconditional/Test \"off\"
test_e, Conditional/Test \"posix\"
test_f, Unconditional/Test \"later\"
test_g, Unconditional/Test
test_h, Conditional/Test
"
    );
}

#[test]
fn marks_on_classes_reach_their_tests() {
    let text = "
@unittest.skip('all')
class CartTest(unittest.TestCase):
    def test_a(self): pass
class TestB:
    pytestmark = [pytest.mark.slow, pytest.mark.skipif(X, reason='x')]
    def test_b(self): pass
    class TestInner:
        def test_c(self): pass
def test_free(): pass
";
    assert_eq!(
        pytest(text),
        "CartTest::test_a, Unconditional/Suite \"all\"
TestB::test_b, Conditional/Suite \"x\"
TestB::TestInner::test_c, Conditional/Suite \"x\"
test_free
"
    );
}

#[test]
fn a_module_can_be_skipped_as_a_whole() {
    for (statement, expected) in [
        ("pytestmark = pytest.mark.skip(reason='r')", ", Unconditional/File \"r\""),
        ("pytestmark = [pytest.mark.skip]", ", Unconditional/File"),
        ("pytestmark = pytest.mark.skipif(X, reason='r')", ", Conditional/File \"r\""),
        ("if X:\n    pytestmark = pytest.mark.skip", ", Conditional/File"),
        ("pytest.skip('r', allow_module_level=True)", ", Unconditional/File \"r\""),
        ("if not X:\n    pytest.skip('r', allow_module_level=True)", ", Conditional/File \"r\""),
        ("if True:\n    pytest.skip('r', allow_module_level=True)", ", Unconditional/File \"r\""),
        ("numpy = pytest.importorskip('numpy')", ", Conditional/File"),
        ("raise unittest.SkipTest('r')", ", Unconditional/File \"r\""),
        ("try:\n    import a\nexcept ImportError:\n    raise SkipTest('r')", ", Conditional/File \"r\""),
        ("def setup_module():\n    pytest.skip('r')", ", Unconditional/File \"r\""),
        ("pytestmark = pytest.mark.asyncio", ""),
        ("def helper():\n    pytest.skip('r')", ""),
    ] {
        assert_eq!(skip_of(&format!("{statement}\ndef test_x(): pass\n")), expected, "{statement}");
    }
}

#[test]
fn set_up_skips_its_class() {
    let text = "
class A(TestCase):
    def setUp(self):
        self.skipTest('off')
    def test_a(self): pass
class B(TestCase):
    @classmethod
    def setUpClass(cls):
        if not X:
            raise unittest.SkipTest('no x')
    def test_b(self): pass
class TestC:
    @pytest.fixture(autouse=True)
    def only_with_x(self):
        if not X:
            pytest.skip('no x')
    def test_c(self): pass
";
    assert_eq!(
        pytest(text),
        "A::test_a, Unconditional/Suite \"off\"
B::test_b, Conditional/Suite \"no x\"
TestC::test_c, Conditional/Suite \"no x\"
"
    );
}

#[test]
fn statements_skip_the_test_they_stand_in() {
    for (body, expected) in [
        ("pytest.skip('r')", ", Unconditional/Test \"r\""),
        ("pytest.skip(reason='r')", ", Unconditional/Test \"r\""),
        ("self.skipTest('r')", ", Unconditional/Test \"r\""),
        ("raise SkipTest", ", Unconditional/Test"),
        ("raise unittest.SkipTest('r')", ", Unconditional/Test \"r\""),
        ("raise pytest.skip.Exception('r')", ", Unconditional/Test \"r\""),
        ("pytest.xfail('r')", ", ExpectedFailure/Test \"r\""),
        ("pytest.importorskip('numpy')", ", Conditional/Test"),
        ("if X: pytest.skip('r')", ", Conditional/Test \"r\""),
        ("if True: pytest.skip('r')", ", Unconditional/Test \"r\""),
        ("if False: pytest.skip('r')", ""),
        ("X or pytest.skip('r')", ", Conditional/Test \"r\""),
        ("for x in y: pytest.skip('r')", ", Conditional/Test \"r\""),
        ("with x: pytest.skip('r')", ", Unconditional/Test \"r\""),
        ("call(lambda: pytest.skip('r'))", ", Conditional/Test \"r\""),
        ("skip_if_no_network()", ", Conditional/Test"),
        ("parser.skip('r')", ""),
        ("raise Exception('r')", ""),
        ("call('pytest.skip()')  # pytest.skip()", ""),
    ] {
        assert_eq!(skip_of(&format!("def test_x():\n    {body}\n")), expected, "{body}");
    }
    assert_eq!(skip_of("from pytest import skip\ndef test_x(): skip('r')\n"), ", Unconditional/Test \"r\"");
}

#[test]
fn an_early_return_is_a_skip() {
    let returns = "def test_x():\n    '''Doc.'''\n    # off\n    return\n    assert total() == 3\n";
    assert_eq!(skip_of(returns), ", 1 asserts, Unconditional/Test");
    assert_eq!(skip_of("def test_x():\n    return check()\n    # done\n"), "");
    assert_eq!(skip_of("def test_x():\n    a = 1\n    return\n    check(a)\n"), "");
    assert_eq!(skip_of("def test_x():\n    if a:\n        return\n    check(a)\n"), ", Conditional/Test");
    let late = "def test_x():\n    a = f()\n    if a:\n        return\n    check(a)\n";
    assert_eq!(skip_of(late), "");
}

// ---- checks ----

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

// ---- definitions and comments ----

#[test]
fn definitions_are_everything_else_with_a_name() {
    let text = "
LIMIT: int = 3
__all__ = ['total']
class Cart(Base):
    size = 1
    def total(self):
        def inner(): pass
        return 0
def _test_hidden(): assert 1
@decorated
async def run(): pass
";
    let names = |path: &str| -> Vec<String> {
        facts(path, text).definitions.iter().map(|one| format!("{:?} {}", one.kind, one.name)).collect()
    };
    let expected = ["Constant LIMIT", "Type Cart", "Function total", "Function _test_hidden", "Function run"];
    assert_eq!(names("src/cart.py"), expected);
    assert_eq!(names("tests/test_cart.py"), expected);
}

#[test]
fn a_test_that_is_no_longer_collected_keeps_its_body() {
    let body = "(): \n    cart = Cart()\n    cart.add(3)\n    assert cart.total() == 3\n";
    let before = facts("test_a.py", &format!("def test_total{body}"));
    let after = facts("test_a.py", &format!("def _test_total{body}"));
    let (Some(test), Some(definition)) = (before.tests.first(), after.definitions.first()) else {
        panic!("one test, one definition");
    };
    assert_eq!(test.body.similarity(&definition.body), 1.0);
}

#[test]
fn string_statements_are_comments_but_docstrings_are_not() {
    let text = "# licence
'''Module.'''
class A:
    '''Class.'''
    def f(self):
        \"\"\"Function.\"\"\"
        '''
        def test_old(): assert 1
        '''
        'short'
        return '''value'''
r'''
def test_older(): pass
'''
";
    let lines: Vec<_> =
        facts("a.py", text).comments.iter().map(|comment| (comment.span.start, comment.span.end)).collect();
    assert_eq!(lines, [(1, 1), (7, 9), (12, 14)]);
    assert_eq!(inventory("test_a.py", text), "");
}

#[test]
fn the_span_starts_at_the_first_decorator() {
    let tests = facts("test_a.py", "\n@a\n@b\ndef test_x():\n    pass\n").tests;
    let places: Vec<_> = tests.iter().map(|test| (test.span.start, test.line, test.span.end)).collect();
    assert_eq!(places, [(2, 4, 5)]);
}

// ---- robustness ----

#[test]
fn broken_source_keeps_what_can_be_read() {
    let facts = facts("test_a.py", "def test_a(): assert 1\n\ndef test_b(:\n\ndef test_c(): assert 1\n");
    assert_eq!(facts.health, Health::Partial);
    assert!(facts.tests.iter().any(|test| test.name == "test_a"));
}

#[test]
fn an_empty_file_has_no_facts() {
    assert_eq!(pytest(""), "");
    assert_eq!(facts("test_a.py", "").health, Health::Clean);
}

const SAMPLE: &str = "# comment é
'''Doc.'''
import pytest as pt, unittest
from unittest import (TestCase as TC, skip)
slow = pt.mark.skipif(not (X or True), reason='ü' 'b') if A else None
ROWS = [(1, 2), (3, *x)] + [4]
pytestmark = [slow, pt.mark.parametrize('a', range(1, 3))]
if TYPE_CHECKING:
    def test_a(): return
elif 1 == 1:
    del test_a
try:
    class Base(Generic[T], six.with_metaclass(M, TC)):
        __test__ = False
        def setUp(self): self.skipTest(f'{x}')
except (A, B): raise unittest.SkipTest
else: Base.__test__ = True
@slow
@pt.mark.parametrize('a,b', ROWS, ids=[])
class TestB(Base.Inner):
    async def test_b(self, *a, **k):
        r'''Doc'''
        return
        with pt.raises(E) as e, y: assert (lambda: skip('x'))() == f\"{a!r:>{3}}\"
    class TestC: TestD = M.TestCase
match x:
    case [1]: pytest.skip('é', allow_module_level=True)
";

#[test]
fn no_prefix_of_a_file_is_too_much() {
    for (end, _) in SAMPLE.char_indices() {
        facts("tests/test_a.py", &SAMPLE[..end]);
    }
}

#[test]
fn no_mutation_of_a_file_is_too_much() {
    // A small generator of its own keeps the run the same everywhere.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let pieces: [&[u8]; 10] = [b"(", b")", b"[", b"\n    ", b"'''", b"@", b"def ", b"\xff", b"*", b":"];
    for _ in 0..500 {
        let mut text = SAMPLE.as_bytes().to_vec();
        for _ in 0..1 + random(6) {
            let at = random(text.len());
            let end = (at + random(8)).min(text.len());
            text.splice(at..end, pieces[random(pieces.len())].iter().copied());
        }
        analyze(Source { path: "tests/test_a.py", text: &text });
    }
}

#[test]
fn deep_nesting_costs_no_stack() {
    let deep = 20_000;
    let text =
        format!("x = {}1{}\npytestmark = {}1\n", "(".repeat(deep), ")".repeat(deep), "not ".repeat(deep));
    facts("tests/test_a.py", &text);
    facts(
        "tests/test_a.py",
        &format!("x = 1{}\n@a{}\ndef test_a(): pass\n", " + [1]".repeat(deep), "()".repeat(deep)),
    );
}
