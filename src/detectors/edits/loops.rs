//! Loops over asserted cases that go through fewer of them: `for i in range(0, 9)` became `range(2, 9)`.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

/// More rounds than this are there for the load, not for the cases.
const CASES: i64 = 50;

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let (was, is) = (rounds(&pages.old[old].code)?, rounds(&pages.new[new].code)?);
        let fewer = was.rest == is.rest
            && (is.from > was.from && is.to == was.to
                || is.to < was.to && is.from == was.from && was.to - was.from <= CASES);
        if !fewer {
            return None;
        }
        let line = pages.new[new].number;
        let (name, assertions) = pages.asserting_at(line)?;
        let body = pages.block_below(new);
        let (first, last) =
            (pages.new.get(body.start)?.number, pages.new.get(body.end.checked_sub(1)?)?.number);
        let is_inside = |line: u32| first <= line && line <= last;
        // A case that is left out here may be asserted by itself.
        let came = place.new.len() > place.old.len();
        if came || !assertions.iter().any(|one| is_inside(one.line)) {
            return None;
        }
        let shown = clipped(&one_line(&pages.new_text(new)), 80);
        Some(Told {
            message: format!("{name} asserts fewer rounds of a loop than before: `{shown}`"),
            help: format!("go through all of them again: {}", pages.old_text(old)),
            old: Some(pages.old[old].number),
            new: Some(line),
            name: Some(name),
        })
    })
}

/// The numbers that a loop goes through.
struct Rounds {
    from: i64,
    to: i64,
    /// The line without them.
    rest: String,
}

fn rounds(code: &str) -> Option<Rounds> {
    if !(code.starts_with("for") || code.starts_with("}for")) {
        return None;
    }
    by_range(code).or_else(|| by_dots(code)).or_else(|| by_steps(code))
}

/// `range(2, 9)`
fn by_range(code: &str) -> Option<Rounds> {
    let start = code.find("inrange(")? + "inrange(".len();
    let end = start + code[start..].find(')')?;
    let given: Vec<&str> = code[start..end].split(',').collect();
    let (from, to) = match given.as_slice() {
        [to] => (0, number(to)?),
        [from, to] => (number(from)?, number(to)?),
        _ => return None,
    };
    Some(Rounds { from, to, rest: format!("{}{}", &code[..start], &code[end..]) })
}

/// `2..9`
fn by_dots(code: &str) -> Option<Rounds> {
    let at = code.find("..")?;
    let is_part = |c: char| c.is_ascii_digit() || c == '_';
    let start = code[..at].trim_end_matches(is_part).len();
    let after = at + if code[at..].starts_with("..=") { 3 } else { 2 };
    let end = after + code[after..].find(|c| !is_part(c)).unwrap_or(code.len() - after);
    let (from, to) = (number(&code[start..at])?, number(&code[after..end])?);
    Some(Rounds { from, to, rest: format!("{}..{}", &code[..start], &code[end..]) })
}

/// `i = 2; i < 9; i++`
fn by_steps(code: &str) -> Option<Rounds> {
    let parts: Vec<&str> = code.split(';').collect();
    let [head, condition, step] = parts.as_slice() else { return None };
    let (name, from) = head.rsplit_once('=')?;
    let (bound, to) = condition.split_once("<=").or_else(|| condition.split_once('<'))?;
    if !step.contains("++") && !step.contains("+=1") {
        return None;
    }
    let rest = format!("{name};{bound};{step}{}", condition.contains("<="));
    Some(Rounds { from: number(from)?, to: number(to).unwrap_or(i64::MAX / 2), rest: rest_with(rest, to) })
}

/// A bound that is no number belongs to the rest.
fn rest_with(rest: String, to: &str) -> String {
    if number(to).is_some() { rest } else { format!("{rest}{to}") }
}

fn number(text: &str) -> Option<i64> {
    text.replace('_', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_read_in_several_languages() {
        for (code, from, to) in [
            ("foriinrange(2,9):", 2, 9),
            ("foriinrange(9):", 0, 9),
            ("foriin0..10{", 0, 10),
            ("fori:=0;i<100;i++{", 0, 100),
            ("for(leti=1;i<=3;i++){", 1, 3),
            ("for(inti=0;i<3;i+=1){", 0, 3),
        ] {
            let found = rounds(code).expect(code);
            assert_eq!((found.from, found.to), (from, to), "{code}");
        }
        assert!(rounds("for(leti=9;i>0;i--){").is_none());
        assert!(rounds("x=range(3)").is_none());
    }
}
