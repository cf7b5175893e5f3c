//! Comparisons of which only a property of both sides is left: `a == b` became `sign(a) == sign(b)`, or both sides are
//! made alike first: `a.lower() == b.lower()`.

use super::alike::key;
use super::change::How;
use super::whole::closing;
use crate::facts::{Claim, ClaimKind, Strength};

/// Functions whose result says little about what they are given.
const PROPERTIES: &[&str] = &[
    "sign",
    "signum",
    "Sign",
    "abs",
    "Abs",
    "fabs",
    "type",
    "len",
    "bool",
    "Boolean",
    "keys",
    "discriminant",
    "TypeOf",
    "size",
    "count",
    "length",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "isPresent",
    "is_empty",
    "isEmpty",
    "getClass",
    "basename",
    "Base",
    "any",
    "all",
];

/// Functions that take away what two values may differ in.
pub const EVENING: &[&str] = &[
    "round",
    "Round",
    "floor",
    "Floor",
    "ceil",
    "Ceil",
    "trunc",
    "Trunc",
    "int",
    "toFixed",
    "ToLower",
    "ToUpper",
    "TrimSpace",
    "lower",
    "upper",
    "casefold",
    "strip",
    "rstrip",
    "lstrip",
    "trim",
    "trimEnd",
    "trimStart",
    "trim_end",
    "trim_start",
    "toLowerCase",
    "toUpperCase",
    "to_lowercase",
    "to_uppercase",
    "replace",
    "replaceAll",
    "stripTrailing",
];

/// How a comparison of two values became one of what a function leaves of both.
pub fn reduced(old: &Claim, new: &Claim) -> Option<How> {
    let exact = |claim: &Claim| {
        let compares = matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure);
        compares && claim.strength >= Strength::Value && !claim.negated
    };
    if !exact(old) || !exact(new) {
        return None;
    }
    let (was, is) = (old.expected.as_deref().zip(Some(&old.subject)), new.expected.as_deref());
    let ((expected, subject), is) = (was?, is?);
    let (left, right) = (Wrapped::of(&new.subject)?, Wrapped::of(is)?);
    let (subject, expected) = (key(subject), key(expected));
    let inner = (left.inner.as_str(), right.inner.as_str());
    let same = inner == (&subject, &expected) || inner == (&expected, &subject);
    if !same || (left.name, &left.rest) != (right.name, &right.rest) {
        return None;
    }
    match left.name {
        name if PROPERTIES.contains(&name) => Some(How::Reduced),
        name if EVENING.contains(&name) => Some(How::Evened),
        _ => None,
    }
}

/// An expression that is a call on another one, whichever way it is spelled.
pub struct Wrapped<'a> {
    pub name: &'a str,
    pub inner: String,
    /// What else the call is given.
    rest: String,
}

impl<'a> Wrapped<'a> {
    pub fn of(text: &'a str) -> Option<Self> {
        let text = text.trim().trim_start_matches(['&', '*']);
        if let Some(owner) = text.strip_suffix(".length") {
            return Some(Self { name: "length", inner: key(owner), rest: String::new() });
        }
        let open = last_call(text)?;
        let (callee, given) = (&text[..open], &text[open + 1..text.len() - 1]);
        let dot = callee.rfind(['.', ':']).map_or(0, |at| at + 1);
        let (owner, name) = (callee[..dot].trim_end_matches(['.', ':']), &callee[dot..]);
        // `Math.round(x)` and `x.round()`: what a module gives is given something.
        let is_module = matches!(
            owner,
            "" | "Math" | "math" | "np" | "numpy" | "Object" | "strings" | "reflect" | "os.path"
        ) || owner.contains("::")
            || matches!(owner, "filepath" | "path" | "mem");
        match is_module {
            true => {
                let (first, rest) = first_argument(given);
                Some(Self { name, inner: key(first), rest: key(rest) })
            }
            false => Some(Self { name, inner: key(owner), rest: key(given) }),
        }
    }
}

/// Where the bracket opens that the last one of a text closes.
fn last_call(text: &str) -> Option<usize> {
    let last = text.len().checked_sub(1).filter(|_| text.ends_with(')'))?;
    text.match_indices('(').map(|(at, _)| at).find(|&at| closing(text, at) == Some(last))
}

fn first_argument(given: &str) -> (&str, &str) {
    let mut depth = 0_i32;
    for (at, c) in given.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return (&given[..at], &given[at + 1..]),
            _ => {}
        }
    }
    (given, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(subject: &str, expected: &str) -> Claim {
        let kind = ClaimKind::Value;
        Claim { kind, expected: Some(expected.to_owned()), ..Claim::helper(subject) }
    }

    fn told(was: (&str, &str), is: (&str, &str)) -> Option<How> {
        reduced(&claim(was.0, was.1), &claim(is.0, is.1))
    }

    #[test]
    fn a_property_of_both_sides_is_less() {
        let was = ("f(a, b)", "g(a).h(b)");
        for is in [
            ("Math.signum(f(a, b))", "Math.signum(g(a).h(b))"),
            ("len(f(a, b))", "len(g(a).h(b))"),
            ("f(a, b).len()", "g(a).h(b).len()"),
            ("f(a, b).length", "g(a).h(b).length"),
            ("std::mem::discriminant(&f(a, b))", "std::mem::discriminant(&g(a).h(b))"),
            ("Object.keys(g(a).h(b))", "Object.keys(f(a, b))"),
        ] {
            assert_eq!(told(was, is), Some(How::Reduced), "{is:?}");
            assert_eq!(told(is, was), None, "{is:?}");
        }
    }

    #[test]
    fn both_sides_may_be_made_alike() {
        let was = ("out", "want");
        assert_eq!(told(was, ("out.lower()", "want.lower()")), Some(How::Evened));
        assert_eq!(told(was, ("strings.TrimSpace(out)", "strings.TrimSpace(want)")), Some(How::Evened));
        assert_eq!(told(was, ("round(out, 1)", "round(want, 1)")), Some(How::Evened));
        assert_eq!(told(was, ("round(out, 1)", "round(want, 2)")), None);
        assert_eq!(told(was, ("out.lower()", "want")), None);
        assert_eq!(told(was, ("str(out)", "str(want)")), None);
    }
}
