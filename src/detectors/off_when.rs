//! When a test is off: what all its skips under conditions say together, and whether that is more than it was.

use super::formula::{self, Formula, both, either, follows, opaque, without_floors};
use crate::collections::HashMap;
use crate::comparison::FileSide;
use crate::facts::{Definition, DefinitionKind, Function, Skip, Test};
use crate::languages::expression::{enclosed, is_string, split};

/// How often a test is off, compared to before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    More,
    /// As often as before, or less.
    NoMore,
    Unknown,
}

/// A side of a test with the file it stands in.
pub type Here<'a> = (&'a FileSide, &'a Test);

/// What was compared: the tests of a file mostly share their conditions.
#[derive(Default)]
pub struct Compared<'a>(HashMap<[(&'a str, Vec<Condition<'a>>); 2], Off>);

/// A condition as written: its mark, and what it stands under.
type Condition<'a> = (&'a str, Option<&'a str>);

impl<'a> Compared<'a> {
    pub fn compare(&mut self, old: Here<'a>, new: Here<'a>) -> Off {
        let written = |(side, test): Here<'a>| {
            let conditions = test.conditions.iter();
            let conditions = conditions.map(|skip| (skip.mark.as_str(), skip.under.as_deref()));
            (side.path.as_str(), conditions.collect())
        };
        *self.0.entry([written(old), written(new)]).or_insert_with(|| compare(old, new))
    }
}

pub fn compare(old: Here<'_>, new: Here<'_>) -> Off {
    let (Some(was), Some(is)) = (off_when(old), off_when(new)) else { return Off::Unknown };
    match (follows(&was, &is), follows(&is, &was)) {
        (_, true) => Off::NoMore,
        (true, _) if follows(&is, &without_floors(&was, &is)) => Off::NoMore,
        (true, _) => Off::More,
        _ => Off::Unknown,
    }
}

fn off_when((side, test): Here<'_>) -> Option<Formula> {
    let lookup = |name: &str| meaning(side, name, DEPTH);
    let all = test.conditions.iter().map(|skip| when(skip, &lookup));
    all.reduce(|one, other| Some(either(one?, other?))).flatten()
}

/// So often a name may stand for another one.
const DEPTH: usize = 2;

/// When one skip holds.
fn when(skip: &Skip, lookup: formula::Lookup<'_>) -> Option<Formula> {
    match asked(skip) {
        Some((condition, holds)) => formula::read(&condition, holds, lookup),
        None => Some(opaque(&format!("{} {}", skip.mark, skip.under.as_deref().unwrap_or_default()))),
    }
}

/// Calls that keep a test from running where what they are given holds, and where it does not.
const OFF: &[&str] = &["skipif", "skip_if", "assumefalse", "skip", "fixme", "fail", "xfail", "failif"];
const ON: &[&str] = &["runif", "skipunless", "skip_unless", "assumetrue"];

/// The condition of a skip, and whether the test is off where it holds.
fn asked(skip: &Skip) -> Option<(String, bool)> {
    let mark = skip.mark.as_str();
    if let Some(condition) = mark.strip_prefix("if ") {
        return skip.under.is_some().then(|| (condition.to_owned(), false));
    }
    if let Some(tags) = mark.strip_prefix("//go:build ") {
        return Some((tags.to_owned(), false));
    }
    if let Some(tags) = mark.strip_prefix("// +build ") {
        let choices: Vec<String> = tags.split_whitespace().map(|tags| tags.replace(',', " && ")).collect();
        return Some((choices.join(" || "), false));
    }
    if let Some(attribute) = mark.strip_prefix("#[").or_else(|| mark.strip_prefix("#![")) {
        return by_attribute(attribute.strip_suffix(']')?);
    }
    if let Some((name, given)) =
        mark.strip_prefix('@').and_then(call).filter(|(name, _)| name.contains("JreRange"))
    {
        return Some((range(given)?, name.starts_with("Disabled")));
    }
    let own = by_option(mark).or_else(|| by_call(mark));
    match &skip.under {
        Some(under) => own.is_none().then(|| (under.clone(), true)),
        None => own,
    }
}

/// `cfg(..)` and `cfg_attr(.., ignore)`.
fn by_attribute(attribute: &str) -> Option<(String, bool)> {
    let (name, given) = call(attribute)?;
    let parts = split(given);
    let spelled = |part: &str| part.replace(" = ", " == ");
    match (name, parts.as_slice()) {
        ("cfg", [one]) => Some((spelled(one), false)),
        ("cfg_attr", [one, what]) => Some((spelled(one), what.starts_with("ignore"))),
        _ => None,
    }
}

