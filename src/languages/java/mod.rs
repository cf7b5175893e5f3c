//! Java: JUnit 3, 4 and 5, TestNG, and the assertion libraries used with them.

mod annotations;
mod assertions;
mod cases;
mod claims;
mod constants;
mod dialect;
mod doubles;
mod flow;
mod grammar;
mod names;
mod outline;
mod pack;
mod respell;
mod roles;
mod skips;

pub use claims::claim;
pub use dialect::DIALECT;
pub use pack::pack;
pub use respell::respell;

#[cfg(test)]
mod tests;
