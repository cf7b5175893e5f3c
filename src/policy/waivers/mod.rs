//! Findings that a person decided to accept: the tracked file of waivers, and where each of them stands.
//!
//! Owns the text of `aiwg-gate.waivers.yaml`. Whether a waiver in the change itself counts is decided by whoever
//! knows the decisions on record; see [`super::DecisionLog`].

mod accept;
mod append;
mod file;
mod standing;

pub use accept::AcceptWaivers;
pub use append::append;
pub use file::{FILE_NAME, MAX_BYTES, NEW_FILE, REASON_LIMIT, Waiver, WaiversError, parse, parse_bytes};
pub use standing::{Listed, Place, Standing, State, Waivers};
