//! Inputs made to be slow: one line of a megabyte, brackets within brackets, tests without end.
//!
//! No clock decides here: what is kept of a file must grow no faster than the file, and nothing may run out of stack.
//! With the sizes that users may meet, the numbers are in the `ratios` bench.

use crate::facts::{Definition, FileFacts, Health, Test};
use crate::languages::{Source, analyze, analyze_pair};

struct Hostile {
    path: &'static str,
    /// What stands before and behind everything else.
    around: (&'static str, &'static str),
    /// One test, with a number for `#`.
    test: &'static str,
    /// A test that is opened and closed around statements.
    body: (&'static str, &'static str),
    /// A statement with an assertion, without a line break.
    statement: &'static str,
    /// Brackets around an expression in an assertion, `#` being the expression.
    checked: &'static str,
}

const LANGUAGES: [Hostile; 6] = [
    Hostile {
        path: "tests/test_a.py",
        around: ("", ""),
        test: "def test_#():\n    x = f(#)\n    assert x == #\n\n",
        body: ("def test_a(): ", "pass\n"),
        statement: "f(a, b); assert x == 1; ",
        checked: "def test_a():\n    assert # == 1\n",
    },
    Hostile {
        path: "a.test.js",
        around: ("", ""),
        test: "it('t#', () => { const x = f(#); expect(x).toBe(#) })\n",
        body: ("it('a', () => {", "})\n"),
        statement: "var a=function(b){return c(b)};expect(a).toBe(1);",
        checked: "it('a', () => { expect(#).toBe(1) })\n",
    },
    Hostile {
        path: "a.test.ts",
        around: ("", ""),
        test: "it('t#', () => { const x: number = f(#); expect(x).toBe(#) })\n",
        body: ("it('a', () => {", "})\n"),
        statement: "let a=(b: number)=>c(b);expect(a).toBe(1);",
        checked: "it('a', () => { expect(#).toBe(1) })\n",
    },
    Hostile {
        path: "a_test.go",
        around: ("package a\n", ""),
        test: "func Test#(t *testing.T) {\n\tif x := f(#); x != # {\n\t\tt.Errorf(\"bad %d\", x)\n\t}\n}\n",
        body: ("func TestA(t *testing.T) {", "}\n"),
        statement: "f(a,b);if x!=1{t.Error(1)};",
        checked: "func TestA(t *testing.T) { if # != 1 { t.Error(1) } }\n",
    },
    Hostile {
        path: "tests/a.rs",
        around: ("", ""),
        test: "#[test]\nfn t#() { let x = f(#); assert_eq!(x, #); }\n",
        body: ("#[test]\nfn a() {", "}\n"),
        statement: "f(a,b);assert_eq!(x,1);",
        checked: "#[test]\nfn a() { assert_eq!(#, 1); }\n",
    },
    Hostile {
        path: "src/test/java/ATest.java",
        around: ("class ATest {\n", "}\n"),
        test: "@Test void t#() { int x = f(#); assertEquals(#, x); }\n",
        body: ("@Test void a() {", "}\n"),
        statement: "f(a,b);assertEquals(x,1);",
        checked: "@Test void a() { assertEquals(#, 1); }\n",
    },
];

impl Hostile {
    fn whole(&self, inside: &str) -> String {
        format!("{}{inside}{}", self.around.0, self.around.1)
    }

    fn many_tests(&self, count: usize) -> String {
        // The attribute of Rust has a number sign of its own.
        let test = |number: usize| {
            let test = self.test.replace("#[", "@[").replace('#', &number.to_string());
            if self.path.ends_with(".rs") { test.replace("@[", "#[") } else { test }
        };
        self.whole(&(0..count).map(test).collect::<String>())
    }

    fn one_line(&self, statements: usize) -> String {
        self.whole(&format!("{}{}{}", self.body.0, self.statement.repeat(statements), self.body.1))
    }

    fn brackets(&self, depth: usize, open: &str, close: &str) -> String {
        let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let checked = self.checked.replace("#[", "@[").replace('#', &nested).replace("@[", "#[");
        self.whole(&checked)
    }

    fn facts(&self, text: &str) -> FileFacts {
        analyze(Source { path: self.path, text: text.as_bytes() })
    }
}

/// What is kept of a file, as a number that counts every list and every text.
fn weight(facts: &FileFacts) -> usize {
    let assertions = |checks: &[crate::facts::Assertion]| -> usize {
        checks.iter().map(|check| 1 + check.text.len() + check.claim.subject.len()).sum()
    };
    let test = |test: &Test| {
        let lists = test.rows.len() + test.bindings.len() + test.conditions.len();
        1 + test.body.len() + test.words.len() + assertions(&test.assertions) + lists
    };
    let definition = |definition: &Definition| {
        1 + definition.body.len() + definition.words.len() + assertions(&definition.assertions)
    };
    facts.tests.iter().map(test).sum::<usize>()
        + facts.definitions.iter().map(definition).sum::<usize>()
        + facts.names.len()
}

