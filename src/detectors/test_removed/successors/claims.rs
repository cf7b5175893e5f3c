//! What a lost test asserted, looked for in new tests. What was there all along stands for nothing: tests that differ in one
//! value check different things. Only one that has every value, every name and every claim of the lost one says the same.

use std::collections::BTreeSet;

use crate::assertions::{Place, View, expression_key};
use crate::collections::{HashMap, HashSet};
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::functions::changed;
use crate::detectors::test_removed::losses::Losses;
use crate::facts::{Assertion, Strength, Test};

/// A new test tells a lost one anew where it has so many of its words ...
const RETOLD: f64 = 0.5;
/// ... or so many, where a single assertion is all that they share.
const RETOLD_ONCE: f64 = 0.65;
/// So many new tests are looked at for one that is lost, and so many lost ones at all.
const LOOKED_AT: usize = 300;

/// The new test of the change that asserts all that a lost one asserted, by name, or one of its file that does so from now on.
pub fn all_told_by(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    told_by(comparison, losses, at, |wanted, found| found == wanted)
        .or_else(|| taken_in_by(comparison, losses, at))
}

/// The test of the file that stays and took in every claim of a lost one, and had none of them.
fn taken_in_by(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let (_, lost) = comparison.before(at);
    let wanted = claims(&View::before(comparison, Place::Test(at))?);
    if wanted.is_empty() || losses.removed.len() > LOOKED_AT {
        return None;
    }
    let needed = if wanted.len() == 1 { RETOLD_ONCE } else { RETOLD };
    let takes_in = |&(new, old): &(At, Option<At>)| {
        let (_, test) = comparison.after(new);
        if old.is_none() || test.is_skipped() || share_of(lost, test) < needed {
            return None;
        }
        let told = claims(&View::after(comparison, Place::Test(new))?);
        let known = claims(&View::before(comparison, Place::Test(old?))?);
        let is_new = wanted.is_subset(&told) && wanted.is_disjoint(&known);
        is_new.then(|| test.qualified_name())
    };
    losses.running(at.file).iter().take(LOOKED_AT).find_map(takes_in)
}

/// The test of the file that stays, has every word and value of a lost one, and asserts all that it asserted.
pub fn double_of(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let (file, lost) = comparison.before(at);
    if losses.removed.len() > LOOKED_AT {
        return None;
    }
    let text = file.lines(lost.span).collect::<Vec<_>>().join("\n");
    let values = values_of(&text);
    // What a test calls a value is its own affair: claims are compared by what it stands for.
    let is_own = |word: &&String| lost.bindings.iter().any(|binding| binding.name.eq_ignore_ascii_case(word));
    let mut words = words_in(&text);
    words.retain(|word| !is_own(&word));
    let wanted = whatever_case(claims(&View::before(comparison, Place::Test(at))?));
    let is_double = |new: At| {
        let (side, test) = comparison.after(new);
        let is_namesake = test.name == lost.name && test.suite == lost.suite;
        let said = lost.words.iter().count().max(1) as f64;
        let renamed = lost.bindings.iter().map(|binding| binding.name.as_str()).collect::<BTreeSet<&str>>();
        let renamed = renamed.iter().filter(|name| lost.words.contains(name) && !test.words.contains(name));
        let share = share_of(lost, test) + renamed.count() as f64 / said;
        if test.is_skipped() || share < NEARLY_ALL || test.cases != lost.cases {
            return false;
        }
        let other = side.lines(test.span).collect::<Vec<_>>().join("\n");
        let is_whole = share_of(lost, test) >= 1.0 || words.is_subset(&words_in(&other));
        is_whole
            && in_order(&values, &values_of(&other))
            && (is_namesake
                || View::after(comparison, Place::Test(new))
                    .is_some_and(|view| wanted.is_subset(&whatever_case(claims(&view)))))
    };
    let kept = losses.running(at.file).iter().take(LOOKED_AT).map(|(new, _)| *new);
    let mut doubles = kept.filter(|_| !wanted.is_empty()).filter(|new| is_double(*new));
    doubles.next().map(|new| comparison.after(new).1.qualified_name())
}

