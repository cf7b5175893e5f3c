//! The tests that a suite has by its text, to compare with those that ran.

use anyhow::Result;

use crate::git::{ObjectId, Repository};
use crate::inventory::Inventory;
use crate::runner::results::KnownTest;

/// Statically known tests of a tree, among the files that count, that nothing keeps from running.
pub fn known_tests(
    repository: &Repository,
    tree: &ObjectId,
    counts: &dyn Fn(&str) -> bool,
) -> Result<Vec<KnownTest>> {
    let inventory = Inventory::of_tree(repository, tree, counts)?;
    let tests = inventory.files.iter().flat_map(|file| {
        file.facts.listed_tests().filter(|test| test.skip.is_none()).map(|test| KnownTest::of(&file.path, test))
    });
    Ok(tests.collect())
}
