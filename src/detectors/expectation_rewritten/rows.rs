//! Rows of a test's table that say something else while their number, the rest of the test and the code stay.

use super::{FEW, ID, is_value};
use crate::comparison::{Comparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::Test;
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;

/// How names of fields begin that say what is expected.
const EXPECTING: &[&str] = &["expect", "want", "exp", "result", "output", "should"];

pub(super) fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut found = Vec::new();
    for (before, fate) in &comparison.pairing.fates {
        let Fate::Same { after, .. } = fate else { continue };
        let (old, new) = (comparison.before(*before), comparison.after(*after));
        if let Some(row) = Row::changed(old, new) {
            found.push((old, new, row));
        }
    }
    let few = found.len() <= FEW;
    found.iter().map(|(old, new, row)| finding(*old, *new, row, few)).collect()
}

type At<'c> = (&'c FileSide, &'c Test);

fn finding((old_side, old): At<'_>, (side, new): At<'_>, row: &Row<'_>, few: bool) -> Finding {
    let name = new.qualified_name();
    let fields = row.expectation().filter(|_| few);
    let message = match &fields {
        Some((key, Some(_))) => format!("a row of the test {name} has another {key}, and no code changes"),
        Some((key, None)) => format!("a row of the test {name} has no {key} any more, and no code changes"),
        None => format!("a parameter row of the test {name} changed, and no code did"),
    };
    let draft = Draft {
        rule: ID,
        severity: if fields.is_some() { Severity::Medium } else { Severity::Low },
        confidence: if fields.is_some() { 0.7 } else { 0.6 },
        message,
        help: format!("check which of the two is right: {}, or {}", row.was, row.is),
    };
    let mut finding = draft.on_test(Side::After, side, new);
    finding.before = excerpt(old_side, old.span, old.line, "with other rows");
    finding
}

/// A row before and after.
struct Row<'t> {
    was: &'t str,
    is: &'t str,
    /// Whether it is the only one that changed.
    alone: bool,
}

impl<'t> Row<'t> {
    /// The first row that changed, where nothing but rows did.
    fn changed((old_side, old): At<'t>, (side, new): At<'t>) -> Option<Self> {
        if old.rows.is_empty() || old.rows.len() != new.rows.len() || old.rows == new.rows {
            return None;
        }
        let mut changed = old.rows.iter().zip(&new.rows).filter(|(old, new)| old != new);
        let (was, is) = changed.next()?;
        let is_same = old.body == new.body || rest(old_side, old) == rest(side, new);
        is_same.then(|| Self { was, is, alone: changed.next().is_none() })
    }

    /// The one field that says what is expected and is another plain value now, or is gone; with what it is now.
    fn expectation(&self) -> Option<(&'t str, Option<&'t str>)> {
        let (was, is) = (fields(self.was)?, fields(self.is)?);
        let value = |fields: &[(&'t str, &'t str)], key: &str| {
            fields.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
        };
        let mut changed = was.iter().filter(|(key, old)| value(&is, key) != Some(old));
        let (&(key, old), None) = (changed.next()?, changed.next()) else { return None };
        let expects = EXPECTING.iter().any(|word| key.to_lowercase().starts_with(word));
        let is_new = is.iter().any(|(key, _)| value(&was, key).is_none());
        let new = value(&is, key);
        (self.alone && expects && !is_new && is_value(old) && new.is_none_or(is_value)).then_some((key, new))
    }
}

/// The text of a test without its rows, and without what only lines need.
fn rest(side: &FileSide, test: &Test) -> String {
    let bare = |text: &str| -> String {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        text.replace(",}", "}").replace(",]", "]").replace(",)", ")")
    };
    let text = bare(&side.lines(test.span).collect::<String>());
    let (mut kept, mut left) = (String::new(), text.as_str());
    for row in &test.rows {
        // What does not stand in the test itself stands around it.
        let Some((head, tail)) = left.split_once(&bare(row)) else { break };
        kept.push_str(head);
        left = tail;
    }
    kept + left
}

/// The named fields of a row: `{name: "empty", want: 0}`. Nothing where some have no name.
fn fields(row: &str) -> Option<Vec<(&str, &str)>> {
    // Brackets may stand in quotes, the wrong way round.
    let inside = row.get(row.find('{')? + 1..row.rfind('}')?)?;
    let parts = split_at(inside, ',').into_iter().filter(|part| !part.is_empty());
    parts
        .map(|part| match split_at(part, ':')[..] {
            [key, value] => Some((key.trim_matches(['"', '\'']), value)),
            _ => None,
        })
        .collect()
}

/// The parts of a text between marks outside of brackets and quotes.
fn split_at(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote, mut escaped) = (Vec::new(), 0, 0_i32, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(open), '\\') if open != '`' => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) if c == mark && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(was: &str, is: &str) -> Option<String> {
        let (key, new) = Row { was, is, alone: true }.expectation()?;
        Some(format!("{key} {}", new.unwrap_or("gone")))
    }

    #[test]
    fn what_a_row_expects_is_told_by_the_name_of_its_field() {
        for (was, is, expected) in [
            ("{name: \"a\", want: 3}", "{name: \"a\", want: 4}", Some("want 4")),
            ("{in: 1, expectErr: \"a: b, c\",}", "{in: 1,}", Some("expectErr gone")),
            ("\"one\": {in: []int{1, 2}, want: 3}", "\"one\": {in: []int{1, 2}, want: 5}", Some("want 5")),
            ("{in: 1, want: 3}", "{in: 2, want: 4}", None),
            ("{in: 1, want: 3}", "{in: 2, want: 3}", None),
            ("{in: 1}", "{in: 1, want: 3}", None),
            ("{1, 3}", "{1, 4}", None),
            ("{in: 1, want: sum(1)}", "{in: 1, want: sum(2)}", None),
            ("(\"}\", \"{\")", "(\"}\", \"{{\")", None),
        ] {
            assert_eq!(told(was, is).as_deref(), expected, "{was} -> {is}");
        }
    }
}
