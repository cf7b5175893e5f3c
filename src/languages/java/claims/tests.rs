//! Assertions of Java and what they claim.

use super::super::super::testing::claimed;
use super::claim;

fn check(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(claimed(&claim(text)), *expected, "{text}");
    }
}

#[test]
fn junit() {
    check(&[
        ("assertEquals(3, cart.total())", "Value cart.total() = 3"),
        ("assertEquals(cart.total(), 3)", "Value cart.total() = 3"),
        ("assertEquals(\"sum\", 3, x)", "Value x = 3"),
        ("assertEquals(3, x, \"sum\")", "Value x = 3"),
        ("assertEquals(\"a\", x)", "Value x = \"a\""),
        ("assertEquals(1.5, x, 0.1)", "Approximate x = 1.5 Tolerance(0.1)"),
        ("assertEquals(\"sum\", 1.5, x, DELTA)", "Approximate x = 1.5"),
        ("assertEquals(1, 1)", "Tautology 1 = -"),
        ("assertNotEquals(a, b)", "not Bound b = a"),
        ("Assert.assertTrue(x)", "Truthy x = true"),
        ("assertTrue(\"why\", x)", "Truthy x = true"),
        ("assertTrue(true)", "Tautology true = -"),
        ("assertTrue(a.equals(b))", "Value a = b"),
        ("assertTrue(a == 1)", "Value a = 1"),
        ("assertTrue(s.contains(\"a\"), \"why\")", "Pattern s = \"a\""),
        ("assertTrue(xs.isEmpty())", "Value xs = empty"),
        ("assertFalse(xs.isEmpty())", "NotNull xs = -"),
        ("assertFalse(x)", "not Value x = false"),
        ("assertTrue(x instanceof Foo)", "Shape x = Foo"),
        ("assertNull(x)", "Value x = null"),
        ("assertNotNull(\"why\", x)", "NotNull x = -"),
        ("assertSame(a, b)", "Structure b = a"),
        ("assertThrows(IOException.class, () -> run())", "Raises Shape run() = IOException"),
        ("assertDoesNotThrow(() -> run())", "Raises not Shape run() = -"),
        ("assertNullPointerException(() -> run())", "Raises Shape run() = NullPointerException"),
        ("fail(\"no\")", "Failure Value  = -"),
        ("expected = IOException.class", "Raises Shape  = IOException"),
        ("expectedExceptions = {A.class, B.class}", "Raises Shape  = A, B"),
        ("thrown.expectMessage(\"bad\")", "Raises Pattern  = - ~ \"bad\""),
        ("assert x > 1 : \"why\";", "Bound x = 1 AtLeast(1.0)"),
        ("assertArrayEquals(new int[] {1}, x)", "Value x = new int[] {1}"),
    ]);
}

