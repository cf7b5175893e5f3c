//! Conditions that are more than their operators: `isinstance(a, B)`, `a == approx(b)`, `(a == b).all()`.

use super::super::super::claiming;
use super::super::super::expression::{chain, number};
use super::arguments::Arguments;
use super::{PYTHON, checks, last_call};
use crate::facts::{Claim, Limit, Strength};

/// How far off `approx` lets a value be, unless told.
const APPROX: f64 = 1e-6;

/// A condition without a comparison of its own.
pub fn predicate(text: &str) -> Option<Claim> {
    let double = text.strip_suffix(".called").or_else(|| text.strip_suffix(".called_once"));
    // `self.called` is a note that the test took itself.
    if let Some(double) = double.filter(|double| *double != "self") {
        return Some(claiming::called(double, Strength::Truthy, None));
    }
    let (owner, name, arguments) = last_call(text)?;
    let (first, second) = (arguments.at(0), arguments.at(1));
    Some(match name {
        // Every class is one of its own subclasses.
        "issubclass" if first? == second? => claiming::claim(Strength::Tautology, text),
        "isinstance" | "issubclass" | "hasattr" => claiming::holds(Strength::Shape, first?, second?),
        "callable" => claiming::holds(Strength::Shape, first?, "callable"),
        "startswith" | "endswith" | "issubset" | "issuperset" | "isdisjoint" | "contains" => {
            claiming::holds(Strength::Pattern, owner, &format!("{name} {}", first?))
        }
        "match" | "search" | "fullmatch" if owner == "re" => {
            claiming::holds(Strength::Pattern, second?, first?)
        }
        "match" | "search" | "fullmatch" => claiming::holds(Strength::Pattern, first?, owner),
        "equals" if !owner.is_empty() => claiming::equal(owner, first?, Strength::Value),
        "array_equal" | "array_equiv" | "equal" => claiming::equal(first?, second?, Strength::Value),
        "allclose" | "isclose" => claiming::close(first?, second?, tolerance(&arguments, Some(1e-5))),
        // Nobody nests these, and reading them in each other would have no end.
        "all" | "any" if text.matches("all(").count() + text.matches("any(").count() <= 2 => {
            every(text, owner, first)?
        }
        _ if name.starts_with("assert") && text.matches("assert").count() == 1 => return checks::read(text),
        _ => return None,
    })
}

/// `all(x > 0 for x in y)`, `np.all(a == b)`, `(a == b).all()`.
fn every(text: &str, owner: &str, argument: Option<&str>) -> Option<Claim> {
    let inner = match argument {
        Some(argument) => argument,
        None => owner.strip_suffix(".all()").unwrap_or(owner),
    };
    if let Some((condition, _)) = inner.trim_start_matches('[').split_once(" for ") {
        let strength = PYTHON.holds(condition).strength.min(Strength::Pattern);
        return Some(claiming::claim(strength, text));
    }
    let claim = PYTHON.holds(inner);
    (claim.strength > Strength::Truthy).then_some(claim)
}

/// An equality whose one side says how to compare.
pub fn equality(subject: &str, expected: &str) -> Option<Claim> {
    if let Some(object) = subject.strip_prefix("type(").and_then(|rest| rest.strip_suffix(')')) {
        return Some(claiming::holds(Strength::Shape, object, expected));
    }
    if !expected.contains("approx") && !expected.contains("snapshot") && !expected.ends_with("ANY") {
        return None;
    }
    if matches!(expected, "ANY" | "mock.ANY") {
        return Some(claiming::claim(Strength::Truthy, subject));
    }
    let links = chain(expected);
    let call = links.iter().find(|link| matches!(link.name, "approx" | "snapshot" | "snapshot_json"))?;
    if call.name != "approx" {
        let stored = call.arguments.as_ref().map(|arguments| arguments.join(", "));
        return Some(claiming::snapshot(subject, stored.filter(|stored| !stored.is_empty()).as_deref()));
    }
    let arguments = Arguments::of(call.arguments.as_ref()?);
    let limit = tolerance(&arguments, Some(APPROX));
    Some(claiming::close(subject, arguments.get(0, "expected")?, limit))
}

/// How far off a value may be, by the names that libraries give it.
pub fn tolerance(arguments: &Arguments<'_>, otherwise: Option<f64>) -> Option<Limit> {
    let named = ["rel", "abs", "rtol", "atol", "rel_tol", "abs_tol", "delta", "tol"];
    let given = named.iter().filter_map(|name| arguments.number(name));
    let placed = || arguments.at(1).filter(|_| otherwise == Some(APPROX)).and_then(number);
    given.reduce(f64::max).or_else(placed).or(otherwise).map(Limit::Tolerance)
}