/// Four times the input may leave at most little more than four times the facts.
fn grows_with_the_file(language: &Hostile, make: impl Fn(usize) -> String, size: usize) {
    let (small, large) = (make(size), make(4 * size));
    let (less, more) = (weight(&language.facts(&small)), weight(&language.facts(&large)));
    let allowed = 5 * less + 1000;
    assert!(more <= allowed, "{}: {less} became {more} of {} bytes", language.path, large.len());
}

#[test]
fn tests_without_end_are_all_counted_and_cost_what_they_are_long() {
    for language in &LANGUAGES {
        let facts = language.facts(&language.many_tests(2000));
        assert_eq!((facts.health, facts.tests.len()), (Health::Clean, 2000), "{}", language.path);
        assert!(facts.tests.iter().all(|test| test.assertions.len() == 1), "{}", language.path);
        grows_with_the_file(language, |count| language.many_tests(count), 300);
    }
}

#[test]
fn a_line_without_end_costs_what_it_is_long() {
    for language in &LANGUAGES {
        let facts = language.facts(&language.one_line(1000));
        assert_eq!(facts.tests.len(), 1, "{}", language.path);
        assert_eq!(facts.tests[0].assertions.len(), 1000, "{}", language.path);
        grows_with_the_file(language, |count| language.one_line(count), 300);
    }
}

#[test]
fn brackets_within_brackets_cost_no_stack_and_what_they_are_long() {
    for language in &LANGUAGES {
        for (open, close) in
            [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("!", ""), ("(", ""), ("", "}")]
        {
            language.facts(&language.brackets(9000, open, close));
        }
        grows_with_the_file(language, |depth| language.brackets(depth, "(", ")"), 500);
        grows_with_the_file(language, |depth| language.brackets(depth, "f(", ")"), 500);
    }
}

#[test]
fn what_is_nested_deeper_than_anybody_writes_is_given_up() {
    for language in &LANGUAGES {
        let health = |depth, open, close| language.facts(&language.brackets(depth, open, close)).health;
        assert_eq!(health(1000, "(", ")"), Health::Clean, "{}", language.path);
        for (open, close) in [("(", ")"), ("f(", ")"), ("f(", ""), ("{", "")] {
            assert_eq!(health(20_000, open, close), Health::TooDeep, "{} {open}", language.path);
        }
        // Brackets say nothing of these. In Rust, what stands in a macro is a list.
        if language.path != "tests/a.rs" {
            let chain = language.checked.replace('#', &format!("a{}", ".b()".repeat(10_000)));
            assert_eq!(language.facts(&language.whole(&chain)).health, Health::TooDeep, "{}", language.path);
        }
    }
}

#[test]
fn both_sides_of_a_hostile_file_are_read_together() {
    for language in &LANGUAGES {
        let (before, after) = (language.many_tests(500), language.many_tests(499));
        let source = |text| Source { path: language.path, text };
        let (old, new) = analyze_pair(source(before.as_bytes()), source(after.as_bytes()));
        assert_eq!((old.tests.len(), new.tests.len()), (500, 499), "{}", language.path);
        assert_eq!(new, language.facts(&after), "{}", language.path);
    }
}

#[test]
fn what_is_too_large_is_not_read() {
    for language in &LANGUAGES {
        let facts = language.facts(&language.one_line(50_000 * 24 / language.statement.len()));
        assert_eq!((facts.health, facts.tests.len()), (Health::TooLarge, 0), "{}", language.path);
    }
}

#[test]
fn comments_that_the_parser_would_read_again_and_again_are_not_read() {
    let python = &LANGUAGES[0];
    let commented =
        |lines: usize| format!("{}{}", python.many_tests(2), "# assert f(1) == 2\n".repeat(lines));
    assert_eq!(python.facts(&commented(1000)).health, Health::Clean);
    assert_eq!(python.facts(&commented(20_000)).health, Health::TooLarge);
}

#[test]
fn functions_of_code_that_a_program_packed_are_not_told() {
    let written = "function f(a) {\n  if (!a) throw new Error('a')\n}\n".repeat(200);
    let packed = "function f(a){if(!a)throw new Error('a')}".repeat(200);
    let endless = format!("function f(a) {{\n{}}}\n", "if (!a) throw new Error('a')\n".repeat(2000));
    for (text, is_packed) in [(written, false), (packed, true), (endless, true)] {
        let facts = analyze(Source { path: "src/a.js", text: text.as_bytes() });
        assert_eq!((facts.packed, facts.functions.is_empty()), (is_packed, is_packed), "{}", &text[..60]);
    }
}

#[test]
fn more_tests_on_one_line_than_anybody_writes_are_not_told() {
    let test = "it('a', () => { expect(f(1)).toBe(2) });";
    let health = |text: String| analyze(Source { path: "a.test.js", text: text.as_bytes() }).health;
    assert_eq!(health(test.repeat(20)), Health::Clean);
    assert_eq!(health(format!("{test}\n").repeat(200)), Health::Clean);
    assert_eq!(health(test.repeat(200)), Health::TooLarge);
}
