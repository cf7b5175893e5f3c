//! In which rows of a build matrix an expression such as `${{ matrix.experimental }}` holds.

use std::collections::BTreeMap;

use super::pipeline::Tree;

/// More rows than this are not looked at.
const MAX_ROWS: usize = 512;

type Row = BTreeMap<String, String>;

/// The names of the rows of the job in which a failure counts, because the expression is false, and of those in which
/// it does not; `None` where it cannot be told.
pub fn rows_by_force(
    tree: &Tree<'_>,
    job: &[String],
    expression: &str,
) -> Option<(Vec<String>, Vec<String>)> {
    let condition = Condition::read(expression)?;
    let (rows, axes) = rows(tree, job)?;
    let (lenient, blocking): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| condition.holds(row));
    let named = |rows: Vec<&Row>| rows.into_iter().map(|row| name_of(row, &axes)).collect();
    Some((named(blocking), named(lenient)))
}

/// What tells a row from the others: its values of the axes, or all that are no switches.
fn name_of(row: &Row, axes: &[String]) -> String {
    let is_switch = |value: &str| matches!(value, "true" | "false" | "");
    let tells = |key: &String, value: &String| axes.contains(key) || (axes.is_empty() && !is_switch(value));
    let values = row.iter().filter(|(key, value)| tells(key, value)).map(|(_, value)| value.as_str());
    values.collect::<Vec<_>>().join(", ")
}

/// `matrix.key`, `!matrix.key`, `matrix.key == 'value'` or `!=`.
struct Condition {
    key: String,
    value: String,
    negated: bool,
}

impl Condition {
    fn read(expression: &str) -> Option<Self> {
        let inner =
            expression.trim().strip_prefix("${{").map_or(expression, |rest| rest.trim_end_matches("}}"));
        let inner = inner.trim();
        let (mut negated, inner) = match inner.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, inner),
        };
        let (name, value) = match (inner.split_once("!="), inner.split_once("==")) {
            (Some((name, value)), _) => {
                negated = !negated;
                (name, value)
            }
            (_, Some((name, value))) => (name, value),
            _ => (inner, "true"),
        };
        let key = name.trim().strip_prefix("matrix.")?;
        let value = value.trim().trim_matches('\'');
        let plain = |text: &str| !text.contains(['&', '|', '(', ' ']);
        (plain(key) && plain(value)).then(|| Self { key: key.to_owned(), value: value.to_owned(), negated })
    }

    fn holds(&self, row: &Row) -> bool {
        (row.get(&self.key).is_some_and(|value| *value == self.value)) != self.negated
    }
}

/// The combinations of the axes, with what `include` adds to them or beside them.
fn rows(tree: &Tree<'_>, job: &[String]) -> Option<(Vec<Row>, Vec<String>)> {
    let matrix = [job, &["strategy".to_owned(), "matrix".to_owned()]].concat();
    let depth = matrix.len();
    let inside = tree
        .document
        .entries
        .iter()
        .filter(|entry| entry.path.starts_with(&matrix) && entry.path.len() > depth + 1);
    let (mut axes, mut included): (BTreeMap<&str, Vec<&str>>, BTreeMap<&str, Row>) = Default::default();
    for entry in inside {
        match (entry.path[depth].as_str(), &entry.path[depth + 1..]) {
            ("include", [place, key]) => {
                included.entry(place).or_default().insert(key.clone(), entry.value.clone());
            }
            ("include" | "exclude", _) => {}
            (axis, [_]) => axes.entry(axis).or_default().push(&entry.value),
            _ => return None,
        }
    }
    let mut rows = vec![Row::new()];
    for (axis, values) in &axes {
        let with = |row: &Row, value: &str| {
            row.iter()
                .map(|(key, value)| (key.clone(), value.clone()))
                .chain([((*axis).to_owned(), value.to_owned())])
                .collect()
        };
        rows = rows.iter().flat_map(|row| values.iter().map(move |value| with(row, value))).collect();
        if rows.len() > MAX_ROWS {
            return None;
        }
    }
    rows.retain(|row| !row.is_empty());
    for extra in included.into_values() {
        include(&mut rows, extra, &axes);
    }
    let several = axes.iter().filter(|(_, values)| values.len() > 1);
    let axes = several.map(|(axis, _)| (*axis).to_owned()).collect();
    (!rows.is_empty()).then_some((rows, axes))
}

/// A row of `include` completes the combinations it agrees with, or stands for itself.
fn include(rows: &mut Vec<Row>, extra: Row, axes: &BTreeMap<&str, Vec<&str>>) {
    let agrees = |row: &Row| {
        let shared: Vec<&String> = extra.keys().filter(|key| axes.contains_key(key.as_str())).collect();
        !shared.is_empty() && shared.iter().all(|key| row.get(*key) == extra.get(*key))
    };
    let mut found = false;
    for row in rows.iter_mut().filter(|row| agrees(row)) {
        found = true;
        row.extend(extra.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    if !found {
        rows.push(extra);
    }
}
