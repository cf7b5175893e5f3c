//! Puts the values of local names into claims, so that a claim says the same with or without a variable between.

use crate::collections::HashMap;
use crate::facts::{Assertion, Binding, Claim, ClaimKind, Strength};

/// Names stand for names at most so often.
const STEPS: usize = 4;

/// Calls at the end of an expression that only unpack or convert what it gives.
const UNPACKING: &[&str] = &[
    "as_array",
    "as_bool",
    "as_bytes",
    "as_deref",
    "as_f64",
    "as_i64",
    "as_ref",
    "as_str",
    "as_u64",
    "clone",
    "expect",
    "into",
    "iter",
    "to_owned",
    "to_string",
    "to_vec",
    "toString",
    "unwrap",
    "unwrap_or_default",
    "value",
];

/// The assertions with local names replaced by what they stand for.
pub fn resolved(assertions: &[Assertion], bindings: Vec<Binding>) -> Vec<Assertion> {
    let bindings = &Bindings::of(&bindings);
    let resolve = |assertion: &Assertion| {
        let mut assertion = assertion.clone();
        let line = assertion.line;
        let claim = &mut assertion.claim;
        let valued = |text: &str| unpacked(&value(text, line, bindings)).to_owned();
        let value = |claim: &mut Claim| {
            claim.subject = valued(&claim.subject);
            claim.expected = claim.expected.as_deref().map(&valued);
            claim.pattern = claim.pattern.as_deref().map(&valued);
        };
        value(claim);
        claim.parts.iter_mut().for_each(value);
        if holds_by_itself(claim) {
            claim.strength = Strength::Tautology;
        }
        assertion
    };
    assertions.iter().map(resolve).collect()
}

/// Whether an error is expected that the test throws itself.
fn holds_by_itself(claim: &Claim) -> bool {
    let code = claim.subject.trim_start_matches(['{', ' ']);
    claim.kind == ClaimKind::Raises && !claim.negated && code.starts_with("throw ")
}

/// What local names were given, by name and in order of the lines: a test may have thousands.
struct Bindings<'a>(HashMap<&'a str, Vec<&'a Binding>>);

impl<'a> Bindings<'a> {
    fn of(bindings: &'a [Binding]) -> Self {
        let mut by_name: HashMap<&str, Vec<&Binding>> = HashMap::new();
        for binding in bindings {
            by_name.entry(&binding.name).or_default().push(binding);
        }
        by_name.values_mut().for_each(|given| given.sort_by_key(|binding| binding.line));
        Self(by_name)
    }

    /// What a name was given last, as seen from a line.
    fn above(&self, name: &str, line: u32) -> Option<&'a Binding> {
        let given = self.0.get(name)?;
        let last = given.partition_point(|binding| binding.line <= line).checked_sub(1)?;
        given.get(last).copied()
    }
}

/// What an expression stands for, where it is a name that was given a value above.
fn value<'a>(text: &'a str, line: u32, bindings: &Bindings<'a>) -> String {
    let (mut text, mut line) = (text.trim().trim_start_matches(['&', '*']), line);
    for _ in 0..STEPS {
        let above = bindings.above(text, line);
        let Some(binding) = above.filter(|binding| !mentions(&binding.value, text)) else { break };
        (text, line) = (binding.value.trim(), binding.line);
    }
    text.to_owned()
}

/// A value that is made of its own name is no value of its own: `x = x + 1`. A name in quotes is none.
fn mentions(value: &str, name: &str) -> bool {
    let mut quote = None;
    let outside = |c: char| {
        let is_mark = matches!(c, '"' | '\'' | '`');
        match quote {
            Some(open) if c == open => quote = None,
            None if is_mark => quote = Some(c),
            _ => {}
        }
        if quote.is_some() || is_mark { ' ' } else { c }
    };
    let plain: String = value.chars().map(outside).collect();
    super::alike::split(&plain).any(|word| word == name)
}

/// The expression without conversions at its end.
pub fn unpacked(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let bare = text.trim_end_matches([';', '?']).trim_end();
        let bare = bare.strip_suffix(".await").unwrap_or(bare).trim_start_matches("await ");
        let call = bare.rfind('.').map(|dot| (&bare[..dot], &bare[dot + 1..]));
        let is_unpacking =
            |call: &str| call.ends_with(')') && UNPACKING.contains(&call.split('(').next().unwrap_or(""));
        match call {
            Some((inner, call)) if is_unpacking(call) => text = inner.trim_end(),
            _ => return bare,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bindings(list: &[(u32, &str, &str)]) -> Vec<Binding> {
        let binding = |&(line, name, value): &(u32, &str, &str)| Binding {
            line,
            name: name.to_owned(),
            value: value.to_owned(),
        };
        list.iter().map(binding).collect()
    }

    #[test]
    fn a_name_stands_for_what_was_last_given_to_it() {
        let given = &bindings(&[(1, "a", "f(1)"), (3, "a", "f(2)"), (4, "b", "a")]);
        let given = Bindings::of(given);
        assert_eq!(value("a", 2, &given), "f(1)");
        assert_eq!(value("a", 9, &given), "f(2)");
        assert_eq!(value("b", 9, &given), "f(2)");
        assert_eq!(value("c", 9, &given), "c");
    }

    #[test]
    fn names_that_go_in_circles_end() {
        let given = &bindings(&[(1, "a", "b"), (1, "b", "a"), (2, "c", "c + 1")]);
        let given = Bindings::of(given);
        assert!(!value("a", 9, &given).is_empty());
        assert_eq!(value("c", 9, &given), "c");
    }

    #[test]
    fn a_name_in_quotes_is_no_name() {
        let given = bindings(&[(1, "caught", "found[\"caught\"].expect(\"'caught' is there\")")]);
        assert_eq!(value("caught", 2, &Bindings::of(&given)), given[0].value);
    }

    #[test]
    fn conversions_at_the_end_do_not_count() {
        assert_eq!(unpacked("outcomes[\"caught\"].as_i64().expect(\"a number\")"), "outcomes[\"caught\"]");
        assert_eq!(unpacked("parse(text).unwrap().kind()"), "parse(text).unwrap().kind()");
    }
}
