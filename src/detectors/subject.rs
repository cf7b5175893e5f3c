//! What a check was about, and whether that is still there.

use super::exits::Lost;
use super::functions::{Changed, names, plain};
use crate::assertions::assignment;
use crate::collections::HashSet;
use crate::facts::{Exit, Span};

/// What the check was about is no longer in the function, though it was in more than the check.
pub fn subject_gone(change: &Changed<'_>, lost: &Exit) -> Option<String> {
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

/// What this check was about and nothing but the lost checks used: that it left the function with them says nothing.
pub fn only_checked(change: &Changed<'_>, lost: &Exit, all: &[Lost<'_>]) -> Vec<String> {
    let is_check = |number: u32| {
        let line = Span { start: number, end: number };
        all.iter().any(|lost| lost.exit.span.contains(line))
    };
    let first = change.old_side.line_at(change.old.body.start);
    let lines = change.old_side.lines(change.old.span).zip(change.old.span.start..);
    let rest: Vec<_> = lines.filter(|(_, number)| *number > first && !is_check(*number)).collect();
    let elsewhere: HashSet<&str> = rest.iter().flat_map(|(line, _)| names_of_any_length(line)).collect();
    let mut subject = roots(&lost.condition);
    subject.retain(|name| !elsewhere.contains(name.as_str()));
    subject
}

/// Whether all of it was for the checks alone, and the file still has some of it: what a whole file forgot is gone.
pub fn is_field_of(change: &Changed<'_>, lost: &Exit, checked: &[String]) -> bool {
    let file = String::from_utf8_lossy(&change.side.text);
    let known: HashSet<&str> = names_of_any_length(&file).collect();
    !checked.is_empty()
        && checked.len() == roots(&lost.condition).len()
        && checked.iter().any(|name| known.contains(name.as_str()))
}

/// Whether what a check was about is a parameter that went with it.
pub fn parameter_went(change: &Changed<'_>, lost: &Exit) -> bool {
    let declares = |parameters: &str, name: &str| names_of_any_length(parameters).any(|word| word == name);
    let subject = roots(&lost.condition);
    subject
        .iter()
        .any(|name| declares(&change.old.parameters, name) && !declares(&change.new.parameters, name))
}

/// The names that an expression starts from: `config` of `len(config.path) == 0`.
pub fn roots(expression: &str) -> Vec<String> {
    let mut roots = Vec::new();
    let bytes = expression.as_bytes();
    for name in names_of_any_length(expression) {
        let at = name.as_ptr() as usize - expression.as_ptr() as usize;
        if is_quoted(&bytes[..at]) {
            continue;
        }
        let is_member = at > 0 && matches!(bytes[at - 1], b'.' | b'\'' | b'"' | b'`');
        let is_call = bytes.get(at + name.len()) == Some(&b'(');
        let own = names(name);
        let is_own = !own.is_empty() && !GLOBALS.contains(&name);
        if !is_member && !is_call && is_own && !roots.iter().any(|root| root == name) {
            roots.push(name.to_owned());
        }
    }
    roots
}

/// Whether a text ends inside of quotes; what a template puts in stands in none.
fn is_quoted(text: &[u8]) -> bool {
    let open = text.iter().fold(None, |open, &byte| match open {
        Some(quote) if quote == byte => None,
        None if matches!(byte, b'"' | b'\'') => Some(byte),
        _ => open,
    });
    open.is_some()
}

/// Names that are there everywhere: what a check asks with, never what it is about.
const GLOBALS: &[&str] = &[
    "assert",
    "Array",
    "Object",
    "Number",
    "String",
    "Boolean",
    "Buffer",
    "Math",
    "JSON",
    "Symbol",
    "Promise",
    "Date",
    "RegExp",
    "Reflect",
    "Map",
    "Set",
    "Error",
    "TypeError",
    "process",
    "window",
    "globalThis",
    "Objects",
    "Arrays",
    "Collections",
    "Integer",
    "Long",
    "isinstance",
    "issubclass",
    "hasattr",
    "getattr",
    "callable",
    "strings",
    "bytes",
    "errors",
    "reflect",
    "utf8",
    "math",
    "std",
    "usize",
    "u32",
    "u64",
    "i32",
    "i64",
    "f64",
];

