//! What keeps tests from running.

use super::*;

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
