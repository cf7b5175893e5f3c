//! Conditions under which a test passes a case over, and that hold more often: a list of exceptions that grew, one more
//! reason, a number that lets more in.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::collections::HashSet;
use crate::detectors::conditions::holds_for_less;
use crate::text::{clipped, name_words, one_line};

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages
        .pairs(place)
        .into_iter()
        .find_map(|(old, new)| in_test(pages, old, new).or_else(|| deciding(pages, old, new)))
}

/// A condition inside of a test or a helper that asserts.
fn in_test(pages: &Pages<'_>, old: usize, new: usize) -> Option<Told> {
    let (was, is) = (condition(&pages.old_text(old))?, condition(&pages.new_text(new))?);
    let leaves = |lines: &[&crate::comparison::CodeLine], at: usize, text: &str| {
        let below = lines.iter().skip(at + 1).take(SAID + 1);
        leaves_at_once(text) || below.into_iter().any(|next| is_leave(&next.code))
    };
    if !leaves(&pages.old, old, &pages.old[old].code) || !leaves(&pages.new, new, &pages.new[new].code) {
        return None;
    }
    let line = pages.new[new].number;
    let (name, assertions) = pages.asserting_at(line)?;
    // Errors that may come are a matter of what is called.
    if name_words(&is).iter().any(|word| matches!(word.as_str(), "err" | "error" | "errors" | "exception")) {
        return None;
    }
    let stays_below = assertions.iter().any(|one| one.line > line);
    (stays_below && holds_more(&was, &is)).then(|| told(pages, (old, new), name))
}

/// What a function gives back that decides about skipping: `return version === 21` became `return version < 22`.
fn deciding(pages: &Pages<'_>, old: usize, new: usize) -> Option<Told> {
    let given = |text: &str| text.strip_prefix("return ").map(|text| text.trim_end_matches(';').to_owned());
    let (was, is) = (given(&pages.old_text(old))?, given(&pages.new_text(new))?);
    let line = pages.new[new].number;
    let functions = &pages.after.facts.functions;
    let around = functions.iter().filter(|one| one.span.start <= line && line <= one.span.end);
    let function = around.filter(|one| !one.name.is_empty()).max_by_key(|one| one.span.start)?;
    let decides = name_words(function.short_name())
        .iter()
        .any(|word| matches!(word.as_str(), "skip" | "skipped" | "xfail"));
    (decides && holds_more(&was, &is)).then(|| told(pages, (old, new), function.name.clone()))
}

fn told(pages: &Pages<'_>, (old, new): (usize, usize), name: String) -> Told {
    let shown = clipped(&one_line(&pages.new_text(new)), 80);
    Told {
        message: format!("{name} passes over more than before: `{shown}`"),
        help: format!("pass over no more than `{}` did", pages.old_text(old)),
        old: Some(pages.old[old].number),
        new: Some(pages.new[new].number),
        name: Some(name),
    }
}

/// What stands between `if` and what it leads to.
fn condition(text: &str) -> Option<String> {
    if let Some(cases) = text.strip_prefix("case ").and_then(|rest| rest.strip_suffix(':')) {
        return Some(cases.to_owned());
    }
    let rest =
        ["if ", "if(", "} else if ", "elif ", "else if "].iter().find_map(|head| text.strip_prefix(head))?;
    let rest = if text.starts_with("if(") { format!("({rest}") } else { rest.to_owned() };
    let end = rest.rfind(['{', ':']).filter(|at| rest[*at..].len() < LEAVE).unwrap_or(rest.len());
    let cut = ["continue", "return"].iter().filter_map(|word| rest.find(word)).min().unwrap_or(end).min(end);
    Some(rest[..cut].trim().to_owned()).filter(|condition| !condition.is_empty())
}

/// So many lines may say that a case is passed over before it is.
const SAID: usize = 1;

/// What follows a condition on its line is no longer than this.
const LEAVE: usize = 20;

fn is_leave(code: &str) -> bool {
    let code = code.trim_end_matches(';');
    matches!(code, "continue" | "return" | "returnnil" | "returnNone" | "pass")
        || ["assumeTrue(false", "Assume.assume", "t.Skip", "pytest.skip(", "this.skip(", "self.skipTest("]
            .iter()
            .any(|start| code.starts_with(start))
}

fn leaves_at_once(code: &str) -> bool {
    let code = code.trim_end_matches([';', '}']);
    [")continue", ":continue", ")return", ":return", "{continue", "{return"]
        .iter()
        .any(|end| code.ends_with(end))
}

/// Whether a condition holds wherever another one does, and elsewhere, too.
fn holds_more(was: &str, is: &str) -> bool {
    holds_for_less(is, was).is_some()
        || has_longer_list(was, is)
        || has_more_cases(was, is)
        || is_wider(was, is)
        || asks_for_more_of_it(was, is)
}

