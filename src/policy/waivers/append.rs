//! Adds a waiver to the text of the file and leaves every other byte as it is.
//!
//! As with the policy, the edit is only a proposal: the result is read again and must say what it said before and the
//! new waiver, or nothing is written.

use super::file::{NEW_FILE, Waiver, WaiversError, parse};
use crate::policy::layout::{self, Value};
use crate::text::{clipped, one_line};

/// Longer notes are cut: the waiver itself says what counts.
const NOTE_LIMIT: usize = 160;

/// The text with the waiver at the end of its list, below a comment. `Ok(Err(..))` holds lines to put in by hand where
/// the file is written in a way that the editor does not know.
pub fn append(
    text: Option<&str>,
    waiver: &Waiver,
    note: &str,
) -> Result<Result<String, String>, WaiversError> {
    let text = text.unwrap_or(NEW_FILE);
    let mut expected = parse(text)?;
    expected.push(waiver.clone());
    let edited = insert(text, waiver, note).filter(|text| parse(text).as_ref() == Ok(&expected));
    Ok(edited.ok_or_else(|| entry(waiver, note, "  ", "\n")))
}

fn insert(text: &str, waiver: &Waiver, note: &str) -> Option<String> {
    let document = layout::document(text)?;
    let break_after = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (at, indent) = match document.entry("waivers").map(|list| (list.start, &list.value)) {
        None => {
            let start = if text.is_empty() || text.ends_with('\n') { "" } else { break_after };
            let entry = entry(waiver, note, "  ", break_after);
            return Some(format!("{text}{start}waivers:{break_after}{entry}"));
        }
        Some((_, Value::FlowList { range, items })) if items.is_empty() => {
            let opened = format!("{}{}", text[..range.start].trim_end(), &text[range.end..]);
            return insert(&opened, waiver, note);
        }
        Some((_, Value::Empty(at))) => (*at, "  ".to_owned()),
        Some((start, Value::Opaque(end))) => (*end, indent_of_items(&text[start..*end])?),
        Some(_) => return None,
    };
    let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    let (head, tail) = text.split_at(line_end);
    let start = if head.ends_with('\n') { "" } else { break_after };
    Some(format!("{head}{start}{}{tail}", entry(waiver, note, &indent, break_after)))
}

/// The white space before the dashes of a list.
fn indent_of_items(list: &str) -> Option<String> {
    let item = list.lines().skip(1).find(|line| line.trim_start().starts_with('-'))?;
    Some(item[..item.len() - item.trim_start().len()].to_owned())
}

fn entry(waiver: &Waiver, note: &str, indent: &str, break_after: &str) -> String {
    // JSON texts are YAML texts too, whatever is in them.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let lines = [
        format!("# {}", clipped(&one_line(note), NOTE_LIMIT)),
        format!("- fingerprint: {}", waiver.fingerprint),
        format!("  rule: {}", waiver.rule),
        format!("  reason: {}", quoted(&waiver.reason)),
        format!("  by: {}", quoted(&waiver.by)),
        format!("  created: {}", waiver.created),
        format!("  expires: {}", waiver.expires),
    ];
    lines.iter().map(|line| format!("{indent}{line}{break_after}")).collect()
}
