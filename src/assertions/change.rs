//! How an assertion changed: what it claims after, compared with what it claimed before.

#[cfg(test)]
mod tests;

use std::cell::LazyCell;
use std::ops::Deref;

use super::accepting::{accepts_any_error, loses_message};
use super::alike::{assignment, key, share, split, words};
use super::arranged::arranged;
use super::balance::{are_corrected, are_swapped, is_outgrown};
use super::blanked::blanked;
use super::caught::{Catches, expects_error};
use super::commented::commented;
use super::cover::{Cover, Elsewhere};
use super::deleted::{Deleted, lost_step};
use super::difference::{
    asks_for_size, difference, is_in_range, is_start_by_name, is_unknown, is_written_down,
};
use super::guarding::{guarded, runs_sometimes};
use super::matching::{Budget, Matches, pair};
use super::moved::Numbers;
use super::narrowed::{
    compares_member, dropped_parts, evened, is_partly_compared, looks_into, lost_links, says_the_same,
    takes_one_entry,
};
use super::own::Own;
use super::reduced::reduced;
use super::slack;
use super::truth::{is_true_and_so_there, truth};
use super::unit::{Place, Unit, View, units};
use super::worded::{is_callback_error, is_filled, is_input, more_awaited, was_part};
use crate::collections::{HashMap, HashSet};
use crate::comparison::Comparison;
use crate::facts::{Assertion, Claim, ClaimKind, Health, Reach, Span, Strength, Test};

/// What became of one assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Nothing of the kind is asserted any more.
    Removed,
    /// Another assertion, as strong, stands in its place and looks at something else.
    Substituted,
    /// It says less about the same thing.
    Weakened,
    /// It holds whatever the code does.
    Trivial,
    /// A tolerance or a bound lets more through.
    Loosened,
    /// More kinds of error, or more values, are accepted.
    Broadened,
    /// It looks for less of the same text.
    Shortened,
    /// Only a property of both sides is compared: their sign, kind, size.
    Reduced,
    /// Both sides are made alike before they are compared: in case, white space, digits.
    Evened,
    /// The test itself sets a part of what it compares.
    Blanked,
    /// The same values are asked for, in whatever order.
    Unordered,
    /// Only a part of what was compared, or of a chain of checks, is left.
    Narrowed,
    /// It claims the opposite.
    Flipped,
    /// It expects something else.
    Rewritten,
    /// It holds the code against itself.
    Circular,
    /// It asks for the same of another input.
    Redirected,
    /// It stands where it cannot fail the test.
    Unreachable,
    /// It only runs if what it looks at is as it should be.
    Guarded,
    /// It only runs under a condition on something else: a platform, a version, a setting.
    Sometimes,
}

/// An assertion that does not say after the change what it said before.
#[derive(Clone, Debug)]
pub struct Changed {
    pub unit: Unit,
    pub before: Assertion,
    pub after: Option<Assertion>,
    pub how: How,
}

/// Every change of an assertion, in the order of the before side.
pub fn changes(comparison: &Comparison) -> Vec<Changed> {
    let elsewhere = Elsewhere::of(comparison);
    let mut budget = Budget::new();
    let mut numbers = Numbers::default();
    let mut merged: HashMap<Place, usize> = HashMap::new();
    let is_looked_at = |unit: &Unit| {
        let count = merged.entry(unit.after).or_default();
        *count += usize::from(unit.merged);
        !unit.merged || *count <= MOST_MERGED
    };
    let all: Vec<Unit> = units(comparison).into_iter().filter(is_looked_at).collect();
    let of_unit = |unit: Unit| unit_changes(comparison, &elsewhere, unit, (&mut budget, &mut numbers));
    all.into_iter().flat_map(of_unit).collect()
}

/// Conditions are held against all assertions of a test, where these are not more than anybody writes.
const MANY: usize = 600;

/// Of so many tests that went into one each is compared with it.
const MOST_MERGED: usize = 200;

/// Whether another rule tells what became of the whole test.
fn is_told(comparison: &Comparison, unit: Unit, before: &View<'_>, after: &View<'_>) -> bool {
    // A test of which one side could not be read in full did not change for that.
    let hidden = (before.file.facts.health == Health::Clean) != (after.file.facts.health == Health::Clean);
    let skipped = |view: &View<'_>| view.test.is_some_and(Test::is_skipped);
    let commented = match (unit.before, unit.after) {
        (Place::Test(old), Place::Test(new)) => comparison.commented_body(old, new).is_some(),
        _ => false,
    };
    hidden || skipped(after) && !skipped(before) || commented
}

