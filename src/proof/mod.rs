//! Execution proof: has anyone run exactly this content?
//!
//! A record of a run says what was tested: a base tree and the delta to it. A commit says what is wanted in the same
//! words, so that the two are compared without reading the files. Owns the rules by which a recorded run counts, and
//! the words that explain why one does not. Runs nothing and writes nothing.

mod content;
mod explain;
mod hash;
mod masked;
mod search;
mod standing;
mod status;

pub use content::{Comparer, Content, Delta, Difference, delta_from_lines, delta_to_lines};
pub use hash::code_hash;
pub use masked::{hides_exit_code, words_hide_exit_code};
pub use search::Prover;
pub use standing::{BaseRun, Rules, Standing, standing};
pub use status::{RunRef, Status, SuiteProof};