/// `min = JAVA_16, max = JAVA_17`
fn range(given: &str) -> Option<String> {
    let end = |part: &&str| {
        let (name, value) = part.split_once('=')?;
        let sign = match name.trim() {
            "min" => ">=",
            "max" => "<=",
            _ => return None,
        };
        Some(format!("jre {sign} {}", value.trim()))
    };
    let ends: Vec<String> = split(given).iter().filter_map(end).collect();
    (!ends.is_empty()).then(|| ends.join(" && "))
}

/// `skip: condition` among the options of a test.
fn by_option(mark: &str) -> Option<(String, bool)> {
    let (name, condition) = mark.split_once(':')?;
    (name.trim_matches(['"', '\'']) == "skip").then(|| (condition.trim().to_owned(), true))
}

/// `skipif(condition, reason="..")`, `assumeTrue("why", condition)`, `test.fixme(({ a }) => condition)`.
fn by_call(mark: &str) -> Option<(String, bool)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut opens = mark.match_indices('(').map(|(at, _)| at);
    opens.find_map(|open| {
        let start = mark[..open].trim_end_matches(is_part).len();
        let name = mark[start..open].to_lowercase();
        let is_off = OFF.contains(&name.as_str());
        if !is_off && !ON.contains(&name.as_str()) {
            return None;
        }
        let (inside, is_cut) = inside(&mark[open..]);
        let parts = split(inside);
        let whole = if is_cut { parts.len().saturating_sub(1) } else { parts.len() };
        let condition = parts[..whole].iter().find(|part| !is_string(part))?;
        let condition = condition.strip_prefix("condition=").unwrap_or(condition);
        let is_named = condition.starts_with("reason") || condition.starts_with("strict");
        (!is_named).then(|| Some((given_back(condition)?.to_owned(), is_off))).flatten()
    })
}

/// What a bracket holds, and whether its end is not there.
fn inside(text: &str) -> (&str, bool) {
    let (mut depth, mut quote) = (0_i32, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[1..at], false);
        }
    }
    (&text[1..], true)
}

/// What a function without a body of its own gives back; anything else is the condition itself.
fn given_back(condition: &str) -> Option<&str> {
    match condition.split_once("=>") {
        Some((_, body)) => Some(body.trim()).filter(|body| !body.starts_with('{')),
        None => Some(condition),
    }
}

fn call(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_at(text.find('(')?);
    Some((name, enclosed(rest)?))
}

/// What a name of the file stands for: a constant, or a function that decides.
fn meaning(side: &FileSide, name: &str, depth: usize) -> Option<Formula> {
    let depth = depth.checked_sub(1)?;
    let lookup = |name: &str| meaning(side, name, depth);
    if let Some(name) = name.strip_suffix("()") {
        let function = side.facts.functions.iter().find(|one| one.name == name)?;
        return decision(side, function, &lookup);
    }
    let is_meant = |one: &&Definition| one.kind == DefinitionKind::Constant && one.name == name;
    let value = side.facts.definitions.iter().find(is_meant)?.value.as_deref()?;
    formula::read(value, true, &lookup)
}

/// When a function gives back true, where it consists of conditions and returns alone.
fn decision(side: &FileSide, function: &Function, lookup: formula::Lookup<'_>) -> Option<Formula> {
    let (mut holds, mut before) = (Formula::new(), vec![Vec::new()]);
    let mut under: Option<String> = None;
    let span = function.span;
    let lines = side.code().iter().filter(|line| span.start < line.number && line.number <= span.end);
    for number in lines.filter(|line| !line.code.is_empty()).map(|line| line.number) {
        let written = side.lines(crate::facts::Span { start: number, end: number }).next()?;
        let line = written.split(" #").next().unwrap_or(&written).split(" //").next()?.trim();
        let line = line.trim_start_matches('}').trim_end_matches(['{', ';', ':']).trim();
        if matches!(line, "" | "else") {
            continue;
        }
        if let Some(value) = line.strip_prefix("return ") {
            let here = under.take().unwrap_or_else(|| "true".to_owned());
            let reached = both(&before, &formula::read(&here, true, lookup)?)?;
            holds = either(holds, both(&reached, &formula::read(value, true, lookup)?)?);
            // Where it said yes there is no need to say that it did not.
            if !value.eq_ignore_ascii_case("true") {
                before = both(&before, &formula::read(&here, false, lookup)?)?;
            }
            continue;
        }
        let head = ["if ", "elif ", "else if "].iter().find_map(|head| line.strip_prefix(head))?;
        under = Some(head.to_owned()).filter(|_| under.is_none());
        under.as_ref()?;
    }
    Some(holds)
}