fn unit_changes(
    comparison: &Comparison,
    elsewhere: &Elsewhere<'_>,
    unit: Unit,
    (budget, numbers): (&mut Budget, &mut Numbers),
) -> Vec<Changed> {
    let (Some(before), Some(after)) =
        (View::before(comparison, unit.before), View::after(comparison, unit.after))
    else {
        return Vec::new();
    };
    let [before, after] = View::without_macro([before, after]);
    let is_same = before.says_the_same(&after) && !numbers.move_in(&before, &after);
    if is_same || is_told(comparison, unit, &before, &after) {
        return Vec::new();
    }
    let (spelled_before, spelled) = (before.spelled_major(), after.spelled());
    let (resolved_before, resolved_after) = (before.resolved(&spelled_before), after.resolved(&spelled));
    // What could not fail before is not missed.
    let (written, old): (Vec<&Assertion>, Vec<&Assertion>) =
        spelled_before.iter().zip(&resolved_before).filter(|(_, assertion)| could_fail(assertion)).unzip();
    let new: Vec<&Assertion> = resolved_after.iter().collect();
    let matches = pair(&old, &new, budget);
    // Each assertion that changed is looked for in all the new ones.
    let beside = if budget.allows(count_changed(&old, &new, &matches), new.len()) { &new[..] } else { &[] };
    // Most assertions live on as they are, and then nobody asks.
    let cover = LazyCell::new(|| Cover::new(&before, &after, elsewhere, &old, (&spelled, beside)));
    // A test that had to fail and now has to pass asks for more.
    let freed = before.body == after.body && new.iter().any(|assertion| could_fail(assertion));
    let own = LazyCell::new(|| Own::of(&after));
    let deleted = LazyCell::new(|| Deleted::of(&before, &after));
    let context = Context { before: &before, after: &after, written: &written, spelled: &spelled };
    let mut changed = Vec::new();
    let mut awaited = LazyCell::new(|| more_awaited(&before, &after));
    for (index, assertion) in old.iter().enumerate() {
        let place = matches.of_before[index];
        let partner = place.map(|place| new[place]);
        let is_taken = old.len() > new.len()
            && deleted.as_ref().is_some_and(|deleted| deleted.takes(assertion, &old, &before));
        let how = match (partner, place) {
            _ if is_taken && !cover.covers_otherwise(assertion) => Some(How::Removed),
            (Some(partner), Some(place)) => {
                let by_place = matches.by_place[index];
                context.became(Pair { index, place, by_place, old: assertion, new: partner }, &cover)
            }
            _ => (!cover.covers(assertion)).then_some(How::Removed),
        };
        let how = match (how, partner) {
            // What the test wrote down itself says nothing about the code.
            (Some(How::Substituted), Some(partner)) if own.is_source_of(partner) => Some(How::Removed),
            (None | Some(How::Rewritten | How::Redirected), _)
                if partner.is_none_or(|partner| partner.text != assertion.text)
                    && is_partly_compared(&assertion.claim, beside) =>
            {
                Some(How::Narrowed)
            }
            (how, _) => how,
        };
        // A test that went into another one lost what the other one had already.
        let kept = |how: &How| match how {
            How::Removed if freed => failure_of_the_whole(&[assertion]).is_none(),
            How::Removed | How::Substituted | How::Rewritten => !unit.merged,
            _ => true,
        };
        let how = how.filter(kept);
        if how == Some(How::Removed) && *awaited > 0 && is_callback_error(&assertion.claim, &after) {
            *awaited -= 1;
            continue;
        }
        if let Some(how) = how {
            let (before, after) = ((*assertion).clone(), partner.cloned());
            changed.push(Changed { unit, before, after, how });
        }
    }
    if !changed.iter().any(|told| told.how == How::Removed)
        && let Some(step) = lost_step(deleted.as_ref(), &before, &after)
    {
        changed.push(Changed { unit, before: step, after: None, how: How::Removed });
    }
    leave_out_repetitions(&mut changed, &spelled);
    let lost = commented(&before, &after, &old, &new);
    let known: HashSet<(u32, &str)> = lost.iter().map(|one| (one.line, one.text.as_str())).collect();
    changed.retain(|told| !known.contains(&(told.before.line, told.before.text.as_str())));
    changed.extend(lost.iter().map(|one| Changed {
        unit,
        before: (*one).clone(),
        after: None,
        how: How::Removed,
    }));
    for (before, after) in blanked(&before, &after, &written, &spelled) {
        changed.push(Changed { unit, before, after: Some(after), how: How::Blanked });
    }
    let ordered = arranged(&before, &after, &written, &spelled);
    let lines: HashSet<u32> = ordered.iter().map(|(was, _)| was.line).collect();
    changed.retain(|told| !lines.contains(&told.before.line));
    for (before, after) in ordered {
        changed.push(Changed { unit, before, after: Some(after), how: How::Unordered });
    }
    if are_corrected(&old, &new) {
        let known: HashSet<(u32, &str)> = old.iter().map(|one| (one.line, one.text.as_str())).collect();
        let is_known = |told: &Changed| known.contains(&(told.before.line, told.before.text.as_str()));
        for told in changed.iter_mut().filter(|told| told.how == How::Removed && is_known(told)) {
            told.how = How::Substituted;
        }
    }
    let weakened = changed.iter().filter(|told| told.how == How::Weakened);
    // One of several ways to pass is no other way of asking.
    let leaves_choice = |told: &Changed| told.after.as_ref().is_some_and(|after| offers_choice(&after.text));
    let is_other_way = !weakened.clone().any(leaves_choice);
    if are_swapped(&old, &new) || is_other_way && is_outgrown(&old, &new, weakened.count()) {
        changed.retain(|changed| !matches!(changed.how, How::Weakened | How::Flipped));
    }
    if before.body == after.body
        && let (Some(first), Some(failure)) = (old.first(), failure_of_the_whole(&new))
        && failure_of_the_whole(&old).is_none()
    {
        let (before, after) = ((*first).clone(), Some(failure.clone()));
        changed.push(Changed { unit, before, after, how: How::Flipped });
    }
    changed
}

