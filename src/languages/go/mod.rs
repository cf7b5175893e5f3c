//! Go: `testing`, testify and gocheck suites, ginkgo specs.

mod calls;
mod cases;
mod checks;
mod claims;
mod comments;
mod conditions;
mod dialect;
mod ginkgo;
mod index;
mod kinds;
mod names;
mod pack;
mod respell;
mod scope;
mod signature;
mod skips;
mod syntax;
mod tags;

pub use claims::claim;
pub use comments::comments_are_code;
pub use dialect::DIALECT;
pub use pack::pack;
pub use respell::respell;

#[cfg(test)]
mod tests;
