//! Runs test suites: which there are, how a command is run and watched, and what its results say.
//!
//! Knows nothing of proofs or of memory: it turns a suite into an [`Ended`] process and [`Results`].

mod checkout;
mod frameworks;
mod process;
pub mod results;
mod suite;

pub use checkout::{Checkout, Content};
pub use frameworks::{Adapter, Plan, Report, adapter};
pub use process::{End, Ended, Interrupted, Interrupts, Launch, Watcher, run};
pub use results::{Counts, Failure, Location, Outcome, Results, TestId, TestResult};
pub use suite::{CommandLine, Inputs, Origin, Suite};
