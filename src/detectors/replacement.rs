//! What else in a change does the work of a check that is gone.

use std::collections::HashSet;

use super::functions::{Changed, added, agreement, changed, code, names, overlap, plain, said, words};
use crate::comparison::{Comparison, FileSide};
use crate::facts::{Context, Exit, Function, Span};
use crate::paths::PathClass;

/// Parts of names of functions that check what they are given.
const CHECKING: &[&str] = &[
    "check",
    "valid",
    "verify",
    "ensure",
    "require",
    "assert",
    "guard",
    "sanit",
    "must",
    "precond",
    "expect",
    "parse",
    "schema",
    "invariant",
    "raise",
    "throw",
    "reject",
    "fail",
    "error",
    "bail",
    "enforce",
    "authoriz",
    "authenticat",
];

/// What the change as a whole brings that could stand in for a lost check. Made once for all functions.
pub struct Replacements<'c> {
    /// What each way of refusing says that the after side has and the before side has not.
    fresh: Vec<HashSet<String>>,
    /// Under which conditions the after side newly refuses.
    conditions: HashSet<String>,
    /// Lines of production code that only the after side has.
    lines: Vec<String>,
    removed: usize,
    comparison: &'c Comparison,
}

impl<'c> Replacements<'c> {
    pub fn of(comparison: &'c Comparison) -> Self {
        let (mut fresh, mut conditions) = (Vec::new(), HashSet::new());
        for change in changed(comparison) {
            let known: HashSet<(String, String)> = change.old.exits.iter().map(key).collect();
            let refusing = change.new.exits.iter().filter(|exit| exit.kind.refuses());
            for exit in refusing.filter(|exit| !known.contains(&key(exit))) {
                fresh.push(said(exit));
                conditions.insert(plain(&exit.condition));
            }
        }
        for (_, function) in added(comparison) {
            for exit in function.exits.iter().filter(|exit| exit.kind.refuses()) {
                fresh.push(said(exit));
                conditions.insert(plain(&exit.condition));
            }
        }
        let (lines, removed) = fresh_lines(comparison);
        Self { fresh, conditions, lines, removed, comparison }
    }

    /// Whether the change is about new code, rather than about what it takes away.
    pub fn grows(&self) -> bool {
        self.lines.len() > 2 * self.removed + GROWTH
    }

    /// Whether so much changes that a check may have gone anywhere.
    pub fn is_rework(&self) -> bool {
        let functions = self.comparison.functions();
        functions.changed.len() + functions.added.len() + functions.removed.len() > REWORK
    }

    /// A value that was refused is spelled out in new code.
    fn accepted(&self, lost: &Exit) -> Option<String> {
        let value = literals(&lost.condition).find(|value| value.len() > 2)?;
        let quoted =
            |line: &String| line.contains(&format!("\"{value}\"")) || line.contains(&format!("'{value}'"));
        self.lines.iter().any(quoted).then(|| format!("the change adds code for `{value}`, which it refused"))
    }

    /// Why a lost check is no loss, in words.
    pub fn of_check(&self, change: &Changed<'c>, lost: &Exit) -> Option<String> {
        self.elsewhere(lost)
            .or_else(|| self.called(change, lost))
            .or_else(|| subject_gone(change, lost))
            .or_else(|| parameter_changed(change, lost))
            .or_else(|| source_changed(change, lost))
            .or_else(|| fails_anyway(change, lost))
            .or_else(|| self.helper_gone(lost))
            .or_else(|| self.accepted(lost))
            .or_else(|| goes_with_more(change, lost))
    }

    /// The same is refused at another place of the change.
    pub fn elsewhere(&self, lost: &Exit) -> Option<String> {
        let (about, condition) = (said(lost), names(&lost.condition));
        let alike = |fresh: &HashSet<String>| {
            agreement(&about, fresh) >= 0.4
                || (about.len() > 2 && fresh.len() > 2 && overlap(&about, fresh) >= 0.75)
                || (condition.len() > 1 && condition.is_subset(fresh))
        };
        let same = !lost.condition.is_empty() && self.conditions.contains(&plain(&lost.condition));
        (same || self.fresh.iter().any(alike))
            .then(|| "the change refuses the same at another place".to_owned())
    }

    /// The checking function itself leaves the code, with what it was for.
    fn helper_gone(&self, lost: &Exit) -> Option<String> {
        let callee = lost.text.split('(').next().unwrap_or("");
        let name = callee.rsplit(['.', ':', ' ']).next().filter(|_| lost.context == Context::Check)?;
        let gone = self.comparison.production.removed_definitions.contains(name);
        gone.then(|| format!("`{name}` is removed from the production code in the same change"))
    }

