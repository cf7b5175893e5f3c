//! Claims that say less of the same thing by a word: how often a double was called, all of several things or any of them, one
//! link less in a chain of checks, a value that is evened out first.

use super::alike::{key, split, words};
use super::change::How;
use super::members::asks_for_fewer;
use super::reduced::{EVENING, Wrapped};
use super::whole::closing;
use crate::facts::{Assertion, Claim, ClaimKind, Strength};

/// How one assertion says less than another by the words it is made of, where both look at the same thing.
pub fn narrowed(before: &Assertion, after: &Assertion) -> Option<How> {
    if forgets_count(before, after) || asks_for_any(&before.text, &after.text) {
        return Some(How::Broadened);
    }
    if allows_any_order(&before.text, &after.text) {
        return Some(How::Unordered);
    }
    if asks_for_fewer(&before.claim, &after.claim) {
        return Some(How::Narrowed);
    }
    if looks_at_part(&before.claim, &after.claim) || !dropped_parts(&before.claim, &after.claim).is_empty() {
        return Some(How::Narrowed);
    }
    if before.claim.kind != ClaimKind::Raises && !lost_links(&before.text, &after.text).is_empty() {
        return Some(How::Narrowed);
    }
    evened(&before.claim, &after.claim)
}

/// Whether only one entry, or one member, of what was compared is compared now.
fn looks_at_part(old: &Claim, new: &Claim) -> bool {
    takes_one_entry(old, new) || compares_member(old, new)
}

/// What had to hold as well, where several things had to at once and only some of them have to now: `n <= 5` of
/// `n >= 1 && n <= 5`.
pub fn dropped_parts<'c>(old: &'c Claim, new: &Claim) -> Vec<&'c Claim> {
    let left: &[Claim] = if new.parts.is_empty() { std::slice::from_ref(new) } else { &new.parts };
    let is_left = |part: &Claim| left.iter().any(|claim| says_the_same(part, claim));
    let known = left.iter().all(|claim| old.parts.iter().any(|part| says_the_same(part, claim)));
    let dropped = old.parts.iter().filter(|part| known && !is_left(part));
    dropped.collect()
}

/// Whether the same things have to hold at once, in whatever order.
pub fn has_same_parts(old: &Claim, new: &Claim) -> bool {
    !old.parts.is_empty()
        && old.parts.len() == new.parts.len()
        && old.parts.iter().all(|part| new.parts.iter().any(|other| says_the_same(part, other)))
}

/// Whether two parts claim the same.
pub fn says_the_same(one: &Claim, other: &Claim) -> bool {
    let says = |claim: &Claim| (key(&claim.subject), claim.expected.as_deref().map(key), claim.negated);
    says(one) == says(other) && one.room == other.room && one.strength == other.strength
}

fn is_exact(claim: &Claim) -> bool {
    matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure)
        && claim.strength >= Strength::Value
        && !claim.negated
}

/// Whether a whole was compared, and now only something of it: an element, a member, what a function makes of it.
pub fn looks_into(old: &Claim, new: &Claim) -> bool {
    let (was, is) = (key(&old.subject), key(&new.subject));
    let of_it =
        |rest: &str| rest.starts_with(['[', '.', '?']) || rest.starts_with("->") || rest.starts_with(')');
    let begins =
        |at: usize| !is[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '\''));
    let is_there = |(at, _): (usize, &str)| begins(at) && of_it(&is[at + was.len()..]);
    let (Some(old_value), Some(new_value)) = (&old.expected, &new.expected) else { return false };
    // Only of what is made of parts there is a part.
    let is_whole =
        old_value.starts_with(['[', '{', '(']) || old_value.contains("{") || old_value.contains("[");
    is_exact(old)
        && is_exact(new)
        && is_whole
        && key(old_value) != key(new_value)
        && was.len() > 1
        && is.len() > was.len()
        && is.match_indices(&was).any(is_there)
}

/// Whether a whole was compared, and now only what it has under one key: `header()`, `header().Get("Location")`.
pub fn takes_one_entry(old: &Claim, new: &Claim) -> bool {
    let (was, is) = (unprinted(&key(&old.subject)), unprinted(&key(&new.subject)));
    let rest = is.strip_prefix(was.as_str()).filter(|_| !was.is_empty());
    let entry =
        [".Get(\"", ".get(\"", "[\""].iter().any(|start| rest.is_some_and(|rest| rest.starts_with(start)));
    entry && is_exact(old) && is_exact(new)
}