pub fn names_of_any_length(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    parts.filter(|part| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit()))
}

/// The value that was checked now comes from somewhere else.
pub fn source_changed(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let (before, after) = (change.old_text(), change.new_text());
    let moved = |name: &&String| {
        let (old, new) = (binding(&before, name), binding(&after, name));
        // What only leaves out the check around it is made as it was.
        let is_itself = new.len() == 1 && new[0] == **name;
        !old.is_empty() && !new.is_empty() && old != new && !is_itself
    };
    let subject = roots(&lost.condition);
    let name = subject.iter().find(moved)?;
    Some(format!("`{name}`, which it was about, is made in another way now"))
}

/// What the line that sets a variable takes its value from: the last name of a path, and what a call is given.
pub fn binding(text: &str, variable: &str) -> Vec<String> {
    let value = text.lines().find_map(|line| {
        let (target, value) = assignment(line)?;
        let at = |name: &str| name.as_ptr() as usize - target.as_ptr() as usize + name.len();
        // A member that is set leaves the variable as it was.
        let is_set = |name: &str| name == variable && !target[at(name)..].starts_with(['.', '[']);
        names_of_any_length(target).any(is_set).then_some(value)
    });
    let Some(value) = value else { return Vec::new() };
    let (path, given) = value.split_once('(').unwrap_or((value, ""));
    let source = names_of_any_length(path).last().map(str::to_owned);
    source.into_iter().chain(roots(given)).collect()
}

/// The check was about a parameter that is declared in another way now.
///
/// One that went with the checks that alone used it is a part of them.
pub fn parameter_changed(change: &Changed<'_>, lost: &Exit, checked: &[String]) -> Option<String> {
    let (old, new) = (&change.old.parameters, &change.new.parameters);
    if plain(old) == plain(new) {
        return None;
    }
    let java = change.side.facts.language == "java";
    let declared = |parameters: &str, name: &str| {
        let parts = parameters.split(',').map(|part| {
            let part = part.trim_matches(['(', ')', ' ']);
            // What an annotation says to tools and readers refuses nothing.
            let kept: Vec<&str> = part.split_whitespace().filter(|word| !is_remark(word)).collect();
            match java {
                true => {
                    let marks = kept.iter().filter(|word| word.starts_with('@'));
                    let type_and_name = &kept[kept.len().saturating_sub(2)..];
                    marks.chain(type_and_name).copied().collect::<Vec<_>>().join(" ")
                }
                false => kept.join(" "),
            }
        });
        parts.into_iter().find(|part| names_of_any_length(part).any(|word| word == name))
    };
    let about = roots(&lost.condition);
    let name = about.iter().find(|name| {
        let before = declared(old, name);
        let after = declared(new, name);
        // Where any number of them could come, the language itself refuses them now.
        let any_number =
            |part: &String| part.contains(&format!("*{name}")) || part.contains(&format!("...{name}"));
        let went_along =
            after.is_none() && checked.contains(name) && !before.as_ref().is_some_and(any_number);
        before.is_some() && before != after && !went_along
    })?;
    Some(format!("the parameter `{name}` is declared in another way now"))
}

/// Whether a word of a declaration allows nothing, or tells a tool to be quiet: `@Nullable`.
fn is_remark(word: &str) -> bool {
    let told = ["@Nullable", "@CheckForNull", "@SuppressWarnings", "@NullableDecl"];
    told.iter().any(|mark| word.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binding_is_what_sets_the_variable_itself() {
        assert_eq!(binding("user = users.find(id)", "user"), ["find", "id"]);
        assert_eq!(binding("if user == nil {", "user"), [""; 0]);
        assert_eq!(binding("user.age = 3\nuser := load(key)", "user"), ["load", "key"]);
    }
}