/// Whether a list in it has more entries: `['a', 'b'].includes(x)`.
fn has_longer_list(was: &str, is: &str) -> bool {
    let list = |text: &str| {
        let open = text.find(['[', '{', '('].as_slice()).filter(|_| text.contains(['"', '\'', '`']))?;
        let open = text[open..].find(['"', '\'', '`']).map(|at| open + at)?;
        let start = text[..open].rfind(['[', '{', '('])?;
        let close = text[start..].find([']', '}', ')'].as_slice()).map(|at| start + at)?;
        let items: HashSet<String> = text[start + 1..close]
            .split(',')
            .map(|item| item.trim().to_owned())
            .filter(|item| !item.is_empty())
            .collect();
        Some((items, format!("{}{}", &text[..start], &text[close..])))
    };
    let (Some((was, around)), Some((is, same))) = (list(was), list(is)) else { return false };
    // Of what is not in a list less is passed over where the list grows.
    let is_negated = around.contains("not in")
        || around.starts_with('!')
        || around.contains("== -1")
        || around.contains("< 0");
    let is_plain = around == same && was.len() > 1;
    is_plain && if is_negated { is.is_subset(&was) && is != was } else { was.is_subset(&is) && is != was }
}

/// `case "windows":` became `case "windows", "darwin":`.
fn has_more_cases(was: &str, is: &str) -> bool {
    let cases =
        |text: &str| -> HashSet<String> { text.split(',').map(|case| case.trim().to_owned()).collect() };
    let is_case = |text: &str| text.starts_with('"') && text.ends_with('"');
    is_case(was) && is_case(is) && cases(was).is_subset(&cases(is)) && cases(was) != cases(is)
}

/// `x === 21` became `x < 22`; `x < 3` became `x < 5`.
fn is_wider(was: &str, is: &str) -> bool {
    let (Some((left, sign, number)), Some((same, other, bound))) = (comparison(was), comparison(is)) else {
        return false;
    };
    let below = |sign: &str, bound: f64| if sign == "<" { bound } else { bound + 0.5 };
    left == same
        && match (sign, other) {
            ("==" | "===", "<" | "<=") => below(other, bound) > number,
            ("==" | "===", ">") => bound < number,
            ("==" | "===", ">=") => bound <= number,
            ("<" | "<=", "<" | "<=") => below(other, bound) > below(sign, number),
            (">" | ">=", ">" | ">=") => bound < number,
            _ => false,
        }
}

fn comparison(text: &str) -> Option<(String, &str, f64)> {
    let text = crate::detectors::conditions::bare(text);
    if text.contains("&&") || text.contains("||") || text.contains(" and ") || text.contains(" or ") {
        return None;
    }
    let sign = ["===", "==", "<=", ">=", "<", ">"].into_iter().find(|sign| text.contains(sign))?;
    let (left, right) = text.split_once(sign)?;
    Some((left.split_whitespace().collect(), sign, right.trim().parse().ok()?))
}

/// What had to be missing has to be less than some number now: `_, ok := seen[x]; !ok` became `seen[x] < 10`.
fn asks_for_more_of_it(was: &str, is: &str) -> bool {
    let Some((left, _)) = is.split_once('<') else { return false };
    let left: String = left.split_whitespace().collect();
    let was: String = was.split_whitespace().collect();
    let is_missing =
        was.contains("!ok") || was.contains("notin") || was.ends_with("===undefined") || was.starts_with('!');
    is_missing && left.len() > 3 && was.contains(left.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_hold_more_often() {
        for (was, is) in [
            ("['a', 'b'].indexOf(x) > -1", "['a', 'b', 'c'].indexOf(x) > -1"),
            ("name in [\"a\", \"b\"]", "name in [\"a\", \"b\", \"c\"]"),
            ("a == 1", "a == 1 or b"),
            ("Number(v) === 21", "Number(v) < 22"),
            ("_, ok := seen[x]; !ok", "seen[x] < least"),
            ("x < 3", "x < 5"),
            ("\"windows\"", "\"windows\", \"darwin\""),
        ] {
            assert!(holds_more(was, is), "{was} -> {is}");
            assert!(!holds_more(is, was), "{is} -> {was}");
        }
        assert!(!holds_more("a == 1", "b == 1"));
        assert!(holds_more("x not in ('a', 'b')", "x not in ('a')"));
    }

    #[test]
    fn conditions_are_cut_out_of_their_lines() {
        for (line, expected) in [
            ("if name in [\"a\"]:", "name in [\"a\"]"),
            ("if (a && b) {", "(a && b)"),
            ("if _, ok := seen[x]; !ok {", "_, ok := seen[x]; !ok"),
            ("if (a) continue;", "(a)"),
        ] {
            assert_eq!(condition(line).as_deref(), Some(expected), "{line}");
        }
    }
}
