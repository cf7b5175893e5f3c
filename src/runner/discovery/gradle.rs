//! Gradle: one suite per build, which is where the settings are.

use super::ground::Ground;
use super::look::{Look, join};
use super::search::{Bounds, Outcome, search};
use super::table::Described;
use super::{maven, places};
use crate::policy::Framework;

pub const LABEL: &str = "gradle";

const SETTINGS: &[&str] = &["settings.gradle", "settings.gradle.kts"];
const BUILDS: &[&str] = &["build.gradle", "build.gradle.kts"];

/// A build that is larger has tests; small ones are often logic of another build.
const BOUNDS: Bounds = Bounds { folders: 96, depth: 4 };

pub fn is_manifest(name: &str) -> bool {
    SETTINGS.contains(&name) || BUILDS.contains(&name)
}

pub fn here(ground: &Ground<'_>, folder: &str) -> Option<String> {
    let look = &ground.look;
    let material = places::is_material(folder) || folder.split('/').any(|part| part == "src");
    if material || (look.has(folder, "pom.xml") && !maven::is_left_to_gradle(look, folder)) {
        return None;
    }
    let whole = look.has_any(folder, SETTINGS);
    // Without settings of its own it is a part of the build above.
    let alone = || look.has_any(folder, BUILDS) && ground.owner_above(LABEL, folder).is_none();
    ((whole || alone()) && has_tests(look, folder)).then(|| folder.to_owned())
}

pub fn describe(ground: &Ground<'_>, folder: &str) -> Described {
    let wrapper = maven::wrapper(&ground.look, folder, "gradlew");
    Described::new(Framework::Junit, &[wrapper.as_deref().unwrap_or("gradle"), "test"])
}

fn has_tests(look: &Look<'_>, folder: &str) -> bool {
    let enter = |below: &str| !below.ends_with("/src") && !look.has_any(below, SETTINGS);
    let visit = |at: &str, _: &[String]| {
        let sets = look.names(&join(at, "src"));
        sets.iter().any(|set| set == "test/" || set.ends_with("Test/"))
    };
    search(look, folder, BOUNDS, enter, visit) != Outcome::Absent
}