/// Whether the tests of the file that stay have, together, every claim, every word and every value of a lost one.
pub fn kept_together(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (file, lost) = comparison.before(at);
    let wanted = View::before(comparison, Place::Test(at)).map(|view| claims(&view)).unwrap_or_default();
    if losses.removed.len() > LOOKED_AT || wanted.is_empty() {
        return false;
    }
    let text = |side: &FileSide, test: &Test| side.lines(test.span).collect::<Vec<_>>().join("\n");
    let (mut values, mut words) = (HashSet::new(), HashSet::new());
    let mut told = HashSet::new();
    let kept = losses.running(at.file).iter().filter(|(_, old)| old.is_some()).map(|(new, _)| *new);
    for new in kept.take(LOOKED_AT) {
        let Some(found) = View::after(comparison, Place::Test(new)).map(|view| claims(&view)) else {
            continue;
        };
        if !found.is_disjoint(&wanted) {
            let (side, test) = comparison.after(new);
            values.extend(values_of(&text(side, test)));
            words.extend(test.words.iter());
            told.extend(found);
        }
    }
    let said = lost.words.iter().filter(|word| words.contains(word)).count();
    // Its own name is a word that no other test need have.
    wanted.is_subset(&told)
        && said + 1 >= lost.words.len()
        && values_of(&text(file, lost)).iter().all(|value| values.contains(value))
}

/// The numbers and the quoted texts of a test in order, its title aside.
pub fn values_of(text: &str) -> Vec<String> {
    literals_of(text.split_once(['{', '\n']).map_or(text, |(_, body)| body))
}

/// The same of any piece of code.
pub fn literals_of(body: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let (mut values, mut rest) = (Vec::new(), body);
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let quoted = ['"', '\'', '`'].contains(&first).then(|| after.split_once(first)).flatten();
        if let Some((value, left)) = quoted {
            values.push(value.to_owned());
            rest = left;
        } else if is_part(first) {
            let (word, left) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
            values.extend(first.is_ascii_digit().then(|| word.to_owned()));
            rest = left;
        } else {
            rest = after;
        }
    }
    values
}

/// A double has so many of the words as they are; others may be written in another case.
const NEARLY_ALL: f64 = 0.8;

