//! Reads TOML with the line of each value.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Document, MAX_DEPTH};

/// What a file says; nothing of one with errors.
pub fn read(text: &str) -> Document {
    let mut document = Document::default();
    let Ok(table) = DeTable::parse(text) else { return document };
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |at: usize| starts.partition_point(|start| *start <= at) as u32;
    let mut open: Vec<(Vec<String>, &Spanned<DeValue<'_>>)> = Vec::new();
    let below = |path: &[String], key: String| path.iter().cloned().chain([key]).collect::<Vec<_>>();
    open.extend(table.get_ref().iter().map(|(key, value)| (vec![key.get_ref().to_string()], value)));
    while let Some((path, value)) = open.pop() {
        if path.len() > MAX_DEPTH {
            continue;
        }
        let at = line(value.span().start);
        match value.get_ref() {
            DeValue::Table(table) => {
                document.push(path.clone(), "", at);
                let children =
                    table.iter().map(|(key, value)| (below(&path, key.get_ref().to_string()), value));
                open.extend(children);
            }
            DeValue::Array(items) => {
                document.push(path.clone(), "", at);
                let children = items.iter().enumerate();
                open.extend(children.map(|(index, value)| (below(&path, format!("#{index}")), value)));
            }
            value => {
                if !document.push(path, plain(value), at) {
                    break;
                }
            }
        }
    }
    document.entries.sort_by_key(|entry| entry.line);
    document
}

fn plain(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(moment) => moment.to_string(),
        DeValue::Array(_) | DeValue::Table(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_lines() {
        let document = read("[a.b]\nc = 1.5\nd = [\n  'x', # no\n  'y',\n]\n[[t]]\nn = true\n");
        let values = document.entries.iter().filter(|entry| !entry.value.is_empty());
        let shown: Vec<String> =
            values.map(|entry| format!("{}={}@{}", entry.path.join("."), entry.value, entry.line)).collect();
        assert_eq!(shown, ["a.b.c=1.5@2", "a.b.d.#0=x@4", "a.b.d.#1=y@5", "t.#0.n=true@8"]);
    }

    #[test]
    fn a_broken_file_says_nothing() {
        assert!(read("a = [").entries.is_empty());
    }
}
