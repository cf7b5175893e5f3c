//! Names, comments and what stands around tests.

use super::*;

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
