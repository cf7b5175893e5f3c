//! Values that are gone from what tests are made of: `kinds="local,remote,binary"` became `kinds="local,binary"`.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::collections::HashSet;
use crate::text::{clipped, one_line, plural};

/// What a line speaks of that makes tests, without white space.
const MAKERS: &[&str] = &[
    "generate_tests",
    "parametrize",
    "ValueSource",
    "CsvSource",
    "EnumSource",
    ".each",
    "params=",
    "kinds=",
    "TestFactory",
    "test_each",
    "rstest",
    "#[case",
    "#[values",
];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let (was, is) = (&pages.old[old].code, &pages.new[new].code);
        if !MAKERS.iter().any(|maker| was.contains(maker) && is.contains(maker)) {
            return None;
        }
        let lost = lost(was, is)?;
        let all = &pages.new;
        // What another line is given is tried there.
        let elsewhere = |item: &String| {
            all.iter().any(|line| {
                line.code.contains(item.as_str()) && !pages.old.iter().any(|old| old.code == line.code)
            })
        };
        if lost.iter().any(elsewhere) {
            return None;
        }
        Some(Told {
            message: format!(
                "tests are made of {} less: `{}`",
                plural(lost.len(), "value"),
                clipped(&one_line(&pages.new_text(new)), 80)
            ),
            help: format!("try it again: {}", lost.join(", ")),
            old: Some(pages.old[old].number),
            new: Some(pages.new[new].number),
            name: None,
        })
    })
}

/// The items that a text of several lost, where that is all that differs.
fn lost(was: &str, is: &str) -> Option<Vec<String>> {
    let (was, is): (Vec<&str>, Vec<&str>) = (was.split('"').collect(), is.split('"').collect());
    if was.len() != is.len() || was.len() < 3 {
        return None;
    }
    let mut differing = was.iter().zip(&is).enumerate().filter(|(_, (was, is))| was != is);
    let (at, (was, is)) = differing.next()?;
    if at % 2 == 0 || differing.next().is_some() {
        return None;
    }
    let items = |text: &str| text.split([',', '|', ';']).map(str::to_owned).collect::<Vec<String>>();
    let (had, has) = (items(was), items(is));
    let left: HashSet<&String> = has.iter().collect();
    let known: HashSet<&String> = had.iter().collect();
    let lost: Vec<String> = had.iter().filter(|item| !left.contains(item)).cloned().collect();
    let only_less = has.iter().all(|item| known.contains(item));
    (only_less && !lost.is_empty() && had.len() > 1 && lost.iter().all(|item| !item.is_empty()))
        .then_some(lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_in_texts_lose_items() {
        assert_eq!(lost("f(kinds=\"a,b,c\")", "f(kinds=\"a,c\")"), Some(vec!["b".to_owned()]));
        assert_eq!(lost("f(kinds=\"a,b\")", "f(kinds=\"a,c\")"), None);
        assert_eq!(lost("f(\"a,b\", \"x\")", "f(\"a\", \"y\")"), None);
        assert_eq!(lost("f(\"a\")", "f(\"b\")"), None);
    }
}
