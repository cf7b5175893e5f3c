//! # code-commented-out (LP-005)
//!
//! Code that ran before the change now stands in a comment: a branch, a call, an argument, or part of an expression.
//!
//! Severity: high for more than ten lines, medium for fewer.
//!
//! In scripts, build files and whatever else a machine runs line by line the lines alone tell.
//!
//! ## Why it matters
//!
//! What the code did no longer happens. It looks like a pause, but nothing reminds anyone to end it: no test fails,
//! no report lists it.
//!
//! ## Example
//!
//! ```java
//! // before                                             // after
//! int threads = availableProcessors() / 2 + 1;          int threads = /* availableProcessors() / 2 + */ 1;
//! ```
//!
//! ## What is not reported
//!
//! - comments that were there before, documentation and examples in it, licence headers
//! - code that stands elsewhere in the file now, or beside which its new version stands
//! - imports and debug output
//! - files to play with: examples, playgrounds, benchmarks
//! - a check, of which the rule about guards tells, and an error that a handler threw, of which that about errors tells
//!
//! ## What to do
//!
//! Take the comment marks off and make the code work. If it is meant to go, delete it: the history keeps it.

pub mod plain_lines;

use std::collections::BTreeMap;

use super::code_lines::{TestCode, existing, function_at, is_rework, is_scratch};
use super::exits::lost;
use super::functions::changed;
use super::report::{Draft, excerpt};
use super::subject::names_of_any_length;
use super::table;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{CodeLine, Comparison, FileSide, vanished};
use crate::facts::{Remark, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::project::is_runner_settings;
use crate::similarity::Words;
use crate::text::plural;

pub const ID: RuleId = table::id("code-commented-out", "LP-005", FindingType::FeatureRemoval);

/// More lines than this are a feature, not a detail.
const MANY: usize = 10;

/// Shorter lines are brackets and keywords, which stand everywhere.
const MIN_CODE: usize = 6;

/// So many of its words a line shares with the one that replaces it.
const REPLACED: f64 = 0.5;

/// So many lines are enough to tell of.
const MAX_HITS: usize = 1000;

/// In so many lines a comment behind the code is compared with what is gone.
const MAX_GONE: usize = 2000;

/// So often it is compared in one file: each line may have a comment behind it.
const MAX_LOOKS: usize = 2_000_000;

/// A replacement stands so near.
const NEAR: u32 = 12;

/// What is lost where a comment holds nothing but a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loss {
    Check,
    /// What a handler threw.
    Error,
}

/// Lines are compared once for all: of a check that is nothing but commented out the rule about guards tells, of an error
/// that was handed on that about swallowed errors.
pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(existing);
    let worth = |(before, after): &(&FileSide, &FileSide)| {
        // What runners are told is for the rule about the gate.
        !is_scratch(&after.path) && !is_runner_settings(&after.path) && has_new_comment(before, after)
    };
    let mut found: Vec<Finding> =
        files.filter(worth).flat_map(|(before, after)| in_file(comparison, before, after)).collect();
    if is_rework(comparison) {
        for finding in found.iter_mut().filter(|finding| finding.severity == Severity::Medium) {
            finding.lower(Severity::Low, "it is a detail of a large rework");
        }
    }
    found.extend(plain_lines::detect(comparison));
    found
}

/// Whether the file has a comment that it had not before, other than documentation.
fn has_new_comment(before: &FileSide, after: &FileSide) -> bool {
    fn texts(side: &FileSide) -> impl Iterator<Item = &[u8]> {
        let text = |remark: &Remark| side.text.get(remark.start as usize..remark.end as usize);
        side.facts.signals.remarks.iter().filter(|remark| !remark.documents).filter_map(text)
    }
    let known: HashSet<&[u8]> = texts(before).collect();
    texts(after).any(|text| !known.contains(text))
}

/// A line of code that is a comment now.
struct Hit {
    line: u32,
    /// Part of a line: the rest of it still runs.
    beside: bool,
    weight: Weight,
}

/// What is lost by one line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Something no longer happens.
    Effect,
    /// Its new version stands near it.
    Replaced,
    /// An import, debug output, a bracket, a check that another rule tells of.
    Noise,
}

