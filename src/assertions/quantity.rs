//! Amounts as they are written in tests, so that one can be told to be more than another: `350 + len(x)`, `2 * LIMIT`,
//! `Duration::from_millis(750)`, `5 * time.Second`, `timedelta(minutes=1)`.
//!
//! An amount is a sum of what it is made of, each with its factor. What is not known counts as some positive amount.

use std::collections::BTreeMap;

use super::alike::key;

/// Longer expressions are no limits that somebody wrote down.
const LONGEST: usize = 200;

/// Brackets in brackets beyond this depth are taken as they are.
const DEPTH: u32 = 8;

/// What a plain number is an amount of, and a length of time, which is counted in seconds.
const PLAIN: &str = "";
const TIME: &str = "s";

/// A sum: how much of each thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity(BTreeMap<String, f64>);

impl Quantity {
    pub fn of(text: &str) -> Option<Self> {
        let is_code =
            |c: char| !matches!(c, '"' | '\'' | '`' | ';' | '{' | '?' | '|' | '&' | '%' | '^' | '~');
        let text = text.trim().trim_start_matches('&');
        (text.len() <= LONGEST && text.chars().all(is_code)).then(|| sum(text, DEPTH)).flatten()
    }

    /// This and so much of another one.
    pub fn plus(&self, other: &Self, factor: f64) -> Self {
        let mut all = self.0.clone();
        for (name, amount) in &other.0 {
            *all.entry(name.clone()).or_default() += factor * amount;
        }
        // Sums of fractions are never quite zero.
        let size = |name: &str| self.0.get(name).copied().unwrap_or(0.0).abs();
        all.retain(|name, amount| amount.abs() > 1e-12 * size(name).max(f64::MIN_POSITIVE));
        Self(all)
    }

    /// Whether it is more than nothing, whatever the unknown parts are: all of it counts to the same side.
    pub fn is_more(&self) -> bool {
        !self.0.is_empty() && self.0.values().all(|amount| *amount > 0.0)
    }

    /// The number that it is.
    pub fn number(&self) -> Option<f64> {
        match self.0.len() {
            0 => Some(0.0),
            1 => self.0.get(PLAIN).copied(),
            _ => None,
        }
    }

    /// Something of which nothing is known but its name.
    pub fn opaque(name: &str) -> Self {
        Self::one(name, 1.0)
    }

    fn one(name: &str, amount: f64) -> Self {
        Self(BTreeMap::from([(name.to_owned(), amount)]))
    }

    fn times(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|(name, amount)| (name.clone(), amount * factor)).collect())
    }
}

fn sum(text: &str, depth: u32) -> Option<Quantity> {
    let mut total = Quantity(BTreeMap::new());
    for (negative, term) in cut(text, &['+', '-'])? {
        total = total.plus(&product(term, depth)?, if negative == '-' { -1.0 } else { 1.0 });
    }
    Some(total)
}

/// A product of numbers with at most one thing that is none.
fn product(text: &str, depth: u32) -> Option<Quantity> {
    let mut factor = 1.0;
    let mut thing: Option<Quantity> = None;
    let mut unknown: Vec<String> = Vec::new();
    for (sign, part) in cut(text, &['*', '/'])? {
        let amount = atom(part, depth)?;
        match (amount.number(), sign) {
            (Some(number), '/') => factor /= number,
            (Some(number), _) => factor *= number,
            (None, '/') => unknown.push(format!("/{}", key(part))),
            (None, _) if thing.is_none() => thing = Some(amount),
            (None, _) => unknown.push(format!("*{}", key(part))),
        }
    }
    if !factor.is_finite() {
        return None;
    }
    let known = thing.unwrap_or_else(|| Quantity::one(PLAIN, 1.0));
    if unknown.is_empty() {
        return Some(known.times(factor));
    }
    // `a * b` is a thing of its own, whichever comes first.
    let [(name, amount)] = known.0.iter().collect::<Vec<_>>().try_into().ok()?;
    unknown.push(format!("*{name}"));
    unknown.sort();
    Some(Quantity::one(&unknown.concat(), factor * amount))
}

