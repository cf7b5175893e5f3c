//! Changes one setting in the text of a policy file and leaves every other byte as it is.
//!
//! The edit itself is only a proposal: the result is read again and must say exactly what was asked for and
//! nothing else, or the edit is refused and the file stays as it was.

use std::fmt;
use std::ops::Range;

use super::layout::{self, Value};
use super::{Key, PolicyError, PolicyFile, Setting};

/// What a new policy file starts with.
pub const NEW_FILE: &str = "\
# What aiwg-gate asks of commits in this repository. `aiwg-gate config list` shows every setting.
# The gate reads this file from the base side of a change: an edit counts from the next commit on.
version: 1
";

#[derive(Debug, PartialEq, Eq)]
pub enum EditError {
    /// The file cannot be read as it is.
    Invalid(PolicyError),
    /// The file is written in a way that the editor does not know.
    ByHand(Key),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::ByHand(key) => write!(
                f,
                "cannot change `{key}` in {} without touching something else in it: nothing was written, \
                 please edit the file by hand",
                super::FILE_NAME
            ),
        }
    }
}

impl std::error::Error for EditError {}

/// The text with `key` set to `value`, or without it.
pub fn edit(
    text: &str,
    key: &Key,
    value: Option<&Setting>,
    known_rules: &[&str],
) -> Result<String, EditError> {
    let before = PolicyFile::parse(text, known_rules).map_err(EditError::Invalid)?;
    if key.get(&before).as_ref() == value {
        return Ok(text.to_owned());
    }
    let mut expected = before.clone();
    key.put(&mut expected, value.cloned());
    let edited = rewrite(text, key, key.get(&before).as_ref(), value);
    let faithful = |text: &String| PolicyFile::parse(text, known_rules).as_ref() == Ok(&expected);
    edited.filter(faithful).ok_or_else(|| EditError::ByHand(key.clone()))
}

fn rewrite(text: &str, key: &Key, before: Option<&Setting>, value: Option<&Setting>) -> Option<String> {
    let path = key.path();
    match value {
        None => remove_entry(text, &path),
        Some(Setting::Word(word)) => set_scalar(text, &path, word, quote),
        Some(Setting::Number(number)) => set_scalar(text, &path, &number.to_string(), bare),
        Some(Setting::Flag(flag)) => set_scalar(text, &path, &flag.to_string(), bare),
        Some(Setting::List(items)) => match before {
            Some(Setting::List(old)) if !old.is_empty() => change_list(text, &path, old, items),
            _ => set_scalar(text, &path, &flow_list(items), bare),
        },
    }
}

/// A value that is another one in quotes.
fn bare(value: &str, _: u8) -> String {
    value.to_owned()
}

fn flow_list(items: &[String]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| quote(item, b'"')).collect();
    format!("[{}]", quoted.join(", "))
}

/// A value in the given style of quotes, or in double quotes where that style cannot hold it.
fn quote(value: &str, style: u8) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let plain =
        value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(|c| word(c) || c == '*');
    match style {
        b'"' => serde_json::Value::from(value).to_string(),
        b'\'' => format!("'{}'", value.replace('\'', "''")),
        _ if plain => value.to_owned(),
        _ => quote(value, b'"'),
    }
}

fn line_start(text: &str, at: usize) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    text[..at].rfind('\n').map_or(mark, |line_break| line_break + 1)
}

