//! Python: pytest and unittest.

mod aliases;
mod cases;
mod classes;
mod conditions;
mod definitions;
mod marks;
mod names;
mod outline;
mod pack;
mod place;
mod scan;
mod statements;
mod syntax;

#[cfg(test)]
mod tests;

pub use pack::pack;
