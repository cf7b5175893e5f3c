//! Files in which tools keep what tests expect, by their names.

use super::defaults::{Parts, has};

const EXTENSIONS: &[&str] = &["snap", "ambr", "golden", "approved", "expected", "stdout", "snapshot"];

/// Folders that hold nothing else.
const FOLDERS: &[&str] =
    &["__snapshots__", "snapshots", "golden", "goldens", "expected", "__image_snapshots__"];

/// Marks at the end of a name, before its extension: `total.expected.json`.
const MARKS: &[&str] = &["expected", "golden", "approved", "snapshot", "snap"];

/// Whether a file that is no code holds what tests compare with; only of files that belong to tests.
pub fn is_stored_expectation(path: &str) -> bool {
    let parts = Parts::of(path);
    let stem = parts.name.strip_suffix(parts.extension).map_or(parts.name, |stem| stem.trim_end_matches('.'));
    let last = stem.rsplit(['.', '_', '-']).next().unwrap_or_default();
    let known = has(EXTENSIONS, parts.extension) || MARKS.contains(&last);
    !parts.is_source() && (known || parts.folders.iter().any(|folder| FOLDERS.contains(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_folders_tell() {
        for path in [
            "src/__snapshots__/a.test.ts.snap",
            "tests/__snapshots__/test_cart.ambr",
            "testdata/out.golden",
            "tests/data/cart_expected.json",
            "tests/data/cart.approved.txt",
            "tests/golden/cart.json",
        ] {
            assert!(is_stored_expectation(path), "{path}");
        }
    }

    #[test]
    fn code_and_other_data_are_none() {
        for path in ["tests/golden/cart.py", "tests/data/cart.json", "src/unexpected.json", "a/snapshot.rs"] {
            assert!(!is_stored_expectation(path), "{path}");
        }
    }
}
