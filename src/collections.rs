//! The hash maps and sets of this program: those of the standard library with a hash that is not cryptographic, since one
//! pass over a file looks up each line. Its seed differs from run to run, so nobody can choose names that collide.

pub use hashbrown::{HashMap, HashSet};
