//! Bounds and ranges that were moved outwards, where the numbers alone do not tell: `x >= limit` became
//! `x >= limit - 0.1`, `between(3, 4)` became `between(3, 5)`.
//!
//! Both are read off the texts of the two assertions, which must be the same but for the bound.

use super::alike::key;
use crate::facts::{Assertion, Claim, ClaimKind, Limit, Strength};

/// Whether the same bound is now held with a margin, or the same range is wider.
pub fn gives_way(before: &Assertion, after: &Assertion) -> bool {
    let (old, new) = (&before.claim, &after.claim);
    let plain = |claim: &Claim| claim.kind == ClaimKind::Value && !claim.negated;
    if !plain(old) || !plain(new) || old.strength != new.strength {
        return false;
    }
    let is_bound = old.strength == Strength::Bound && key(&old.subject) == key(&new.subject);
    let (was, is) = (key(&before.text), key(&after.text));
    is_bound && has_margin(&was, &is)
        || is_wider_range(&before.text, &after.text)
        || key(&old.subject) == key(&new.subject) && asks_for_any(&was, &is)
}

/// Whether a value may lie in a wider range, one of which is written as a distance: `17 <= x <= 17.1` became `x == approx(17,
/// abs=0.2)`.
pub fn is_wider_otherwise(before: &Assertion, after: &Assertion) -> bool {
    let (Some((low, high)), Some((new_low, new_high))) = (interval(before), interval(after)) else {
        return false;
    };
    let wider = new_low <= low && new_high >= high && new_high - new_low > high - low;
    key(&before.claim.subject) == key(&after.claim.subject) && wider
}

/// The ends between which a value must lie.
fn interval(assertion: &Assertion) -> Option<(f64, f64)> {
    let claim = &assertion.claim;
    if claim.negated || claim.kind != ClaimKind::Value {
        return None;
    }
    if claim.strength == Strength::Approximate {
        let relative = ["rel", "Percent", "psilon", "ulps"].iter().any(|word| assertion.text.contains(word));
        let Some(Limit::Tolerance(distance)) = claim.limit.filter(|_| !relative) else { return None };
        let middle: f64 = key(claim.expected.as_deref()?).parse().ok()?;
        return Some((middle - distance, middle + distance));
    }
    let pieces = pieces(&assertion.text);
    let first = range_at(&pieces.between).filter(|_| pieces.numbers.len() == 2)?;
    let (low, high) = (pieces.numbers.get(first)?, pieces.numbers.get(first + 1)?);
    (low <= high).then_some((*low, *high))
}

/// Whether a lower bound that is computed became the least there is: `x >= count / 10` became `x > 0`.
fn asks_for_any(was: &str, is: &str) -> bool {
    let start = common_prefix(was, is);
    let start = is[..start].trim_end_matches(['>', '=']).len();
    let (was, is) = (&was[start..], &is[start..]);
    let bound = |text: &str| text.strip_prefix(">=").or_else(|| text.strip_prefix('>')).map(str::len);
    let Some(rest) = [">0", ">=0", ">=1"].iter().find_map(|least| is.strip_prefix(least)) else {
        return false;
    };
    let (Some(length), true) = (bound(was), !rest.starts_with(|c: char| c.is_alphanumeric() || c == '.'))
    else {
        return false;
    };
    let Some(old) = was[was.len() - length..].strip_suffix(rest) else { return false };
    let is_one =
        old.matches('(').count() == old.matches(')').count() && !old.contains([',', ';', '&', '|', '<', '>']);
    is_one && old.starts_with(char::is_alphabetic)
}

/// Which way a bound holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    AtLeast,
    AtMost,
}

/// Words of checks that hold a value above, or below, what they are given.
const ABOVE: &[&str] = &["greater", "atleast", "morethan", "above", "after", "assert_gt", "assert_ge"];
const BELOW: &[&str] = &["less", "atmost", "fewer", "below", "before", "lower", "assert_lt", "assert_le"];

