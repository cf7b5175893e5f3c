//! AssertJ and Truth: the strongest link of `assertThat(x).isNotNull().isEqualTo(y)`.

use super::super::super::claiming::with_equals;
use super::super::super::expression::{Link, tidy};
use super::super::super::predicate::{
    above, below, different, empty, equal, near, negate, not_null, pattern, raises, ranged, same, shape,
    truth, unless_always, with,
};
use super::predicates::condition;
use super::{body_of, spelled, type_names};
use crate::facts::{Claim, ClaimKind, Strength};

pub fn claim(links: &[Link<'_>]) -> Option<Claim> {
    let (at, start) = links.iter().enumerate().find(|(_, link)| starts(link))?;
    let rest = &links[at + 1..];
    let first = start.argument(0).unwrap_or("");
    if start.name.starts_with("assertThat") && start.name != "assertThat" && start.name != "assertThatObject"
    {
        return Some(thrown(start, first, rest));
    }
    let claim = strongest(first, rest)?;
    Some(if rest.iter().any(|link| link.name == "hasMessageThat") { of_message(claim, first) } else { claim })
}

fn starts(link: &Link<'_>) -> bool {
    let named = link.name.starts_with("assertThat") || matches!(link.name, "that" | "then");
    named && link.arguments.as_ref().is_some_and(|arguments| !arguments.is_empty())
        || link.name.starts_with("assertThat") && link.name.ends_with("Exception")
}

/// Truth's `assertThat(e).hasMessageThat().contains("x")`.
fn of_message(claim: Claim, subject: &str) -> Claim {
    Claim {
        kind: ClaimKind::Raises,
        pattern: claim.expected.clone(),
        expected: None,
        subject: tidy(subject),
        ..claim
    }
}

/// What the links say of the subject, and of what they lead to from it.
fn strongest(first: &str, links: &[Link<'_>]) -> Option<Claim> {
    let mut subject = first.to_owned();
    let mut best: Option<Claim> = None;
    let mut all: Vec<Claim> = Vec::new();
    for (at, link) in links.iter().enumerate() {
        if navigates(link) {
            // Far down a long chain the way to the subject says nothing more.
            if subject.len() < 400 {
                subject = format!("{subject}.{}", spelled(link));
            }
            continue;
        }
        let claim = of_link(&subject, link, links.get(at + 1));
        let rank = |claim: &Claim| (claim.strength, !claim.subject.ends_with(".size()"));
        let Some(claim) = claim else { continue };
        all.push(claim.clone());
        if best.as_ref().is_none_or(|best| rank(&claim) > rank(best)) {
            best = Some(claim);
        }
    }
    best.map(|best| with_equals(best, all))
}

/// Links after which the chain is about something else.
fn navigates(link: &Link<'_>) -> bool {
    const NAMES: &[&str] = &[
        "extracting",
        "flatExtracting",
        "extractingResultOf",
        "element",
        "first",
        "last",
        "singleElement",
        "filteredOn",
        "filteredOnNull",
        "size",
        "asString",
        "asList",
        "asInstanceOf",
        "get",
        "map",
        "flatMap",
        "hasMessageThat",
        "hasCauseThat",
        "cause",
        "rootCause",
        "message",
        "content",
        "usingRecursiveComparison",
        "scale",
        "key",
        "value",
        "onlyElement",
        "asHexString",
        "binaryContent",
        "elements",
    ];
    NAMES.contains(&link.name) && link.arguments.is_some()
}

fn of_link(subject: &str, link: &Link<'_>, next: Option<&Link<'_>>) -> Option<Claim> {
    let arguments = link.arguments.as_deref()?;
    match arguments {
        [] => of_plain(link.name, subject),
        [first, rest @ ..] => of_held(link.name, subject, first, rest, arguments, next),
    }
}

fn of_plain(name: &str, subject: &str) -> Option<Claim> {
    Some(match name {
        "isTrue" => condition(subject),
        "isFalse" => negate(condition(subject)),
        "isNull" => with(Strength::Value, subject, "null"),
        "isNotNull" | "isPresent" | "isNotEmpty" | "isNotBlank" => not_null(subject),
        "isNotZero" => different(subject, "0"),
        "isEmpty" | "isNotPresent" | "isAbsent" => empty(subject),
        "isNullOrEmpty" | "isBlank" | "isNullOrBlank" => pattern(subject, name),
        "isZero" => equal(subject, "0"),
        "isOne" => equal(subject, "1"),
        "isNaN" => with(Strength::Value, subject, "NaN"),
        "isPositive" | "isNotNegative" => above(subject, name == "isNotNegative", "0"),
        "isNegative" | "isNotPositive" => below(subject, name == "isNotPositive", "0"),
        "isSorted" | "isInOrder" | "isOrdered" | "doesNotHaveDuplicates" | "containsNoDuplicates" => {
            pattern(subject, name)
        }
        "doesNotContainNull" | "containsOnlyOnce" => pattern(subject, name),
        "doesNotThrowAnyException" => Claim { negated: true, ..raises(body_of(subject), None) },
        "exists" | "doesNotExist" | "isFile" | "isDirectory" | "isReadable" | "isCompleted" | "isDone" => {
            truth(&format!("{subject}.{name}()"))
        }
        "hasNoCause" | "hasNoNullFieldsOrProperties" => pattern(subject, name),
        // A question of the project's own, asked by a method of that name.
        _ if asks(name) => truth(&format!("{subject}.{name}()")),
        _ => return None,
    })
}

fn at_least(name: &str, subject: &str, limit: &str) -> Claim {
    let subject = if name.starts_with("hasSize") { format!("{subject}.size()") } else { subject.to_owned() };
    unless_always(above(&subject, or_equal(name), limit), or_equal(name))
}

/// Whether a bound of this name lets the bound itself through.
fn or_equal(name: &str) -> bool {
    name.ends_with("OrEqualTo") || matches!(name, "isAtLeast" | "isAtMost")
}

/// Whether a link of this name checks, by the word it begins with.
fn asks(name: &str) -> bool {
    ["is", "has", "does", "contains", "matches", "satisfies", "are", "have", "was"]
        .iter()
        .any(|word| super::super::names::has_prefix(name, word))
}

fn of_held(
    name: &str,
    subject: &str,
    first: &str,
    rest: &[&str],
    all: &[&str],
    next: Option<&Link<'_>>,
) -> Option<Claim> {
    let list = || all.join(", ");
    Some(match name {
        "isEqualTo"
        | "hasToString"
        | "isEqualToComparingFieldByField"
        | "hasValue"
        | "isEqualByComparingTo"
        | "hasContent"
        | "isEqualToIgnoringNewLines"
        | "hasBinaryContent"
        | "isEqualToNormalizingNewlines" => equal(subject, first),
        "isNotEqualTo" => different(subject, first),
        "isSameAs" | "isSameInstanceAs" => same(subject, first),
        "isNotSameAs" | "isNotSameInstanceAs" => negate(same(subject, first)),
        "hasSize" | "hasLength" => equal(&format!("{subject}.size()"), first),
        "hasSameSizeAs" => shape(subject, first),
        "containsExactly"
        | "containsExactlyInAnyOrder"
        | "containsExactlyElementsIn"
        | "containsExactlyElementsOf"
        | "containsExactlyInAnyOrderElementsOf"
        | "containsOnly"
        | "containsExactlyEntriesIn"
        | "hasSameElementsAs"
        | "containsExactlyEntriesOf"
        | "containsOnlyKeys" => with(Strength::Value, subject, &list()),
        "isCloseTo" => near(subject, first, rest.first().map(|offset| offset_of(offset))),
        "isWithin" | "isNotWithin" => {
            let value = next.filter(|next| next.name == "of").and_then(|next| next.argument(0)).unwrap_or("");
            let claim = near(subject, value, Some(first));
            if name == "isWithin" { claim } else { negate(claim) }
        }
        "isGreaterThan"
        | "isGreaterThanOrEqualTo"
        | "isAtLeast"
        | "hasSizeGreaterThan"
        | "isAfter"
        | "hasSizeGreaterThanOrEqualTo"
        | "isAfterOrEqualTo" => at_least(name, subject, first),
        "isLessThan"
        | "isLessThanOrEqualTo"
        | "isAtMost"
        | "hasSizeLessThan"
        | "isBefore"
        | "isBeforeOrEqualTo"
        | "hasSizeLessThanOrEqualTo" => below(subject, or_equal(name), first),
        "isBetween" | "isStrictlyBetween" | "isIn" => ranged(subject, &list()),
        "isInstanceOf"
        | "isExactlyInstanceOf"
        | "hasCauseInstanceOf"
        | "hasRootCauseInstanceOf"
        | "isInstanceOfAny" => shape(subject, &type_names(&list())),
        "isNotInstanceOf" => Claim { negated: true, ..shape(subject, &type_names(&list())) },
        "hasMessage"
        | "hasMessageContaining"
        | "hasMessageStartingWith"
        | "hasMessageMatching"
        | "hasMessageEndingWith"
        | "hasMessageContainingAll"
        | "hasStackTraceContaining" => messaged(raises(subject, None), name, first),
        "as"
        | "describedAs"
        | "withFailMessage"
        | "overridingErrorMessage"
        | "usingComparator"
        | "named"
        | "withMessage"
        | "usingElementComparator"
        | "ignoringFields"
        | "usingDefaultComparator"
        | "of"
        | "from" => {
            return None;
        }
        "returns" => equal(&format!("{subject}.{}", rest.first().unwrap_or(&"")), first),
        "satisfies" | "allSatisfy" | "anySatisfy" | "zipSatisfy" | "satisfiesExactly" | "allMatch"
        | "anyMatch" => pattern(subject, &list()),
        _ if name.starts_with("doesNot") || name.starts_with("isNot") || name.starts_with("containsNone") => {
            Claim { negated: true, ..pattern(subject, &list()) }
        }
        _ if name.contains("ontain") || name.contains("With") || name.contains("atch") => {
            pattern(subject, &list())
        }
        // A check of the project's own: `assertThat(order).hasTotal(3)`.
        _ if asks(name) => with(Strength::Value, &format!("{subject}.{name}"), &list()),
        _ => return None,
    })
}

/// `within(0.1)`, `offset(0.1)`.
fn offset_of(text: &str) -> &str {
    text.split_once('(').map_or(text, |(_, inner)| inner.trim_end_matches(')'))
}

fn messaged(claim: Claim, name: &str, text: &str) -> Claim {
    let strength =
        if matches!(name, "hasMessage" | "withMessage") { Strength::Value } else { Strength::Pattern };
    Claim { strength: claim.strength.max(strength), pattern: Some(tidy(text)), ..claim }
}

/// `assertThatThrownBy(code).isInstanceOf(A.class).hasMessage("x")`, `assertThatExceptionOfType(A.class).isThrownBy(code)`,
/// `assertThatNullPointerException().isThrownBy(code)`, `assertThatCode(code).doesNotThrowAnyException()`.
fn thrown(start: &Link<'_>, first: &str, links: &[Link<'_>]) -> Claim {
    let named = start.name.strip_prefix("assertThat").filter(|name| name.ends_with("Exception"));
    let (mut code, mut types) = match start.name {
        "assertThatExceptionOfType" => ("", type_names(first)),
        _ => (body_of(first), named.unwrap_or("").to_owned()),
    };
    let mut claim = raises("", None);
    for link in links {
        let argument = link.argument(0).unwrap_or("");
        match link.name {
            "isThrownBy" => code = body_of(argument),
            "isInstanceOf" | "isExactlyInstanceOf" | "isInstanceOfAny" => {
                types = type_names(&link.arguments.as_deref().unwrap_or_default().join(", "));
            }
            "doesNotThrowAnyException" => claim.negated = true,
            "isSameAs" | "isEqualTo" => (claim.strength, types) = (Strength::Structure, argument.to_owned()),
            name if name.starts_with("hasMessage") || name.starts_with("withMessage") => {
                claim = messaged(claim, name, argument);
            }
            _ => {}
        }
    }
    let expected = Some(tidy(&types)).filter(|types| !types.is_empty());
    Claim { subject: tidy(code), expected, ..claim }
}
