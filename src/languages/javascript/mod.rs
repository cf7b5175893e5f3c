//! JavaScript and TypeScript: jest, vitest, mocha, jasmine, node:test, ava, tap, playwright and their kin.

mod assertions;
mod bindings;
mod calls;
mod cases;
mod claims;
mod collect;
mod definitions;
mod dialect;
mod exported;
mod grammar;
mod learn;
mod modules;
mod names;
mod pack;
mod paths;
mod reach;
mod respell;
mod runner;
mod shape;
mod shared;
mod skips;
mod stand_ins;

pub use claims::claim;
pub use dialect::DIALECT;
pub use modules::{candidates, loaded_modules};
pub use pack::{pack, tsx_pack, typescript_pack};
pub use respell::{respell, respell_typescript};

#[cfg(test)]
mod tests;
