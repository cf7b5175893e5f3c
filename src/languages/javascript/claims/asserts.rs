//! Functions that take the subject as an argument: node's and chai's `assert`, ava's and tap's `t`, sinon, deno.

use super::super::super::claiming::{self, Side};
use super::super::super::expression::Link;
use super::expect::{self, equal, throws};
use super::{SCRIPT, awaited};
use crate::facts::{Claim, Strength};

/// What a function does with its arguments.
#[derive(Clone, Copy)]
enum Check {
    Equal(Strength),
    Holds,
    /// True itself, and nothing that only counts as true.
    True,
    Fails,
    Fixed(&'static str),
    Present,
    Has(Strength),
    Bound(Side, bool),
    Distance,
    Length,
    Property,
    Throws,
    CalledWith,
    Called(Strength),
    Snapshot,
    Failure,
    Pass,
}

fn check(name: &str) -> Option<Check> {
    use Check::*;
    Some(match name {
        "equal"
        | "equals"
        | "eq"
        | "is"
        | "strictEqual"
        | "same"
        | "deepEqual"
        | "looseEqual"
        | "deepLooseEqual"
        | "eql"
        | "sameMembers"
        | "sameDeepMembers"
        | "sameOrderedMembers"
        | "deepEquals"
        | "propEqual"
        | "isEqual"
        | "sameDeepOrderedMembers" => Equal(Strength::Value),
        "deepStrictEqual" | "strictSame" | "strictEquals" | "deepStrictEquals" => Equal(Strength::Structure),
        "ok" | "assert" | "isOk" | "truthy" | "that" => Holds,
        "true" | "isTrue" => True,
        "notOk" | "isNotOk" | "falsy" | "false" | "isFalse" | "isFalsy" => Fails,
        "isNull" | "ifError" | "error" | "null" => Fixed("null"),
        "isUndefined" | "notExists" | "undefined" => Fixed("undefined"),
        "isNaN" => Fixed("NaN"),
        "isEmpty" => Fixed("empty"),
        "exists" | "exist" | "isDefined" => Present,
        "include"
        | "includes"
        | "deepInclude"
        | "match"
        | "regex"
        | "like"
        | "has"
        | "matches"
        | "hasStrict"
        | "includeMembers"
        | "stringIncludes"
        | "arrayIncludes"
        | "objectMatch"
        | "oneOf"
        | "contains"
        | "includeDeepMembers"
        | "partialDeepStrictEqual"
        | "resolveMatch"
        | "nestedInclude"
        | "satisfies" => Has(Strength::Pattern),
        "typeOf" | "instanceOf" | "isArray" | "isObject" | "isFunction" | "isString" | "isNumber"
        | "isBoolean" | "type" | "property" | "hasAllKeys" | "hasAnyKeys" | "containsAllKeys" | "hasProp"
        | "hasProps" | "isFinite" | "nestedProperty" | "ownProperty" | "isAtomic" | "isFrozen"
        | "instance" => Has(Strength::Shape),
        "isAbove" | "greater" => Bound(Side::Above, false),
        "isAtLeast" | "greaterOrEqual" => Bound(Side::Above, true),
        "isBelow" | "less" => Bound(Side::Below, false),
        "isAtMost" | "lessOrEqual" => Bound(Side::Below, true),
        "closeTo" | "approximately" | "almostEquals" => Distance,
        "lengthOf" => Length,
        "propertyVal" | "deepPropertyVal" | "nestedPropertyVal" => Property,
        "throws" | "throw" | "throwsAsync" | "rejects" | "isRejected" | "raises" | "throwsError" => Throws,
        "calledWith"
        | "calledOnceWithExactly"
        | "calledWithExactly"
        | "calledWithMatch"
        | "calledOn"
        | "alwaysCalledWith"
        | "calledOnceWithMatch" => CalledWith,
        "called" => Called(Strength::Truthy),
        "calledOnce" | "calledTwice" | "calledThrice" | "callCount" | "callOrder" => Called(Strength::Shape),
        "snapshot" | "matchSnapshot" => Snapshot,
        "fail" | "unreachable" | "isNever" => Failure,
        "pass" => Pass,
        _ => return None,
    })
}

/// The name behind prefixes, and whether it says the opposite: `assertNotEquals` is not `equals`.
fn plain(name: &str) -> (String, bool) {
    const OPPOSITES: &[(&str, &str)] = &[
        ("doesNotThrow", "throws"),
        ("doesNotThrowAsync", "throws"),
        ("notThrows", "throws"),
        ("notThrowsAsync", "throws"),
        ("doesNotReject", "rejects"),
        ("resolves", "rejects"),
        ("doesNotMatch", "match"),
        ("not", "is"),
        ("isNotNull", "isNull"),
        ("isNotNaN", "isNaN"),
        ("isNotEmpty", "isEmpty"),
        ("isNotArray", "isArray"),
        ("strictNotSame", "strictSame"),
        ("doesNotInclude", "include"),
        ("neverCalledWith", "calledWith"),
        ("isNotFalse", "isFalse"),
    ];
    let bare =
        name.strip_prefix("assert").filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(name);
    let lower = |text: &str| {
        let mut letters = text.chars();
        letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect::<String>())
    };
    let bare = if bare.len() == name.len() { bare.to_owned() } else { lower(bare) };
    if let Some((_, positive)) = OPPOSITES.iter().find(|(negative, _)| *negative == bare) {
        return ((*positive).to_owned(), true);
    }
    let opposite = bare.strip_prefix("not").filter(|rest| rest.starts_with(char::is_uppercase)).map(lower);
    match opposite.filter(|opposite| check(opposite).is_some() && bare != "notOk" && bare != "notExists") {
        Some(positive) => (positive, true),
        None => (bare, false),
    }
}

