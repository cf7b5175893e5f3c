//! Which test of the after side continues which one of the before side.

use super::*;
use crate::comparison::FileSide;
use crate::languages::{Source, analyze};
use crate::paths::PathClass;

fn side(path: &str, text: &str) -> Option<FileSide> {
    let facts = analyze(Source { path, text: text.as_bytes() });
    Some(FileSide::new(path.to_owned(), facts, text.as_bytes().into()))
}

/// Hundreds of tests that differ in a number: each of their token sequences stands in too many of them to tell of one.
#[test]
fn the_very_same_body_comes_before_what_is_much_alike() {
    let text = |file: usize, name: &str| -> String {
        let test = |number: usize| format!("def {name}_{number}():\n    assert f({number}) == {file}\n");
        (0..30).map(test).collect()
    };
    let files: Vec<FileComparison> = (0..30)
        .flat_map(|file| {
            let (old, new) = (format!("tests/test_{file}.py"), format!("tests/unit/test_{file}.py"));
            let (before, after) = (side(&old, &text(file, "test")), side(&new, &text(file, "test_that")));
            let class = PathClass::Test;
            [FileComparison::new(before, None, class), FileComparison::new(None, after, class)]
        })
        .collect();
    let pairing = pair(&files);
    let body =
        |side: &Option<FileSide>, at: At| side.as_ref().map(|side| side.facts.tests[at.test].body.clone());
    assert_eq!((pairing.fates.len(), pairing.added.len()), (900, 0));
    for (old, fate) in &pairing.fates {
        let Fate::Same { after, how: How::Renamed } = fate else { panic!("{old:?} is {fate:?}") };
        assert_eq!(body(&files[old.file].before, *old), body(&files[after.file].after, *after));
    }
}
