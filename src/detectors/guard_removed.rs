//! # guard-removed (LP-006)
//!
//! A function refused something before the change (it threw, returned an error, noted a failure, called a check that
//! throws) and no longer does. Or something that stood before it is gone: a decorator, an annotation or a step of a route
//! that speaks of access or validity, a constraint that a field or an option declared.
//! Or the check still stands and counts for less: it is left out of some builds, its
//! error is a warning, a switch or a single value leads past it, more has to hold around it, an option turns it off, a
//! function that decides no longer says no, a case is only asserted not to occur, a value such as `enforceHost` or
//! `verify` needs more to hold, a statement left the branch that it stood in, a mark for the type checker stands in for
//! the question whether something is there. Or a means by which the code kept itself safe is gone: `O_EXCL`,
//! `httpOnly`, `mkdtemp`, a comparison in constant time, a middleware or a validator that a list no longer has. Or one
//! place takes more than it did: a call gave way to its lenient twin (`fullmatch`, `match`), a wrapper that protected is
//! gone, an option no longer insists (`strict=True`), a word such as `CERT_NONE` came, a limit moved out of reach, a
//! list of what is refused lost an entry, an answer asks for less.
//!
//! Severity: critical. A warning where the function was reworked, where the value is now made to fit, where a bound in
//! the check was moved tenfold, one of its reasons is gone or more has to hold for it, where the check spoke of a state
//! that should not occur, or
//! where what is gone speaks of validity by its name alone, where a file beside still refuses in the same
//! words, or where new tests show what is let through. New code around it makes no difference: neither other lines
//! in the function nor other functions in a large change, as long as the function still uses what callers give in.
//!
//! ## Why it matters
//!
//! Taking out the check is the shortest way to make a failing call pass. What it kept out now reaches the code behind
//! it, where it does harm later and farther away.
//!
//! ## Example
//!
//! ```go
//! // before                                   // after
//! func Transfer(amount int) error {           func Transfer(amount int) error {
//!     if amount <= 0 {                            return move(amount)
//!         return errors.New("not positive")   }
//!     }
//!     return move(amount)
//! }
//! ```
//!
//! ## What is not reported
//!
//! - a check that was reworded, moved, merged with another, or put into a helper
//! - a check that became a call of a validating function, a stricter type or parameter list
//! - a check of something that is no longer in the function, though it was used for more than the check
//! - a check that refused what was not supported yet, or asked on which version or platform the code runs
//! - a check in a case in which the function has left before
//! - a protection that moved to the class or the router, or became another
//! - an assertion of the code about itself
//! - functions that were removed, or mostly written anew
//!
//! ## What to do
//!
//! Put the check back, and make the caller pass what the function accepts. If the restriction is meant to go, say so
//! in a waiver, and add a test for what is accepted now.

mod bypassed;
mod checks_by_name;
mod constraint_spellings;
mod constraints;
mod left_guard;
mod milder;
mod narrowed_flags;
pub mod protections;
mod refuses_less;
mod remains;
mod safeguards;
mod shown_by_tests;
mod softened;
pub mod still_refused;