/// A text cut at signs outside of brackets, each piece with the sign before it.
fn cut<'a>(text: &'a str, signs: &[char]) -> Option<Vec<(char, &'a str)>> {
    let (mut pieces, mut start, mut sign, mut depth) = (Vec::new(), 0, signs[0], 0_i32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        let head = &text[start..at];
        if depth != 0 || !signs.contains(&c) || is_exponent(head) {
            continue;
        }
        if head.trim().is_empty() {
            // A sign of the number itself, a dereference, `//`.
            sign = if c == '-' && sign == '-' { '+' } else { c };
            sign = if signs[0] == '*' && c == '*' { '*' } else { sign };
        } else {
            pieces.push((sign, head.trim()));
            sign = c;
        }
        start = at + 1;
    }
    let last = text.get(start..)?.trim();
    if depth != 0 || last.is_empty() {
        return None;
    }
    pieces.push((sign, last));
    Some(pieces)
}

/// Whether a number ends in the mark of its exponent: the `1e` of `1e-3`.
fn is_exponent(head: &str) -> bool {
    let Some(digits) = head.trim_start().strip_suffix(['e', 'E']) else { return false };
    let number = digits.rsplit(|c: char| !(c.is_ascii_digit() || c == '.')).next().unwrap_or("");
    number.starts_with(|c: char| c.is_ascii_digit()) && number.len() == digits.trim_start().len()
}

fn atom(text: &str, depth: u32) -> Option<Quantity> {
    let depth = depth.checked_sub(1)?;
    let text = text.split(" as ").next().unwrap_or(text).trim().trim_start_matches('&');
    if let Some(number) = number(text) {
        return Some(Quantity::one(PLAIN, number));
    }
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return sum(inside, depth);
    }
    let call = text.strip_suffix(')').and_then(|rest| rest.split_once('('));
    match call {
        Some((callee, given)) if !given.contains(['(', ')']) => called(callee, given, depth),
        Some(_) => None,
        None => Some(constant(text)),
    }
    .or_else(|| Some(Quantity::one(&key(text), 1.0)))
}

/// What calls stand for that only make a length of time, or another kind of number.
fn called(callee: &str, given: &str, depth: u32) -> Option<Quantity> {
    let name = callee.rsplit(['.', ':']).next().unwrap_or(callee);
    let lower = name.to_lowercase();
    if lower == "timedelta" {
        return timedelta(given, depth);
    }
    if CASTS.contains(&name) {
        return sum(given, depth);
    }
    // `TimeUnit.SECONDS.toMillis(2)` is a number.
    let of_unit = callee.rsplit_once('.').and_then(|(head, _)| seconds(head.rsplit('.').next()?));
    if let (Some(from), Some(to)) = (of_unit, lower.strip_prefix("to").and_then(seconds)) {
        return Some(sum(given, depth)?.times(from / to));
    }
    let made = ["from_", "of", "standard"].iter().find_map(|head| seconds(lower.strip_prefix(head)?));
    if let Some(unit) = made {
        return Some(Quantity::one(TIME, unit * sum(given, depth)?.number()?));
    }
    // `5.seconds()`
    let owner = callee.strip_suffix(name)?.trim_end_matches('.');
    let amount = number(owner).filter(|_| given.is_empty())?;
    Some(Quantity::one(TIME, amount * seconds(&lower)?))
}

/// Calls that make one kind of number of another one.
const CASTS: &[&str] = &[
    "Duration", "float", "int", "int64", "int32", "float64", "uint64", "Number", "BigInt", "Decimal",
    "valueOf", "from",
];

/// `timedelta(minutes=1, seconds=30)`; without a name it is days.
fn timedelta(given: &str, depth: u32) -> Option<Quantity> {
    let mut total = 0.0;
    for argument in given.split(',').filter(|argument| !argument.trim().is_empty()) {
        let (unit, amount) = argument.split_once('=').unwrap_or(("days", argument));
        total += seconds(unit.trim())? * sum(amount, depth)?.number()?;
    }
    Some(Quantity::one(TIME, total))
}