    /// The function now calls something that checks: by its name, or because the change shows that it refuses.
    fn called(&self, change: &Changed<'c>, lost: &Exit) -> Option<String> {
        let (before, after) = (change.old_text(), change.new_text());
        let old: HashSet<&str> = written(&before).collect();
        let fresh: Vec<&str> = written(&after).filter(|name| !old.contains(name)).collect();
        let checks = |name: &&&str| {
            let lower = name.to_lowercase();
            CHECKING.iter().any(|part| lower.contains(part))
        };
        if let Some(name) = fresh.iter().find(checks) {
            return Some(format!("`{name}`, which checks by its name, is new in the function"));
        }
        let refusing = |function: &&Function| {
            fresh.contains(&function.short_name()) && function.exits.iter().any(|exit| exit.kind.refuses())
        };
        let about = words(&lost.condition);
        let helper = added(self.comparison).map(|(_, function)| function).find(refusing);
        let helper = helper.or_else(|| {
            // A helper that answers the question of the lost check.
            let answers = |(side, function): &(&_, &Function)| {
                fresh.contains(&function.short_name())
                    && overlap(&about, &words(&code(side, function))) >= 0.5
            };
            added(self.comparison).find(answers).map(|(_, function)| function)
        });
        helper.map(|function| format!("`{}`, which is new and called here, refuses", function.short_name()))
    }
}

/// So many more new lines than removed ones are a feature.
const GROWTH: usize = 30;

/// More functions than this are a rework.
const REWORK: usize = 120;

/// The lines of code that production files gain, and how many they lose.
fn fresh_lines(comparison: &Comparison) -> (Vec<String>, usize) {
    let (mut fresh, mut lost) = (Vec::new(), 0);
    for file in comparison.files.iter().filter(|file| file.class == PathClass::Production) {
        let lines = |side: Option<&FileSide>| -> Vec<String> {
            let whole = Span { start: 1, end: u32::MAX };
            let all = side.into_iter().flat_map(|side| side.lines(whole)).map(|line| line.trim().to_owned());
            all.filter(|line| line.len() > 1 && !is_comment(line)).collect()
        };
        let (before, after) = (lines(file.before.as_ref()), lines(file.after.as_ref()));
        let (old, new): (HashSet<&String>, HashSet<&String>) =
            (before.iter().collect(), after.iter().collect());
        lost += before.iter().filter(|line| !new.contains(line)).count();
        fresh.extend(after.iter().filter(|line| !old.contains(line)).cloned());
    }
    (fresh, lost)
}

/// The strings in a condition.
fn literals(condition: &str) -> impl Iterator<Item = &str> {
    let quotes = condition.split(['"', '\'']).skip(1).step_by(2);
    quotes.filter(|text| !text.is_empty())
}

fn key(exit: &Exit) -> (String, String) {
    (plain(&exit.condition), plain(&exit.text))
}

/// Identifiers of some length, as written.
fn written(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    parts.filter(|part| part.len() > 2 && !part.starts_with(|c: char| c.is_ascii_digit()))
}

/// What the check was about is no longer in the function, though it was in more than the check.
fn subject_gone(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let subject = roots(&lost.condition);
    if subject.is_empty() {
        return None;
    }
    let (before, after) = (change.old_text(), change.new_text());
    let after: HashSet<&str> = names_of_any_length(&after).collect();
    if subject.iter().any(|word| after.contains(word.as_str())) {
        return None;
    }
    // A variable that only served the check goes with it: then what it was made of decides.
    let made_of: Vec<String> = subject.iter().flat_map(|word| binding(&before, word)).collect();
    if made_of.iter().any(|word| after.contains(word.as_str())) {
        return None;
    }
    let name = subject.first()?;
    Some(format!("`{name}`, which it was about, is no longer in the function"))
}

/// The names that an expression starts from: `config` of `len(config.path) == 0`.
fn roots(expression: &str) -> Vec<String> {
    let mut roots = Vec::new();
    let bytes = expression.as_bytes();
    for name in names_of_any_length(expression) {
        let at = name.as_ptr() as usize - expression.as_ptr() as usize;
        let is_member = at > 0 && matches!(bytes[at - 1], b'.' | b'\'' | b'"' | b'`');
        let is_call = bytes.get(at + name.len()) == Some(&b'(');
        let own = names(name);
        if !is_member && !is_call && !own.is_empty() && !roots.iter().any(|root| root == name) {
            roots.push(name.to_owned());
        }
    }
    roots
}

