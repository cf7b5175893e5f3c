//! gomega: `Expect(x).To(Equal(y))`.

use super::super::super::expression::{Link, chain, tidy};
use super::super::super::predicate::{
    above, below, empty, equal, fails, holds, near, negate, not_null, pattern, raises, same, shape,
    subject_of, with,
};
use super::super::names::{GOMEGA_ENDS, GOMEGA_STARTS};
use super::predicates::{is_error, no_error, predicate, some_error};
use crate::facts::{Claim, Strength};

/// Matchers in matchers beyond this depth are taken as they are.
const MAX_DEPTH: u32 = 6;

pub fn claim(links: &[Link<'_>]) -> Option<Claim> {
    let start =
        links.iter().position(|link| GOMEGA_STARTS.contains(&link.name) && link.arguments.is_some())?;
    let end = links[start..].iter().find(|link| GOMEGA_ENDS.contains(&link.name))?;
    let subject = links[start].argument(usize::from(links[start].name.ends_with("Offset")))?;
    let matcher = end.argument(0)?;
    let is_error = links[start..]
        .iter()
        .any(|link| link.name == "Error" && link.arguments.as_ref().is_some_and(Vec::is_empty));
    let claim = of_matcher(subject, matcher, is_error, MAX_DEPTH)
        .unwrap_or_else(|| with(Strength::Pattern, subject, matcher));
    let negated = matches!(end.name, "NotTo" | "ToNot" | "ShouldNot");
    Some(if negated { opposite(claim, subject) } else { claim })
}

/// An error that must not have occurred is a claim of its own.
fn opposite(claim: Claim, subject: &str) -> Claim {
    let plain_error =
        claim.kind == crate::facts::ClaimKind::Raises && claim.expected.is_none() && claim.pattern.is_none();
    if plain_error && !claim.negated { no_error(subject) } else { negate(claim) }
}

fn of_matcher(subject: &str, matcher: &str, error: bool, depth: u32) -> Option<Claim> {
    let depth = depth.checked_sub(1)?;
    let links = chain(matcher);
    let link = links.last()?;
    let first = link.argument(0);
    match (link.name, first) {
        ("Not", Some(inner)) => Some(opposite(of_matcher(subject, inner, error, depth)?, subject)),
        ("And" | "SatisfyAll" | "WithTransform", Some(_)) => {
            let inner =
                link.arguments.iter().flatten().filter_map(|inner| of_matcher(subject, inner, error, depth));
            inner.max_by_key(|claim| claim.strength)
        }
        ("Or" | "SatisfyAny", _) => Some(pattern(subject, matcher)),
        (name, None) => of_plain(name, subject, error),
        (name, Some(first)) => of_held(name, subject, first, link),
    }
}

fn of_plain(name: &str, subject: &str, error: bool) -> Option<Claim> {
    Some(match name {
        "HaveOccurred" => some_error(subject),
        "Succeed" => no_error(subject),
        "BeNil" if error || is_error(subject) => no_error(subject),
        "BeNil" => with(Strength::Value, subject, "nil"),
        "BeTrue" | "BeTrueBecause" => holds(subject, predicate),
        "BeFalse" | "BeFalseBecause" => fails(subject, predicate),
        "BeEmpty" => empty(subject),
        "BeZero" => with(Strength::Value, subject, "zero"),
        "Panic" => raises(subject, None),
        "BeClosed" | "Receive" | "BeAnExistingFile" | "BeARegularFile" | "BeADirectory" => {
            shape(subject, name)
        }
        _ => return None,
    })
}

fn of_held(name: &str, subject: &str, first: &str, link: &Link<'_>) -> Option<Claim> {
    Some(match name {
        "Equal" | "BeEquivalentTo" | "ConsistOf" | "HaveExactElements" | "MatchJSON" | "MatchYAML"
        | "MatchXML" | "HaveValue" | "BeComparableTo" => equal(subject, first),
        "BeIdenticalTo" => same(subject, first),
        "HaveLen" | "HaveCap" => equal(&format!("len({})", subject_of(subject)), first),
        "MatchError" => {
            let strength = if first.contains('(') { Strength::Pattern } else { Strength::Value };
            Claim { strength, pattern: Some(tidy(first)), ..raises(subject, None) }
        }
        "PanicWith" => {
            Claim { strength: Strength::Value, pattern: Some(tidy(first)), ..raises(subject, None) }
        }
        "BeAssignableToTypeOf" => shape(subject, first),
        "BeTrueBecause" => holds(subject, predicate),
        "BeFalseBecause" => fails(subject, predicate),
        "HaveKeyWithValue" | "HaveField" | "HaveHTTPStatus" => {
            let all = link.arguments.as_deref().unwrap_or_default().join(", ");
            with(Strength::Value, subject, &all)
        }
        "Receive" => not_null(subject),
        "BeNumerically" | "BeTemporally" => numerically(subject, first, link),
        _ => pattern(subject, &format!("{name}({first})")),
    })
}

fn numerically(subject: &str, operator: &str, link: &Link<'_>) -> Claim {
    let value = link.argument(1).unwrap_or("");
    match operator.trim_matches(['"', '`']) {
        "==" => equal(subject, value),
        "~" => near(subject, value, link.argument(2)),
        sign @ (">" | ">=") => above(subject, sign == ">=", value),
        sign => below(subject, sign == "<=", value),
    }
}
