//! Tamper evidence: each attempt carries a digest over itself and over the digest of the attempt before.
//!
//! Analysis and fix are written after the run and stay outside. Someone with the same rights can forge a whole chain;
//! what this shows is a record that was edited afterwards.

use std::fmt;

use super::format::{Chain, Execution, Session};
use super::limits;
use crate::digest;

/// The first attempt of a session whose digest does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenChain {
    pub attempt: u32,
}

impl fmt::Display for BrokenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "attempt {} was changed after it was recorded, or one before it was taken out",
            self.attempt
        )
    }
}

impl std::error::Error for BrokenChain {}

/// Cuts an attempt to what a record keeps, and chains it to the attempt before. `previous` is that one's digest.
pub fn seal(execution: &mut Execution, previous: Option<&str>) {
    limits::cut_execution(execution);
    let Some(proof) = &mut execution.proof else { return };
    proof.chain = Chain { previous: previous.map(str::to_owned), digest: String::new() };
    let digest = digest_of(execution);
    if let Some(proof) = &mut execution.proof {
        proof.chain.digest = digest;
    }
}

/// The digest to chain the next attempt of a session to.
pub fn last_digest(session: &Session) -> Option<&str> {
    let proof = session.executions.iter().rev().find_map(|execution| execution.proof.as_ref())?;
    Some(&proof.chain.digest)
}

/// Attempts without a proof, as other tools write them, have no part in the chain.
pub fn verify_chain(session: &Session) -> Result<(), BrokenChain> {
    let mut previous: Option<&str> = None;
    for execution in &session.executions {
        let Some(proof) = &execution.proof else { continue };
        let chain = &proof.chain;
        if chain.previous.as_deref() != previous || chain.digest != digest_of(execution) {
            return Err(BrokenChain { attempt: execution.attempt });
        }
        previous = Some(&chain.digest);
    }
    Ok(())
}

fn digest_of(execution: &Execution) -> String {
    let mut bare = execution.clone();
    bare.analysis = None;
    bare.fix_applied = None;
    if let Some(proof) = &mut bare.proof {
        proof.chain.digest.clear();
    }
    // Fields are written in the order of the type, absent ones not at all: one record has one text.
    digest::named(serde_json::to_vec(&bare).unwrap_or_default())
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