#[test]
fn fluent() {
    check(&[
        ("assertThat(x).as(\"why\").isEqualTo(3)", "Value x = 3"),
        ("assertThat(x)\n    .isNotNull()\n    // why\n    .isEqualTo(3)", "Value x = 3"),
        ("assertThat(xs).hasSize(2)", "Value xs.size() = 2"),
        ("assertThat(xs).hasSize(2).containsExactly(a, b)", "Value xs = a, b"),
        ("assertThat(xs).contains(a)", "Pattern xs = a"),
        ("assertThat(xs).doesNotContain(a)", "not Pattern xs = a"),
        ("Assertions.<Object> assertThat(x).isEqualTo(3)", "Value x = 3"),
        ("assertThat(a.equals(b)).isTrue()", "Value a = b"),
        ("assertThat(xs.contains(a)).isFalse()", "not Pattern xs = a"),
        ("assertThat(x).isTrue()", "Truthy x = true"),
        ("assertThat(x).isCloseTo(1.5, within(0.1))", "Approximate x = 1.5 Tolerance(0.1)"),
        ("assertThat(x).isWithin(0.1).of(1.5)", "Approximate x = 1.5 Tolerance(0.1)"),
        ("assertThat(x).isGreaterThan(3)", "Bound x = 3 AtLeast(3.0)"),
        ("assertThat(xs).hasSizeGreaterThanOrEqualTo(0)", "Tautology xs.size() = -"),
        ("assertThat(x).isInstanceOf(Foo.class)", "Shape x = Foo"),
        ("assertThat(x).isSameAs(y)", "Structure x = y"),
        ("assertThat(x).extracting(\"name\").isEqualTo(\"a\")", "Value x.extracting(\"name\") = \"a\""),
        ("assertWithMessage(\"sum\").that(x).isEqualTo(1)", "Value x = 1"),
        ("expect.that(x).isEqualTo(1)", "Value x = 1"),
        (
            "assertThatThrownBy(() -> run()).isInstanceOf(IOException.class).hasMessage(\"x\")",
            "Raises Value run() = IOException ~ \"x\"",
        ),
        (
            "assertThatExceptionOfType(IOException.class).isThrownBy(() -> run()).withMessageContaining(\"x\")",
            "Raises Pattern run() = IOException ~ \"x\"",
        ),
        (
            "assertThatNullPointerException().isThrownBy(() -> run())",
            "Raises Shape run() = NullPointerException",
        ),
        ("assertThatCode(() -> run()).doesNotThrowAnyException()", "Raises not Shape run() = -"),
        ("assertThat(e).hasMessageThat().contains(\"x\")", "Raises Pattern e = - ~ \"x\""),
        ("assertThat(order).isPaid()", "Truthy order.isPaid() = true"),
    ]);
}

#[test]
fn hamcrest() {
    check(&[
        ("assertThat(x, is(3))", "Value x = 3"),
        ("assertThat(x, is(equalTo(y)))", "Value x = y"),
        ("assertThat(\"why\", x, equalTo(y))", "Value x = y"),
        ("assertThat(x, not(equalTo(y)))", "not Bound x = y"),
        ("assertThat(x, is(notNullValue()))", "NotNull x = -"),
        ("assertThat(s, containsString(\"a\"))", "Pattern s = \"a\""),
        ("assertThat(xs, hasSize(2))", "Value xs.size() = 2"),
        ("assertThat(x, closeTo(1.5, 0.1))", "Approximate x = 1.5 Tolerance(0.1)"),
        ("assertThat(x, instanceOf(Foo.class))", "Shape x = Foo"),
        ("assertThat(x, greaterThan(3))", "Bound x = 3 AtLeast(3.0)"),
        ("collector.checkThat(x, is(1))", "Value x = 1"),
    ]);
}

#[test]
fn mocks_and_chains() {
    check(&[
        ("verify(mock).run(1)", "Called Value mock.run = (1)"),
        ("verify(mock, times(2)).run(any())", "Called Shape mock.run = (any()) times(2)"),
        ("verify(mock, never()).run()", "Called not Value mock.run = () never()"),
        ("verify(mock, atLeast(2)).run()", "Called Bound mock.run = () atLeast(2) AtLeast(2.0)"),
        ("inOrder.verify(mock).run()", "Called Value mock.run = ()"),
        ("then(mock).should().run()", "Called Value mock.run = ()"),
        ("Mockito.verifyNoMoreInteractions(mock)", "Called not Value mock = verifyNoMoreInteractions"),
        (
            "mvc.perform(get(\"/\")).andExpect(status().isOk())",
            "Value mvc.perform(get(\"/\")) = andExpect(status().isOk())",
        ),
        ("given().get(\"/\").then().statusCode(200)", "Value given().get(\"/\") = statusCode(200)"),
        ("await().atMost(1, SECONDS).until(() -> n == 3)", "Value n = 3"),
    ]);
}

#[test]
fn the_unknown_is_a_helper() {
    check(&[("assertRoundTrip(x)", "Helper Value assertRoundTrip(x) = -")]);
}
