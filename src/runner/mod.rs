//! Runs test suites: which there are, how a command is run and watched, and what its results say.
//!
//! Knows nothing of proofs or of memory: it turns a suite into an [`Ended`] process and [`Results`].

mod checkout;
mod discovery;
mod frameworks;
mod process;
mod resolve;
pub mod results;
mod suite;

pub use checkout::{Checkout, CheckoutContent};
pub use discovery::{CommitTree, DiskTree, Finder, StagedTree, Tree, is_manifest, vanished};
pub use frameworks::{Adapter, Plan, Report, Request, adapter, recognize};
pub use process::{End, Ended, Interrupted, Interrupts, Launch, Watcher, run};
pub use resolve::{Machine, Resolved, resolve};
pub use results::{Counts, Failure, Location, Outcome, Results, TestId, TestResult};
pub use suite::{CommandLine, Inputs, Origin, Site, Suite};
