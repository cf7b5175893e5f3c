//! Broken and strange files.

use super::*;

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
