//! Python: pytest and unittest.

mod aliases;
mod cases;
mod claims;
mod classes;
mod conditions;
mod definitions;
mod dialect;
mod effort;
mod fixtures;
mod layout;
mod marks;
mod modules;
mod names;
mod outline;
mod pack;
mod place;
mod reach;
mod scan;
mod stand_ins;
mod statements;
mod syntax;
mod unpacking;

#[cfg(test)]
mod tests;

pub use claims::claim;
pub use dialect::DIALECT;
pub use effort::effort;
pub use layout::layout_is_code;
pub use modules::{loaded_modules, module_places};
pub use pack::pack;
