//! What each function of a file does when something is wrong: one walk for all languages.
//!
//! A language brings a [`Dialect`]: what its grammar calls things and how it spells failure. The walk is a cursor's,
//! so depth of nesting costs no stack; texts are cut, so nesting costs no square either.

mod answers;
mod callee;
mod collector;
mod dialect;
mod names;
mod refusals;
mod shape;
mod values;
mod walker;

#[cfg(test)]
mod tests;

pub use dialect::{Asked, Dialect, Role};
pub use names::{is_error as is_error_name, plain_error_check};
pub use shape::{child, first_named, text};
pub use values::{is_default, is_number, says_unfinished};

pub(super) use walker::Walker;

use super::walk::Tables;
use super::{Kinds, Language};

static TABLES: Tables<Role> = Tables::new();

/// The roles of a grammar's kinds.
fn kinds(language: &Language) -> &'static Kinds<Role> {
    TABLES.of(language, Role::Other, language.dialect.roles)
}