pub fn read(links: &[Link<'_>]) -> Option<Claim> {
    let link = links.iter().rev().find(|link| link.arguments.is_some())?;
    let (name, mut negated) = plain(link.name);
    negated ^= links.iter().any(|link| link.name == "not" && link.arguments.is_none());
    let claim = apply(check(&name)?, &name, link)?;
    Some(if negated { claiming::negate(claim, SCRIPT.untrue) } else { claim })
}

fn apply(check: Check, name: &str, link: &Link<'_>) -> Option<Claim> {
    let subject = || link.argument(0).map(awaited);
    let expected = || link.argument(1);
    let rest =
        || link.arguments.as_ref().map_or(String::new(), |all| all.get(1..).unwrap_or_default().join(", "));
    Some(match check {
        Check::Equal(strength) => equal(subject()?, expected()?, strength),
        Check::Holds => SCRIPT.holds(subject()?),
        Check::True => match SCRIPT.holds(subject()?) {
            claim if claim.strength == Strength::Truthy => claiming::fixed(&claim.subject, "true"),
            claim => claim,
        },
        Check::Fails => SCRIPT.fails(subject()?),
        Check::Fixed(value) => claiming::fixed(subject()?, value),
        Check::Present => claiming::present(subject()?, "null"),
        Check::Has(strength) => {
            let against = expected().map_or_else(|| name.to_owned(), str::to_owned);
            expect::has(strength, subject()?, &against)
        }
        Check::Bound(side, or_equal) => claiming::bound(subject()?, side, or_equal, expected()?),
        Check::Distance => claiming::within(subject()?, expected()?, link.argument(2)),
        Check::Length => equal(&format!("{}.length", subject()?), expected()?, Strength::Value),
        Check::Property => equal(
            &format!("{}.{}", subject()?, expected()?.trim_matches(['"', '\''])),
            link.argument(2)?,
            Strength::Value,
        ),
        Check::Throws => error(link)?,
        Check::CalledWith => claiming::called(subject()?, Strength::Value, Some(&rest())),
        Check::Called(Strength::Shape) => {
            let count = if name == "callCount" { rest() } else { name.to_owned() };
            claiming::called(subject()?, Strength::Shape, Some(&count))
        }
        Check::Called(strength) => claiming::called(subject()?, strength, None),
        Check::Snapshot => claiming::snapshot(subject()?, None),
        Check::Failure => claiming::failure(""),
        Check::Pass => claiming::claim(Strength::Tautology, ""),
    })
}

/// `assert.throws(fn, Error, 'why')`, `t.throws(fn, { instanceOf: Error, message: 'why' })`. A plain string behind the
/// function is what is said when nothing is thrown.
fn error(link: &Link<'_>) -> Option<Claim> {
    let (function, first) = (link.argument(0)?, link.argument(1));
    let says = |text: &&str| text.starts_with(['"', '\'', '`']);
    let second = link.argument(2).filter(|second| second.starts_with(['/', '"', '\'']));
    match first.filter(|first| !says(first)) {
        None => Some(throws(function, None, None)),
        Some(first) => Some(throws(function, Some(first), second)),
    }
}
