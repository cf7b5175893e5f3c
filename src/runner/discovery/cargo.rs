//! Rust projects: one suite per workspace, and per package that is in none.
//!
//! `cargo test` is what is run, because it runs the doc tests too. Only a project that keeps settings of nextest asks
//! for nextest, which runs none of them; such projects run those apart.

use globset::Glob;
use toml::{Table, Value};

use super::ground::Ground;
use super::look::{Look, join};
use super::places;
use super::search::{Bounds, Outcome, search};
use super::table::Described;
use crate::policy::Framework;

pub const LABEL: &str = "cargo";

const MANIFEST: &str = "Cargo.toml";

/// How far tests are looked for. A project that is larger has some.
const BOUNDS: Bounds = Bounds { folders: 32, depth: 8 };

/// How many source files are read for that.
const FILES: usize = 12;

/// What stands in a source file with tests; the fence is that of a doc test.
const MARKS: &[&str] = &["#[test", "::test", "(test)", "test!", "```"];

pub fn here(ground: &Ground<'_>, folder: &str) -> Option<String> {
    let look = &ground.look;
    if !look.has(folder, MANIFEST) || places::is_material(folder) || is_fuzzing(look, folder) {
        return None;
    }
    let root = root(look, folder);
    if root != folder {
        return ground.owner(LABEL, &root).map(|owner| owner.as_ref().to_owned());
    }
    if places::is_secondary(folder) && ground.owner_above(LABEL, folder).is_some() {
        return None;
    }
    has_tests(look, folder).then_some(root)
}

pub fn describe(ground: &Ground<'_>, folder: &str) -> Described {
    let nextest = ground.look.has(folder, ".config/nextest.toml");
    let (framework, mut command) = if nextest {
        (Framework::Nextest, vec!["cargo", "nextest", "run"])
    } else {
        (Framework::CargoTest, vec!["cargo", "test"])
    };
    if workspace(&ground.look, folder).is_some() {
        command.push("--workspace");
    }
    Described::new(framework, &command)
}

/// The folder of the workspace that a package is in, or its own.
fn root(look: &Look<'_>, folder: &str) -> String {
    if workspace(look, folder).is_some() {
        return folder.to_owned();
    }
    let named = manifest(look, folder).and_then(|manifest| {
        let pointer = manifest.get("package")?.get("workspace")?.as_str()?;
        places::resolve(folder, pointer)
    });
    if let Some(root) = named.filter(|root| workspace(look, root).is_some()) {
        return root;
    }
    let holds = |above: &&str| workspace(look, above).is_some_and(|list| !list.leaves_out(above, folder));
    places::above(folder).find(holds).unwrap_or(folder).to_owned()
}

fn manifest(look: &Look<'_>, folder: &str) -> Option<std::rc::Rc<Table>> {
    look.toml(&join(folder, MANIFEST))
}

/// The lists of a `[workspace]`.
struct Workspace {
    members: Vec<String>,
    exclude: Vec<String>,
}

fn workspace(look: &Look<'_>, folder: &str) -> Option<Workspace> {
    let manifest = manifest(look, folder)?;
    let table = manifest.get("workspace")?.as_table()?;
    let list = |key: &str| {
        let items = table.get(key).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    Some(Workspace { members: list("members"), exclude: list("exclude") })
}

impl Workspace {
    /// As cargo decides it: a package below a workspace is in it, listed or not, unless it is excluded. So a package
    /// that is taken off the list still counts here, and its tests are missed.
    fn leaves_out(&self, root: &str, folder: &str) -> bool {
        let Some(path) = places::below(root, folder) else { return true };
        let names = |list: &[String]| list.iter().any(|item| covers(item, path));
        names(&self.exclude) && !names(&self.members)
    }
}

fn covers(item: &str, path: &str) -> bool {
    let item = item.trim_start_matches("./").trim_end_matches('/');
    let glob = || Glob::new(item).is_ok_and(|glob| glob.compile_matcher().is_match(path));
    places::below(item, path).is_some() || (item.contains('*') && glob())
}

/// Targets of cargo-fuzz are no tests.
fn is_fuzzing(look: &Look<'_>, folder: &str) -> bool {
    manifest(look, folder).is_some_and(|manifest| {
        let metadata = manifest.get("package").and_then(|package| package.get("metadata"));
        metadata.is_some_and(|metadata| metadata.get("cargo-fuzz").is_some())
    })
}

fn has_tests(look: &Look<'_>, folder: &str) -> bool {
    let enter = |below: &str| !look.has(below, MANIFEST) || root(look, below) == folder;
    let mut read = 0;
    let visit = |at: &str, names: &[String]| {
        let tests = places::below(folder, at).is_some_and(|at| at.rsplit('/').next() == Some("tests"));
        names.iter().filter(|name| name.ends_with(".rs")).any(|name| {
            read += 1;
            tests || read > FILES || has_marks(look, &join(at, name))
        })
    };
    search(look, folder, BOUNDS, enter, visit) != Outcome::Absent
}

fn has_marks(look: &Look<'_>, path: &str) -> bool {
    look.text(path).is_some_and(|text| MARKS.iter().any(|mark| text.contains(mark)))
}
