//! Cases that a loop of a test newly passes over by their name or on some machines: `if case.name == "ten" { continue }`.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::detectors::feature_disabled::some_systems::SYSTEMS;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::text::{clipped, one_line};

/// So many lines may come with it.
const SHORT: usize = 4;

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    passed_over(pages, place).or_else(|| filtered(pages, place))
}

/// Cases that are filtered before tests are made of them: `cases.filter((c) => !c.slow).forEach(`.
fn filtered(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let (was, is) = (&pages.old[old].code, &pages.new[new].code);
        if without_filter(is)? != *was || !GOES_THROUGH.iter().any(|walk| was.contains(walk)) {
            return None;
        }
        let line = pages.new[new].number;
        let end = pages.block_below(new).end.checked_sub(1).map_or(line, |last| pages.new[last].number);
        let makes_tests =
            pages.after.facts.tests.iter().any(|test| line <= test.span.start && test.span.start <= end);
        (makes_tests || pages.test_at(line).is_some()).then(|| Told {
            message: format!(
                "some cases are filtered out now: `{}`",
                clipped(&one_line(&pages.new_text(new)), 80)
            ),
            help: format!("go through all of them again: {}", pages.old_text(old)),
            old: Some(pages.old[old].number),
            new: Some(line),
            name: pages.test_at(line).map(|(_, test)| test.qualified_name()),
        })
    })
}

/// Calls and heads that go through cases, without white space.
const GOES_THROUGH: &[&str] = &[".forEach(", ".each(", "for(const", "for(let", ".map("];

/// A line without the filter that it has.
fn without_filter(code: &str) -> Option<String> {
    let start = code.find(".filter(")?;
    let mut depth = 0_i64;
    let end = code[start..].char_indices().find_map(|(at, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (depth == 0 && c == ')').then_some(start + at + 1)
    })?;
    Some(format!("{}{}", &code[..start], &code[end..]))
}

fn passed_over(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    if !place.old.is_empty() || place.new.len() > SHORT {
        return None;
    }
    place.new.clone().find_map(|at| {
        let text = pages.new_text(at);
        let rest = text.strip_prefix("if").filter(|rest| rest.starts_with([' ', '(']))?;
        let leaves = |code: &str| code.trim_end_matches([';', '}']).ends_with("continue");
        let next = pages.new.get(at + 1).filter(|_| place.new.contains(&(at + 1)));
        if !leaves(&pages.new[at].code) && !next.is_some_and(|line| leaves(&line.code)) {
            return None;
        }
        let line = pages.new[at].number;
        let (name, assertions) = pages.asserting_at(line)?;
        let checks_below = assertions.iter().any(|one| one.line > line);
        (checks_below && (names_a_case(rest) || asks_machine(rest))).then(|| Told {
            message: format!("{name} passes some of its cases over: `{}`", clipped(&one_line(&text), 80)),
            help: "make them pass, or take them out with a reason".to_owned(),
            old: None,
            new: Some(line),
            name: Some(name),
        })
    })
}

/// Whether a condition holds for what bears a name that is written down: `tt.name == "ten"`.
fn names_a_case(condition: &str) -> bool {
    let names =
        ["name", "title", "id", "label", "kind", "desc", "description", "path", "file", "case", "key"];
    let equals =
        ["== \"", "== '", "=== '", "=== \"", "=== `", ".equals(\"", "includes('", "includes(\"", " in ("];
    let is_named = names_of_any_length(condition)
        .any(|name| words(name).last().is_some_and(|word| names.contains(&word.as_str())));
    is_named && equals.iter().any(|sign| condition.contains(sign)) && !condition.contains("\"\"")
}

fn asks_machine(condition: &str) -> bool {
    let says = |name: &str| words(name).iter().any(|word| SYSTEMS.contains(&word.as_str()));
    names_of_any_length(condition).any(says)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_named_or_left_out_on_machines() {
        assert!(names_a_case(" tt.name == \"ten\" {"));
        assert!(!names_a_case(" tt.name == \"\" {"));
        assert!(!names_a_case(" tt.want == nil {"));
        assert_eq!(without_filter("a.filter((c)=>f(c)).forEach(").as_deref(), Some("a.forEach("));
        assert!(asks_machine(" runtime.GOOS == \"windows\" {") && !asks_machine(" done {"));
    }
}
