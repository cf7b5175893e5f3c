//! aiwg-gate: did the change get to green by weakening the checks, and has anyone run exactly this?

pub mod cli;
pub mod exit_status;
pub mod facts;
pub mod git;
pub mod hooks;
pub mod languages;
pub mod platform;
pub mod similarity;
pub mod text;
