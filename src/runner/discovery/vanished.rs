//! Suites that a change takes away while it leaves what they tested.

use super::finder::Finder;
use super::places;
use super::search::{Bounds, Outcome, search};
use super::table::ecosystem;
use crate::policy::Framework;
use crate::runner::suite::{Inputs, Site, Suite};

/// How far remaining code is looked for. Where there is more, some of it is code.
const BOUNDS: Bounds = Bounds { folders: 256, depth: 8 };

/// The suites of the before side, among those that the changed paths touch there, that the after side lacks while
/// files that they tested are still there and no other suite tests those. `paths` are the changed ones of both sides.
///
/// A component that goes as a whole, a suite under a new name, and one whose files a suite of the policy or another
/// suite of their language takes over, have not vanished.
pub fn vanished(before: &Finder<'_>, after: &Finder<'_>, paths: &[&str]) -> Vec<Suite> {
    let gone = |suite: &Suite| {
        let kept =
            || paths.iter().filter(|path| before.has_input(suite, path) && after.ground().look.exists(path));
        match &suite.inputs {
            Inputs::Globs(_) => kept().any(|path| after.touched(&[*path]).is_empty()),
            Inputs::Found(site) => leaves_code(after, site),
        }
    };
    before.touched(paths).into_iter().filter(|suite| !after.has(suite) && gone(suite)).collect()
}

/// Whether code of the suite's kind is left where it stood, and no suite that counts runs it.
fn leaves_code(after: &Finder<'_>, site: &Site) -> bool {
    let Some(kind) = ecosystem(site.label) else { return false };
    let visit = |at: &str, names: &[String]| {
        let mut code = names.iter().filter(|name| kind.is_source(name));
        code.any(|name| !is_taken_over(after, site, &super::look::join(at, name)))
    };
    let look = &after.ground().look;
    search(look, &site.folder, BOUNDS, |_| true, visit) != Outcome::Absent
}

/// By a suite of the policy, or by one of the same language. A suite further up must tell its tests by name, so that
/// those it does not run are missed; another one may just not run them.
fn is_taken_over(after: &Finder<'_>, site: &Site, path: &str) -> bool {
    after.touched(&[path]).iter().any(|suite| match &suite.inputs {
        Inputs::Globs(_) => true,
        Inputs::Found(other) => {
            let own = after.ground().sites_of_its_kind(path).contains(other);
            let near = places::below(&site.folder, &other.folder).is_some();
            own && (near || suite.framework != Framework::Other)
        }
    })
}
