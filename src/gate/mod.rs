//! The flow from a change to a report: gather, understand, detect, judge.

mod check;
mod commit;
mod expected;
mod facts;
mod ground;
mod importers;
mod left_behind;
mod lost;
mod macros;
pub mod memo;
mod merge;
mod orphans;
mod prove;
mod push;
mod revert;
mod shared;
mod surroundings;
mod understand;
mod waive;
mod waivers;

pub use check::{BadPolicy, base_policy, check, paths_of, unknown};
pub use commit::{Bound, bind, judge_staged, verdict_on};
pub use facts::{Analyzed, analyze_all, analyze_texts};
pub use ground::complete as complete_ground;
pub use importers::complete as complete_importers;
pub use left_behind::complete as complete_left_behind;
pub use lost::{Source, lower_twins};
pub use macros::resolve_macro_tests;
pub use prove::{Ask, Proofs, prove, prover};
pub use push::{never_judged, unproved};
pub use shared::{resolve_in_tree, resolve_sides};
pub use surroundings::{Base, Lacking, complete as complete_surroundings};
pub use understand::{assemble, judged, sides};
pub use waive::{Request, find_finding, waive};
pub use waivers::decisions;
