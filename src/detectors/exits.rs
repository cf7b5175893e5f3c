//! Which ways of refusing a function has lost, and what stands there now.

use super::functions::{Changed, agreement, names, overlap, plain, said};
use super::subject::{names_of_any_length, roots};
use crate::facts::{Context, Exit, ExitKind};

/// A way of refusing that the new side does not have.
pub struct Lost<'c> {
    pub exit: &'c Exit,
    /// What the new side does in its place, if that goes on as if nothing were wrong.
    pub turned: Option<&'c Exit>,
}

/// So much of what two exits say must agree, for one to be the other reworded.
const REWORDED: f64 = 0.4;
const CONTAINED: f64 = 0.75;
/// So much of what two conditions ask for, for one to be the other reworded.
const ASKED: f64 = 0.7;

/// What the function refused before and does not refuse now, handlers of errors aside.
pub fn lost<'c>(changed: &Changed<'c>) -> Vec<Lost<'c>> {
    let refuses = |exit: &&Exit| exit.kind.refuses();
    let outside = |exit: &&Exit| exit.context != Context::Handler;
    let mut old: Vec<&Exit> = changed.old.exits.iter().filter(refuses).collect();
    let mut new: Vec<&Exit> = changed.new.exits.iter().filter(refuses).filter(is_alive).collect();
    // What stays as it is, in handlers too, stands in for nothing else.
    take_equal(&mut old, &mut new, |a, b| {
        plain(&a.condition) == plain(&b.condition) && plain(&a.text) == plain(&b.text)
    });
    old.retain(outside);
    take_equal(&mut old, &mut new, |a, b| {
        !a.condition.is_empty() && plain(&a.condition) == plain(&b.condition)
    });
    take_equal(&mut old, &mut new, |a, b| plain(&a.text) == plain(&b.text));
    take_equal(&mut old, &mut new, |a, b| {
        a.context == Context::Check
            && b.context == Context::Check
            && subject(&a.condition) == subject(&b.condition)
    });
    // A check of the project's own that is given something else is still made.
    take_equal(&mut old, &mut new, |a, b| {
        let own = |exit: &Exit| exit.context == Context::Check && !is_of_library(&exit.text);
        own(a) && own(b) && callee(&a.text) == callee(&b.text)
    });
    // An assertion about one thing, and a refusal of the same in a branch.
    take_equal(&mut old, &mut new, |a, b| {
        let about = roots(a.condition.trim_start_matches(|c: char| c != '('));
        a.context == Context::Check
            && b.context == Context::Branch
            && about.len() == 1
            && names_of_any_length(&b.condition).any(|name| name == about[0])
    });
    take_equal(&mut old, &mut new, |a, b| {
        let (one, other) = (said(a), said(b));
        agreement(&one, &other) >= REWORDED
            || (one.len() > 2 && other.len() > 2 && overlap(&one, &other) >= CONTAINED)
    });
    // The same is asked for in nearly the same words, whatever is said then.
    take_equal(&mut old, &mut new, |a, b| {
        let (one, other) = (names(&a.condition), names(&b.condition));
        a.kind == b.kind && one.len() > 2 && other.len() > 2 && agreement(&one, &other) >= ASKED
    });
    let quiet: Vec<&Exit> = fresh_quiet(changed);
    old.into_iter()
        .map(|exit| Lost { exit, turned: quiet.iter().copied().find(|quiet| replaces(exit, quiet)) })
        .collect()
}

/// Cases for which the function said no before and does not now, in whatever way.
pub fn allowed<'c>(changed: &Changed<'c>) -> Vec<&'c Exit> {
    let denies = |exit: &&Exit| exit.kind == ExitKind::Denies && exit.context == Context::Branch;
    let stops = |exit: &&Exit| exit.kind == ExitKind::Denies || exit.kind.refuses();
    let mut old: Vec<&Exit> = changed.old.exits.iter().filter(denies).collect();
    let mut new: Vec<&Exit> = changed.new.exits.iter().filter(stops).collect();
    new.retain(is_alive);
    take_equal(&mut old, &mut new, |a, b| plain(&a.condition) == plain(&b.condition));
    // Put together with another, or turned around; where it is asked and nothing follows, it is no more than gone.
    let text = changed.new_text();
    let asked = plain(&text);
    old.retain(|exit| {
        let condition = plain(&exit.condition);
        !condition.is_empty()
            && (!asked.contains(condition.trim_start_matches('!')) || does_nothing(&text, &asked, &condition))
    });
    take_equal(&mut old, &mut new, |a, b| agreement(&names(&a.condition), &names(&b.condition)) >= REWORDED);
    old
}

