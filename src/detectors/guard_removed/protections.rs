//! What stands before a function and decides who may call it, or with what: annotations, and steps of a route.
//!
//! Part of the rule about guards. What a name means is told by its words; that another name of the kind is there after
//! the change, on the function, around it or anywhere in new code, is taken for a move.

use std::collections::VecDeque;
use std::ops::Range;

use crate::collections::{HashMap, HashSet};
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::code_lines::is_scratch;
use crate::detectors::functions::{Changed, changed};
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::facts::{Route, Span};
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;

/// What a protection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// Who may come in.
    Access,
    /// What may come in.
    Validity,
}

const ACCESS: &str = "\
    auth authenticated authenticate authentication authorize authorized authorization preauthorize postauthorize \
    login logged permission permissions roles role secured csrf guards guard protect protected jwt acl rbac superuser \
    staff";

const VALIDITY: &str = "valid validate validated validates validator validators validation sanitize";

/// Words that take a protection away where they stand in a name.
const EXEMPTING: &str = "exempt permit anonymous public skip optional disable disabled no none without";

/// Names that mean something only where a library of validators defines them.
const OF_LIBRARY: &[&str] = &["NotNull", "NotBlank", "NotEmpty"];

/// More functions than this lose a protection at once where it moves to a place in front of all.
const AT_ONCE: usize = 3;

/// A function of which less is left was written anew.
const REWRITTEN: f64 = 0.5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut lost: Vec<(String, Aim, Finding)> = Vec::new();
    for change in changed(comparison) {
        if change.new.name.is_empty() || change.similarity() < REWRITTEN {
            continue;
        }
        lost.extend(of_annotations(comparison, &change));
    }
    for file in &comparison.files {
        lost.extend(of_routes(comparison, file));
    }
    if lost.is_empty() {
        return Vec::new();
    }
    let named = Named::of(comparison);
    let mut times: HashMap<String, usize> = HashMap::new();
    for (name, _, _) in &lost {
        *times.entry(name.clone()).or_default() += 1;
    }
    let weighed = lost.into_iter().map(|(name, aim, mut finding)| {
        if let Some(reason) = named.moved(&name) {
            finding.lower(Severity::Low, reason);
        } else if comparison.production.removed_definitions.contains(&name) {
            finding.lower(Severity::Medium, format!("`{name}` itself is removed in the same change"));
        } else if times.get(&name).is_some_and(|&count| count > AT_ONCE) {
            finding.lower(Severity::Medium, "many lose it at once: it may stand in front of all of them now");
        } else if aim == Aim::Validity {
            finding.lower(Severity::Medium, "that it checks is known from its name alone");
        }
        finding
    });
    weighed.collect()
}

fn of_annotations(comparison: &Comparison, change: &Changed<'_>) -> Vec<(String, Aim, Finding)> {
    let old = protections(change.old_side, &change.old.annotations);
    if old.is_empty() {
        return Vec::new();
    }
    let new = protections(change.side, &change.new.annotations);
    let around = protections(change.side, &change.new.inherited);
    let around_before = protections(change.old_side, &change.old.inherited);
    let is_in = |list: &[Protection], name: &str| list.iter().any(|other| other.name == name);
    let is_fresh = new.iter().any(|gained| !is_in(&old, &gained.name))
        || around.iter().any(|gained| !is_in(&around_before, &gained.name));
    if is_fresh || asks_inside(change) {
        return Vec::new();
    }
    let gone = old.into_iter().filter(|protection| !is_in(&new, &protection.name));
    gone.map(|protection| {
        let line = change.old_side.line_at(protection.at);
        let span = Span { start: line, end: line };
        let mut finding = change.finding(
            draft(comparison, change.old_side, &change.title(), &protection.name, line),
            Side::Before,
            line,
        );
        finding.before = excerpt(change.old_side, span, line, "this stood before it");
        finding.after = change.head_after("now nothing does");
        finding.detail.clone_from(&protection.name);
        (protection.name, protection.aim, finding)
    })
    .collect()
}

/// Whether the function itself now names something that protects.
fn asks_inside(change: &Changed<'_>) -> bool {
    let (before, after) = (change.old_text(), change.new_text());
    let old: HashSet<&str> = names_of_any_length(&before).collect();
    names_of_any_length(&after).any(|name| !old.contains(name) && aim_of(name).is_some())
}

/// A name on a function that protects it.
struct Protection {
    name: String,
    aim: Aim,
    at: usize,
}

/// The names in some annotations that protect, their arguments included, strings left out.
fn protections(side: &FileSide, annotations: &[Range<usize>]) -> Vec<Protection> {
    let mut found = Vec::new();
    for range in annotations {
        let text = String::from_utf8_lossy(side.text.get(range.clone()).unwrap_or_default());
        let outside = text.split(['"', '\'', '`']).step_by(2);
        for name in outside.flat_map(last_names) {
            let known = !OF_LIBRARY.contains(&name) || is_imported(side);
            if let Some(aim) = aim_of(name).filter(|_| known) {
                found.push(Protection { name: name.to_owned(), aim, at: range.start });
            }
        }
    }
    found
}

/// The names of some code that no other name follows by a dot: `login_required` of `auth.login_required(x)`.
fn last_names(code: &str) -> impl Iterator<Item = &str> {
    names_of_any_length(code).filter(|name| {
        let end = name.as_ptr() as usize - code.as_ptr() as usize + name.len();
        !code[end..].starts_with(['.', ':', '='])
    })
}

/// Whether the file takes names from a library of validators.
fn is_imported(side: &FileSide) -> bool {
    side.facts.signals.imports.iter().any(|import| import.module.contains("validation"))
}