fn names_of_any_length(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    parts.filter(|part| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit()))
}

/// The value that was checked now comes from somewhere else.
fn source_changed(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let (before, after) = (change.old_text(), change.new_text());
    let moved = |name: &&String| {
        let (old, new) = (binding(&before, name), binding(&after, name));
        !old.is_empty() && !new.is_empty() && old != new
    };
    let subject = roots(&lost.condition);
    let name = subject.iter().find(moved)?;
    Some(format!("`{name}`, which it was about, is made in another way now"))
}

/// What the line that sets a variable takes its value from: the last name of a path, and what a call is given.
fn binding(text: &str, variable: &str) -> Vec<String> {
    let sets = |line: &&str| {
        let Some((left, _)) = line.split_once('=') else { return false };
        names_of_any_length(left).any(|name| name == variable)
    };
    let line = text.lines().find(sets);
    let Some((_, value)) = line.and_then(|line| line.split_once('=')) else { return Vec::new() };
    let (path, given) = value.split_once('(').unwrap_or((value, ""));
    let source = names_of_any_length(path).last().map(str::to_owned);
    source.into_iter().chain(roots(given)).collect()
}

/// So many other lines around a check that go with it are a feature that goes.
const AROUND: usize = 2;

/// The check stood in the middle of other code that goes too, condition and all.
fn goes_with_more(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let kept: HashSet<String> =
        change.side.lines(change.new.span).map(|line| line.trim().to_owned()).collect();
    let lines: Vec<(u32, String)> = (change.old.span.start..)
        .zip(change.old_side.lines(change.old.span).map(|line| line.trim().to_owned()))
        .collect();
    let is_code = |line: &str| {
        let mut names = names_of_any_length(line);
        !is_comment(line)
            && names.any(|name| name.len() > 1 && !["else", "try", "finally", "return"].contains(&name))
    };
    let is_gone = |(_, line): &&(u32, String)| !is_code(line) || !kept.contains(line);
    let at = lines.iter().position(|(number, _)| *number == lost.span.start)?;
    let outside = |(number, line): &&(u32, String)| {
        is_code(line) && !(lost.span.start <= *number && *number <= lost.span.end)
    };
    let above = lines[..at].iter().rev().take_while(is_gone).filter(outside).count();
    let below = lines[at..].iter().take_while(is_gone).filter(outside).count();
    let head_gone = is_gone(&&lines[at]);
    (head_gone && above + below >= AROUND).then(|| "it goes together with the code around it".to_owned())
}

fn is_comment(line: &str) -> bool {
    ["//", "#", "*", "/*"].iter().any(|mark| line.starts_with(mark))
}

/// The check was about a parameter that is declared in another way now.
fn parameter_changed(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let (old, new) = (&change.old.parameters, &change.new.parameters);
    if plain(old) == plain(new) {
        return None;
    }
    let declared = |parameters: &str, name: &str| {
        let parts = parameters.split(',').map(|part| part.trim_matches(['(', ')', ' ']).to_owned());
        parts.into_iter().find(|part| names_of_any_length(part).any(|word| word == name))
    };
    let about = roots(&lost.condition);
    let name = about.iter().find(|name| {
        let before = declared(old, name);
        before.is_some() && before != declared(new, name)
    })?;
    Some(format!("the parameter `{name}` is declared in another way now"))
}

/// What the check let through fails right after it, or at the end in the same way.
fn fails_anyway(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let kind = failure(&lost.text);
    let same_end =
        |exit: &Exit| exit.context == Context::Open && kind.is_some() && failure(&exit.text) == kind;
    let next = |exit: &Exit| {
        let after = exit.line > lost.span.end && exit.line <= lost.span.end + NEXT;
        after && (exit.context == Context::Open || exit.span.start < lost.span.start)
    };
    let still = |old: &&Exit| change.new.exits.iter().any(|new| plain(&new.text) == plain(&old.text));
    let mut failing = change.old.exits.iter().filter(|exit| exit.kind == lost.kind);
    let found = failing.find(|exit| (same_end(exit) || next(exit)) && still(exit));
    found
        .filter(|_| lost.context != Context::Open)
        .map(|_| "the function still fails further down".to_owned())
}

/// So many lines after a check is right after it.
const NEXT: u32 = 3;

/// What is thrown: the first name with a capital letter, as in `raise NotFound(...)`.
fn failure(text: &str) -> Option<String> {
    let mut names = names_of_any_length(text);
    names.find(|name| name.starts_with(char::is_uppercase)).map(str::to_owned)
}
