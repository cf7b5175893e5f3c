//! No text makes the pack panic.

use crate::languages::{Source, analyze};

const SAMPLE: &str = r#"import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
@Disabled("é") class CartTest extends junit.framework.TestCase {
    static final boolean RUN = !true || (1 == 1);
    @ParameterizedTest @CsvSource(textBlock = """
        a, 1
        """) @MethodSource({"rows", "x#y"})
    void total(int x) { if (true) { return; } assertThat(x).isEqualTo("ü" + 1); }
    @Test(expected = A.class, enabled = RUN) private int a() { assumeTrue("m" + "n", RUN); throw new SkipException("é"); }
    static Stream<Arguments> rows() { return Stream.of(of(1), of(2)).map(x -> x); }
    @Nested class Inner<T> extends CartTest { public void testB() { try { abort(); } catch (E e) { fail(); } } }
    @RepeatedTest(99999999999) void c() { new Object() { void d() { verify(m).e().f[0].g(); } }; }
    enum Unit { DAY { void x() {} }, HOUR; @Test void y() {} }
    @interface Quick {} record R(int a) { R {} } interface I { int A = 1; @Test default void z() {} }
}
"#;

fn survives(text: &[u8]) {
    analyze(Source { path: "src/test/java/CartTest.java", text });
}

#[test]
fn every_prefix_is_read() {
    for end in 0..=SAMPLE.len() {
        survives(&SAMPLE.as_bytes()[..end]);
    }
}

#[test]
fn every_text_without_one_line_is_read() {
    let lines: Vec<&str> = SAMPLE.lines().collect();
    for left_out in 0..lines.len() {
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, line)| *line);
        survives(kept.collect::<Vec<_>>().join("\n").as_bytes());
    }
}

#[test]
fn random_mutations_are_read() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap_or(0)
    };
    let spare = b"(){}@\"';,.<>=!&|\xc3\xa9\x00\n class";
    for _ in 0..400 {
        let mut text = SAMPLE.as_bytes().to_vec();
        for _ in 0..=random(6) {
            let at = random(text.len());
            match random(3) {
                0 => text[at] = spare[random(spare.len())],
                1 => text.insert(at, spare[random(spare.len())]),
                _ => drop(text.drain(at..text.len().min(at + 1 + random(30)))),
            }
        }
        survives(&text);
    }
}

#[test]
fn deep_nesting_is_read() {
    let deep = |open: &str, close: &str| format!("{}true{}", open.repeat(3000), close.repeat(3000));
    for condition in [deep("(", ")"), deep("!", ""), deep("a(", ")"), deep("\"x\" + ", ""), deep("a().", "")]
    {
        survives(format!("class A {{ @Test void a() {{ assumeTrue({condition}); }} }}").as_bytes());
    }
    survives("class A { ".repeat(2000).as_bytes());
}