/// Whether two things were compared, and now only the same member of both: `want`, `got`, then `want.total`, `got.total`.
pub fn compares_member(old: &Claim, new: &Claim) -> bool {
    let member = |was: &str, is: &str| -> Option<String> {
        let rest = key(is).strip_prefix(&key(was))?.to_owned();
        (!was.is_empty() && rest.starts_with('.') && !rest.contains('(')).then_some(rest)
    };
    let expected = old.expected.as_deref().zip(new.expected.as_deref());
    let (Some((was, is)), true) = (expected, is_exact(old) && is_exact(new)) else { return false };
    member(&old.subject, &new.subject).is_some_and(|one| member(was, is).as_ref() == Some(&one))
}

/// Words of checks that a double was called so many times and no more.
const COUNTED: &[&str] = &["once", "times", "callcount", "exactly", "twice", "thrice"];

/// Whether a double may now have been called more often than asked for.
fn forgets_count(before: &Assertion, after: &Assertion) -> bool {
    let called = |one: &Assertion| one.claim.kind == ClaimKind::Called && !one.claim.negated;
    let name = |one: &Assertion| {
        let callee = one.text.split('(').next().unwrap_or_default();
        let dotted = callee.rsplit('.').next().unwrap_or_default();
        // `expect(spy).toHaveBeenCalledOnce()`, `sinon.assert.calledOnce(spy)`, `spy.assert_called_once()`.
        let matcher = one.text.rsplit(").").next().unwrap_or_default();
        format!("{dotted} {}", matcher.split('(').next().unwrap_or_default()).to_lowercase()
    };
    let counts = |one: &Assertion| COUNTED.iter().any(|word| name(one).contains(word));
    let same = |one: &Assertion| (key(&one.claim.subject), one.claim.expected.as_deref().map(key));
    let is_property = key(&before.text).replace("calledOnce", "called") == key(&after.text);
    let differs = key(&before.text) != key(&after.text);
    differs
        && (is_property
            || called(before)
                && called(after)
                && same(before) == same(after)
                && counts(before)
                && !counts(after))
}

/// Words for all of several things, and for any of them.
const ALL_OR_ANY: &[(&str, &str)] = &[
    ("all(", "any("),
    (".every(", ".some("),
    ("allMatch(", "anyMatch("),
    ("allSatisfy(", "anySatisfy("),
    ("everyItem(", "hasItem("),
    ("allOf(", "anyOf("),
    ("containsAll(", "containsAnyOf("),
];

fn asks_for_any(before: &str, after: &str) -> bool {
    let (before, after) = (key(before), key(after));
    let became = |(all, any): &&(&str, &str)| before.contains(all) && before.replace(all, any) == after;
    before != after && ALL_OR_ANY.iter().any(|pair| became(&pair))
}

/// Names of checks, and of those that are content with more.
const WEAKER: &[(&str, &[&str])] = &[
    (".ordered.members(", &[".members("]),
    (".ordered.include.members(", &[".include.members("]),
    ("assert_called_once_with(", &["assert_called_with(", "assert_any_call("]),
    ("assert_called_with(", &["assert_any_call("]),
    ("assert_awaited_once_with(", &["assert_awaited_with(", "assert_any_await("]),
    ("toHaveBeenLastCalledWith(", &["toHaveBeenCalledWith("]),
    ("toHaveBeenCalledExactlyOnceWith(", &["toHaveBeenCalledWith("]),
    ("calledOnceWithExactly(", &["calledWithExactly(", "calledOnceWith(", "calledWith("]),
    ("calledOnceWith(", &["calledWith("]),
    ("calledWithExactly(", &["calledWith("]),
    ("isExactlyInstanceOf(", &["isInstanceOf(", "isInstanceOfAny("]),
    ("containsOnlyOnce(", &["contains("]),
    ("containsOnly(", &["contains("]),
    ("containsExactly(", &["contains(", "containsAnyOf("]),
    ("isOk()", &["is2xxSuccessful()"]),
    ("isCreated()", &["is2xxSuccessful()"]),
    ("isNoContent()", &["is2xxSuccessful()"]),
    ("isBadRequest()", &["is4xxClientError()"]),
    ("isUnauthorized()", &["is4xxClientError()"]),
    ("isForbidden()", &["is4xxClientError()"]),
    ("isNotFound()", &["is4xxClientError()"]),
    ("isConflict()", &["is4xxClientError()"]),
    ("isInternalServerError()", &["is5xxServerError()"]),
    ("JSONEq(", &["Contains("]),
];

/// Whether an assertion is as it was but for the name of its check, which is a weaker one.
pub fn is_weaker_by_name(before: &str, after: &str) -> bool {
    let (before, after) = (key(before), key(after));
    let became = |strong: &str, weak: &str| {
        before.contains(strong) && after.contains(weak) && before.replace(strong, weak) == after
    };
    before != after
        && (WEAKER.iter().any(|(strong, weak)| weak.iter().any(|weak| became(strong, weak)))
            || any_call(&before).is_some_and(|call| call == after))
}

