//! Calls that are as they were but for a truth value, by which a check or a feature is left out now:
//! `check(repository, false)` and `void check(Repository repository, boolean skipRemote)`.
//!
//! What the value stands for is known where the function that is called stands in the same file.

use super::functions::{Changed, plain};
use super::subject::names_of_any_length;
use super::switch_names::{Meaning, meaning, words};
use crate::facts::Function;

/// An argument that leaves something out now.
pub struct Flipped {
    pub line: u32,
    pub callee: String,
    pub parameter: String,
    pub value: bool,
    /// Whether what is called checks something, by its name.
    pub checks: bool,
}

/// More calls than this are not compared.
const MAX_CALLS: usize = 400;

pub fn flipped(change: &Changed<'_>) -> Option<Flipped> {
    if change.kept() < KEPT {
        return None;
    }
    let (before, after) = (calls(&change.old_text()), calls(&change.new_text()));
    if before.is_empty() || before.len() > MAX_CALLS || after.len() > MAX_CALLS {
        return None;
    }
    let of = |calls: &[Call], like: &Call| -> Vec<Vec<bool>> {
        let same = |call: &&Call| call.name == like.name && call.masked == like.masked;
        calls.iter().filter(same).map(|call| call.values.clone()).collect()
    };
    for call in &after {
        let (old, new) = (of(&before, call), of(&after, call));
        // What was there twice and is there once went elsewhere.
        if old.len() != new.len() || old == new {
            continue;
        }
        let (was, is) = old.iter().zip(&new).find(|(was, is)| was != is)?;
        let at = (0..is.len()).find(|&at| was[at] != is[at])?;
        let place = *call.places.get(at)?;
        let Some((function, parameter)) = declared(change, &call.name, place) else { continue };
        if leaves_out(&parameter, is[at]) {
            let checks = checks(function.short_name());
            return Some(Flipped {
                line: line_of(change, &call.name),
                callee: call.name.clone(),
                parameter,
                value: is[at],
                checks,
            });
        }
    }
    None
}

/// The share of the new function that must have been there before.
const KEPT: f64 = 0.9;

/// The parameter that an argument is for, in a function of the same file that is alone in bearing its name.
fn declared<'c>(change: &Changed<'c>, name: &str, place: usize) -> Option<(&'c Function, String)> {
    let named = |function: &&Function| function.short_name() == name;
    let mut functions = change.side.facts.functions.iter().filter(named);
    let function = functions.next().filter(|_| functions.next().is_none())?;
    let parameters = function.parameters.trim().trim_start_matches('(').trim_end_matches(')');
    let mut parts = split(parameters);
    parts.retain(|part| !matches!(part.trim(), "self" | "cls" | "&self" | "&mut self" | "this"));
    let part = parts.get(place)?.split('=').next()?;
    // `bool strict`, `strict: bool`, `strict bool`
    let name = match change.side.facts.language {
        "java" => names_of_any_length(part).last()?,
        _ => names_of_any_length(part).find(|name| *name != "mut")?,
    };
    Some((function, name.to_owned()))
}

/// First words of parameters that let things pass.
const PASSES: &[&str] = &[
    "allow", "skip", "ignore", "disable", "no", "bypass", "lenient", "force", "suppress", "relaxed",
    "without",
];

/// Words of parameters that ask for something.
const ASKS: &[&str] =
    &["strict", "check", "validate", "verify", "require", "required", "enforce", "must", "fail"];

fn leaves_out(parameter: &str, value: bool) -> bool {
    let words = words(parameter);
    let first = words.first().map_or("", String::as_str);
    let passes = PASSES.contains(&first);
    if value || passes {
        value && passes
    } else {
        words.iter().any(|word| ASKS.contains(&word.as_str())) || meaning(parameter) == Meaning::Enables
    }
}

/// Whether a function checks, by its name.
fn checks(name: &str) -> bool {
    let checking = ["check", "validate", "verify", "ensure", "assert", "authorize", "require", "validator"];
    words(name).iter().any(|word| checking.contains(&word.as_str()))
}

fn line_of(change: &Changed<'_>, name: &str) -> u32 {
    let old: crate::collections::HashSet<String> =
        change.old_side.lines(change.old.span).map(|line| line.trim().to_owned()).collect();
    let lines = || change.side.lines(change.new.span).zip(change.new.span.start..);
    let fresh = lines().find(|(line, _)| !old.contains(line.trim()));
    let called = lines().find(|(line, _)| line.contains(&format!("{name}(")) && !old.contains(line.trim()));
    called.or(fresh).map_or(change.new.line, |(_, line)| line)
}

/// A call that is given truth values.
struct Call {
    name: String,
    /// All that it is given, the truth values taken out.
    masked: String,
    values: Vec<bool>,
    /// Which arguments those are.
    places: Vec<usize>,
}

/// The calls of some code that are given truth values as they are.
fn calls(text: &str) -> Vec<Call> {
    let mut found = Vec::new();
    if !text.contains("true") && !text.contains("false") && !text.contains("True") && !text.contains("False")
    {
        return found;
    }
    for (at, _) in text.match_indices('(') {
        let head = &text[..at];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let name = &head[head.trim_end_matches(is_part).len()..];
        let Some(given) = (name.len() > 2).then(|| inside(&text[at + 1..])).flatten() else { continue };
        let arguments = split(given);
        let mut call = Call { name: name.to_owned(), masked: String::new(), values: vec![], places: vec![] };
        for (place, argument) in arguments.iter().enumerate() {
            match argument.trim() {
                "true" | "True" => (call.values.push(true), call.places.push(place)),
                "false" | "False" => (call.values.push(false), call.places.push(place)),
                other => {
                    call.masked.push_str(&plain(other));
                    ((), ())
                }
            };
            call.masked.push(',');
        }
        // One argument alone is a switch, which is read elsewhere.
        if !call.values.is_empty() && arguments.len() > 1 {
            found.push(call);
        }
        if found.len() > MAX_CALLS {
            break;
        }
    }
    found
}

/// As much of the arguments of a call is read.
const MAX_ARGUMENTS: usize = 600;

/// What stands up to the bracket that closes the one before.
fn inside(text: &str) -> Option<&str> {
    let (mut depth, mut quote) = (0usize, None);
    for (at, letter) in text.char_indices().take(MAX_ARGUMENTS) {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')') if depth == 0 => return Some(&text[..at]),
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Arguments apart.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        parts.push(&text[start..]);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_values_are_taken_out_of_calls() {
        let found = calls("check(a, b(1, 2), true); run(false); log(\"(\", x)");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].masked.as_str(), &found[0].places[..]), ("a,b(1,2),,", &[2][..]));
    }

    #[test]
    fn a_value_leaves_out_what_its_name_says() {
        assert!(leaves_out("skipExpressionCheck", true));
        assert!(leaves_out("strict", false));
        assert!(!leaves_out("skipExpressionCheck", false));
        assert!(!leaves_out("verbose", false));
    }
}