/// What surrounds a pair of assertions: both sides, and the assertions as they are written there.
struct Context<'u, 'a> {
    before: &'u View<'a>,
    after: &'u View<'a>,
    written: &'u [&'u Assertion],
    spelled: &'u [Assertion],
}

/// An assertion and the one that continues it, with the places of both in their lists.
struct Pair<'u> {
    index: usize,
    place: usize,
    /// Whether it merely stands in the place of the other.
    by_place: bool,
    old: &'u Assertion,
    new: &'u Assertion,
}

impl Context<'_, '_> {
    /// How the partner of an assertion differs from it.
    fn became<'c>(&self, pair: Pair<'_>, cover: &impl Deref<Target = Cover<'c>>) -> Option<How> {
        let Pair { index, place, by_place, old, new } = pair;
        let (written, spelled) = (self.written[index], &self.spelled[place]);
        if is_filled(&old.claim, &new.claim) || is_filled(&written.claim, &spelled.claim) {
            return None;
        }
        let is_many = self.spelled.len() > MANY;
        if !is_many
            && guarded(old, new, self.spelled)
            && !new.under.as_deref().is_some_and(|condition| was_part(condition, self.before))
        {
            return Some(How::Guarded);
        }
        let came = old.under.is_none() && new.under.is_some() && old.reach == Reach::Always;
        let is_sometimes = match is_many {
            true => came && old.text == new.text,
            false => runs_sometimes(old, new, self.spelled),
        };
        if is_sometimes {
            return Some(How::Sometimes);
        }
        if is_written_down(old, new) {
            return Some(How::Trivial);
        }
        let is_caught = expects_error(&old.claim)
            && new.claim.kind != ClaimKind::Raises
            && new.claim.strength > Strength::Tautology;
        if is_caught && cover.catches() == Catches::Whatever {
            return Some(How::Broadened);
        }
        if is_written_out(written, &self.spelled[place], self.before) {
            return None;
        }
        if new.claim.strength >= Strength::Pattern && is_own_flag(written, self.before, self.after) {
            return Some(How::Substituted);
        }
        let (was, is) = (&written.claim, &spelled.claim);
        // A whole may be compared entry by entry.
        let is_part = || compares_member(was, is) || takes_one_entry(was, is) && !cover.covers(old);
        let how = if by_place && is_part() {
            Some(How::Narrowed)
        } else if by_place {
            // Of the name that stood for a whole.
            let told = |how| match how {
                How::Substituted if asks_for_size(was, is) => How::Weakened,
                How::Substituted if looks_into(was, is) => How::Narrowed,
                how => how,
            };
            evened(was, is).or_else(|| replacement(old, new, cover).map(told))
        } else {
            let how = difference(old, new).filter(|how| !excused(*how, old, cover));
            let how = as_written(how, written, spelled);
            let how = how.or_else(|| self.follows_constant(written, spelled).then_some(How::Loosened));
            how.filter(|how| *how != How::Loosened || !self.follows_input(written, spelled))
        };
        how.filter(|how| *how != How::Weakened || !is_start_by_name(old, new))
    }

    /// Whether the words of a bound stay, and a name in them stands for something that the code under test is given, too.
    fn follows_input(&self, written: &Assertion, spelled: &Assertion) -> bool {
        let names = |text: &str| -> Vec<String> {
            let words = split(text).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
            words.map(str::to_owned).collect()
        };
        let moved = |name: &String| {
            let (was, is) = (self.before.number_of(name), self.after.number_of(name));
            was.is_some() && is.is_some() && was != is
        };
        let expected = written.claim.expected.as_deref().unwrap_or_default();
        key(&written.text) == key(&spelled.text)
            && names(expected).iter().any(|name| moved(name) && is_input(name, self.after, self.spelled))
    }

    /// Whether the same bound is made of a constant that lets more through now.
    fn follows_constant(&self, written: &Assertion, spelled: &Assertion) -> bool {
        key(&written.text) == key(&spelled.text)
            && slack::follows_constant(
                &written.claim,
                |name| self.before.number_of(name),
                |name| self.after.number_of(name),
            )
    }
}