/// `toHaveBeenNthCalledWith(2, "a")` as what asks for such a call among all of them.
fn any_call(text: &str) -> Option<String> {
    let (head, given) = text.split_once("toHaveBeenNthCalledWith(")?;
    let (_, given) = given.split_once(',')?;
    Some(format!("{head}toHaveBeenCalledWith({given}"))
}

/// Options after which the order no longer counts.
const ANY_ORDER: &[&str] = &["any_order=True", "ignore_order=True", "check_like=True", "any_order=true"];

fn allows_any_order(before: &str, after: &str) -> bool {
    let (before, after) = (key(before), key(after));
    let has = |option: &&&str| after.contains(**option) && !before.contains(**option);
    ANY_ORDER.iter().find(has).is_some_and(|option| {
        after.replace(&format!(",{option}"), "").replace(&format!("{option},"), "").replace(option, "")
            == before
    })
}

/// Links of a chain that check nothing: they name, wait, print, or lead on.
const IDLE_LINKS: &[&str] = &[
    "as",
    "describedAs",
    "because",
    "withFailMessage",
    "overridingErrorMessage",
    "withRepresentation",
    "isNotNull",
    "isNotEmpty",
    "andDo",
    "timeout",
    "set",
    "send",
    "and",
    "asList",
    "first",
    "extracting",
    "log",
    "not",
    "to",
    "be",
    "in",
    "asInstanceOf",
    "usingComparator",
    "should",
    "eventually",
    "withMessage",
    "that",
];

/// What a chain begins with that checks by its links.
const CHAINS: &[&str] = &[
    "assertThat(",
    "expect(",
    "request(",
    "mvc.",
    "mockMvc.",
    "StepVerifier.",
    "supertest(",
    "assertThatThrownBy(",
    ".assert().",
];

/// The links that checked something, of a chain that is as it was but for them, or for what such a link was given.
pub fn lost_links(before: &str, after: &str) -> Vec<String> {
    if !CHAINS.iter().any(|head| before.contains(head)) {
        return Vec::new();
    }
    let (old, new) = (links(before), links(after));
    if new.len() < 2 || old.len() > MOST_LINKS || old.first() != new.first() {
        return Vec::new();
    }
    let mut kept = new.iter().peekable();
    let mut lost = Vec::new();
    for link in &old {
        match kept.peek() {
            Some(next) if *next == link => {
                kept.next();
            }
            Some(next) if gives_less(link, next) => {
                lost.push(link.clone());
                kept.next();
            }
            _ if checks(link) => lost.push(link.clone()),
            _ => {}
        }
    }
    if kept.next().is_some() { Vec::new() } else { lost }
}

/// Nobody writes longer chains by hand.
const MOST_LINKS: usize = 60;

/// Whether a link checks something by its name.
fn checks(link: &str) -> bool {
    let name = link.split('(').next().unwrap_or(link);
    link.contains('(') && !name.is_empty() && !IDLE_LINKS.contains(&name)
}

/// Whether a link of the same name is given the same but for what came last: `expect(200, body)` and `expect(200)`.
fn gives_less(old: &str, new: &str) -> bool {
    let open = |text: &str| {
        text.find('(').map(|at| (text[..at].to_owned(), text[at + 1..].trim_end_matches(')').to_owned()))
    };
    let (Some((old_name, old)), Some((new_name, new))) = (open(old), open(new)) else { return false };
    if old_name == new_name && STEPS.contains(&old_name.as_str()) && is_only_there(&old, &new) {
        return true;
    }
    let rest = old.strip_prefix(&new);
    STEPS.contains(&old_name.as_str())
        && old_name == new_name
        && !new.is_empty()
        && rest.is_some_and(|rest| rest.starts_with(','))
}

/// Links that are given what they check.
const STEPS: &[&str] = &["expect", "andExpect", "expectNext", "expectBody", "expectHeader"];

/// Whether a value was asked for, and now only that there is one: `jsonPath("$.a").value(0)`, `jsonPath("$.a").exists()`.
fn is_only_there(old: &str, new: &str) -> bool {
    let there =
        ["exists", "isNotEmpty", "isArray", "isNumber", "isString", "isMap", "isBoolean", "hasJsonPath"];
    let (Some((head, value)), Some((same, weak))) = (old.rsplit_once(")."), new.rsplit_once(").")) else {
        return false;
    };
    let is_value =
        value.starts_with("value(") || value.starts_with("isEqualTo(") || value.starts_with("string(");
    head == same && is_value && there.iter().any(|name| weak.starts_with(&format!("{name}(")))
}

