//! What single places of production code tell, in whatever language: a call gave way to its lenient twin, a wrapper that
//! protected is gone, an option insists no more, a limit moved out of reach, a list of what is refused shrank, a setting
//! is read no more, a name is handed on no more.
//!
//! Part of the rules about guards, swallowed errors and disabled features. One reading is one file; always a warning.

mod affixes;
mod callbacks;
mod dangers;
mod flips;
mod hardwired;
mod insisting;
mod limits;
mod lists;
mod predicates;
mod reading;
mod tails;
mod twins;
mod unexported;
mod unwrapped;

pub use flips::protects as is_protective;
pub use reading::{Part, detect};
