//! Which functions and methods are tests, and what is a definition.

use super::super::super::testing::inventory;
use super::{definitions, facts, found};
use crate::facts::DefinitionKind;

#[test]
fn only_names_and_signatures_that_go_test_knows_are_tests() {
    let text = "
func TestTotal(t *testing.T) {}
func Test_total(t *testing.T) {}
func Test(t *testing.T) {}
func Test1(t *T) {}
func TestÜber(t *testing.T) {}
func Testtotal(t *testing.T) {}
func testTotal(t *testing.T) {}
func TestMain(m *testing.M) { os.Exit(m.Run()) }
func TestHelper(t *testing.T, n int) {}
func TestTwo(t, u *testing.T) {}
func TestValue(t testing.T) {}
func TestResult(t *testing.T) error { return nil }
func TestGeneric[K any](t *testing.T) {}
func BenchmarkTotal(b *testing.B) {}
";
    assert_eq!(found(text), "TestTotal\nTest_total\nTest\nTest1\nTestÜber\n");
}

#[test]
fn fuzz_targets_and_examples_with_output_run_but_are_listed_apart() {
    let text = "
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, in string) { t.Fatal(in) })
}
func ExampleCart() {
	fmt.Println(1)
	// Output: 1
}
func ExampleCart_unordered() {
	fmt.Println(1)

	// Unordered output:
	// 1
}
func ExampleCart_silent() {
	// Output: comes later
	fmt.Println(1)

	// nothing to see
}
func Examplecart() {
	// Output:
}
";
    assert_eq!(found(text), "  FuzzParse, 1 asserts\n  ExampleCart\n  ExampleCart_unordered\n");
}

#[test]
fn files_that_go_test_passes_by_hold_no_tests() {
    let text = "package cart\nfunc TestTotal(t *testing.T) {}\n";
    for path in [
        "pkg/cart.go",
        "pkg/latest.go",
        "attestation/test.go",
        "pkg/_cart_test.go",
        "pkg/.cart_test.go",
        "pkg/testdata/cart_test.go",
        "_old/cart_test.go",
        "vendor/x/cart_test.go",
    ] {
        assert_eq!(inventory(path, text), "", "{path}");
        assert_eq!(definitions(&facts(path, text)), "Function TestTotal\n", "{path}");
    }
    assert_eq!(inventory("pkg/cart_windows_test.go", text), "TestTotal\n");
}

#[test]
fn patterns_in_strings_and_comments_are_nothing() {
    let text = "
// func TestOld(t *testing.T) { t.Skip() }
func TestTotal(t *testing.T) {
	/* t.Skip(\"later\") */
	run(`func TestInner(t *testing.T) { t.Skip() }`, \"t.Fatal()\")
}
";
    assert_eq!(found(text), "TestTotal\n");
    assert_eq!(facts("a_test.go", &format!("package a\n{text}")).comments.len(), 2);
}

#[test]
fn everything_else_at_the_top_is_a_definition() {
    let text = "package cart
type Cart struct{ n int }
type ID = string
const Max, Min = 3, 1
var (
	cache = map[string]int{}
	hook  = func() { var inner = 1 }
)
var _ = register()
func New() *Cart { type local int; const deep = 1; return nil }
func (c *Cart) Total() int { return c.n }
";
    let facts = facts("pkg/cart.go", text);
    assert_eq!(
        definitions(&facts),
        "Type Cart\nType ID\nConstant Max\nConstant Min\nConstant cache\nFunction hook\nFunction New\nFunction Total\n"
    );
    let total = facts.definitions.iter().find(|definition| definition.name == "Total");
    assert!(total.is_some_and(|total| !total.body.is_empty()));
}

#[test]
fn checks_in_a_helper_count_for_the_helper() {
    let text = "package a\nfunc same(t testing.TB, a, b int) {\n\tif a != b {\n\t\tt.Fatal(a)\n\t}\n}\n";
    let facts = facts("a_test.go", text);
    assert_eq!(facts.definitions[0].assertions.len(), 1);
    assert_eq!(facts.definitions[0].kind, DefinitionKind::Function);
}

#[test]
fn methods_of_testify_suites_are_tests_of_their_type() {
    let text = "
type cartTests struct {
	suite.Suite
	db *DB
}
func (s *cartTests) SetupTest() { s.db = open() }
func (s *cartTests) TestTotal() {
	s.Equal(1, s.db.Len())
	s.Require().NoError(s.db.Close())
	s.T().Fatalf(\"no\")
	s.db.Equal(3)
}
func (s *cartTests) helper() { s.True(true) }
func (s *ElsewhereSuite) TestOther() {
	s.Run(\"named\", func() { s.NotNil(s) })
}
func (p *Parser) TestMode() bool { return true }
func (p *Parser) TestNothing() {}
";
    assert_eq!(
        found(text),
        "  cartTests::TestTotal, 3 asserts
  ElsewhereSuite::TestOther, 1 asserts
  ElsewhereSuite::TestOther::named, 1 asserts
"
    );
}

#[test]
fn a_type_that_is_run_as_a_suite_is_one() {
    let text = "package a
import \"github.com/stretchr/testify/suite\"
func TestAll(t *testing.T) { suite.Run(t, new(checks)) }
func (c *checks) TestOne() {}
";
    assert_eq!(inventory("a_test.go", text), "TestAll\n  checks::TestOne\n");
}

#[test]
fn gocheck_methods_are_tests_on_any_type() {
    let text = "
func (s *S) TestTotal(c *check.C) {
	c.Assert(1, check.Equals, 1)
	c.Check(2, check.Equals, 2)
}
func (s *S) TestFlaky(c *C) { c.ExpectFailure(\"rounding\") }
func (s *S) TestLater(c *C) { c.Skip(\"later\") }
";
    assert_eq!(
        found(text),
        "  S::TestTotal, 2 asserts\n  S::TestFlaky, ExpectedFailure/Test \"rounding\"\n  S::TestLater, Unconditional/Test \"later\"\n"
    );
}

#[test]
fn methods_that_take_a_test_are_tests_on_any_type() {
    let text = "
func Test(t *testing.T) { grpctest.RunSubTests(t, s{}) }
func (s) TestDial(t *testing.T) {
	if Dial() == nil {
		t.Fatal(\"no connection\")
	}
}
func (s) TestLater(t *testing.T) { t.Skip(\"later\") }
func (s) Testimony(t *testing.T) {}
func (s) TestTwo(t *testing.T, name string) {}
";
    assert_eq!(found(text), "Test\n  s::TestDial, 1 asserts\n  s::TestLater, Unconditional/Test \"later\"\n");
}

#[test]
fn a_skip_in_the_fixture_or_the_runner_is_the_suites() {
    let text = "package a
import \"github.com/stretchr/testify/suite\"
func (s *ASuite) SetupSuite() { s.T().Skip(\"broken\") }
func (s *ASuite) TestOne() {}
func (s *BSuite) SetupTest() {
	if testing.Short() {
		s.T().Skip(\"slow\")
	}
}
func (s *BSuite) TestTwo() {}
func (s *CSuite) TestThree() {}
func TestC(t *testing.T) {
	t.Skip(\"off\")
	suite.Run(t, &CSuite{})
}
";
    assert_eq!(
        inventory("a_test.go", text),
        "  ASuite::TestOne, Unconditional/Suite \"broken\"
  BSuite::TestTwo, Conditional/Suite \"slow\"
  CSuite::TestThree, Unconditional/Suite \"off\"
TestC, Unconditional/Test \"off\"
"
    );
}
