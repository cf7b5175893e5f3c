//! Rust: libtest and its relatives (tokio, rstest, test-case, proptest, quickcheck), and tests made by macros.

mod attributes;
mod calls;
mod cfg;
mod claims;
mod dialect;
mod flow;
mod functions;
mod invocations;
mod items;
mod kinds;
mod layout;
mod marks;
mod names;
mod pack;
mod patterns;
mod plans;
mod respell;
mod shapes;
#[cfg(test)]
mod tests;

pub use claims::claim;
pub use dialect::DIALECT;
pub use layout::layout_is_code;
pub use pack::pack;
pub use respell::respell;
pub use shapes::macros_defined;