use super::bounds::widened;
use super::exits::{Lost, lost};
use super::fields::{self, Gone};
use super::functions::{Changed, changed, names};
use super::lifted::{lifted, names_version};
use super::lines::{With, goes_with};
use super::loosened;
use super::passed_over;
use super::reached::narrowed;
use super::replacement::{Replacements, fails_in_the_end, given_to_a_call};
use super::report::{Draft, excerpt, show_before};
use super::subject::parameter_went;
use super::table;
use super::tolerated;
use crate::collections::HashSet;
use crate::comparison::Comparison;
use crate::facts::{Context, Exit, ExitKind, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use checks_by_name::{is_assertion, is_only_taken_out, weigh_check, wraps_a_result};
use refuses_less::{of_bound, of_fewer};
use remains::{NewCode, given_and_used, goes_on, new_code, survives};
use shown_by_tests::is_shown_by_tests;
use softened::{no_longer_denied, softened};
use still_refused::refused_beside;

pub const ID: RuleId = table::id("guard-removed", "LP-006", FindingType::ValidationBypass);

/// A function of which less is left was written anew: nothing can be said about single checks.
const REWRITTEN: f64 = 0.5;
/// The share of the new function that must have been there before, for a block ...
const KEPT: f64 = 0.9;
/// ... and for a warning.
const REWORKED: f64 = 0.75;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut replacements = None;
    let mut findings = Vec::new();
    // What a file does outside of functions is set-up.
    // What refuses in any case lets nothing through for want of a condition.
    let judged = |change: &Changed<'_>| {
        let refuses_all = |exit: &Exit| is_reached_by_all(change, exit);
        !change.new.name.is_empty() && change.new.stub.is_none() && !change.new.exits.iter().any(refuses_all)
    };
    for change in changed(comparison).filter(judged) {
        let bounds = widened(&change);
        let known = |old: &Exit| bounds.iter().any(|bound| bound.old.line == old.line);
        let fewer = narrowed(&change).into_iter().filter(|fewer| !known(fewer.old) && !fewer.is_error());
        findings.extend(fewer.map(|fewer| of_fewer(comparison, &change, &fewer)));
        findings.extend(bounds.iter().map(|bound| of_bound(comparison, &change, bound)));
        let softer = softened(&change);
        findings.extend(milder::findings(comparison, &change, &softer));
        let mut all = lost(&change);
        all.retain(|lost| softer.iter().all(|softer| softer.exit.line != lost.exit.line));
        let mut guards = all.iter().filter(|lost| lost.turned.is_none() && is_guard(lost.exit)).peekable();
        let denied = no_longer_denied(&change);
        if !denied.is_empty()
            && let Some(loss) = Loss::of(comparison, change, &all)
        {
            let replacements = replacements.get_or_insert_with(|| Replacements::of(comparison));
            findings.extend(denied.into_iter().map(|exit| of_denial(&loss, exit, replacements)));
        }
        let Some(loss) = guards.peek().and_then(|_| Loss::of(comparison, change, &all)) else { continue };
        let replacements = replacements.get_or_insert_with(|| Replacements::of(comparison));
        findings.extend(guards.map(|lost| judged_loss(&loss, lost.exit, replacements)));
    }
    findings.extend(protections::detect(comparison));
    findings.extend(constraints::detect(comparison));
    findings.extend(milder::outside(comparison));
    findings.extend(super::unlisted::unprotected(comparison));
    findings.extend(super::process_wide::findings(comparison, &ID, super::process_wide::Hides::Checks));
    let told: HashSet<(String, u32)> = findings.iter().map(place).collect();
    let looser = loosened::detect(comparison, loosened::Part::Checks).into_iter();
    findings.extend(looser.filter(|finding| !told.contains(&place(finding))));
    findings
}

/// Whether an exit fails whoever comes to it, and nothing before it returns: one at the end of a function may be left for
/// those who got no answer.
fn is_reached_by_all(change: &Changed<'_>, exit: &Exit) -> bool {
    let fails = exit.kind == ExitKind::Fails && exit.context == Context::Open && exit.condition.is_empty();
    let above = Span { start: change.new.span.start, end: exit.line.saturating_sub(1) };
    let returns = |line: &str| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == "return");
    fails && !change.side.lines(above).any(|line| returns(&line))
}

/// Where a finding stands, so that one place is told of once.
fn place(finding: &Finding) -> (String, u32) {
    (finding.path.clone(), finding.line)
}

/// A function that lost checks and is still the function it was.
struct Loss<'c, 'l> {
    comparison: &'c Comparison,
    change: Changed<'c>,
    /// All that it no longer refuses.
    all: &'l [Lost<'c>],
    /// The share of the new body that was there before.
    kept: f64,
    /// Whether all but the checks is still there, whatever came to it.
    padded: bool,
}

