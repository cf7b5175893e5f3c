//! What a repository asks of the gate: the policy file, its profiles, and careful edits of it.
//!
//! Owns the reading and the text of `aiwg-gate.yaml`, of the waivers and of the log of decisions. Judges nothing: the
//! verdict is made elsewhere from the [`Policy`], which is plain data.

mod action;
mod choice;
mod decisions;
mod edit;
mod error;
mod file;
mod folder;
mod glob;
mod key;
mod layout;
mod model;
mod patterns;
mod profiles;
mod scan;
mod setting;
mod settings;
mod store;
mod suggest;
mod suites;
pub mod waivers;

pub use action::RuleAction;
pub use decisions::DecisionLog;
pub use edit::{EditError, NEW_FILE, edit};
pub use error::PolicyError;
pub use file::{PolicyFile, StatedFeedback, StatedProof, StatedWaivers};
pub use glob::compile as compile_glob;
pub use key::{FeedbackKey, Key, PathList, ProofKey};
pub use model::{FILE_NAME, MAX_BYTES, MISNAMED, PathGlobs, Policy};
pub use patterns::{Pattern, What, When};
pub use profiles::Profile;
pub use setting::Setting;
pub use settings::{All, Change, Changed, Settings, Shown};
pub use store::Store;
pub use suggest::nearest;
pub use suites::{
    Equivalence, FeedbackSettings, Framework, OnMissing, ProofSettings, RequireAnalysis, Required,
    SUITE_TIMEOUT, SuiteSetting,
};
pub use waivers::{AcceptWaivers, Waiver};
