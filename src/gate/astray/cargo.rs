//! The files that cargo builds tests from: each in `tests/` by itself, others where one of those declares them.

use anyhow::Result;

use super::{Tree, below, has_word, joined, stem};
use crate::gate::facts::Analyzed;
use crate::text::contains;

/// Folders of a package of which cargo, or the code in them, looks after each file.
const BUILT: &[&str] = &["src/", "benches/", "examples/"];

/// So many files beside the new place are asked.
const MAX_FILES: usize = 50;

pub(super) fn why(tree: &Tree<'_>, from: &str, to: &Analyzed) -> Result<Option<String>> {
    let packages = tree.folders_with(from, &["Cargo.toml"])?;
    let Some(package) = packages.first() else { return Ok(None) };
    if !below(from, package).is_some_and(is_target)
        || tree.says(&joined(package, "Cargo.toml"), "autotests")?
    {
        return Ok(None);
    }
    let own = tree.folders_with(&to.path, &["Cargo.toml"])?;
    let home = own.first().unwrap_or(package);
    let place = below(&to.path, home).unwrap_or(&to.path);
    if is_target(place) || BUILT.iter().any(|folder| place.starts_with(folder)) {
        return Ok(None);
    }
    let is_declared = is_declared(tree, home, &to.path)?;
    Ok((!is_declared).then(|| "and no file declares it, so that cargo does not build it".to_owned()))
}

/// `tests/cart.rs`, `tests/cart/main.rs`
fn is_target(place: &str) -> bool {
    let parts: Vec<&str> = place.split('/').collect();
    matches!(parts[..], ["tests", name] if name.ends_with(".rs"))
        || matches!(parts[..], ["tests", _, "main.rs"])
}

/// Whether a file of the change, or one beside the new place, may make it a part of some target.
fn is_declared(tree: &Tree<'_>, package: &str, path: &str) -> Result<bool> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let module = match stem(path) {
        "mod" | "main" => folder.rsplit('/').next().unwrap_or_default(),
        stem => stem,
    };
    let declares = |text: &[u8]| {
        contains(text, format!("mod {module}").as_bytes())
            || contains(text, format!("{name}\"").as_bytes())
            || has_word(text, b"automod")
    };
    let others = tree.others(path).filter(|side| side.path.ends_with(".rs"));
    if others.into_iter().any(|side| declares(&side.text)) {
        return Ok(true);
    }
    // A manifest names the file, and a declaration that was there before comes to mean this one.
    let manifest = joined(package, "Cargo.toml");
    if tree.says(&manifest, module)? {
        return Ok(true);
    }
    for place in [folder, folder.rsplit_once('/').map_or("", |(above, _)| above)] {
        for file in tree.base.files_in(place, MAX_FILES)? {
            let file = joined(place, &file);
            let asked = file.ends_with(".rs") && file != path;
            if asked && (tree.says(&file, "automod")? || stem(&file) != module && tree.says(&file, module)?) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_stand_at_the_top_or_have_a_main_file() {
        assert!(is_target("tests/cart.rs") && is_target("tests/cart/main.rs"));
        assert!(
            !is_target("tests/old/cart.rs") && !is_target("tests/cart.txt") && !is_target("attic/cart.rs")
        );
    }
}
