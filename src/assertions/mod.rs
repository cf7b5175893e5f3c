//! What became of each assertion of a test that lives on. Pure: facts in, changes out.
//!
//! Rules about assertions look at [`changes`]; none of them pairs assertions by itself.

mod accepting;
mod alike;
mod arranged;
mod atoms;
mod balance;
mod blanked;
mod branches;
mod caught;
mod change;
mod choice;
mod combined;
mod commented;
mod cover;
mod deleted;
mod difference;
mod excuses;
mod filtered;
mod given;
mod guarding;
mod idle;
mod looser;
mod margins;
mod matching;
mod members;
mod merged;
mod moved;
mod narrowed;
mod offered;
mod order;
mod own;
mod quantity;
mod raised;
mod reduced;
mod resolve;
mod rows;
mod slack;
mod synonyms;
mod tokens;
mod truth;
mod unit;
mod waits;
mod whole;
mod worded;

pub use alike::{assignment, key as expression_key, same_claim, split};
pub use change::{Changed, How, changes};
pub use cover::word_counts;
pub use difference::ignores_more;
pub use idle::shows;
pub use unit::{Place, Unit, View};