/// Whether a name is one of something that protects, as far as its words tell.
pub fn protects(name: &str) -> bool {
    aim_of(name).is_some()
        || words(name).iter().any(|word| matches!(word.as_str(), "helmet" | "security" | "sanitizer"))
}

fn aim_of(name: &str) -> Option<Aim> {
    let words = words(name);
    let has = |list: &str| words.iter().any(|word| list.split_whitespace().any(|known| known == word));
    if has(EXEMPTING) && !OF_LIBRARY.contains(&name) {
        None
    } else if has(ACCESS) || asks_for_someone(&words) {
        Some(Aim::Access)
    } else if has(VALIDITY) || OF_LIBRARY.contains(&name) {
        Some(Aim::Validity)
    } else {
        None
    }
}

/// `requireAdmin`, `ensure_owner`.
fn asks_for_someone(words: &[String]) -> bool {
    let is = |word: &String, list: &str| list.split_whitespace().any(|known| known == word);
    let first =
        words.first().is_some_and(|word| is(word, "require requires ensure only must restrict enforce"));
    first
        && words.iter().skip(1).any(|word| is(word, "admin owner user session token scope member signature"))
}

/// What the production code of the change names on both sides, each name with how often.
struct Named {
    before: HashMap<String, usize>,
    after: HashMap<String, usize>,
    /// What newly runs for whole groups of paths.
    in_front: HashSet<String>,
    /// A protection that only the after side names.
    newly_named: Option<String>,
}

impl Named {
    fn of(comparison: &Comparison) -> Self {
        let files = || comparison.files.iter().filter(|file| file.class == PathClass::Production);
        let (before, after) =
            (|| files().filter_map(|f| f.before.as_ref()), || files().filter_map(|f| f.after.as_ref()));
        // Where a route stands says nothing about what it runs.
        let old: HashSet<(&str, &[String])> = before().flat_map(routes).map(what_it_runs).collect();
        let gained = after()
            .flat_map(routes)
            .filter(|route| is_in_front(route) && !old.contains(&what_it_runs(route)));
        let in_front = gained.flat_map(|route| route.steps.iter().cloned()).collect();
        let (before, after) = (counts(before()), counts(after()));
        let new = after.keys().filter(|name| !before.contains_key(*name) && aim_of(name).is_some());
        let newly_named = new.min().cloned();
        Self { before, after, in_front, newly_named }
    }

    /// Where a protection went, in words.
    fn moved(&self, name: &str) -> Option<String> {
        let count = |side: &HashMap<String, usize>| side.get(name).copied().unwrap_or_default();
        if self.in_front.contains(name) || count(&self.after) >= count(&self.before) {
            return Some(format!("`{name}` stands at another place now"));
        }
        let other = self.newly_named.as_ref()?;
        Some(format!("`{other}`, which protects by its name, is new in the code"))
    }
}

fn what_it_runs(route: &Route) -> (&str, &[String]) {
    (&route.target, &route.steps)
}

/// Whether a route puts its steps in front of others.
fn is_in_front(route: &Route) -> bool {
    let verb = route.target.split(' ').next().and_then(|path| path.rsplit('.').next());
    verb.is_some_and(|verb| ["use", "Use", "Group", "group"].contains(&verb))
}

fn counts<'c>(sides: impl Iterator<Item = &'c FileSide>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for side in sides {
        for name in names_of_any_length(&without_remarks(side)) {
            match counts.get_mut(name) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(name.to_owned(), 1);
                }
            }
        }
    }
    counts
}

/// The text of a file without its comments: what is commented out protects nothing.
pub fn without_remarks(side: &FileSide) -> String {
    let mut text = side.text.to_vec();
    for remark in &side.facts.signals.remarks {
        if let Some(bytes) = text.get_mut(remark.start as usize..remark.end as usize) {
            bytes.fill(b' ');
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Steps that a route has lost while it still runs what it ran.
fn of_routes(comparison: &Comparison, file: &FileComparison) -> Vec<(String, Aim, Finding)> {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return Vec::new() };
    if file.class != PathClass::Production || is_scratch(&after.path) {
        return Vec::new();
    }
    let mut new: HashMap<&str, VecDeque<&Route>> = HashMap::new();
    for route in routes(after) {
        new.entry(&route.target).or_default().push_back(route);
    }
    let mut found = Vec::new();
    for old in routes(before) {
        let Some(route) = new.get_mut(old.target.as_str()).and_then(VecDeque::pop_front) else { continue };
        let protects = |step: &&String| aim_of(step).is_some();
        let gained = route.steps.iter().filter(protects).any(|step| !old.steps.contains(step));
        let runs = old.steps.last() == route.steps.last();
        for step in old.steps.iter().filter(|step| !route.steps.contains(step)) {
            let Some(aim) = aim_of(step).filter(|_| !gained && runs) else { continue };
            let draft = draft(comparison, before, &old.target, step, old.line);
            let mut finding =
                draft.on(Side::Before, before, old.line, format!("{}::{}", before.path, old.target));
            let line = |line: u32| Span { start: line, end: line };
            finding.before = excerpt(before, line(old.line), old.line, "this stood before it");
            finding.after = excerpt(after, line(route.line), route.line, "now nothing does");
            finding.detail.clone_from(step);
            found.push((step.clone(), aim, finding));
        }
    }
    found
}

fn routes(side: &FileSide) -> impl Iterator<Item = &Route> {
    side.facts.functions.iter().flat_map(|function| &function.routes)
}

fn draft(comparison: &Comparison, side: &FileSide, title: &str, name: &str, line: u32) -> Draft {
    let shown = show_before(comparison, side, Span { start: line, end: line });
    Draft {
        rule: super::ID,
        severity: Severity::Critical,
        confidence: 0.85,
        message: format!("{title} is no longer protected by `{name}`"),
        help: format!("put it back; this prints it: {shown}"),
    }
}