impl<'c, 'l> Loss<'c, 'l> {
    /// What is mostly new cannot be compared.
    fn of(comparison: &'c Comparison, change: Changed<'c>, all: &'l [Lost<'c>]) -> Option<Self> {
        let kept = change.kept();
        let padded = kept < KEPT && survives(&change, all) >= KEPT;
        let judged = change.similarity() >= REWRITTEN || kept >= KEPT || padded;
        // Of a function that was little more than its checks little is left to be alike.
        let judged = judged || refuses_nothing(&change) && goes_on(&change, all);
        judged.then_some(Self { comparison, change, all, kept, padded })
    }

    /// Whether the function is as it was but for the check, and nothing new in it could do its work.
    fn is_plain(&self, exit: &Exit) -> bool {
        self.kept >= KEPT || (self.padded && new_code(&self.change, exit) == NewCode::Ignores)
    }

    /// Whether the loss shows however large the change is: callers still give in what was checked, the function still
    /// uses it, and nothing new refuses anything about it.
    fn stands_out(&self, exit: &Exit, replacements: &Replacements<'_>) -> bool {
        let subject = given_and_used(&self.change, exit);
        self.is_plain(exit) && !subject.is_empty() && !replacements.speaks_of(&subject)
    }
}

/// Whether an exit refuses something that was asked for, rather than ending a function.
fn is_guard(exit: &Exit) -> bool {
    let asks = exit.condition.is_empty()
        || exit.context == Context::Check
        || !names(&exit.condition).is_empty()
        || asks_for_success(exit);
    asks && leaves(exit)
}

/// `!ok`: what it is about is said by the code before it.
fn asks_for_success(exit: &Exit) -> bool {
    exit.condition.trim_matches(['(', ')', ' ']) == "!ok"
}

/// The last statement of a function counts only where it surely fails.
fn leaves(exit: &Exit) -> bool {
    match exit.context {
        Context::Open => ["raise ", "throw ", "panic"].iter().any(|word| exit.text.starts_with(word)),
        Context::Callback => false,
        _ => true,
    }
}

/// Where a branch only handed an error on, that error is what is lost.
fn judged_loss<'c>(loss: &Loss<'c, '_>, exit: &Exit, replacements: &Replacements<'c>) -> Finding {
    let finding = finding(loss, exit, replacements);
    let hands_on = exit.kind == ExitKind::Notes && tolerated::hands_on(exit);
    if hands_on && finding.severity > Severity::Low {
        return passed_over::handed_to_nobody(&loss.change, exit);
    }
    let mut finding = finding;
    if finding.severity > Severity::Medium && is_shown_by_tests(loss.comparison, &loss.change, exit) {
        finding.lower(Severity::Medium, "tests that come with it show what is let through now");
    }
    finding
}

