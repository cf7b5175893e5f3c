//! What assertions of Go claim, from their text.

mod checkers;
mod gomega;
mod predicates;
mod testify;
#[cfg(test)]
mod tests;

use super::super::expression::{Link, chain, tidy, without_comments};
use super::super::predicate::failure;
use super::names::FAILURES;
use crate::facts::{Claim, ClaimKind};

pub(super) use predicates::{failing, holding, of_diff};

pub fn claim(text: &str) -> Claim {
    let text = without_comments(text);
    let links = chain(&text);
    let known = gomega::claim(&links)
        .or_else(|| checkers::claim(&links))
        .or_else(|| testify::claim(&links))
        .or_else(|| failed(&links));
    known.unwrap_or_else(|| Claim::helper(tidy(&text)))
}

/// `t.Fatal(...)`: what leads to it is not in its text.
fn failed(links: &[Link<'_>]) -> Option<Claim> {
    let last = links.last()?;
    let fails = FAILURES.contains(&last.name) && last.arguments.is_some();
    fails.then(|| Claim { kind: ClaimKind::Failure, ..failure() })
}

/// Whether an argument stands for the running test: `t`, `s.T()`, `env.t`.
fn is_handle(text: &str) -> bool {
    const NAMES: &[&str] = &["t", "T", "tb", "TB", "tt", "b", "c", "ct", "collect", "r", "f", "mockT"];
    let last = text.rsplit('.').next().unwrap_or(text);
    NAMES.contains(&last) || matches!(last, "T()" | "GinkgoT()" | "TB()") || last.ends_with("Testing()")
}