/// Lines of checks that functions of a file lost: another rule tells of those.
fn told_elsewhere<'c>(comparison: &'c Comparison, before: &'c FileSide) -> HashSet<&'c str> {
    let here = changed(comparison).filter(|change| change.old_side.path == before.path);
    let spans: Vec<Span> = here.flat_map(|change| lost(&change)).map(|lost| lost.exit.span).collect();
    let is_told =
        |line: &&CodeLine| spans.iter().any(|span| span.start <= line.number && line.number <= span.end);
    if spans.is_empty() {
        return HashSet::new();
    }
    before.code().iter().filter(is_told).map(|line| line.code.as_str()).collect()
}

fn in_file(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let new = after.code();
    let tests = TestCode::of(before);
    let old: Vec<&CodeLine> = before.code().iter().filter(|line| !tests.contains(line.number)).collect();
    let mut gone = vanished(old.iter().copied(), new);
    if gone.is_empty() {
        return Vec::new();
    }
    let was_comment: HashSet<&str> = old.iter().map(|line| line.bared.as_str()).collect();
    let added = added_lines(&old, new);
    let mut groups: BTreeMap<String, Vec<Hit>> = BTreeMap::new();
    let told = told_elsewhere(comparison, before);
    let (mut hits, mut looks) = (0, MAX_LOOKS);
    for line in new.iter().filter(|line| !line.documents && line.bared != line.code) {
        let is_old = was_comment.contains(line.bared.as_str());
        let was_code = take(&mut gone, &line.bared)
            || keeps_old_value(&gone, line, &mut looks)
            || take_alike(&mut gone, after, line, &mut looks);
        if is_old || !was_code {
            continue;
        }
        hits += 1;
        if hits > MAX_HITS {
            break;
        }
        let is_told = told.contains(line.bared.as_str());
        let weight = if is_told { Weight::Noise } else { weight(after, line, &added) };
        let hit = Hit { line: line.number, beside: line.beside, weight };
        groups.entry(function_at(after, line.number)).or_default().push(hit);
    }
    let told = |(function, hits): (String, Vec<Hit>)| {
        finding(before, after, &function, &hits).map(|finding| as_loss(finding, loss(after, &hits)))
    };
    groups.into_iter().filter_map(told).collect()
}

/// Whether all that some lines did was to check one thing, or to hand an error on.
fn loss(after: &FileSide, hits: &[Hit]) -> Option<Loss> {
    let effects: Vec<&Hit> = hits.iter().filter(|hit| hit.weight == Weight::Effect).collect();
    let (first, rest) = effects.split_first()?;
    let text = |hit: &Hit| uncommented(&text_of(after, hit.line)).to_owned();
    let ends = |hit: &Hit| text(hit).ends_with([';', ')']);
    // The lines of one statement.
    let mut last = first;
    for hit in rest {
        if hit.line != last.line + 1 || text(last).ends_with(';') || !ends(rest[rest.len() - 1]) {
            return None;
        }
        last = hit;
    }
    let said = text(first);
    let throws = said.starts_with("throw ") || said.starts_with("raise ");
    if first.beside || effects.len() > STATEMENT || !(throws || calls_check(&said)) {
        return None;
    }
    let line = Span { start: first.line, end: first.line };
    let handlers = || after.facts.functions.iter().flat_map(|function| &function.handlers);
    let handled = throws && handlers().any(|handler| handler.span.contains(line));
    Some(if handled { Loss::Error } else { Loss::Check })
}

/// Statements of more lines do more than to check.
const STATEMENT: usize = 5;

/// How names begin of functions that fail if what they are given is not as it should be.
const CHECKS: &[&str] = &[
    "check",
    "verify",
    "validate",
    "assert",
    "require",
    "can",
    "authorize",
    "authenticate",
    "enforce",
    "invariant",
];

/// Whether a line is nothing but a call of something that checks, by its name: `rules.checkOwner(order);`.
fn calls_check(line: &str) -> bool {
    let Some((path, rest)) = line.split_once('(') else { return false };
    let is_path = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$'));
    let name = path.rsplit(['.', ':']).next().unwrap_or(path);
    let first = super::switch_names::words(name).into_iter().next().unwrap_or_default();
    let whole = rest.ends_with(')') || rest.ends_with(");") || rest.ends_with(")?;") || rest.ends_with(',');
    is_path && (whole || rest.is_empty()) && CHECKS.contains(&first.as_str()) && name != "require"
}

