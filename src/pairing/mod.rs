//! What became of each test: kept, moved, renamed, merged, split, hidden or gone.
//!
//! Looks at the whole change at once, since a test that leaves one file often enters another. Pure.

mod candidates;
mod fate;
mod matcher;
mod traces;

pub use candidates::Candidates;
pub use fate::{Fate, How, Pairing};
pub use matcher::pair;