/// The place after the line break of the line that holds `at`.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |line_break| at + line_break + 1)
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn replace(text: &str, range: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// Puts a line after the one that holds `at`.
fn insert_line(text: &str, at: usize, line: &str) -> String {
    let end = line_end(text, at);
    let break_after = line_break(text);
    if text[..end].ends_with('\n') || end == 0 {
        replace(text, end..end, &format!("{line}{break_after}"))
    } else {
        replace(text, end..end, &format!("{break_after}{line}"))
    }
}

/// Sets the value at a path that has none, or one without parts.
fn set_scalar(text: &str, path: &[&str], value: &str, spell: fn(&str, u8) -> String) -> Option<String> {
    let document = layout::document(text)?;
    let Some(entry) = find(&document, path) else { return insert_entry(text, &document, path, value) };
    match &entry.value {
        Value::Empty(at) => Some(replace(text, *at..*at, &format!(" {value}"))),
        Value::Scalar(range) => {
            let style = text.as_bytes()[range.start];
            Some(replace(text, range.clone(), &spell(value, style)))
        }
        Value::FlowList { range, .. } if !text[range.clone()].contains('#') => {
            Some(replace(text, range.clone(), value))
        }
        _ => None,
    }
}

fn find<'v>(document: &'v Value, path: &[&str]) -> Option<&'v layout::Entry> {
    let (last, parents) = path.split_last()?;
    parents.iter().try_fold(document, |value, key| Some(&value.entry(key)?.value))?.entry(last)
}

fn insert_entry(text: &str, document: &Value, path: &[&str], value: &str) -> Option<String> {
    let &[name] = path else {
        let (&[parent], name) = path.split_at(1) else { return None };
        return match document.entry(parent) {
            Some(entry) => insert_below(text, entry, &format!("{}: {value}", name.join("."))),
            None => insert_parent(text, document, parent, &format!("{}: {value}", name.join("."))),
        };
    };
    let entry = format!("{name}: {value}");
    match document {
        Value::FlowMap { range, entries } => flow_insert(text, range, &ranges(entries), &entry),
        // Single settings stand together at the top.
        _ => {
            let version = document.entry("version")?;
            Some(insert_line(text, version.value.end(), &indented(text, version.start, &entry)))
        }
    }
}

fn ranges(entries: &[layout::Entry]) -> Vec<Range<usize>> {
    entries.iter().map(layout::Entry::range).collect()
}

/// A line indented like the one that holds `at`.
fn indented(text: &str, at: usize, line: &str) -> String {
    format!("{}{line}", &text[line_start(text, at)..at])
}

fn insert_below(text: &str, parent: &layout::Entry, entry: &str) -> Option<String> {
    match &parent.value {
        Value::FlowMap { range, entries } => flow_insert(text, range, &ranges(entries), entry),
        Value::BlockMap { entries } => {
            let last = entries.last()?;
            Some(insert_line(text, last.value.end(), &indented(text, last.start, entry)))
        }
        Value::Empty(at) => {
            Some(insert_line(text, *at, &indented(text, parent.start, &format!("  {entry}"))))
        }
        _ => None,
    }
}

fn insert_parent(text: &str, document: &Value, parent: &str, entry: &str) -> Option<String> {
    match document {
        Value::FlowMap { range, entries } => {
            flow_insert(text, range, &ranges(entries), &format!("{parent}: {{{entry}}}"))
        }
        _ => {
            let start = document.entries()?.first()?.start;
            let lines =
                [indented(text, start, &format!("{parent}:")), indented(text, start, &format!("  {entry}"))];
            Some(insert_line(text, text.len(), &lines.join(line_break(text))))
        }
    }
}

/// Takes an entry out, and its parent with it where nothing else is left of that.
fn remove_entry(text: &str, path: &[&str]) -> Option<String> {
    let document = layout::document(text)?;
    let (name, above) = path.split_last()?;
    let parent = match above {
        [] => &document,
        _ => &find(&document, above)?.value,
    };
    let at = parent.entries()?.iter().position(|entry| entry.key == *name)?;
    if let ([_], Some(holder)) = (parent.entries()?, find(&document, above)) {
        let lines = line_start(text, holder.start)..line_end(text, holder.value.end());
        if !text[lines].contains('#') {
            return remove_entry(text, above);
        }
    }
    match parent {
        Value::FlowMap { range, entries } => flow_remove(text, range, &ranges(entries), at),
        _ => {
            let entry = parent.entries()?.get(at)?;
            Some(replace(text, line_start(text, entry.start)..line_end(text, entry.value.end()), ""))
        }
    }
}