/// The words of a test behind its title, whatever their case.
fn words_in(text: &str) -> HashSet<String> {
    let body = text.split_once('\n').map_or(text, |(_, body)| body);
    let words = body.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn whatever_case(claims: HashSet<String>) -> HashSet<String> {
    claims.into_iter().map(|claim| claim.to_lowercase()).collect()
}

/// Whether two values are the same; names of headers are, whatever their case.
fn is_same_value(one: &str, other: &str) -> bool {
    let is_header =
        |value: &str| value.contains('-') && value.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    one == other || is_header(one) && one.eq_ignore_ascii_case(other)
}

/// Whether all of some values stand among others in the same order: one that is given to something else is not the same.
fn in_order(wanted: &[String], found: &[String]) -> bool {
    let mut found = found.iter();
    wanted.iter().all(|value| found.any(|other| is_same_value(value, other)))
}

/// Whether a new test of the change asserts most of what a lost one asserted, and more than one thing of it.
pub fn most_told(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    told_by(comparison, losses, at, |wanted, found| found > 1 && 2 * found > wanted).is_some()
}

/// Whether a new test of the file makes the very call that a lost one made of code that changes: what it does there is
/// another thing now, and so may be the name of the test.
pub fn asks_the_same_anew(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    if losses.removed.len() > LOOKED_AT {
        return false;
    }
    let (side, lost) = comparison.before(at);
    let changed: HashSet<&str> = changed(comparison)
        .map(|change| change.new.short_name())
        .filter(|name| name.len() >= CALLED && lost.words.contains(name))
        .collect();
    let text = |side: &FileSide, test: &Test| -> String {
        side.lines(test.span)
            .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let old = if changed.is_empty() { String::new() } else { text(side, lost) };
    let calls: BTreeSet<&str> = changed.iter().flat_map(|name| calls_of(name, &old)).collect();
    let calls: Vec<&str> = calls.into_iter().take(CALLS).collect();
    let new = comparison.pairing.added.iter().filter(|new| new.file == at.file && !calls.is_empty());
    new.take(LOOKED_AT).map(|&new| comparison.after(new)).any(|(side, test)| {
        let asserts = !test.is_skipped() && test.assertions.iter().any(|one| one.reach.counts());
        let asserts = asserts && changed.iter().any(|name| test.words.contains(name));
        let text = if asserts { text(side, test) } else { String::new() };
        calls.iter().any(|call| text.contains(call))
    })
}

/// The calls of a function in a text without white space, each with what it is given.
fn calls_of<'t>(name: &str, text: &'t str) -> Vec<&'t str> {
    let call = |(at, _): (usize, &str)| {
        let rest = &text[at..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        if text[..at].ends_with(is_part) || !rest[name.len()..].starts_with('(') {
            return None;
        }
        let mut open = 0;
        let end = rest.char_indices().take(LONGEST_CALL).find(|(_, c)| {
            open += i32::from(*c == '(') - i32::from(*c == ')');
            open == 0 && *c == ')'
        });
        // A call of nothing in particular says nothing.
        end.map(|(end, _)| &rest[..=end]).filter(|call| !call.ends_with("()"))
    };
    text.match_indices(name).filter_map(call).collect()
}

/// So many calls of a test are looked for.
const CALLS: usize = 50;
/// Functions of shorter names are called by chance.
const CALLED: usize = 3;
/// Longer calls are no sign of anything.
const LONGEST_CALL: usize = 200;

/// The new test that tells enough of the claims of a lost one: so many it had, so many are found again.
fn told_by(
    comparison: &Comparison,
    losses: &Losses,
    at: At,
    enough: impl Fn(usize, usize) -> bool,
) -> Option<String> {
    if losses.removed.len() > LOOKED_AT {
        return None;
    }
    let (_, lost) = comparison.before(at);
    let wanted = claims(&View::before(comparison, Place::Test(at))?);
    if wanted.is_empty() {
        return None;
    }
    let needed = if wanted.len() == 1 { RETOLD_ONCE } else { RETOLD };
    let tells = |new: At| {
        let test = comparison.after(new).1;
        let alike = share_of(lost, test) >= needed && !test.is_skipped();
        let told = if alike { claims(&View::after(comparison, Place::Test(new))?) } else { HashSet::new() };
        enough(wanted.len(), wanted.intersection(&told).count()).then(|| test.qualified_name())
    };
    comparison.pairing.added.iter().take(LOOKED_AT).find_map(|&new| tells(new))
}

/// Whether the new tests of one file assert together all that a lost one asserted, and have most of its words.
pub fn told_together(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let wanted = View::before(comparison, Place::Test(at)).map(|view| written(&view)).unwrap_or_default();
    if losses.removed.len() > LOOKED_AT || wanted.len() < 2 {
        return false;
    }
    let mut told: HashMap<usize, (HashSet<String>, HashSet<u64>)> = HashMap::new();
    for &new in losses.new.iter().take(LOOKED_AT) {
        let (claims, words) = told.entry(new.file).or_default();
        claims.extend(View::after(comparison, Place::Test(new)).iter().flat_map(written));
        words.extend(comparison.after(new).1.words.iter());
    }
    let said = lost.words.iter().count().max(1);
    told.values().any(|(claims, words)| {
        let found = lost.words.iter().filter(|word| words.contains(word)).count();
        wanted.is_subset(claims) && found as f64 >= RETOLD_ONCE * said as f64
    })
}

/// What a test claims, by its words as written.
fn written(view: &View<'_>) -> HashSet<String> {
    said(&view.spelled())
}

/// What a test claims, by its words as written, and by what they stand for.
fn claims(view: &View<'_>) -> HashSet<String> {
    said(&view.resolved(&view.spelled()))
}

fn said(assertions: &[Assertion]) -> HashSet<String> {
    let counts = |one: &&Assertion| one.reach.counts() && one.claim.strength > Strength::Tautology;
    let said = |one: &Assertion| {
        let expected = one.claim.expected.as_deref().unwrap_or_default();
        let subject = if one.claim.subject.is_empty() { &one.text } else { &one.claim.subject };
        // An underscore before a member only says who may use it.
        expression_key(&format!("{:?}{subject}={expected}", one.claim.kind)).replace("._", ".")
    };
    assertions.iter().filter(counts).map(said).collect()
}

/// The share of the words of a lost test, its name aside, that another one has.
pub fn share_of(lost: &Test, other: &Test) -> f64 {
    let said = lost.words.iter().count().max(1);
    let found = lost.words.iter().filter(|&word| other.words.has_hash(word)).count();
    // The name is one word where it is an identifier.
    let named = usize::from(lost.words.contains(&lost.name) && lost.name != other.name);
    (found + named) as f64 / said as f64
}
