//! Checks that are calls, by their names.

use super::super::super::claiming::{self, Side};
use super::super::super::expression::{chain, comparison, number};
use super::arguments::Arguments;
use super::predicates::tolerance;
use super::{PYTHON, last_call};
use crate::facts::{Claim, Limit, Strength};

/// What a check by its name does with its arguments.
#[derive(Clone, Copy)]
enum Check {
    Equal(Strength),
    NotEqual,
    /// Equal, unless options leave out something.
    Frame,
    Holds,
    Fails,
    Nothing,
    Something,
    Same,
    NotSame,
    /// The element comes first.
    In,
    NotIn,
    /// The subject comes first.
    Has(Strength),
    HasNot(Strength),
    Bound(Side, bool),
    Almost,
    NotAlmost,
    /// As many digits, unless told.
    Decimals(f64),
    Within(f64),
    Raises,
    /// The message comes second.
    RaisesMessage,
    /// Nothing but the message is given.
    Message,
    Deprecated,
    CalledWith,
    Called(Strength),
    NeverCalled,
    Lines(bool),
    Failure,
    Count,
    /// Of a test run, as pytest's own tests make them.
    Outcomes,
    Logs,
    NoLogs,
}

/// Names are compared without underscores and case: libraries differ in nothing else.
fn check(key: &str) -> Option<Check> {
    use Check::*;
    Some(match key {
        "assert" | "asserttrue" | "failunless" | "ok" | "istrue" | "assertthat" => Holds,
        "assertfalse" | "failif" | "isfalse" => Fails,
        "assertisnone" | "isnone" => Nothing,
        "assertisnotnone" | "isnotnone" => Something,
        "assertis" | "is" => Same,
        "assertisnot" | "isnot" => NotSame,
        "assertin" | "in" | "isin" | "assertinhtml" => In,
        "assertnotin" | "notin" | "isnotin" => NotIn,
        "assertisinstance" | "isinstance" | "assertissubclass" | "asserthasattr" | "assertisinstances" => {
            Has(Strength::Shape)
        }
        "assertnotisinstance" | "isnotinstance" | "assertnothasattr" => HasNot(Strength::Shape),
        "assertregex"
        | "assertregexpmatches"
        | "assertcontains"
        | "assertdictcontainssubset"
        | "asserttemplateused"
        | "assertstartswith"
        | "assertendswith"
        | "containssubset" => Has(Strength::Pattern),
        "assertnotregex"
        | "assertnotregexpmatches"
        | "assertnotcontains"
        | "asserttemplatenotused"
        | "assertnotstartswith"
        | "assertnotendswith" => HasNot(Strength::Pattern),
        "assertgreater" | "greater" | "assertgt" | "gt" => Bound(Side::Above, false),
        "assertgreaterequal" | "greaterequal" | "assertge" | "assertgte" | "ge" => Bound(Side::Above, true),
        "assertless" | "less" | "assertlt" | "lt" | "assertarrayless" => Bound(Side::Below, false),
        "assertlessequal" | "lessequal" | "assertle" | "assertlte" | "le" => Bound(Side::Below, true),
        "assertalmostequals"
        | "failunlessalmostequal"
        | "almostequal"
        | "assertapproxequal"
        | "assertapprox"
        | "assertalmostequal" => Almost,
        "assertnotalmostequal" | "assertnotalmostequals" => NotAlmost,
        "assertarrayalmostequal" | "assertarraysalmostequal" => Decimals(6.0),
        "assertallclose" | "assertclose" | "assertarrayalmostequalnulp" => Within(1e-7),
        "assertframeequal"
        | "assertseriesequal"
        | "assertindexequal"
        | "assertextensionarrayequal"
        | "assertcategoricalequal"
        | "assertnumpyarrayequal"
        | "assertintervalarrayequal"
        | "assertperiodarrayequal"
        | "assertdatetimearrayequal"
        | "assertsparrayequal" => Frame,
        "assertraises"
        | "raises"
        | "expectraises"
        | "failunlessraises"
        | "assertwarns"
        | "warns"
        | "assertproduceswarning"
        | "raisesgroup" => Raises,
        "assertraisesregex"
        | "assertraisesregexp"
        | "assertraisesmessage"
        | "expectraisesmessage"
        | "assertwarnsregex"
        | "assertwarnsmessage" => RaisesMessage,
        "expectwarnings" | "expectdeprecated" => Message,
        "deprecatedcall" => Deprecated,
        "assertcalledwith"
        | "assertcalledoncewith"
        | "assertanycall"
        | "asserthascalls"
        | "assertawaitedwith"
        | "assertawaitedoncewith"
        | "assertanyawait"
        | "asserthasawaits" => CalledWith,
        "assertcalledonce" | "assertawaitedonce" => Called(Strength::Shape),
        "assertcalled" | "assertawaited" => Called(Strength::Truthy),
        "assertnotcalled" | "assertnotawaited" => NeverCalled,
        "fnmatchlines" | "fnmatchlinesrandom" | "rematchlines" => Lines(true),
        "nofnmatchline" | "norematchline" => Lines(false),
        "fail" => Failure,
        "assertnumqueries" => Count,
        "assertoutcomes" => Outcomes,
        "assertlogs" => Logs,
        "assertnologs" => NoLogs,
        "assertredirects" => Equal(Strength::Value),
        "notequal" | "ne" | "failifequal" | "assertne" => NotEqual,
        _ => return by_ending(key),
    })
}

