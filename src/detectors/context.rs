//! What stands around a test and belongs to it: the set-up of its file, and the helpers and fields that it uses.

use std::borrow::Cow;

use crate::comparison::FileSide;
use crate::facts::{DefinitionKind, Span, Test};

/// How functions and calls begin that run before each test.
const SET_UP: &[&str] =
    &["setup", "set_up", "beforeeach", "beforeall", "before_each", "before_all", "asyncsetup", "setupclass"];

/// Longer helpers do many things.
const LONGEST: u32 = 60;

/// So many lines of a call that sets up are read.
const CALLED: u32 = 15;

/// Shorter names stand for many things.
const MIN_NAME: usize = 3;

/// The lines of a test, and of what its file sets up for it.
pub fn with_context<'s>(side: &'s FileSide, test: &Test) -> Vec<Cow<'s, str>> {
    let mut lines: Vec<Cow<'s, str>> = side.lines(test.span).collect();
    lines.extend(context(side, test));
    lines
}

/// The lines outside of a test that set up what it uses.
pub fn context<'s>(side: &'s FileSide, test: &Test) -> Vec<Cow<'s, str>> {
    let mut taken = spans(side, test);
    let last = side.line_at(side.text.len());
    let tests = Covered::by(side.facts.tests.iter().map(|test| test.span), last);
    let functions = Covered::by(functions(side).map(|(_, span)| span), last);
    let mut number = 0;
    for line in side.lines(Span { start: 1, end: last }) {
        number += 1;
        if tests.has(number) || functions.has(number) {
            continue;
        }
        if is_set_up(line.trim_start()) && line.contains('(') {
            taken.push(Span { start: number, end: number + CALLED });
        } else if declared(&line).is_some_and(|name| name.len() >= MIN_NAME && test.words.contains(name)) {
            taken.push(Span { start: number, end: number });
        }
    }
    let mut lines = Vec::new();
    for span in taken {
        let inside = side.lines(span).zip(span.start..);
        lines.extend(inside.filter(|(_, line)| !tests.has(*line)).map(|(text, _)| text));
    }
    lines
}

/// The functions of a file that set up, or that a test calls.
fn spans(side: &FileSide, test: &Test) -> Vec<Span> {
    let is_meant = |name: &str| is_set_up(name) || name.len() >= MIN_NAME && test.words.contains(name);
    functions(side).filter(|(name, _)| is_meant(name)).map(|(_, span)| span).collect()
}

/// The functions of a file that are no tests, and not too long.
fn functions(side: &FileSide) -> impl Iterator<Item = (&str, Span)> {
    let defined = side.facts.definitions.iter();
    let defined = defined.filter(|definition| {
        definition.kind == DefinitionKind::Function
            && definition.span.end - definition.span.start < LONGEST
            && !side.facts.tests.iter().any(|test| test.span.contains(definition.span))
    });
    defined.map(|definition| (definition.name.as_str(), definition.span))
}

/// Which lines of a file some spans cover.
struct Covered(Vec<bool>);

impl Covered {
    fn by(spans: impl Iterator<Item = Span>, last: u32) -> Self {
        let mut lines = vec![false; last as usize + 2];
        for span in spans {
            let end = (span.end as usize).min(last as usize);
            lines.iter_mut().take(end + 1).skip(span.start as usize).for_each(|line| *line = true);
        }
        Self(lines)
    }

    fn has(&self, line: u32) -> bool {
        self.0.get(line as usize).copied().unwrap_or(false)
    }
}

fn is_set_up(text: &str) -> bool {
    let head: String = text.chars().take(14).collect::<String>().to_lowercase();
    SET_UP.iter().any(|name| head.starts_with(name))
}

/// What a line gives a name to: `Cart cart = new Cart();`, `cart := New()`, `private Cart cart;`
fn declared(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with(['@', '*', '/', '#', '}', '{'])
        || line.starts_with("import ")
        || line.starts_with("return ")
    {
        return None;
    }
    let target = match line.split_once('=') {
        Some((target, value)) if !value.starts_with('=') => target.trim_end_matches([' ', ':']),
        Some(_) => return None,
        None => line.strip_suffix(';').filter(|rest| !rest.contains('('))?,
    };
    // A type may follow the name: `let cart: Cart`.
    let target = target.split(':').next().unwrap_or(target).trim_end();
    let name = target.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next()?;
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::{Source, analyze};

    #[test]
    fn declarations_are_told_by_their_names() {
        assert_eq!(declared("  private final Cart cart = new Cart();"), Some("cart"));
        assert_eq!(declared("let sut: ReturnType<typeof make>"), None);
        assert_eq!(declared("let sut: Cart;"), Some("sut"));
        assert_eq!(declared("cart := New()"), Some("cart"));
        assert_eq!(declared("cart.add(1);"), None);
        assert_eq!(declared("import { a } from 'b';"), None);
    }

    #[test]
    fn set_up_and_helpers_and_fields_belong_to_a_test() {
        let text = "class TestCart:\n    def setup_method(self):\n        shop.flag = 1\n\n    def make(self):\n        return Cart()\n\n    def other(self):\n        return Order()\n\n    def test_total(self):\n        assert self.make().total() == 0\n";
        let facts = analyze(Source { path: "test_cart.py", text: text.as_bytes() });
        let test = facts.tests[0].clone();
        let side = FileSide::new("test_cart.py".to_owned(), facts, text.as_bytes().into());
        let lines = context(&side, &test).join("\n");
        assert!(lines.contains("shop.flag") && lines.contains("Cart()") && !lines.contains("Order()"));
    }
}
