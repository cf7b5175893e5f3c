//! What single lines of test files tell, in whatever language: loops that go fewer rounds, conditions that pass over more,
//! waits that ask for less, tests that are run again until they pass.
//!
//! Part of the rules about skipped tests, weakened assertions and removed tests. One reading is one file.

mod alternatives;
mod amounts;
mod arms;
mod calls_under;
mod capabilities;
mod durations;
mod expected_calls;
mod guards;
mod hushed;
mod left_out;
mod limits;
mod loops;
mod muted;
mod nulled;
mod options;
mod places;
mod reading;
mod retried;
mod rows;
mod soft_marks;
mod values;
mod waits;
mod wildcards;

pub use reading::{Part, detect};
