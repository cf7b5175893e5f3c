//! Ways out that were put in front of checks, so that what they ask for skips them all.
//!
//! Part of the rule about guards. Leaving early is what much good code does; it counts where the function is there to
//! check, or where the condition itself speaks of skipping.

use super::functions::{Changed, plain};
use super::subject::names_of_any_length;
use super::switch_names::words;
use crate::facts::{Context, Exit, ExitKind};

/// A new way out, and the first check that it stands before.
pub struct Bypassed<'c> {
    pub exit: &'c Exit,
    pub check: &'c Exit,
}

pub fn bypassed<'c>(change: &Changed<'c>) -> Option<Bypassed<'c>> {
    let known = |exit: &Exit| {
        change.old.exits.iter().any(|old| {
            plain(&old.condition) == plain(&exit.condition) && plain(&old.text) == plain(&exit.text)
        })
    };
    let refuses = |exit: &&Exit| exit.kind.refuses() && exit.context != Context::Handler;
    let check = change.new.exits.iter().filter(refuses).find(|exit| known(exit))?;
    let leaves = |exit: &&Exit| {
        matches!(exit.kind, ExitKind::Default)
            && exit.context == Context::Branch
            && exit.text.starts_with("return")
    };
    let fresh = change
        .new
        .exits
        .iter()
        .filter(leaves)
        .filter(|exit| exit.span.end < check.span.start && !known(exit));
    let exit = fresh.into_iter().find(|exit| is_switch(&exit.condition))?;
    Some(Bypassed { exit, check })
}

/// Words of names that let things pass.
const PASSES: &[&str] =
    &["skip", "bypass", "force", "unsafe", "insecure", "trusted", "disable", "disabled", "noverify"];

/// Whether a condition is a switch that lets things pass: `skip_checks`, `options.force`.
fn is_switch(condition: &str) -> bool {
    let speaks = |name: &str| words(name).iter().any(|word| PASSES.contains(&word.as_str()));
    !condition.contains('(') && names_of_any_length(condition).any(speaks)
}
