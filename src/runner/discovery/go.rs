//! Go: one suite per module, also where a `go.work` joins several.

use super::ground::Ground;
use super::places;
use super::search::{Bounds, Outcome, search};
use super::table::Described;
use crate::policy::Framework;

pub const LABEL: &str = "go";

/// A module that is larger has tests; small ones often only pin tools.
const BOUNDS: Bounds = Bounds { folders: 48, depth: 8 };

pub fn here(ground: &Ground<'_>, folder: &str) -> Option<String> {
    let module = |folder: &str| ground.look.has(folder, "go.mod");
    if !module(folder) || places::is_material(folder) || is_hidden(folder) {
        return None;
    }
    let mut code = false;
    let visit = |_: &str, names: &[String]| {
        code |= names.iter().any(|name| name.ends_with(".go"));
        names.iter().any(|name| name.ends_with("_test.go"))
    };
    let tests = search(&ground.look, folder, BOUNDS, |below| !module(below) && !is_hidden(below), visit);
    // Modules are also used to hand out content.
    (tests == Outcome::Found || (tests == Outcome::Unknown && code)).then(|| folder.to_owned())
}

pub fn describe(_: &Ground<'_>, _: &str) -> Described {
    Described::new(Framework::GoTest, &["go", "test", "./..."])
}

/// Go itself does not look into such folders.
fn is_hidden(folder: &str) -> bool {
    folder.split('/').any(|part| part.starts_with(['_', '.']))
}
