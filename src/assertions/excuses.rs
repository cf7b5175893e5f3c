//! Code that fails a test without being an assertion by its name, and so may stand for a lost one: errors that are thrown,
//! errors that are no longer caught, branches that refuse.

use std::borrow::Cow;

use super::alike::{key, split};
use super::synonyms::goes_on_only_then;
use super::unit::View;
use crate::collections::HashSet;
use crate::facts::{Assertion, Claim, ClaimKind, Span, Strength};

/// For each of so many the lines of a test are gone through; who loses more has no excuse for all of them.
const MOST_LOST: usize = 600;

/// The lines of lost assertions that such code stands for.
pub fn excused(before: &View<'_>, after: &View<'_>, old: &[&Assertion], new: &[&Assertion]) -> HashSet<u32> {
    let known: HashSet<&str> = new.iter().map(|assertion| assertion.text.as_str()).collect();
    let lost: Vec<&&Assertion> = old.iter().filter(|one| !known.contains(one.text.as_str())).collect();
    if lost.is_empty() {
        return HashSet::new();
    }
    let [old_lines, new_lines] = [before, after].map(|view| lines(view).map(|line| key(&line)).collect());
    let sides = Sides { before: old_lines, after: new_lines, start: before.span.start };
    let thrown = sides.more_thrown();
    let count = |list: &[&Assertion]| list.iter().filter(|one| is_raise(&one.claim)).count();
    let raises = new.iter().any(|one| is_raise(&one.claim)) && !old.iter().all(|one| is_raise(&one.claim));
    // What fails where no error came is part of what expects one.
    let mut left = thrown + count(new).saturating_sub(count(old));
    let few = lost.len() <= MOST_LOST;
    let mut stands_for = |one: &&&Assertion| {
        let plain = one.claim.kind == ClaimKind::Failure && one.claim.subject.is_empty();
        if plain && left > 0 {
            left -= 1;
            return true;
        }
        raises && is_flag(&one.claim, after)
            || few
                && (plain && sides.is_uncaught(one.line)
                    || sides.refuses(one)
                    || sides.goes_on_only_then(one))
    };
    lost.iter().filter(|one| stands_for(one)).map(|one| one.line).collect()
}

/// The lines of a unit.
pub fn lines<'v>(view: &View<'v>) -> impl Iterator<Item = Cow<'v, str>> {
    view.file.lines(Span { start: view.span.start, end: view.span.end })
}

fn is_raise(claim: &Claim) -> bool {
    claim.kind == ClaimKind::Raises && !claim.negated
}

/// Whether a claim is about a variable that only told whether an error came, and is gone: `assertTrue(thrown)`,
/// `assertNotNull(caught)`.
fn is_flag(claim: &Claim, after: &View<'_>) -> bool {
    let mut words = split(&claim.subject);
    let (Some(name), None) = (words.next(), words.next()) else { return false };
    let yes = matches!(claim.expected.as_deref(), None | Some("true" | "True" | "null" | "None" | "nil"));
    let says_so = claim.strength <= Strength::NotNull || yes && claim.expected.is_some();
    says_so && yes && !after.words.contains(name)
}

/// The lines of both sides of a unit, without white space.
struct Sides {
    before: Vec<String>,
    after: Vec<String>,
    start: u32,
}

/// Statements that fail a test wherever they are reached.
const THROWS: &[&str] = &[
    "thrownewAssertionError",
    "thrownewError(",
    "thrownewIllegalStateException",
    "raiseAssertionError",
    "panic!(",
    "unreachable!(",
    "panic(",
];

/// What an error ends up in: `catch (E e) {`, `except E:`.
const HANDLERS: &[&str] = &["}catch(", "catch(", "except", "}catch{"];

/// How many lines of a branch are looked at for the way it ends.
const BRANCH: usize = 6;

impl Sides {
    /// How many more statements of the after side throw.
    fn more_thrown(&self) -> usize {
        let count = |lines: &[String]| {
            lines.iter().filter(|line| THROWS.iter().any(|throws| line.contains(throws))).count()
        };
        count(&self.after).saturating_sub(count(&self.before))
    }

    /// Whether a failing call stood in a handler that is gone: the error goes on by itself.
    fn is_uncaught(&self, line: u32) -> bool {
        let at = line.saturating_sub(self.start) as usize;
        let above = self.before.get(..at).unwrap_or_default().iter().rev();
        let mut above =
            above.filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with('#'));
        let Some(handler) = above.next().filter(|line| HANDLERS.iter().any(|head| line.starts_with(head)))
        else {
            return false;
        };
        let count = |lines: &[String]| lines.iter().filter(|line| *line == handler).count();
        count(&self.after) < count(&self.before)
    }

    /// Whether a new line of code goes on only where a lost assertion would have passed.
    fn goes_on_only_then(&self, lost: &Assertion) -> bool {
        self.after.iter().any(|line| goes_on_only_then(lost, line) && !self.before.contains(line))
    }

    /// Whether a branch now refuses what a claim refused: `if let Some(_) = x { return Err(..) }` for
    /// `assert!(x.is_none())`.
    fn refuses(&self, lost: &Assertion) -> bool {
        let head = match lost.claim.expected.as_deref() {
            Some("None") => "ifletSome(",
            Some("Ok" | "ok") => "ifletErr(",
            Some("Err" | "err") => "ifletOk(",
            _ => return false,
        };
        let lost = key(&lost.text);
        let ends = |line: &String| {
            ["Err(", "panic!(", "bail!(", "returnfalse", "unreachable!("].iter().any(|end| line.contains(end))
        };
        let asks = |line: &String| {
            let asked = line.split_once(head).and_then(|(_, rest)| rest.split_once(")="));
            let subject =
                asked.map_or("", |(_, subject)| subject.trim_end_matches('{').trim_matches(['&', '*']));
            !subject.is_empty() && lost.contains(subject)
        };
        let is_branch = |(at, line): (usize, &String)| {
            asks(line) && self.after[at..].iter().skip(1).take(BRANCH).any(ends)
        };
        self.after.iter().enumerate().any(is_branch)
    }
}
