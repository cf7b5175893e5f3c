//! Names of a file that stand for another number now, be it outside of the tests that use them.

use super::unit::View;
use crate::collections::{HashMap, HashSet};
use crate::comparison::FileSide;

/// The names of each file, found out once.
#[derive(Default)]
pub struct Numbers(HashMap<String, HashSet<String>>);

impl Numbers {
    /// Whether a unit names one of its file.
    pub fn move_in(&mut self, before: &View<'_>, after: &View<'_>) -> bool {
        let names = self.0.entry(after.file.path.clone()).or_insert_with(|| moved(before.file, after.file));
        names.iter().any(|name| after.words.contains(name))
    }
}

fn moved(before: &FileSide, after: &FileSide) -> HashSet<String> {
    let (old, new) = (set_in(before.lines_unlike(after)), set_in(after.lines_unlike(before)));
    new.into_iter()
        .filter(|(name, value)| old.get(name).is_some_and(|was| was != value))
        .map(|(name, _)| name)
        .collect()
}

/// The names that lines set to a number: `margin = 0.4`.
fn set_in(text: &[u8]) -> HashMap<String, String> {
    let text = String::from_utf8_lossy(text);
    let set = |line: &str| {
        let (target, value) = line.split_once('=')?;
        let value = value.trim().trim_end_matches([';', ',']);
        let name = target.trim_end_matches([':', ' ']).rsplit(' ').next()?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_number = value.starts_with(|c: char| c.is_ascii_digit()) && value.len() < 24;
        (is_name && is_number).then(|| (name.to_owned(), value.to_owned()))
    };
    text.lines().filter_map(set).collect()
}