/// A finding as that rule tells it which is about what is lost.
fn as_loss(mut finding: Finding, loss: Option<Loss>) -> Finding {
    let (rule, told) = match loss {
        Some(Loss::Check) => (super::guard_removed::ID, "a check is"),
        Some(Loss::Error) => (super::error_swallowed::ID, "an error that was handed on is"),
        None => return finding,
    };
    finding.rule = rule;
    finding.message = finding.message.replace("commented out", &format!("commented out: {told} lost"));
    finding
}

/// A line without the marks that make it a comment.
fn uncommented(line: &str) -> &str {
    line.trim().trim_start_matches(['/', '#', '*', ' ', '\t', '{']).trim_end_matches(['*', '/', ' ', '}'])
}

/// Takes one line out of those that are gone, brackets of a template around a comment and a remark behind it aside.
fn take(gone: &mut HashMap<&str, usize>, bared: &str) -> bool {
    let inner = bared.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(bared);
    for text in [bared, inner, before_remark(bared)] {
        if let Some(count) = gone.get_mut(text).filter(|count| **count > 0) {
            *count -= 1;
            return true;
        }
    }
    false
}

/// What stands before a remark: `"export",` of `"export",  # broken`.
fn before_remark(line: &str) -> &str {
    let end = ["//", "#"].iter().filter_map(|mark| line.rfind(mark)).max();
    end.map_or(line, |end| line[..end].trim_end())
}

/// Takes a statement that was reworded a little on its way into the comment.
fn take_alike(gone: &mut HashMap<&str, usize>, after: &FileSide, line: &CodeLine, looks: &mut usize) -> bool {
    let text = text_of(after, line.number);
    let text = uncommented(&text);
    let is_statement = text.ends_with(");") && !line.beside && text.contains('(');
    if !is_statement || gone.len() > MAX_GONE || !spend(looks, gone.len()) {
        return false;
    }
    let own: HashSet<&str> = names_of_any_length(text).collect();
    let alike = |(old, count): &(&&str, &usize)| {
        let other: HashSet<&str> = names_of_any_length(old).collect();
        let common = own.intersection(&other).count();
        let most = own.len().max(other.len());
        **count > 0 && old.ends_with(");") && most >= ALIKE && common + 1 >= most
    };
    let found = gone.iter().find(alike).map(|(old, _)| *old);
    if let Some(count) = found.and_then(|old| gone.get_mut(old)) {
        *count -= 1;
    }
    found.is_some()
}

/// So many names a statement must have to be known by all but one of them.
const ALIKE: usize = 5;

/// Whether a line has another value now, and the old one stands in a comment behind it.
fn keeps_old_value(gone: &HashMap<&str, usize>, line: &CodeLine, looks: &mut usize) -> bool {
    let Some(comment) = line.bared.strip_prefix(line.code.as_str()).filter(|_| line.beside) else {
        return false;
    };
    let comment = comment.trim_end_matches([';', ',']);
    let is_code = comment.len() >= MIN_CODE && comment.ends_with(')') && comment.contains('(');
    let had = |old: &&str| {
        let start = old.find(comment).map(|at| &old[..at]);
        start.is_some_and(|start| start.len() >= 3 && line.code.starts_with(start))
    };
    is_code && gone.len() <= MAX_GONE && spend(looks, gone.len()) && gone.keys().any(had)
}

/// Takes from what may be looked at, as long as there is some.
fn spend(looks: &mut usize, needed: usize) -> bool {
    let left = looks.checked_sub(needed);
    *looks = left.unwrap_or(0);
    left.is_some()
}

/// The numbers of the lines whose code is new.
fn added_lines(old: &[&CodeLine], new: &[CodeLine]) -> Vec<u32> {
    let fresh = vanished(new, old.iter().copied());
    let is_fresh = |line: &&CodeLine| !line.code.is_empty() && fresh.contains_key(line.code.as_str());
    new.iter().filter(is_fresh).map(|line| line.number).collect()
}

fn weight(after: &FileSide, line: &CodeLine, added: &[u32]) -> Weight {
    let letters = line.bared.bytes().filter(u8::is_ascii_alphanumeric).count();
    let text = text_of(after, line.number);
    if line.bared.len() < MIN_CODE || letters < 4 || is_noise(&text) {
        return Weight::Noise;
    }
    if line.beside {
        return Weight::Effect;
    }
    let from = added.partition_point(|number| number + NEAR < line.number);
    let near = added[from..].iter().take_while(|number| **number <= line.number + NEAR);
    let mut alike = near.filter(|number| is_new_version(&text, &text_of(after, **number)));
    if alike.next().is_some() { Weight::Replaced } else { Weight::Effect }
}