/// `assertDictEqual`, `assert_polygons_equal`, and whatever else compares two things.
fn by_ending(key: &str) -> Option<Check> {
    let ends = |endings: &[&str]| endings.iter().any(|ending| key.ends_with(ending));
    if !ends(&["equal", "equals", "eq", "same", "identical", "close"]) {
        return None;
    }
    Some(match key {
        _ if key.contains("almost") || key.contains("approx") => Check::Decimals(7.0),
        _ if key.contains("not") => Check::NotEqual,
        _ if ends(&["close"]) => Check::Within(1e-7),
        _ if ends(&["same", "identical"]) => Check::Equal(Strength::Structure),
        _ => Check::Equal(Strength::Value),
    })
}

/// What a call claims, where its name is known.
pub fn read(text: &str) -> Option<Claim> {
    let text = text.trim_start_matches('@');
    if text.starts_with("expect(") {
        return page(text);
    }
    let (owner, name, arguments) = last_call(text)?;
    let key: String = name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
    apply(check(&key)?, owner, name, &arguments)
}

fn apply(check: Check, owner: &str, name: &str, arguments: &Arguments<'_>) -> Option<Claim> {
    let first = || arguments.at(0).or_else(|| arguments.named("first"));
    let second = || arguments.at(1).or_else(|| arguments.named("second"));
    let negate = |claim| claiming::negate(claim, PYTHON.untrue);
    Some(match check {
        Check::Equal(strength) => {
            let (first, second) = (first()?, second()?);
            answered(first, second).unwrap_or_else(|| claiming::equal(first, second, strength))
        }
        Check::NotEqual => negate(claiming::equal(first()?, second()?, Strength::Value)),
        Check::Frame => frame(first()?, second()?, arguments),
        Check::Holds => PYTHON.holds(arguments.get(0, "expr")?),
        Check::Fails => PYTHON.fails(arguments.get(0, "expr")?),
        Check::Nothing => claiming::fixed(first()?, "None"),
        Check::Something => claiming::present(first()?, "None"),
        Check::Same => PYTHON.holds(&format!("{} is {}", first()?, second()?)),
        Check::NotSame => PYTHON.fails(&format!("{} is {}", first()?, second()?)),
        Check::In => PYTHON.holds(&format!("{} in {}", first()?, second()?)),
        Check::NotIn => PYTHON.fails(&format!("{} in {}", first()?, second()?)),
        Check::Has(strength) => claiming::holds(strength, first()?, second()?),
        Check::HasNot(strength) => negate(claiming::holds(strength, first()?, second()?)),
        Check::Bound(side, or_equal) => claiming::bound(first()?, side, or_equal, second()?),
        Check::Almost => almost(arguments)?,
        Check::NotAlmost => negate(almost(arguments)?),
        Check::Decimals(digits) => decimals(arguments, digits)?,
        Check::Within(otherwise) => {
            claiming::close(first()?, second()?, tolerance(arguments, Some(otherwise)))
        }
        Check::Raises => raises(name, arguments),
        Check::RaisesMessage => raises_message(arguments),
        Check::Message => claiming::raises("", None, first()),
        Check::Deprecated => claiming::raises("", Some("DeprecationWarning"), arguments.named("match")),
        Check::CalledWith => claiming::called(owner, Strength::Value, Some(&arguments.rest(0))),
        Check::Called(strength) => claiming::called(owner, strength, None),
        Check::NeverCalled => negate(claiming::called(owner, Strength::Shape, None)),
        Check::Lines(true) => claiming::holds(Strength::Pattern, owner, first()?),
        Check::Lines(false) => negate(claiming::holds(Strength::Pattern, owner, first()?)),
        Check::Failure => claiming::failure(""),
        Check::Count => claiming::holds(Strength::Value, "queries", first()?),
        Check::Outcomes => claiming::holds(Strength::Value, owner, &arguments.rest(0)),
        Check::Logs => claiming::holds(Strength::Shape, "logs", &arguments.rest(0)),
        Check::NoLogs => negate(claiming::holds(Strength::Shape, "logs", &arguments.rest(0))),
    })
}

