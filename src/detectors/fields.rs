//! Checks about fields that leave the code: with the setting goes what was asked of it.
//!
//! Part of the rule about guards.

use super::functions::Changed;
use super::subject::names_of_any_length;
use crate::comparison::Comparison;
use crate::facts::Exit;
use crate::similarity::hash;
use crate::text::occurrences;

/// What of a check's subject leaves the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gone {
    /// All that it asked about, or the switch that it asked for as well.
    Whole(String),
    /// One of the things that it compared.
    Part(String),
}

/// Shorter names are of many things.
const MIN_NAME: usize = 4;

/// The field that a lost check was about, where no file of the change knows it any more though others than the check did.
pub fn gone(comparison: &Comparison, change: &Changed<'_>, lost: &Exit) -> Option<Gone> {
    let paths = paths(&lost.condition);
    let has_left = |path: &&str| {
        let field = path.rsplit('.').next().unwrap_or(path);
        // What an object notes about itself for a check is a part of that check.
        let own = ["this.", "self."].iter().any(|own| path.starts_with(own)) || field.starts_with('_');
        let hidden = change.side.facts.language == "go" && field.starts_with(char::is_lowercase);
        path.contains('.')
            && !own
            && !hidden
            && field.len() >= MIN_NAME
            && comparison.production.vanished.contains(&hash(field.as_bytes()))
            && is_known_elsewhere(comparison, change, field)
            && !is_used_beside(change, lost, field)
    };
    let left: Vec<&str> = paths.iter().copied().filter(|path| has_left(path)).collect();
    let first = (*left.first()?).to_owned();
    let condition: String = lost.condition.chars().filter(|c| !c.is_whitespace()).collect();
    let is_switch = |path: &&str| condition.contains(&format!("&&!{path}"));
    let whole = left.len() == paths.len() || left.iter().any(is_switch);
    Some(if whole { Gone::Whole(first) } else { Gone::Part(first) })
}

/// Whether the before side names a field where it is declared or set, and not only where an object is asked for it.
pub fn was_declared(comparison: &Comparison, change: &Changed<'_>, path: &str) -> bool {
    let field = path.rsplit('.').next().unwrap_or(path);
    let sides = comparison.files.iter().filter_map(|file| file.before.as_ref());
    sides.filter(|side| !side.facts.language.is_empty()).any(|side| {
        let outside = |at: usize| side.path != change.old_side.path || !change.old.whole.contains(&at);
        let own = |at: usize| ["self.", "this."].iter().any(|own| side.text[..at].ends_with(own.as_bytes()));
        let declares = |at: usize| !side.text[..at].ends_with(b".") || own(at);
        occurrences(&side.text, field.as_bytes()).any(|at| outside(at) && declares(at))
    })
}

/// Whether the before side names the field outside of the function, as where it is declared.
fn is_known_elsewhere(comparison: &Comparison, change: &Changed<'_>, field: &str) -> bool {
    let sides = comparison.files.iter().filter_map(|file| file.before.as_ref());
    sides.filter(|side| !side.facts.language.is_empty()).any(|side| {
        let outside = |at: usize| side.path != change.old_side.path || !change.old.whole.contains(&at);
        occurrences(&side.text, field.as_bytes()).any(outside)
    })
}

/// Whether the function did more with the field than to check it: then it bears another name now.
fn is_used_beside(change: &Changed<'_>, lost: &Exit, field: &str) -> bool {
    let lines = change.old_side.lines(change.old.span).zip(change.old.span.start..);
    let beside = |number: u32| !(lost.span.start <= number && number <= lost.span.end);
    lines
        .into_iter()
        .any(|(line, number)| beside(number) && names_of_any_length(&line).any(|name| name == field))
}

/// The paths in an expression that are no calls and no words of the language: `order.lines`, `limit`.
fn paths(expression: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut quote = None;
    let mut start = None;
    for (at, letter) in expression.char_indices().chain([(expression.len(), ' ')]) {
        if let Some(open) = quote {
            quote = (letter != open).then_some(open);
            continue;
        }
        let is_part = letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.');
        match (is_part, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let path = &expression[from..at];
                let mut names = names_of_any_length(path);
                if letter != '(' && names.next().is_some_and(|name| !is_word(name)) {
                    found.push(path);
                }
                start = None;
            }
            _ => {}
        }
        if matches!(letter, '"' | '\'' | '`') {
            quote = Some(letter);
        }
    }
    found
}

fn is_word(name: &str) -> bool {
    ["nil", "null", "None", "undefined", "true", "false", "True", "False", "not", "and", "or", "is", "in"]
        .contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_what_an_expression_asks_about() {
        assert_eq!(paths("opts.rate <= 0 && !opts.fast"), ["opts.rate", "opts.fast"]);
        assert_eq!(paths("len(cart.lines) == 0 or name == 'a.b'"), ["cart.lines", "name"]);
        assert_eq!(paths("valid(x) is not None"), ["x"]);
    }
}
