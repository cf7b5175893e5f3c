//! Broken source and arbitrary bytes.

use super::super::super::testing::inventory;
use super::super::super::{Source, analyze};
use super::facts;
use crate::facts::Health;

#[test]
fn broken_source_keeps_what_can_be_read() {
    let text = "package a\nfunc TestA(t *testing.T) { t.Error(1) }\nfunc TestB(t *testing.T) { if {\n";
    assert!(inventory("a_test.go", text).starts_with("TestA, 1 asserts\n"));
    assert_eq!(facts("a_test.go", text).health, Health::Partial);
    assert_eq!(inventory("a_test.go", ""), "");
}

const SAMPLE: &str = "//go:build linux

package a

import (
	. \"github.com/onsi/ginkgo\"
	\"github.com/stretchr/testify/suite\"
)

type ASuite struct{ suite.Suite }

var rows = []row{{name: \"é\", skip: \"flaky\"}, {name: `b`}}

func (s *ASuite) SetupTest() { s.T().Skip(\"no\") }
func (s *ASuite) TestOne() { s.Require().Equal(1, 2); s.Run(\"x\", func() {}) }
func TestRun(t *testing.T) { suite.Run(t, new(ASuite)) }
func skipAll(t *testing.T) { if true { t.Skipf(\"é\") } else { return } }
func TestTable(t *testing.T) {
	is := is.New(t)
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) { is.Equal(tc, Expect(1).To(2)) })
	}
	switch { case true: skipAll(t) }
}
func ExampleA() {
	// Output: 1
}
var _ = DescribeTable(\"a\", func(n int) { Skip() }, Entry(\"é\", 1), FEntry(\"\"))
func TestMain(m *testing.M) {}
";

#[test]
fn no_prefix_of_a_file_makes_the_pack_panic() {
    for (end, _) in SAMPLE.char_indices() {
        facts("a_test.go", &SAMPLE[..end]);
    }
}

#[test]
fn no_mutation_of_a_file_makes_the_pack_panic() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize % below
    };
    let pieces: [&[u8]; 12] =
        [b"(", b")", b"{", b"}", b"\"", b"`", b".", b",", b"\n", b"\xff", b"func ", b"\xc3\xa9"];
    for _ in 0..600 {
        let mut text = SAMPLE.as_bytes().to_vec();
        for _ in 0..=random(6) {
            let at = random(text.len());
            let end = (at + random(8)).min(text.len());
            text.splice(at..end, pieces[random(pieces.len())].iter().copied());
        }
        analyze(Source { path: "a_test.go", text: &text });
    }
}

#[test]
fn nesting_costs_no_more_than_it_is_long() {
    let depth = 300;
    let nested =
        format!("{}{}", "t.Run(\"a\", func(t *testing.T) { t.Error(1)\n".repeat(depth), "})\n".repeat(depth));
    let tests = facts("a_test.go", &format!("package a\nfunc TestA(t *testing.T) {{\n{nested}}}\n")).tests;
    assert_eq!(tests.len(), depth + 1);
    assert!(tests.iter().all(|test| test.suite.len() <= 64));
    assert!(tests.iter().map(|test| test.assertions.len()).sum::<usize>() <= 64 * depth);
}

#[test]
fn constant_conditions_are_told_apart_however_many_there_are() {
    let body = "if false { t.Error(1) } else { t.Error(2) }\n".repeat(3);
    let text = format!("package a\nfunc TestA(t *testing.T) {{\n{body}t.Error(3)\n}}\n");
    assert_eq!(inventory("a_test.go", &text), "TestA, 7 asserts\n");
}