/// Whether the bound of `was` stands in `is` with something added to it that lets more through.
fn has_margin(was: &str, is: &str) -> bool {
    let start = common_prefix(was, is);
    // The bound itself may be a part of what both start with: `limit` and `limit - 1`.
    let end = common_suffix(&was[start..], &is[start..]);
    let (old, new) = (&was[start..was.len() - end], &is[start..is.len() - end]);
    let bare = new.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(new);
    let Some(margin) = bare.strip_prefix(old) else { return false };
    let mut letters = margin.chars();
    let (Some(operator), amount) = (letters.next(), letters.as_str()) else { return false };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    if amount.is_empty() || !amount.chars().all(is_plain) {
        return false;
    }
    let Some(side) = side(&is[..start], &is[is.len() - end..]) else { return false };
    let shrinks = amount.parse::<f64>().map(|factor| factor < 1.0).unwrap_or(false);
    match operator {
        '-' => side == Side::AtLeast,
        '+' => side == Side::AtMost,
        '*' => (side == Side::AtLeast) == shrinks,
        '/' => (side == Side::AtLeast) != shrinks,
        _ => false,
    }
}

/// Which way the bound between these two texts holds; nothing where that cannot be told.
fn side(before: &str, after: &str) -> Option<Side> {
    let signs = |text: &str| (text.rfind('>'), text.rfind('<'));
    let plain = before.replace("->", "").replace("=>", "");
    match signs(&plain) {
        (Some(_), None) => return Some(Side::AtLeast),
        (None, Some(_)) => return Some(Side::AtMost),
        (Some(_), Some(_)) => return None,
        (None, None) => {}
    }
    // `limit <= x`: what follows the bound is at least as large.
    if after.starts_with('<') {
        return Some(Side::AtLeast);
    }
    if after.starts_with('>') {
        return Some(Side::AtMost);
    }
    let lower = before.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match (has(ABOVE), has(BELOW)) {
        (true, false) => Some(Side::AtLeast),
        (false, true) => Some(Side::AtMost),
        _ => None,
    }
}

fn common_prefix(one: &str, other: &str) -> usize {
    let same = one.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b).last();
    same.map_or(0, |((at, c), _)| at + c.len_utf8())
}

