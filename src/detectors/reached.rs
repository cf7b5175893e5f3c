//! Refusals that stay and are reached in fewer cases: all that stands around them is compared, not only the nearest
//! condition.
//!
//! Part of the rules about guards and about swallowed errors.

use super::conditions::{bare, conjuncts};
use super::error_kinds::names_error;
use super::exits::{is_alive, take_equal};
use super::functions::{Changed, plain};
use super::subject::names_of_any_length;
use super::tolerated::hands_on;
use crate::collections::HashSet;
use crate::comparison::FileSide;
use crate::facts::{Context, Decider, Exit, Function, Span};

/// A refusal that more has to hold for.
pub struct Narrowed<'c> {
    pub old: &'c Exit,
    pub new: &'c Exit,
    /// What has to hold as well, as written.
    pub added: Vec<String>,
}

impl Narrowed<'_> {
    /// Whether what is refused is an error that another call gave.
    pub fn is_error(&self) -> bool {
        self.old.context == Context::Handler || hands_on(self.old)
    }
}

/// So many lines beside the refusal may stand in a branch that was put around it.
const BESIDE: usize = 1;

/// Nobody refuses more often in one function by hand.
const COMPARED: usize = 10_000;

/// A refusal with all that is compared of it.
struct Placed<'c> {
    exit: &'c Exit,
    text: String,
    around: Vec<String>,
}

/// The refusals of a function that are reached in fewer cases.
pub fn narrowed<'c>(change: &Changed<'c>) -> Vec<Narrowed<'c>> {
    let refuses = |exit: &&Exit| exit.kind.refuses() && exit.context != Context::Check;
    let placed = |side: &FileSide, exits: &'c [Exit]| -> Vec<Placed<'c>> {
        let exits = exits.iter().filter(refuses).filter(is_alive);
        exits.map(|exit| Placed { exit, text: plain(&exit.text), around: around(side, exit) }).collect()
    };
    let (before, after) = (&change.old.exits, &change.new.exits);
    if before.len().saturating_mul(after.len()) > COMPARED || !before.iter().any(|exit| refuses(&exit)) {
        return Vec::new();
    }
    let (before, after) = (placed(change.old_side, before), placed(change.side, after));
    let (mut old, mut new): (Vec<&Placed<'_>>, Vec<&Placed<'_>>) =
        (before.iter().collect(), after.iter().collect());
    take_equal(&mut old, &mut new, |a, b| a.text == b.text && a.around == b.around);
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let before = plain(&change.old_text());
    let mut found = Vec::new();
    for old in old {
        let mut same = new.iter().filter(|new| new.text == old.text);
        let (Some(new), None) = (same.next(), same.next()) else { continue };
        let (was, is) = (&old.around, &new.around);
        let added: Vec<&String> = is.iter().filter(|part| !was.contains(part)).collect();
        let keeps = was.iter().all(|part| is.contains(part));
        if !keeps || added.is_empty() || !added.iter().all(|part| is_new(&before, part)) {
            continue;
        }
        let (old, new) = (old.exit, new.exit);
        if added.iter().all(|part| is_presence(part, was, &old.text))
            || !stands_alone(change, new, &before)
            || (was.is_empty() && !is_switch(change, &added))
            // To tell kinds of errors apart is what good handlers do.
            || (old.context == Context::Handler && added.iter().any(|part| names_error(part)))
        {
            continue;
        }
        found.push(Narrowed { old, new, added: added.into_iter().cloned().collect() });
    }
    found.dedup_by_key(|narrowed| narrowed.new.line);
    found
}

/// Whether all that has to hold for an exit now had to hold for another before, however it was put together.
pub fn asks_no_more(change: &Changed<'_>, old: &Exit, new: &Exit) -> bool {
    let was = around(change.old_side, old);
    !was.is_empty() && around(change.side, new).iter().all(|part| was.contains(part))
}

/// All that has to hold for an exit to be reached, one by one, as compared.
fn around(side: &FileSide, exit: &Exit) -> Vec<String> {
    exit.deciders.iter().flat_map(|decider| parts(side, decider)).collect()
}

