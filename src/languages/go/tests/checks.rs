//! Calls that check something.

use super::super::super::testing::inventory;

#[test]
fn checks_of_all_libraries_are_counted_once() {
    let text = "package a
import chk \"github.com/stretchr/testify/assert\"
func TestTesting(t *testing.T) {
	t.Error(); t.Errorf(\"\"); t.Fatal(); t.Fatalf(\"\"); t.Fail(); t.FailNow()
	t.Log(); err.Error(); log.Fatal()
}
func TestTestify(t *testing.T) {
	assert.Equal(t, 1, 1)
	require.NoError(t, f())
	chk.True(t, assert.ObjectsAreEqual(1, 1))
	is := assert.New(t)
	is.Len(x, 1)
	require.New(t).Nil(x)
}
func TestIs(t *testing.T) {
	is := is.New(t)
	is.Equal(1, 1)
	is.NoErr(err)
}
func TestGomega(t *testing.T) {
	g := NewWithT(t)
	g.Expect(1).To(Equal(1))
	Expect(f()).Error().NotTo(HaveOccurred())
	Eventually(f).WithTimeout(s).Should(BeTrue())
	mail.To(\"you\")
}
func TestQuicktest(t *testing.T) {
	c := qt.New(t)
	c.Assert(1, qt.Equals, 1)
	qt.Assert(t, qt.Equals(1, 1))
	c.Run(\"part\", func(c *qt.C) { c.Check(1, qt.Equals, 1) })
}
func TestHomeMade(t *testing.T) {
	assertSame(t, 1, 1)
	testutil.Ok(t, err)
	checkGolden(t, \"x\")
	checkout(t)
	site.AssertFileContent(\"a\", \"b\")
	setup(t)
}
";
    assert_eq!(
        inventory("a_test.go", text),
        "TestTesting, 6 asserts
TestTestify, 5 asserts
TestIs, 2 asserts
TestGomega, 3 asserts
TestQuicktest, 3 asserts
  TestQuicktest::part, 1 asserts
TestHomeMade, 4 asserts
"
    );
}