/// How long a unit is; nothing for other words.
fn seconds(unit: &str) -> Option<f64> {
    let lower = unit.to_lowercase();
    let bare = lower.trim_end_matches("_f64").trim_end_matches("_f32").trim_end_matches('s');
    Some(match bare {
        "nano" | "nanosecond" => 1e-9,
        "micro" | "microsecond" => 1e-6,
        "milli" | "millisecond" => 1e-3,
        "sec" | "second" => 1.0,
        "min" | "minute" => 60.0,
        "hour" => 3600.0,
        "day" => 86400.0,
        _ => return None,
    })
}

/// A name: of a unit of time, of the smallest or the largest number there is, or of something else.
fn constant(text: &str) -> Quantity {
    let name = text.rsplit(['.', ':']).next().unwrap_or(text);
    match name {
        _ if text.starts_with("time.") && seconds(name).is_some() => {
            Quantity::one(TIME, seconds(name).unwrap_or(1.0))
        }
        "EPSILON" | "epsilon" if name.len() < text.len() => Quantity::one(PLAIN, f64::EPSILON),
        _ => Quantity::one(&key(text), 1.0),
    }
}

/// A number as written in any of the languages.
fn number(text: &str) -> Option<f64> {
    let plain = text.replace('_', "");
    if !plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let suffix = plain.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    let kinds =
        ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64", "u128"];
    let letters = ["f", "F", "L", "l", "d", "D", "n"];
    plain.parse().ok().or_else(|| {
        let (digits, rest) = plain.split_at(suffix?);
        (kinds.contains(&rest) || letters.contains(&rest)).then(|| digits.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn more(one: &str, other: &str) -> bool {
        let (one, other) = (Quantity::of(one), Quantity::of(other));
        one.zip(other).is_some_and(|(one, other)| one.plus(&other, -1.0).is_more())
    }

    #[test]
    fn amounts_are_compared_by_what_they_are_made_of() {
        for (large, small) in [
            ("1200", "750"),
            ("1_200", "750u64"),
            ("500 + len(x)", "350 + len(x)"),
            ("len(y) - 3", "len(y) - 30"),
            ("5 * base", "base*2"),
            ("base", "base / 2"),
            ("limit + slack", "limit"),
            ("2 * (limit + 1)", "2 * limit"),
            ("1e-3 * scale", "1e-5 * scale"),
            ("f64::EPSILON * 100.0", "f64::EPSILON"),
            ("1e-3", "f64::EPSILON"),
            ("Duration::from_secs(2)", "Duration::from_millis(750)"),
            ("Duration.ofSeconds(2)", "Duration.ofMillis(1_500)"),
            ("10*time.Second", "500*time.Millisecond"),
            ("time.Minute", "30 * time.Second"),
            ("time.Duration(5) * time.Second", "2 * time.Second"),
            ("timedelta(minutes=1)", "datetime.timedelta(seconds=30)"),
            ("timedelta(1)", "timedelta(hours=23)"),
            ("TimeUnit.SECONDS.toMillis(5)", "2000"),
            ("start + Duration.ofSeconds(5)", "start + Duration.ofSeconds(2)"),
            ("2.seconds()", "750.millis()"),
            ("a * b * 3", "b * a * 2"),
            ("0", "-1"),
            ("WAIT", "-1"),
            ("x as f64 * 1.5", "x"),
        ] {
            assert!(more(large, small), "{large} > {small}");
            assert!(!more(small, large), "{small} > {large}");
        }
    }

    #[test]
    fn other_things_are_not_compared() {
        for (one, other) in [
            ("a", "b"),
            ("a + 1", "b"),
            ("5", "timedelta(seconds=2)"),
            ("f(1)", "f(2)"),
            ("'b'", "'a'"),
            ("limit", "100"),
            ("x ? 1 : 2", "1"),
            ("timedelta(milliseconds=5000)", "timedelta(seconds=5)"),
            ("0.1 + 0.2", "0.3"),
            ("", "1"),
            ("(", "1"),
        ] {
            assert!(!more(one, other) && !more(other, one), "{one}, {other}");
        }
    }
}