/// Whether a new line says what the commented one said, in other words: it gives the same name another value, or has
/// most of its words. A name that now gets a literal is computed no more.
fn is_new_version(old: &str, new: &str) -> bool {
    let (old, new) = (old.trim_start_matches(['/', '#', '*', ' ', '\t']), new.trim());
    if let (Some((name, _)), Some((other, value))) = (given(old), given(new))
        && name == other
    {
        return !is_literal(value);
    }
    let (own, other) = (words(old), words(new));
    let common = own.iter().filter(|word| other.has_hash(*word)).count();
    let most = own.len().max(other.len()).max(1);
    common as f64 / most as f64 >= REPLACED
}

/// What a line gives a value to, and the value.
fn given(line: &str) -> Option<(&str, &str)> {
    if let Some(value) = line.strip_prefix("return ") {
        return Some(("return", value));
    }
    let (name, value) = line.split_once('=')?;
    let is_plain = !value.starts_with(['=', '>']) && !name.ends_with(['!', '<', '>', '=']);
    is_plain.then_some((name.trim_end_matches([':', ' ']), value))
}

fn is_literal(value: &str) -> bool {
    let value = value.trim().trim_end_matches([';', ',']);
    let word = matches!(
        value,
        "true" | "false" | "True" | "False" | "null" | "nil" | "None" | "undefined" | "[]" | "{}"
    );
    let text = value.len() >= 2 && value.starts_with(['"', '\'', '`']) && value.ends_with(['"', '\'', '`']);
    word || text || value.parse::<f64>().is_ok()
}

fn words(text: &str) -> Words {
    Words::of(text.as_bytes(), 0..text.len(), &[])
}

fn text_of(side: &FileSide, line: u32) -> String {
    side.lines(Span { start: line, end: line }).collect()
}

/// First words of lines whose loss changes nothing that a user sees.
const NOISE: &[&str] = &[
    "import",
    "from",
    "use",
    "package",
    "console",
    "print",
    "println",
    "eprintln",
    "printf",
    "log",
    "logger",
    "logging",
    "LOG",
    "LOGGER",
    "slog",
    "tracing",
    "trace",
    "debug",
    "debugger",
    "dbg",
    "pp",
    "assert",
    "pass",
    "type",
    "interface",
    "else",
];

/// Calls of modules that only print.
const OUTPUT: &[&str] = &["fmt.Print", "System.out", "System.err", "= require(", "sys.stdout", "sys.stderr"];

fn is_noise(line: &str) -> bool {
    let line = line.trim_start_matches(['/', '#', '*', ' ', '\t', '{']);
    let first = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    NOISE.contains(&first) || OUTPUT.iter().any(|call| line.contains(call))
}

fn finding(before: &FileSide, after: &FileSide, function: &str, hits: &[Hit]) -> Option<Finding> {
    let effects: Vec<&Hit> = hits.iter().filter(|hit| hit.weight == Weight::Effect).collect();
    let replaced = hits.iter().any(|hit| hit.weight == Weight::Replaced);
    let first = effects.first().copied().or_else(|| hits.first().filter(|_| replaced))?;
    let many = hits.len() > MANY && effects.len() * 2 > hits.len();
    let what = if function.is_empty() { after.path.clone() } else { format!("`{function}`") };
    let (part, count) = if first.beside && hits.len() == 1 {
        ("part of a line".to_owned(), 1)
    } else {
        (plural(hits.len(), "line of code").replace("codes", "code"), hits.len())
    };
    let part = if count > 1 { part.replace("line of code", "lines of code") } else { part };
    let draft = Draft {
        rule: ID,
        severity: if many { Severity::High } else { Severity::Medium },
        confidence: if many { 0.85 } else { 0.75 },
        message: format!("{part} in {what} commented out"),
        help: "take the comment marks off, or delete the code if it is meant to go".to_owned(),
    };
    let symbol = if function.is_empty() { after.path.clone() } else { format!("{}::{function}", after.path) };
    let mut finding = draft.on(Side::After, after, first.line, symbol);
    let last = hits.iter().map(|hit| hit.line).max().unwrap_or(first.line);
    finding.after = excerpt(after, Span { start: first.line, end: last }, first.line, "this ran before");
    finding.evidence.push(format!("the same lines were code in {} before", before.path));
    if effects.is_empty() {
        finding.lower(Severity::Low, "a new version of the same lines stands beside them");
    }
    Some(finding)
}
