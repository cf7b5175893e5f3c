//! What pytest and unittest collect.

use super::*;

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
