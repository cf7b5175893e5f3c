//! What counts as a check, and that each counts once.

use super::{in_class, in_test};

#[test]
fn each_library_is_known() {
    for statement in [
        "assertEquals(1, x);",
        "Assert.assertTrue(x);",
        "org.junit.jupiter.api.Assertions.assertNull(x);",
        "assertThrows(IOException.class, () -> run());",
        "fail(\"not reached\");",
        "Assertions.fail();",
        "assert x > 1;",
        "assertThat(x).isNotNull().isEqualTo(y);",
        "assertThatThrownBy(() -> run()).isInstanceOf(IOException.class).hasMessage(\"x\");",
        "assertThatExceptionOfType(IOException.class).isThrownBy(() -> run());",
        "assertThatCode(() -> run()).doesNotThrowAnyException();",
        "assertThat(x, is(equalTo(y)));",
        "assertWithMessage(\"sum\").that(x).isEqualTo(1);",
        "Truth.assertThat(x).isTrue();",
        "expect.that(x).isEqualTo(1);",
        "expect.withMessage(\"sum\").that(x).isEqualTo(1);",
        "verify(mock).run();",
        "verify(mock, times(2)).run(any());",
        "inOrder.verify(mock).run();",
        "Mockito.verifyNoMoreInteractions(mock);",
        "then(mock).should().run();",
        "then(x).isEqualTo(1);",
        "thrown.expect(IOException.class);",
        "thrown.expectMessage(\"x\");",
        "mvc.perform(get(\"/\")).andExpect(status().isOk()).andExpect(content().string(\"x\"));",
        "given().get(\"/\").then().statusCode(200);",
        "StepVerifier.create(flux).expectNext(1).verifyComplete();",
        "client.get().exchange().expectStatus().isOk();",
        "collector.checkThat(x, is(1));",
        "await().atMost(1, SECONDS).until(() -> done());",
        "softly.assertAll();",
        "assertRoundTrip(x);",
    ] {
        assert_eq!(in_test(statement), "1 asserts", "{statement}");
    }
}

#[test]
fn other_calls_check_nothing() {
    for statement in [
        "expect(mock.run()).andReturn(1);",
        "EasyMock.expect(mock.run()).andReturn(1).anyTimes();",
        "expectLastCall();",
        "future.fail(error);",
        "when(mock.run()).thenReturn(1);",
        "future.then(x);",
        "asserting(x);",
        "String s = \"assertEquals(1, x)\"; // assertEquals(1, x)",
        "latch.await();",
    ] {
        assert_eq!(in_test(statement), "", "{statement}");
    }
}

#[test]
fn a_check_inside_a_check_counts_once() {
    assert_eq!(in_test("assertTrue(signature.verify(bytes)); assertTrue(y);"), "2 asserts");
}

#[test]
fn grouped_checks_count_one_by_one() {
    assert_eq!(in_test("assertAll(() -> assertEquals(1, x), () -> assertEquals(2, y));"), "2 asserts");
    assert_eq!(in_test("await().untilAsserted(() -> assertThat(x).isTrue());"), "1 asserts");
    assert_eq!(in_test("assertTimeout(limit, () -> { assertEquals(1, x); });"), "2 asserts");
}

#[test]
fn an_expected_exception_is_a_check() {
    assert_eq!(in_class("@Test(expected = IOException.class) void a() {}"), "CartTest::a, 1 asserts\n");
    assert_eq!(
        in_class("@Test(expectedExceptions = {IOException.class}) void a() {}"),
        "CartTest::a, 1 asserts\n"
    );
    assert_eq!(in_class("@Test(timeout = 10) void a() {}"), "CartTest::a\n");
}

#[test]
fn checks_in_anonymous_classes_belong_to_the_test() {
    assert_eq!(in_test("run(new Task() { public void go() { assertTrue(x); } });"), "1 asserts");
}