/// `assertEqual(a in b, True)` claims what `assertTrue(a in b)` claims.
fn answered(first: &str, second: &str) -> Option<Claim> {
    let (condition, answer) =
        if matches!(first, "True" | "False") { (second, first) } else { (first, second) };
    let is_condition = comparison(condition).is_some() || (PYTHON.call)(condition).is_some();
    match answer {
        "True" if is_condition => Some(PYTHON.holds(condition)),
        "False" if is_condition => Some(PYTHON.fails(condition)),
        _ => None,
    }
}

/// pandas: as strict as can be, unless told.
fn frame(left: &str, right: &str, arguments: &Arguments<'_>) -> Claim {
    if let Some(limit) = tolerance(arguments, None) {
        return claiming::close(left, right, Some(limit));
    }
    let strength = if arguments.any_off() { Strength::Value } else { Strength::Structure };
    claiming::equal(left, right, strength)
}

/// unittest's `places` and `delta`; the others' tolerances.
fn almost(arguments: &Arguments<'_>) -> Option<Claim> {
    if arguments.named("decimal").is_some() || arguments.named("significant").is_some() {
        return decimals(arguments, 7.0);
    }
    let places = arguments.get(2, "places").and_then(number).map(Limit::Digits);
    let limit = places.or_else(|| tolerance(arguments, None)).unwrap_or(Limit::Digits(7.0));
    Some(claiming::close(arguments.get(0, "first")?, arguments.get(1, "second")?, Some(limit)))
}

fn decimals(arguments: &Arguments<'_>, digits: f64) -> Option<Claim> {
    let named = ["decimal", "significant", "places"].iter().find_map(|name| arguments.number(name));
    let given = named.or_else(|| arguments.at(2).and_then(number));
    let limit = tolerance(arguments, None).unwrap_or(Limit::Digits(given.unwrap_or(digits)));
    Some(claiming::close(arguments.at(0)?, arguments.at(1)?, Some(limit)))
}

fn raises(name: &str, arguments: &Arguments<'_>) -> Claim {
    let named = ["expected_exception", "expected_warning"].iter().find_map(|name| arguments.named(name));
    let types = arguments.at(0).or(named);
    let claim = claiming::raises(&call(arguments, 1), types, arguments.named("match"));
    // `assert_produces_warning(None)`: that there is none.
    let none = name.ends_with("warning") && matches!(types, Some("None" | "False"));
    Claim { negated: none, expected: claim.expected.filter(|_| !none), ..claim }
}

fn raises_message(arguments: &Arguments<'_>) -> Claim {
    let named = || ["expected_regex", "expected_message"].iter().find_map(|name| arguments.named(name));
    let pattern = arguments.at(1).or_else(named);
    claiming::raises(&call(arguments, 2), arguments.get(0, "expected_exception"), pattern)
}

/// The call that is to fail, where it is given as a function and its arguments.
fn call(arguments: &Arguments<'_>, place: usize) -> String {
    match arguments.positional.get(place) {
        Some(function) => {
            let rest: Vec<&str> = arguments.positional.iter().skip(place + 1).copied().collect();
            format!("{function}({})", rest.join(", "))
        }
        None => String::new(),
    }
}

/// playwright's `expect(page).to_have_title("a")`.
fn page(text: &str) -> Option<Claim> {
    let links = chain(text);
    let (subject, last) = (links.first()?.argument(0)?, links.last()?);
    let (negated, matcher) = match last.name.strip_prefix("not_") {
        Some(matcher) => (true, matcher),
        None => (false, last.name),
    };
    let claim = match (matcher.strip_prefix("to_")?, last.argument(0)) {
        (_, Some(expected)) if matcher.contains("contain") => {
            claiming::holds(Strength::Pattern, subject, expected)
        }
        (_, Some(expected)) => claiming::holds(Strength::Value, subject, expected),
        (state, None) => claiming::holds(Strength::NotNull, subject, state),
    };
    Some(Claim { negated, ..claim })
}