fn parts(side: &FileSide, decider: &Decider) -> Vec<String> {
    let bytes = side.text.get(decider.condition.clone()).unwrap_or_default();
    let text = String::from_utf8_lossy(bytes);
    match decider.holds {
        true => conjuncts(&text),
        false => vec![format!("!({})", plain(bare(&text)))],
    }
}

/// Whether a function did not ask for this before, in whichever way round.
fn is_new(before: &str, part: &str) -> bool {
    let bare = part.trim_start_matches('!').trim_start_matches("not");
    let bare = if part.starts_with("!(") { bare.trim_start_matches('(').trim_end_matches(')') } else { bare };
    !bare.is_empty() && !before.contains(bare)
}

/// Whether a part only says that something is there which another part, or the refusal itself, looks into.
fn is_presence(part: &str, others: &[String], refusal: &str) -> bool {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '?');
    let name: String = part.trim_start_matches("letSome(").chars().take_while(|c| is_path(*c)).collect();
    let rest = &part[part.find(&name).unwrap_or(0) + name.len()..];
    let nothing = ["null", "None", "nil", "undefined"].iter().any(|word| rest.ends_with(word));
    let name = name.trim_end_matches("isnotNone");
    let asks_for_type =
        ["isinstance(", "hasattr(", "typeof", "instanceof"].iter().any(|word| part.contains(word));
    let there = rest.is_empty() || nothing || rest.starts_with(".is_some()") || asks_for_type;
    let root = names_of_any_length(name).next().unwrap_or_default().to_owned();
    let speaks = |text: &str| names_of_any_length(text).any(|word| word == root);
    there
        && !root.is_empty()
        && (others.iter().any(|other| speaks(other)) || (asks_for_type && speaks(refusal)))
}

/// Whether the branches that were put around a refusal hold little else: otherwise what is done there comes under the
/// condition, and the refusal only goes with it.
fn stands_alone(change: &Changed<'_>, new: &Exit, before: &str) -> bool {
    let fresh = new
        .deciders
        .iter()
        .filter(|decider| parts(change.side, decider).iter().any(|part| is_new(before, part)));
    fresh.into_iter().all(|decider| others_in(change.side, change.new, decider.branch.clone(), new) <= BESIDE)
}

/// How many lines of a branch belong to no refusal.
fn others_in(side: &FileSide, function: &Function, branch: std::ops::Range<usize>, exit: &Exit) -> usize {
    let lines = Span { start: side.line_at(branch.start), end: side.line_at(branch.end) };
    let refuses = |number: u32| {
        let line = Span { start: number, end: number };
        let told = function.logs.iter().any(|log| log.contains(line));
        told || exit.span.contains(line)
            || function.exits.iter().any(|other| other.kind.refuses() && other.span.contains(line))
    };
    let says = |line: &str| {
        let line = line.trim();
        line.contains(char::is_alphanumeric)
            && !line.starts_with(['#', '/', '*'])
            && !line.starts_with("} else")
    };
    let mut declares = false;
    let inside = (lines.start..).zip(side.lines(lines)).skip(1);
    let counts = inside.filter(|(number, line)| {
        // What is only given a name is there for the condition, over however many lines.
        let begins = ["let ", "const ", "var ", "final "].iter().any(|word| line.trim().starts_with(word));
        let is_declared = declares || begins;
        declares = is_declared && !line.trim_end().ends_with(';');
        !is_declared && says(line) && !refuses(*number)
    });
    counts.count()
}

/// Whether what has to hold as well is up to whoever calls or sets up the code: a parameter that is new, an option.
fn is_switch(change: &Changed<'_>, added: &[&String]) -> bool {
    let were: HashSet<&str> = names_of_any_length(&change.old.parameters).collect();
    let are: HashSet<&str> = names_of_any_length(&change.new.parameters).collect();
    added.iter().any(|part| {
        let root = names_of_any_length(part).find(|name| !matches!(*name, "self" | "this" | "not"));
        root.is_some_and(|root| are.contains(root) && !were.contains(root))
    })
}
