//! Lines of expected output in whose place a wildcard stands that takes anything.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

/// Lines that match any other one, in matchers that are known.
const WILDCARDS: &[&str] =
    &["[..]", "[...]", ".*", ".+", "{{.*}}", "%A", "[ELLIPSIS]", "[WILDCARD]", "[*]", "(.*)", "[[ANY]]"];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let is_wild = |code: &str| {
        let bare = code.trim_matches(['"', '\'', '`', ',', '\\', '^', '$']);
        let bare = bare.strip_suffix("\\n").unwrap_or(bare);
        WILDCARDS.contains(&bare)
    };
    let says = |code: &str| code.chars().filter(|c| c.is_alphanumeric()).count() >= 4 && !is_wild(code);
    let (old, new) = (&pages.old[place.old.clone()], &pages.new[place.new.clone()]);
    let more =
        |lines: &[&crate::comparison::CodeLine]| lines.iter().filter(|line| is_wild(&line.code)).count();
    let said = |lines: &[&crate::comparison::CodeLine]| lines.iter().filter(|line| says(&line.code)).count();
    if more(new) <= more(old) || said(new) >= said(old) || old.is_empty() {
        return None;
    }
    let at = place.new.clone().find(|at| is_wild(&pages.new[*at].code))?;
    let was = place.old.clone().find(|at| says(&pages.old[*at].code))?;
    let line = pages.new[at].number;
    let name = pages.test_at(line).map(|(_, test)| test.qualified_name());
    Some(Told {
        message: format!(
            "a line of expected output became a wildcard: `{}`",
            clipped(&one_line(&pages.old_text(was)), 80)
        ),
        help: "expect the line again, with wildcards only for what really varies".to_owned(),
        old: Some(pages.old[was].number),
        new: Some(line),
        name,
    })
}