/// The links of a chain, white space taken out.
fn links(text: &str) -> Vec<String> {
    let text = key(text);
    let (mut links, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => at = closing(&text, at).unwrap_or(bytes.len()),
            b'"' => at += 1 + text[at + 1..].find('"').unwrap_or(text.len() - at - 1),
            b'.' => {
                links.push(text[start..at].to_owned());
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    links.push(text[start.min(text.len())..].trim_end_matches(';').to_owned());
    // What a part of an assertion is about stands behind its text.
    let last = links.last_mut().filter(|last| last.contains('('));
    if let Some(last) = last
        && let Some(end) = last.find('(').and_then(|open| closing(last, open))
    {
        last.truncate(end + 1);
    }
    links
}

/// Calls that put what they are given in order.
const ORDERING: &[&str] = &["sorted", "sort", "toSorted", "Sorted", "set", "frozenset", "Set", "HashSet"];

/// Whether a value is evened out before it is compared with what was written down, which is even now: `x.lower() == "a b"`
/// for `x == "A b"`.
pub fn evened(old: &Claim, new: &Claim) -> Option<How> {
    let exact = |claim: &Claim| {
        matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure)
            && claim.strength >= Strength::Pattern
            && !claim.negated
    };
    let (was, is) = (old.expected.as_deref()?, new.expected.as_deref()?);
    let wrapped = Wrapped::of(&new.subject)?;
    if !exact(old) || !exact(new) || wrapped.inner != key(&old.subject) {
        return None;
    }
    let even = |text: &str| key(text).to_lowercase();
    let mut sorted: [Vec<u64>; 2] = [was, is].map(words);
    sorted.iter_mut().for_each(|words| words.sort_unstable());
    let several = split(was).nth(1).is_some();
    match wrapped.name {
        name if EVENING.contains(&name) && (even(was) == even(is) || key(was) == key(is)) => {
            Some(How::Evened)
        }
        name if ORDERING.contains(&name) && several && sorted[0] == sorted[1] => Some(How::Unordered),
        _ => None,
    }
}

/// Whether a whole was compared and only parts of it are now, which are fewer.
pub fn is_partly_compared(old: &Claim, all: &[&Assertion]) -> bool {
    let exact = old.strength >= Strength::Value && !old.negated && old.kind == ClaimKind::Value;
    let Some(expected) = old.expected.as_deref().filter(|text| exact && is_composite(text)) else {
        return false;
    };
    let subject = unprinted(&key(&old.subject));
    if subject.is_empty() {
        return false;
    }
    let is_part = |one: &&&Assertion| {
        let rest = key(&one.claim.subject);
        let rest = rest.strip_prefix(subject.as_str());
        one.reach.counts() && rest.is_some_and(|rest| rest.starts_with(['.', '[']) && !is_size(rest))
    };
    let mut said: Vec<u64> = Vec::new();
    let mut parts = 0;
    for part in all.iter().filter(is_part) {
        parts += 1;
        said.extend(words(&part.claim.subject));
        said.extend(words(part.claim.expected.as_deref().unwrap_or_default()));
    }
    let wanted: Vec<u64> = words(expected);
    let whole =
        |one: &&&Assertion| key(&one.claim.subject) == subject && one.claim.strength >= Strength::Pattern;
    let left_out = wanted.iter().filter(|word| !said.contains(word)).count();
    // Names of parts that are looked at one by one say what the whole said.
    parts > 0 && left_out > 0 && parts * PER_PART <= wanted.len() && !all.iter().any(|one| whole(&one))
}

/// Without the call that makes a text of it.
fn unprinted(subject: &str) -> String {
    let prints = [
        "fmt.Sprint(",
        "fmt.Sprintf(\"%v\",",
        "JSON.stringify(",
        "json.dumps(",
        "str(",
        "repr(",
        "String.valueOf(",
    ];
    let inside = prints.iter().find_map(|call| subject.strip_prefix(call)?.strip_suffix(')'));
    inside.unwrap_or(subject).to_owned()
}

/// A part is told by a name and a value.
const PER_PART: usize = 2;

fn is_size(rest: &str) -> bool {
    matches!(rest, ".length" | ".size()" | ".len()" | ".length()" | ".count()" | ".Len()")
}

/// Whether an expression is made of several values.
fn is_composite(text: &str) -> bool {
    let text = text.trim();
    let printed = text.trim_matches(['"', '`', '\'']);
    let is_map = printed != text && (printed.starts_with("map[") || printed.starts_with('{'));
    is_map || text.starts_with(['[', '{']) && text.contains(',') && text.ends_with([']', '}'])
}