fn finding<'c>(loss: &Loss<'c, '_>, exit: &Exit, replacements: &Replacements<'c>) -> Finding {
    let change = &loss.change;
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: if loss.is_plain(exit) { 0.88 } else { 0.78 },
        message: match is_call(exit) {
            true => format!("{} no longer makes the check {}", change.title(), refused(exit)),
            false => format!("{} no longer refuses {}", change.title(), refused(exit)),
        },
        help: format!(
            "put the check back; this prints it: {}",
            show_before(loss.comparison, change.old_side, exit.span)
        ),
    };
    let mut finding = change.finding(draft, Side::Before, exit.line);
    finding.before = excerpt(change.old_side, exit.span, exit.line, "this was refused");
    finding.after = change.head_after("now it is not");
    if let Some(reason) = replacements.of_check(change, exit, loss.all).or_else(|| lifted(exit)) {
        finding.lower(Severity::Low, reason);
    } else if fails_in_the_end(change, exit) {
        finding.lower(Severity::Medium, "the function still fails in this way for those who get no answer");
    } else if loss.kept < REWORKED && !loss.padded && refuses_nothing(change) && !replacements.is_rework() {
        finding.lower(Severity::Medium, "much of the function is new, and refuses nothing any more");
    } else if loss.kept < REWORKED && !loss.padded {
        finding.lower(Severity::Low, "much of the function is new");
    } else if let Some(reason) = left_before(change, exit) {
        finding.lower(Severity::Low, reason);
    } else if asks_for_success(exit) {
        finding.lower(Severity::Medium, "what it was about is not known from it alone");
    } else if let Some(reason) = refused_beside(change, exit) {
        finding.lower(Severity::Medium, reason);
    } else if goes_with(change, exit, loss.all) == Some(With::Code) {
        // Where the function lives on, what is gone may be no more than what the check was made of.
        let asked = exit.condition.rsplit(';').next().unwrap_or_default().to_owned();
        let asked = Exit { condition: asked, ..exit.clone() };
        let lives_on = loss.kept >= KEPT && !given_and_used(change, &asked).is_empty();
        let severity = if lives_on { Severity::Medium } else { Severity::Low };
        finding.lower(severity, "it goes together with the code around it");
    } else if let Some(Gone::Whole(name)) = fields::gone(loss.comparison, change, exit) {
        let was_declared = fields::was_declared(loss.comparison, change, &name);
        let severity = if was_declared { Severity::Low } else { Severity::Medium };
        finding.lower(severity, format!("`{name}`, which it was about, leaves the code"));
    } else if let Some(reason) = names_version(exit) {
        finding.lower(Severity::Medium, reason);
    } else if goes_with(change, exit, loss.all) == Some(With::Feeders) {
        // A call that checks what was made for it is less than a refusal in the open.
        let severity = if exit.context == Context::Check { Severity::Low } else { Severity::Medium };
        finding.lower(severity, "what it was made of goes with it");
    } else if parameter_went(change, exit) {
        finding.lower(Severity::Medium, "callers no longer give in what it asked for");
    } else if let Some(Gone::Part(name)) = fields::gone(loss.comparison, change, exit) {
        finding.lower(Severity::Medium, format!("`{name}`, which it asked for, leaves the code"));
    } else if let Some(callee) = given_to_a_call(change, exit) {
        finding.lower(Severity::Medium, format!("`{callee}`, which may fail, is given it now"));
    } else if new_code(change, exit) == NewCode::Bends {
        finding.lower(Severity::Medium, "new code makes the value fit");
    } else if loss.kept < REWORKED && !loss.is_plain(exit) && only_speaks(change) {
        finding.lower(Severity::Medium, "a log still tells of it");
    } else if loss.kept < REWORKED && !loss.is_plain(exit) {
        finding.lower(Severity::Low, "new code of the function deals with it too");
    } else if new_code(change, exit) == NewCode::Handles {
        finding.lower(Severity::Medium, "the case is still told apart, and dealt with in another way");
    } else if is_assertion(exit) && new_code(change, exit) == NewCode::Uses && !is_only_taken_out(change) {
        finding.lower(Severity::Low, "it was an assertion, and new code deals with what it was about");
    } else if exit.context == Context::Check && wraps_a_result(exit) {
        finding.lower(Severity::Medium, "it checked what another call returns, not what comes in");
    } else if exit.context == Context::Check {
        let is_all = !replacements.is_rework() && !replacements.grows();
        weigh_check(&mut finding, change, exit, is_all && replacements.checker_went(exit));
    } else if replacements.is_rework() && !loss.stands_out(exit, replacements) {
        finding.lower(Severity::Medium, "the change reworks much of the code");
    } else if replacements.grows() && !loss.stands_out(exit, replacements) {
        finding.confidence = finding.confidence.min(0.78);
        finding.evidence.push("the change adds much more code than it removes".to_owned());
    } else if is_own_state(change, exit) {
        finding.lower(Severity::Low, "it refused a state that only the function itself can bring about");
    } else if is_impossible(&exit.text) {
        finding.lower(Severity::Medium, "it refused a state that should not occur");
    }
    finding
}