/// Whether an assertion asked for a flag that the test itself set on its way, in a loop for instance, and that is gone:
/// what stands in its place says by itself what was looked for.
fn is_own_flag(written: &Assertion, before: &View<'_>, after: &View<'_>) -> bool {
    let flag = written.claim.subject.trim();
    let is_name = !flag.is_empty() && flag.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name || is_long(before) || truth(&written.claim).is_none() || after.words.contains(flag) {
        return false;
    }
    let sets = |line: &str, value: &str| {
        let (target, given) = line.split_once('=').unwrap_or_default();
        let given = given.trim().trim_end_matches(';');
        given.eq_ignore_ascii_case(value) && split(target).last() == Some(flag)
    };
    let has = |value: &str| before.file.lines(before.span).any(|line| sets(&line, value));
    has("true") && has("false")
}

/// Whether a test has more lines than can be gone through for each of its assertions.
fn is_long(view: &View<'_>) -> bool {
    const LONG: u32 = 600;
    view.span.end.saturating_sub(view.span.start) > LONG
}

/// Whether an assertion asked for a variable, and the one in its place asks the same of what the variable was last given.
fn is_written_out(written: &Assertion, spelled: &Assertion, before: &View<'_>) -> bool {
    let name = written.claim.subject.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (Some(was), true) = (truth(&written.claim), is_name && !is_long(before)) else { return false };
    let lines: Vec<_> = before.file.lines(Span { start: before.span.start, end: written.line }).collect();
    let given = lines.iter().rev().find_map(|line| {
        let (target, value) = assignment(line)?;
        (split(target).last() == Some(name)).then(|| key(value.trim_end_matches(';')))
    });
    let is_same = given.is_some_and(|given| given.ends_with(')') && key(&spelled.text).contains(&given));
    let denies = spelled.claim.negated || truth(&spelled.claim) == Some(false);
    is_same && spelled.claim.strength > Strength::Tautology && denies != was
}

/// Leaves out what is told twice: links of a chain that are lost assertions too or stand elsewhere, and conditions where
/// something else became of the test.
fn leave_out_repetitions(changed: &mut Vec<Changed>, spelled: &[Assertion]) {
    let stand = |told: &Changed| {
        let Some(after) = &told.after else { return false };
        let others = || spelled.iter().filter(|one| one.line != after.line);
        let parts = dropped_parts(&told.before.claim, &after.claim);
        if !parts.is_empty() {
            return parts.iter().all(|part| others().any(|other| says_the_same(part, &other.claim)));
        }
        let lost = lost_links(&told.before.text, &after.text);
        let words = || others().map(|one| key(&one.text));
        !lost.is_empty() && lost.iter().all(|link| words().any(|other| other.contains(link)))
    };
    let removed = changed.iter().filter(|told| told.how == How::Removed);
    let lines: HashSet<u32> = removed.map(|told| told.before.line).collect();
    changed.retain(|told| told.how != How::Narrowed || !lines.contains(&told.before.line) && !stand(told));
    if changed.iter().any(|told| told.how != How::Sometimes) {
        changed.retain(|told| told.how != How::Sometimes);
    }
}

