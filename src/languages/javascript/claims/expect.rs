//! Chains of matchers: `expect(a).not.toBe(b)`, `a.should.be.an('array').that.includes(b)`.

use super::super::super::claiming;
use super::super::super::expression::{Link, chain, comparison, number};
use super::matchers::{self, Matcher};
use super::predicates;
use super::{SCRIPT, awaited, body};
use crate::facts::{Claim, ClaimKind, Limit, Room, Strength};

/// What the words of a chain have said so far.
struct Reading {
    subject: String,
    negated: bool,
    /// The promise is to fail.
    rejects: bool,
    best: Option<Claim>,
    all: Vec<Claim>,
}

/// The strongest of the claims that a chain makes; nothing where it has no matcher that is known.
pub fn read(subject: &str, links: &[Link<'_>]) -> Option<Claim> {
    let mut reading = Reading {
        subject: awaited(subject).to_owned(),
        negated: false,
        rejects: false,
        best: None,
        all: Vec::new(),
    };
    for link in links {
        reading.link(link);
    }
    let Reading { best, all, .. } = reading;
    best.map(|best| claiming::with_equals(best, all))
}

impl Reading {
    fn link(&mut self, link: &Link<'_>) {
        match (link.name, &link.arguments) {
            ("not" | "never" | "isNot", _) => self.negated = !self.negated,
            ("rejects", None) => self.rejects = true,
            ("length" | "lengthOf", None) => self.subject.push_str(".length"),
            ("and" | "that" | "which" | "with", None) => {}
            (name, None) => self.claim(matchers::member(name), link),
            (name, Some(_)) => self.claim(matchers::called(name), link),
        }
    }

    fn claim(&mut self, matcher: Option<Matcher>, link: &Link<'_>) {
        let Some(mut claim) = matcher.and_then(|matcher| apply(matcher, &self.subject, link)) else { return };
        if self.rejects && claim.kind == ClaimKind::Value {
            claim = claiming::raises(&self.subject, None, claim.expected.as_deref());
        }
        if self.negated {
            claim = claiming::negate(claim, SCRIPT.untrue);
        }
        if let (Some(Matcher::Property), Some(name)) = (matcher, link.argument(0)) {
            self.subject = member_of(&self.subject, name);
        }
        self.all.push(claim.clone());
        if self.best.as_ref().is_none_or(|best| claim.strength > best.strength) {
            self.best = Some(claim);
        }
    }
}

/// `a.b` for a property that is given as a string.
fn member_of(subject: &str, name: &str) -> String {
    let plain = name.trim_matches(['"', '\'', '`']);
    let is_word = plain.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$' || c == '.');
    if is_word && plain.len() + 2 == name.len() {
        format!("{subject}.{plain}")
    } else {
        format!("{subject}[{name}]")
    }
}

/// What one matcher says of the subject.
pub fn apply(matcher: Matcher, subject: &str, link: &Link<'_>) -> Option<Claim> {
    let first = link.argument(0);
    let all = || link.arguments.as_ref().map(|arguments| arguments.join(", ")).filter(|all| !all.is_empty());
    let stated = || all().unwrap_or_else(|| link.name.to_owned());
    Some(match matcher {
        Matcher::Equal(strength) => equal(subject, first.unwrap_or("undefined"), strength),
        Matcher::Fixed(value) => claiming::fixed(subject, value),
        Matcher::Present(nothing) => claiming::present(subject, nothing),
        Matcher::Truthy => SCRIPT.holds(subject),
        Matcher::Falsy => SCRIPT.fails(subject),
        Matcher::Has(strength) => has(strength, subject, &stated()),
        Matcher::Length => equal(&format!("{subject}.length"), first?, Strength::Value),
        Matcher::Property => match link.argument(1) {
            Some(value) => equal(&member_of(subject, first?), value, Strength::Value),
            None => claiming::holds(Strength::Shape, subject, first?),
        },
        Matcher::Bound(side, or_equal) => claiming::bound(subject, side, or_equal, first?),
        Matcher::Within => claiming::holds(Strength::Bound, subject, &stated()),
        Matcher::Digits => {
            let digits = link.argument(1).and_then(number).unwrap_or(2.0);
            claiming::close(subject, first?, Some(Limit::Digits(digits)))
        }
        Matcher::Distance => claiming::within(subject, first?, link.argument(1)),
        Matcher::Throws => throws(subject, first, link.argument(1)),
        Matcher::CalledWith => claiming::called(subject, Strength::Value, Some(&all().unwrap_or_default())),
        Matcher::Called(strength) => {
            let count = if strength == Strength::Shape { Some(stated()) } else { None };
            claiming::called(subject, strength, count.as_deref())
        }
        Matcher::Snapshot => claiming::snapshot(subject, None),
        Matcher::InlineSnapshot => {
            let last = link.arguments.as_ref().and_then(|arguments| arguments.last().copied());
            claiming::snapshot(subject, last)
        }
        Matcher::ThrowsSnapshot => {
            Claim { kind: ClaimKind::Snapshot, ..claiming::raises(body(subject), None, first) }
        }
    })
}

/// Holds together with something; of an object, with each of its members.
pub fn has(strength: Strength, subject: &str, with: &str) -> Claim {
    let is_of_members = strength == Strength::Pattern && with.trim_start().starts_with('{');
    let room = is_of_members.then_some(Room::Members);
    Claim { room, ..claiming::holds(strength, subject, with) }
}

/// Whether an expression answers yes or no, by a comparison or a call that is known.
fn is_condition(text: &str) -> bool {
    comparison(text).is_some() || (SCRIPT.call)(text).is_some()
}

/// An equality; what stands for many values says less.
pub fn equal(subject: &str, expected: &str, strength: Strength) -> Claim {
    // `expect(a === b).toBe(true)` asks what the condition asks.
    match expected {
        "true" if is_condition(subject) => return SCRIPT.holds(subject),
        "false" if is_condition(subject) => return SCRIPT.fails(subject),
        _ => {}
    }
    if let Some(special) = predicates::equality(subject, expected) {
        return special;
    }
    let Some(rest) = expected.strip_prefix("expect.") else {
        return claiming::equal(subject, expected, strength);
    };
    match chain(rest).first().map_or("", |link| link.name) {
        "anything" => claiming::present(subject, "null"),
        "any" => claiming::holds(Strength::Shape, subject, expected),
        "closeTo" => claiming::holds(Strength::Approximate, subject, expected),
        "not" => Claim { negated: true, ..claiming::holds(Strength::Pattern, subject, expected) },
        _ => claiming::holds(Strength::Pattern, subject, expected),
    }
}

/// That a function throws, or a promise is rejected, with what is given: a class, a message, an error.
pub fn throws(function: &str, first: Option<&str>, second: Option<&str>) -> Claim {
    let subject = body(awaited(function));
    let Some(first) = first else { return claiming::raises(subject, None, None) };
    // The name of a value stands for a message more often than for a type.
    let is_value =
        first.chars().all(|c| c.is_alphanumeric() || c == '_') && first.starts_with(char::is_lowercase);
    if is_value || first.starts_with(['"', '\'', '`', '/', '{']) {
        return claiming::raises(subject, None, Some(first));
    }
    // `new TypeError('why')`: both the type and the message.
    let link = chain(first).into_iter().next().filter(|link| link.arguments.is_some());
    let made = link.filter(|link| link.name.starts_with(char::is_uppercase));
    match made {
        Some(error) => claiming::raises(subject, Some(error.name), error.argument(0).or(second)),
        None => claiming::raises(subject, Some(first), second),
    }
}
