//! Tests of a base class that a class sets to nothing: `test_total = None`.

use super::places::{Pages, Place};
use super::reading::Told;

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let is_nulled = |code: &str| {
        let target = code.strip_suffix("=None").unwrap_or_default();
        let rest = target.strip_prefix("test").unwrap_or_default();
        rest.starts_with(|c: char| c == '_' || c.is_uppercase())
            && target.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    if pages.after.facts.language != "python" || place.old.clone().any(|at| is_nulled(&pages.old[at].code)) {
        return None;
    }
    let at = place.new.clone().find(|at| is_nulled(&pages.new[*at].code))?;
    let above = pages.new[..at].iter().rev().find(|line| line.code.starts_with("class"))?;
    let was_there = pages.old.iter().any(|line| line.code == above.code) && above.code.contains('(');
    let indented = super::places::indent(pages.after, pages.new[at].number) > 0;
    was_there.then_some(())?;
    let name = pages.new[at].code.trim_end_matches("=None").to_owned();
    indented.then(|| Told {
        message: format!("the inherited test {name} is now set to nothing"),
        help: "take the line out and make the inherited test pass".to_owned(),
        old: None,
        new: Some(pages.new[at].number),
        name: Some(name),
    })
}
