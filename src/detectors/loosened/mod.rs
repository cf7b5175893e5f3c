//! What single places of production code tell, in whatever language: a call gave way to its lenient twin, a wrapper that
//! protected is gone, an option insists no more, a limit moved out of reach, a list of what is refused shrank.
//!
//! Part of the rules about guards and about swallowed errors. One reading is one file; always a warning.

mod affixes;
mod dangers;
mod insisting;
mod limits;
mod lists;
mod predicates;
mod reading;
mod twins;
mod unwrapped;

pub use reading::detect;