/// Turns one list into another: items that stay keep their place, their quotes and their comments.
fn change_list(text: &str, path: &[&str], old: &[String], new: &[String]) -> Option<String> {
    let mut kept = 0;
    let mut stays = vec![false; old.len()];
    let mut from = 0;
    for glob in new {
        let Some(found) = old[from..].iter().position(|item| item == glob) else { break };
        stays[from + found] = true;
        from += found + 1;
        kept += 1;
    }
    let mut text = text.to_owned();
    // New items come first: a block list keeps at least one item to take the indentation from.
    for glob in &new[kept..] {
        text = append_item(&text, path, glob)?;
    }
    for at in (0..old.len()).rev().filter(|&at| !stays[at]) {
        text = remove_item(&text, path, at)?;
    }
    Some(text)
}

fn append_item(text: &str, path: &[&str], glob: &str) -> Option<String> {
    let document = layout::document(text)?;
    let style = |items: &[Range<usize>]| items.first().map_or(b'"', |item| text.as_bytes()[item.start]);
    match &find(&document, path)?.value {
        Value::FlowList { range, items } => flow_insert(text, range, items, &quote(glob, style(items))),
        Value::BlockList { items, .. } => {
            let last = items.last()?.start;
            let dash = &text[line_start(text, last)..last];
            Some(insert_line(text, last, &format!("{dash}{}", quote(glob, style(items)))))
        }
        _ => None,
    }
}

fn remove_item(text: &str, path: &[&str], at: usize) -> Option<String> {
    let document = layout::document(text)?;
    match &find(&document, path)?.value {
        Value::FlowList { range, items } => flow_remove(text, range, items, at),
        Value::BlockList { colon, items } => {
            let item = items.get(at)?.start;
            let rest = replace(text, line_start(text, item)..line_end(text, item), "");
            Some(if items.len() == 1 { replace(&rest, *colon..*colon, " []") } else { rest })
        }
        _ => None,
    }
}

/// Whether the part begins its line and nothing but a comma and a comment follows it there.
fn has_own_line(text: &str, part: &Range<usize>) -> bool {
    let rest = text[part.end..line_end(text, part.end)].trim_start();
    let rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    text[line_start(text, part.start)..part.start].trim().is_empty()
        && (rest.is_empty() || rest.starts_with('#'))
}

/// Adds a part before the closing bracket, on a line of its own if the last one has that.
fn flow_insert(text: &str, range: &Range<usize>, parts: &[Range<usize>], part: &str) -> Option<String> {
    let Some(last) = parts.last() else {
        let inside = range.start + 1..range.end - 1;
        return text[inside.clone()].trim().is_empty().then(|| replace(text, inside, part));
    };
    if !has_own_line(text, last) {
        return Some(replace(text, last.end..last.end, &format!(", {part}")));
    }
    let indent = &text[line_start(text, last.start)..last.start];
    if text[last.end..].trim_start().starts_with(',') {
        return Some(insert_line(text, last.end, &format!("{indent}{part},")));
    }
    let with_comma = replace(text, last.end..last.end, ",");
    Some(insert_line(&with_comma, last.end, &format!("{indent}{part}")))
}

/// Takes one part out from between brackets together with one comma.
fn flow_remove(text: &str, range: &Range<usize>, parts: &[Range<usize>], at: usize) -> Option<String> {
    let part = parts.get(at)?;
    if has_own_line(text, part) {
        return Some(replace(text, line_start(text, part.start)..line_end(text, part.end), ""));
    }
    let gone = match (at.checked_sub(1).and_then(|before| parts.get(before)), parts.get(at + 1)) {
        (_, Some(next)) => part.start..next.start,
        (Some(before), None) => before.end..part.end,
        (None, None) => range.start + 1..range.end - 1,
    };
    let around = [&text[gone.start..part.start.max(gone.start)], &text[part.end.min(gone.end)..gone.end]];
    if around.iter().all(|text| !text.contains('#')) {
        return Some(replace(text, gone, ""));
    }
    // A comment stands on one side: it stays, and so may a comma before the closing bracket.
    let rest = text[part.end..].trim_start();
    let comma = if rest.starts_with(',') { text.len() - rest.len() + 1 } else { part.end };
    Some(replace(text, part.start..comma, ""))
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
