//! What became of each test: kept, moved, renamed, merged, split, hidden or gone; and of each function.
//!
//! Looks at the whole change at once, since a test that leaves one file often enters another. Pure.

mod candidates;
mod fate;
mod functions;
mod matcher;
mod traces;

pub use candidates::Candidates;
pub use fate::{Fate, How, Pairing};
pub use functions::{FunctionPair, FunctionPairing, Place, pair_functions, touched_names};
pub use matcher::pair;
