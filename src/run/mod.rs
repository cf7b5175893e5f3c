//! The flow behind `run`: choose suites, take a snapshot, run, read the results, put the attempt on record.
//!
//! The one place that executes code of the repository, and only when asked to. What is tested is the working tree, or
//! a throw-away checkout; neither the index nor the working tree is written.

mod choose;
mod evidence;
mod place;
mod selecting;
mod session;
mod suite;

pub use session::{Hunter, Options, Stage, SuiteRun, run};
