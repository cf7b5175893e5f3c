//! Maven: the topmost project of a chain in which each lists the next as a module.

use super::ground::Ground;
use super::look::{Look, join};
use super::places;
use super::table::Described;
use crate::policy::Framework;

pub const LABEL: &str = "maven";

const MANIFEST: &str = "pom.xml";

/// In how many modules tests are looked for. A build that is larger has some.
const MODULES: usize = 64;

pub fn here(ground: &Ground<'_>, folder: &str) -> Option<String> {
    let look = &ground.look;
    // Projects below `src` are material for integration tests.
    let material = places::is_material(folder) || folder.split('/').any(|part| part == "src");
    if !look.has(folder, MANIFEST) || material {
        return None;
    }
    let top = top(look, folder);
    if top != folder {
        return ground.owner(LABEL, &top).map(|owner| owner.as_ref().to_owned());
    }
    (!is_left_to_gradle(look, folder) && has_tests(look, folder)).then_some(top)
}

pub fn describe(ground: &Ground<'_>, folder: &str) -> Described {
    let wrapper = wrapper(&ground.look, folder, "mvnw");
    Described::new(Framework::Junit, &[wrapper.as_deref().unwrap_or("mvn"), "test"])
}

/// The script that brings the build tool along, from a folder: there, or in one above.
pub fn wrapper(look: &Look<'_>, folder: &str, name: &str) -> Option<String> {
    let folders = std::iter::once(folder).chain(places::above(folder));
    let (levels, _) = folders.enumerate().find(|(_, folder)| look.has(folder, name))?;
    Some(if levels == 0 { format!("./{name}") } else { "../".repeat(levels) + name })
}

/// Where both are kept, the wrapper tells which one is used.
pub fn is_left_to_gradle(look: &Look<'_>, folder: &str) -> bool {
    look.has(folder, "gradlew") && !look.has(folder, "mvnw")
}

fn top(look: &Look<'_>, folder: &str) -> String {
    let mut top = folder;
    for above in places::above(folder) {
        let listed = |module: &String| places::resolve(above, module).as_deref() == Some(top);
        if modules(look, above).iter().any(listed) {
            top = above;
        }
    }
    top.to_owned()
}

/// The modules that a project lists, in all profiles. A file may stand for its folder.
fn modules(look: &Look<'_>, folder: &str) -> Vec<String> {
    let Some(text) = look.text(&join(folder, MANIFEST)) else { return Vec::new() };
    let text = without_comments(&text);
    let module = |part: &str| {
        let name = part.split_once("</module>")?.0.trim();
        Some(name.strip_suffix("/pom.xml").unwrap_or(name).to_owned())
    };
    text.split("<module>").skip(1).filter_map(module).collect()
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once("-->").map_or("", |(_, rest)| rest))
}

fn has_tests(look: &Look<'_>, folder: &str) -> bool {
    let mut pending = vec![folder.to_owned()];
    for _ in 0..MODULES {
        let Some(folder) = pending.pop() else { return false };
        let elsewhere = || {
            let text = look.text(&join(&folder, MANIFEST));
            text.is_some_and(|text| text.contains("<testSourceDirectory>"))
        };
        if look.has(&folder, "src/test") || elsewhere() {
            return true;
        }
        pending.extend(modules(look, &folder).iter().filter_map(|module| places::resolve(&folder, module)));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_hide_modules() {
        assert_eq!(without_comments("a<!-- <module>b</module> -->c<!-- d"), "ac");
    }
}
