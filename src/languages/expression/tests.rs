//! Expressions in, their parts out.

use proptest::prelude::*;

use super::*;

fn names(text: &str) -> Vec<&str> {
    chain(text).iter().map(|link| link.name).collect()
}

#[test]
fn arguments_are_split_outside_of_brackets_and_strings() {
    assert_eq!(split("a, f(b, c), \"d, e\", [1, 2],"), ["a", "f(b, c)", "\"d, e\"", "[1, 2]"]);
    assert_eq!(split("  "), Vec::<&str>::new());
    assert_eq!(split("'it\\'s, so', {a: 1, b: 2}"), ["'it\\'s, so'", "{a: 1, b: 2}"]);
    assert_eq!(split("&'a str, x"), ["&'a str", "x"]);
}

#[test]
fn chains_are_taken_apart() {
    assert_eq!(names("await expect(load(a, b)).not.toBe(3);"), ["expect", "not", "toBe"]);
    assert_eq!(names("assert_eq!(a, b)"), ["assert_eq"]);
    assert_eq!(
        names("assertThat(x)\n    .isNotNull()\n    .isEqualTo(y)"),
        ["assertThat", "isNotNull", "isEqualTo"]
    );
    assert_eq!(chain("self.assertEqual(a, b)")[1].arguments, Some(vec!["a", "b"]));
    assert_eq!(names("(a + b).should.equal(3)"), ["", "should", "equal"]);
    assert_eq!(names("assertThrows<Foo>(() -> bar())"), ["assertThrows"]);
}

#[test]
fn what_stands_before_a_name() {
    let text = "a.b(c)?.d(e)";
    assert_eq!(chain(text).last().map(|link| head_of(text, link.name)), Some("a.b(c)"));
}

#[test]
fn the_loosest_operator_parts_an_expression() {
    assert_eq!(comparison("a == b"), Some(("a", Operator::Equal, "b")));
    assert_eq!(comparison("f(a == b) is not None"), Some(("f(a == b)", Operator::IsNot, "None")));
    assert_eq!(comparison("a == 1 and b == 2"), Some(("a == 1", Operator::And, "b == 2")));
    assert_eq!(comparison("(a <= b)"), Some(("a", Operator::LessOrEqual, "b")));
    assert_eq!(comparison("list.contains(a)"), None);
    assert_eq!(comparison("x => x"), None);
    assert_eq!(comparison("'a == b'"), None);
}

#[test]
fn raw_strings_of_rust_are_one_piece() {
    assert_eq!(split("a, r#\"{\"b\", )\"#, c"), ["a", "r#\"{\"b\", )\"#", "c"]);
}

#[test]
fn a_whole_chain_has_nothing_around_it() {
    assert!(whole_chain("a.b(c)").is_some());
    assert!(whole_chain("a.b(c) + 1").is_none());
    let text = "x.iter().collect::<Vec<_>>().contains(&1)";
    let links = whole_chain(text).unwrap_or_default();
    assert_eq!(links.iter().map(|link| link.name).collect::<Vec<_>>(), ["x", "iter", "collect", "contains"]);
    assert_eq!(before(text, &links[3]), "x.iter().collect::<Vec<_>>()");
}

#[test]
fn lines_do_not_matter_to_a_tidy_text() {
    assert_eq!(tidy("f(\n    a,\n    b,\n)\n    .c()"), "f(a, b).c()");
    assert_eq!(tidy("Foo { a: 1 }"), tidy("Foo {\n  a: 1,\n}"));
}

#[test]
fn comments_are_taken_out_but_not_of_strings() {
    assert_eq!(without_comments("a // it's\n.b(\"http://x\") /* c */"), "a \n.b(\"http://x\") ");
}

#[test]
fn plain_values_are_recognised() {
    for text in ["1", "-2.5", "1_000u64", "0.1f", "'a'", "b\"x\"", "true", "None", "(3)"] {
        assert!(is_literal(text), "{text}");
    }
    for text in ["a", "f(1)", "'a' + 'b'", "[1]", "e5", "`a${b}`", "f'{a}'"] {
        assert!(!is_literal(text), "{text}");
    }
    assert_eq!(number("1e-6"), Some(1e-6));
}

#[test]
fn or_binds_looser_than_and() {
    assert_eq!(comparison("a and b or c"), Some(("a and b", Operator::Or, "c")));
    assert_eq!(comparison("a and b and c"), Some(("a", Operator::And, "b and c")));
    assert_eq!(comparison("a === 1 && b"), Some(("a === 1", Operator::And, "b")));
}

#[test]
fn brackets_and_quotes_in_regular_expressions_are_text() {
    assert_eq!(split("x, /a,[/,]\\)b/g, y"), ["x", "/a,[/,]\\)b/g", "y"]);
    assert_eq!(names("expect(a).toMatch(/\\)'/).and(b)"), ["expect", "toMatch", "and"]);
    assert_eq!(split("a / b, c / d"), ["a / b", "c / d"]);
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC*") {
        chain(&text);
        split(&text);
        comparison(&text);
        number(&text);
        is_literal(&text);
        negation(&text);
        whole_chain(&text);
        tidy(&text);
        without_comments(&text);
    }

    #[test]
    fn no_code_makes_a_reader_panic(text in "[a(){}\\[\\]'\"`,.=<>! \n]*") {
        chain(&text);
        split(&text);
        comparison(&text);
        bare(&text);
        without_comments(&text);
    }

    #[test]
    fn no_raw_string_makes_a_reader_panic(text in "[ar#\"/*'\\n\\\\é(),]*") {
        split(&text);
        chain(&text);
        without_comments(&text);
    }
}