/// Whether a condition is still asked, and what follows does nothing.
fn does_nothing(text: &str, asked: &str, condition: &str) -> bool {
    let empty = format!("{condition}){{}}");
    let branch = [format!("if{condition}:"), format!("if({condition}):")];
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_asked = lines.any(|line| line.starts_with("if") && branch.contains(&plain(line)));
    asked.contains(&empty) || is_asked && lines.next().is_some_and(|next| matches!(next, "pass" | "..."))
}

/// What is called: `order.validate` of `order.validate(true)`.
fn callee(text: &str) -> &str {
    text.split('(').next().unwrap_or(text).trim()
}

/// Checks that are made of one thing as well as of another.
fn is_of_library(text: &str) -> bool {
    let lower = callee(text).to_lowercase();
    ["assert", "nonnull", "notnull", "preconditions", "argument", "state", "require", "ensure!", "invariant"]
        .iter()
        .any(|word| lower.contains(word))
}

/// What a check is given first.
fn subject(arguments: &str) -> String {
    plain(arguments.split(',').next().unwrap_or("")).trim_matches(['(', ')']).to_owned()
}

/// Whether an exit can be reached. A case is for a value, be that called `0` or `false`.
pub fn is_alive(exit: &&Exit) -> bool {
    exit.context == Context::Case || !is_never(&exit.condition)
}

/// Whether a condition can never hold: `false && ...`, `if False and ...`.
pub fn is_never(condition: &str) -> bool {
    let plain = plain(condition).to_lowercase();
    let plain = plain.trim_start_matches('(');
    let never = plain == "false" || plain == "0";
    never
        || plain.starts_with("false&&")
        || plain.starts_with("falseand")
        || plain.ends_with("&&false")
        || plain.ends_with("andfalse")
}

/// Ways out of the new side that tell nobody, and were not there before.
fn fresh_quiet<'c>(changed: &Changed<'c>) -> Vec<&'c Exit> {
    let tells_nobody = |exit: &&Exit| !exit.kind.refuses();
    let mut old: Vec<&Exit> = changed.old.exits.iter().filter(tells_nobody).collect();
    let mut new: Vec<&Exit> = changed.new.exits.iter().filter(tells_nobody).collect();
    take_equal(&mut old, &mut new, |a, b| {
        plain(&a.condition) == plain(&b.condition) && plain(&a.text) == plain(&b.text)
    });
    new
}

/// Whether a quiet way out stands where an exit was: under the same condition.
fn replaces(lost: &Exit, quiet: &Exit) -> bool {
    if values(&lost.text) != values(&quiet.text)
        && lost.text.starts_with("return ")
        && quiet.text.starts_with("return")
    {
        return false;
    }
    let open = |exit: &Exit| matches!(exit.context, Context::Open | Context::Callback);
    if open(lost) || open(quiet) {
        return lost.context == quiet.context;
    }
    if lost.context == Context::Check || quiet.context == Context::Handler {
        return false;
    }
    let same = plain(&lost.condition) == plain(&quiet.condition);
    let all_others = lost.context == Context::Case && quiet.context == Context::Case;
    let same = same || (all_others && takes_all(&lost.condition) && takes_all(&quiet.condition));
    same || agreement(&names(&lost.condition), &names(&quiet.condition)) >= CONTAINED
}

/// Whether a case is for all that no other case is for: `_`, or a name that it is given.
fn takes_all(pattern: &str) -> bool {
    pattern.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// How many values a statement gives back: where that differs, the function itself is another.
pub fn values(text: &str) -> usize {
    let mut depth = 0usize;
    let commas = text.bytes().filter(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *byte == b',' && depth == 0
    });
    commas.count()
}

/// No more of each list are compared with each other.
const COMPARED: usize = 400;

/// Takes pairs that agree out of both lists.
pub fn take_equal<T: Copy>(old: &mut Vec<T>, new: &mut Vec<T>, agree: impl Fn(T, T) -> bool) {
    while let (Some(&before), Some(&after)) = (old.last(), new.last())
        && agree(before, after)
    {
        old.pop();
        new.pop();
    }
    let same = old.iter().zip(new.iter()).take_while(|&(&before, &after)| agree(before, after)).count();
    old.drain(..same);
    new.drain(..same);
    old.truncate(COMPARED);
    new.truncate(COMPARED);
    old.retain(|&before| match new.iter().position(|&after| agree(before, after)) {
        Some(at) => {
            new.remove(at);
            false
        }
        None => true,
    });
}