/// What became of a comparison, seen as it is written: a name may be given its value elsewhere, in a closure for instance.
fn as_written(how: Option<How>, before: &Assertion, after: &Assertion) -> Option<How> {
    let open = matches!(how, None | Some(How::Rewritten | How::Redirected));
    let counts = before.reach.counts() && after.reach.counts();
    let is_wider = || slack::compare(&before.claim, &after.claim).is_some_and(std::cmp::Ordering::is_gt);
    match () {
        () if !open || !counts => how,
        () if is_wider() => Some(How::Loosened),
        () if asks_for_size(&before.claim, &after.claim) => Some(How::Weakened),
        () => reduced(&before.claim, &after.claim).or_else(|| evened(&before.claim, &after.claim)).or(how),
    }
}

fn offers_choice(text: &str) -> bool {
    text.contains(" or ") || text.contains("||") || text.contains("anyOf")
}

/// What the test as a whole must fail with: `#[should_panic]`, `@Test(expected = ...)`.
fn failure_of_the_whole<'a>(assertions: &[&'a Assertion]) -> Option<&'a Assertion> {
    let fails = |claim: &Claim| claim.kind == ClaimKind::Raises && claim.subject.is_empty() && !claim.negated;
    assertions.iter().copied().find(|assertion| fails(&assertion.claim))
}

/// How many assertions do not live on in the same words.
fn count_changed(old: &[&Assertion], new: &[&Assertion], matches: &Matches) -> usize {
    let lives_on = |(old, partner): &(&&Assertion, &Option<usize>)| {
        partner.is_some_and(|partner| new[partner].text == old.text)
    };
    old.iter().zip(&matches.of_before).filter(|pair| !lives_on(pair)).count()
}

/// Whether what an assertion said is still said beside the one that continues it.
fn excused(how: How, lost: &Assertion, cover: &Cover<'_>) -> bool {
    match how {
        How::Weakened | How::Flipped => cover.excuses(lost),
        How::Broadened => cover.has_message(lost),
        _ => false,
    }
}

/// What is to be said of an assertion in whose place another one stands.
fn replacement(before: &Assertion, after: &Assertion, cover: &Cover<'_>) -> Option<How> {
    let strength = |assertion: &Assertion| assertion.claim.strength;
    // What stands in the place of an assertion and holds by itself may quote all that it said: `x == 1 or True`.
    let quotes = share(&words(&before.text), &words(&after.text)) >= QUOTED;
    // `similarity(x, e)` is made of what `x == e` looked at and expected.
    let wraps = quotes
        && strength(after) < strength(before)
        && after.claim.subject.contains('(')
        && key(&before.claim.subject) != key(&after.claim.subject);
    let covered = match strength(after) {
        Strength::Tautology if quotes => false,
        // That its words are still there says nothing where a weaker claim repeats them, or one that fails nothing.
        _ if wraps || !after.reach.counts() => cover.covers_otherwise(before),
        _ => cover.covers(before),
    };
    if covered || is_in_range(before, after) && after.reach.counts() {
        return None;
    }
    match () {
        () if !after.reach.counts() => Some(How::Removed),
        () if accepts_any_error(&before.claim, &after.claim) => Some(How::Broadened),
        () if loses_message(&before.claim, &after.claim) => {
            (!cover.has_message(before)).then_some(How::Broadened)
        }
        () if strength(after) == Strength::Tautology => Some(How::Trivial),
        () if speaks_of_another(&before.claim, &after.claim) => Some(How::Substituted),
        () if is_unknown(&before.claim) || strength(after) >= strength(before) => Some(How::Substituted),
        () if is_true_and_so_there(&before.claim, &after.claim) => Some(How::Substituted),
        () => Some(How::Weakened),
    }
}

/// Whether one of two claims is that something fails, the other one is not, and they have next to nothing in common.
fn speaks_of_another(old: &Claim, new: &Claim) -> bool {
    let fails = |claim: &Claim| claim.kind == ClaimKind::Raises && !claim.negated;
    fails(old) != fails(new) && share(&words(&old.subject), &words(&new.subject)) < RELATED
}

/// Claims that share less of a subject look at different things.
const RELATED: f64 = 0.3;

/// An assertion has so many of the words of another one where it quotes it.
const QUOTED: f64 = 0.8;

pub fn could_fail(assertion: &Assertion) -> bool {
    assertion.reach.counts() && assertion.claim.strength > Strength::Tautology
}
