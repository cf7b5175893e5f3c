//! aiwg-gate: did the change get to green by weakening the checks, and has anyone run exactly this?

pub mod cli;
pub mod comparison;
pub mod demo;
pub mod detectors;
pub mod exit_status;
pub mod facts;
pub mod finding;
pub mod gate;
pub mod git;
pub mod hooks;
pub mod inventory;
pub mod languages;
pub mod ledger;
pub mod pairing;
pub mod paths;
pub mod platform;
pub mod policy;
pub mod report;
pub mod similarity;
pub mod status;
pub mod text;
pub mod verdict;
