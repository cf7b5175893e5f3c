//! Specs of ginkgo.

use super::super::super::testing::inventory;
use super::found;

fn specs(body: &str) -> String {
    let head = "package a\nimport (\n\t. \"github.com/onsi/ginkgo/v2\"\n\t. \"github.com/onsi/gomega\"\n)\n";
    inventory("a_test.go", &format!("{head}{body}"))
}

#[test]
fn ginkgo_specs_stand_in_their_containers() {
    let text = "
func TestAll(t *testing.T) { RegisterFailHandler(Fail); RunSpecs(t, \"all\") }
var _ = Describe(\"cart\", func() {
	var total int
	BeforeEach(func() { total = 1 })
	Context(\"when empty\", func() {
		It(\"is free\", func() { Expect(total).To(Equal(0)) })
		PIt(\"is broken\", func() { Expect(total).To(Equal(0)) })
		It(\"waits\", Pending, func() {})
		It(\"has no body\")
		It(\"skips\", func() { Skip(\"later\") })
		It(\"may skip\", func() { if cond { Skip(\"later\") } })
	})
	XDescribe(\"off\", func() { Specify(\"never\", func() { Fail(\"no\") }) })
	DescribeTable(\"sums\", func(a int) { Expect(a).To(Equal(1)) },
		Entry(\"one\", 1),
		XEntry(\"two\", 2),
	)
})
var _ = Describe(\"broken\", func() {
	BeforeEach(func() { Skip(\"all\") })
	It(\"x\", func() {})
})
";
    assert_eq!(
        specs(text),
        "TestAll
cart::when empty::is free, 1 asserts
cart::when empty::is broken, 1 asserts, Unconditional/Test
cart::when empty::waits, Unconditional/Test
cart::when empty::has no body, Unconditional/Test
cart::when empty::skips, Unconditional/Test \"later\"
cart::when empty::may skip, Conditional/Test \"later\"
cart::off::never, 1 asserts, Unconditional/Suite
cart::sums, 2 cases, 1 asserts
  cart::sums::one
  cart::sums::two, Unconditional/Test
broken::x, Unconditional/Suite \"all\"
"
    );
}

#[test]
fn a_focused_spec_leaves_out_the_others() {
    let text = "var _ = Describe(\"a\", func() {\n\tFIt(\"x\", func() {})\n\tIt(\"y\", func() {})\n})\n";
    assert_eq!(specs(text), "a::x\na::y, Focus/File\n");
}

#[test]
fn ginkgo_names_mean_nothing_without_ginkgo() {
    assert_eq!(found("var _ = Describe(\"a\", func() { It(\"x\", func() {}); Skip(\"y\") })\n"), "");
    let named = "package a\nimport g \"github.com/onsi/ginkgo\"\nvar _ = g.Describe(\"a\", func() { g.It(\"x\", func() {}) })\n";
    assert_eq!(inventory("a_test.go", named), "a::x\n");
}