fn common_suffix(one: &str, other: &str) -> usize {
    let same = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// Words before the two ends of a range.
const RANGES: &[&str] = &[
    "range.closed(",
    "range.open(",
    "range.closedopen(",
    "range.openclosed(",
    "between(",
    "withinrange(",
    "bewithin(",
    "inrange(",
    ".within(",
];

/// Whether two texts differ in the ends of one range alone, and the new one has the old one inside.
fn is_wider_range(was: &str, is: &str) -> bool {
    let (old, new) = (pieces(was), pieces(is));
    if old.between != new.between || old.numbers.len() != new.numbers.len() {
        return false;
    }
    let Some(first) = range_at(&old.between) else { return false };
    let (Some([low, high]), Some([new_low, new_high])) =
        (old.numbers.get(first..first + 2), new.numbers.get(first..first + 2))
    else {
        return false;
    };
    let rest_is_same = (0..old.numbers.len())
        .filter(|at| !(first..first + 2).contains(at))
        .all(|at| old.numbers[at] == new.numbers[at]);
    let wider = new_low <= low && new_high >= high && (new_low, new_high) != (low, high);
    rest_is_same && low <= high && wider
}

/// A text cut into its numbers and what stands before, between and behind them.
struct Pieces {
    between: Vec<String>,
    numbers: Vec<f64>,
}

fn pieces(text: &str) -> Pieces {
    let mut pieces = Pieces { between: vec![String::new()], numbers: Vec::new() };
    let mut rest = text;
    let mut last = ' ';
    while let Some(c) = rest.chars().next() {
        let starts = c.is_ascii_digit() && !last.is_alphanumeric() && last != '_';
        if !starts {
            if let Some(piece) = pieces.between.last_mut().filter(|_| !c.is_whitespace()) {
                piece.extend(c.to_lowercase());
            }
            (last, rest) = (c, &rest[c.len_utf8()..]);
            continue;
        }
        let (number, length) = leading_number(rest);
        pieces.numbers.push(number);
        pieces.between.push(String::new());
        (last, rest) = ('0', &rest[length..]);
    }
    pieces
}

/// The number that a text starts with, and its length; a point belongs to it where a digit follows.
fn leading_number(text: &str) -> (f64, usize) {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    while digit(end) || bytes.get(end) == Some(&b'_') || bytes.get(end) == Some(&b'.') && digit(end + 1) {
        end += 1;
    }
    (text[..end].replace('_', "").parse().unwrap_or(f64::NAN), end)
}

/// Which number is the lower end of a range whose upper end is the next one.
fn range_at(between: &[String]) -> Option<usize> {
    let named = |piece: &String| RANGES.iter().any(|word| piece.ends_with(word));
    if let Some(at) = between.iter().position(named) {
        return (between.get(at + 1).map(String::as_str) == Some(",")).then_some(at);
    }
    let dots = |piece: &String| matches!(piece.as_str(), ".." | "..=" | "..<");
    if let Some(at) = between.iter().position(dots) {
        return at.checked_sub(1);
    }
    // `3 <= x <= 5`
    let ordered = |piece: &String| {
        let middle = piece.trim_start_matches("<=").trim_start_matches('<');
        middle.len() < piece.len() && (middle.ends_with("<=") || middle.ends_with('<'))
    };
    between.iter().position(ordered).and_then(|at| at.checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_on_the_lenient_side_gives_way() {
        for (was, is) in [
            ("assertdelta>=LIMIT", "assertdelta>=(LIMIT-1e-5)"),
            ("assertx<limit", "assertx<limit+slack"),
            ("assertx<limit", "assertx<limit*2"),
            ("expect(x).toBeGreaterThan(min)", "expect(x).toBeGreaterThan(min-5)"),
            ("assertThat(x).isLessThan(max)", "assertThat(x).isLessThan(max*1.5)"),
            ("assert!(limit<=x)", "assert!(limit*0.9<=x)"),
        ] {
            assert!(has_margin(was, is), "{was} -> {is}");
            assert!(!has_margin(is, was), "{is} -> {was}");
        }
    }

    #[test]
    fn a_margin_on_the_strict_side_does_not() {
        for (was, is) in [
            ("assertx>=limit", "assertx>=limit+1"),
            ("assertx<limit", "assertx<limit-1"),
            ("assertx==limit", "assertx==limit-1"),
            ("expect(x).toBeLessThan(max)", "expect(x).toBeLessThan(max*0.5)"),
            ("assertx<limit", "assertx<limits"),
        ] {
            assert!(!has_margin(was, is), "{was} -> {is}");
        }
    }

    #[test]
    fn the_least_there_is_asks_for_any() {
        let was = "assert!(hits.iter().all(|x|x.get()>=COUNT/hits.len()/10))";
        assert!(asks_for_any(was, "assert!(hits.iter().all(|x|x.get()>0))"));
        assert!(asks_for_any("assertx>limit", "assertx>0"));
        assert!(!asks_for_any("assertx>0", "assertx>limit"));
        assert!(!asks_for_any("assertx>=5", "assertx>0"), "numbers are compared as such");
        assert!(!asks_for_any("assertx>-limit", "assertx>0"));
        assert!(!asks_for_any("assertx>limit", "assertx>0.5"));
        assert!(!asks_for_any("assertx<limit", "assertx>0"));
    }

    #[test]
    fn ranges_are_compared_by_their_ends() {
        for (was, is) in [
            ("assertThat(n).isIn(Range.closed(3,4))", "assertThat(n).isIn(Range.closed(3,5))"),
            ("assertThat(n).isBetween(3,4)", "assertThat(n).isBetween(2,4)"),
            ("assert!((3..=4).contains(&n))", "assert!((3..=40).contains(&n))"),
            ("assert 3 <= n <= 4", "assert 3 <= n <= 4.5"),
            ("expect(n).toBeWithin(3,4)", "expect(n).toBeWithin(1,9)"),
        ] {
            assert!(is_wider_range(was, is), "{was} -> {is}");
            assert!(!is_wider_range(is, was), "{is} -> {was}");
        }
        assert!(!is_wider_range("f(3,4)==Range.closed(3,4)", "f(3,5)==Range.closed(3,5)"));
        assert!(!is_wider_range("isBetween(3,4)", "isBetween(4,5)"));
    }
}