/// Whether nothing in a function fails, says no or deals with an error any more.
fn refuses_nothing(change: &Changed<'_>) -> bool {
    change.new.exits.is_empty() && change.new.errors.is_empty() && change.new.handlers.is_empty()
}

/// A case to which a function that decides no longer says no: it may well be meant to be allowed.
fn of_denial<'c>(loss: &Loss<'c, '_>, exit: &Exit, replacements: &Replacements<'c>) -> Finding {
    let mut finding = finding(loss, exit, replacements);
    finding.message = format!("{} no longer says no to {}", loss.change.title(), refused(exit));
    if finding.severity > Severity::Medium {
        finding.lower(Severity::Medium, "what it decides may be meant to be allowed now");
    }
    finding
}

pub(super) fn refused(exit: &Exit) -> String {
    // What a call checks, its name tells.
    let what = if exit.condition.is_empty() || is_call(exit) { &exit.text } else { &exit.condition };
    let what = what.trim_end_matches(';');
    let inner = what.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.filter(|inner| !inner.contains(['(', ')']));
    format!("`{}`", crate::text::printable(inner.unwrap_or(what)))
}

/// Whether it is a call by the name of a check, of which the condition has no more than what it is given.
fn is_call(exit: &Exit) -> bool {
    exit.context == Context::Check && exit.condition.starts_with('(')
}

/// The function left in the very same case before the check, which could not be reached.
fn left_before(change: &Changed<'_>, exit: &Exit) -> Option<String> {
    if exit.condition.is_empty() || exit.context != Context::Branch {
        return None;
    }
    let lines: Vec<_> = change.old_side.lines(change.old.span).collect();
    let at = exit.span.start.checked_sub(change.old.span.start)? as usize;
    let (head, above) = (lines.get(at)?, &lines[..at]);
    let leaves = |line: &str| {
        ["return", "raise", "throw", "continue", "break"].iter().any(|word| line.trim().starts_with(word))
    };
    let same = |at: &usize| {
        let next = above.get(at + 1).is_some_and(|line| leaves(line));
        above[*at] == *head && next
    };
    let found = (0..above.len()).rev().find(same)?;
    // What it asks about may have been set anew in between.
    let subject = super::subject::roots(&exit.condition);
    let set = |line: &str| {
        let target = line.split_once('=').map_or("", |(target, _)| target);
        super::subject::names_of_any_length(target).any(|name| subject.iter().any(|word| word == name))
    };
    let unchanged = !above[found + 1..].iter().any(|line| set(line));
    unchanged.then(|| "the function left in the same case before it".to_owned())
}

/// A panic over something that the caller did not give.
fn is_own_state(change: &Changed<'_>, exit: &Exit) -> bool {
    let panics = ["panic", "unreachable", "process.abort"].iter().any(|word| exit.text.starts_with(word));
    let given = names(&change.old.parameters);
    panics && names(&exit.condition).is_disjoint(&given)
}

pub(super) fn is_impossible(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "unreachable",
        "should not happen",
        "should never",
        "shouldn't",
        "impossible",
        "internal error",
        "bug",
        "unexpected",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether all that is new in a function asks something and writes it into a log.
fn only_speaks(change: &Changed<'_>) -> bool {
    let known: HashSet<String> =
        change.old_side.lines(change.old.span).map(|line| line.trim().to_owned()).collect();
    let mut logs = 0;
    let lines = (change.new.span.start..).zip(change.side.lines(change.new.span));
    let mut fresh = lines.filter(|(_, line)| !known.contains(line.trim()));
    let all = fresh.all(|(number, line)| {
        let at = Span { start: number, end: number };
        let is_log = change.new.logs.iter().any(|log| log.contains(at));
        logs += usize::from(is_log);
        let line = line.trim();
        is_log || line.starts_with("if ") || !line.contains(char::is_alphanumeric)
    });
    all && logs > 0
}
