//! The variables of a command in a checkout: what leads into the working tree leads into the checkout.

use std::collections::BTreeMap;
use std::path::Path;

use super::ground::Ground;

pub struct Known<'k> {
    /// What the command is given beside the inherited ones.
    pub set: &'k [(String, String)],
    pub inherited: BTreeMap<String, String>,
}

/// They name the person's own places, also where these are in the working tree.
const KEPT: [&str; 5] = ["HOME", "OLDPWD", "PWD", "SHELL", "TMPDIR"];
/// Where programs are loaded from: what is not checked out must not be found there.
const SEARCHED: [&str; 2] = ["PYTHONPATH", "NODE_PATH"];

pub fn environment(
    known: Known<'_>,
    ground: Option<&Ground>,
    python: Option<&Path>,
    target: Option<&Path>,
) -> Vec<(String, String)> {
    let mut changed: BTreeMap<String, String> = BTreeMap::new();
    let mut all = known.inherited;
    changed.extend(known.set.iter().cloned());
    all.extend(known.set.iter().cloned());
    if let Some(ground) = ground {
        let moved = all.iter().filter_map(|(name, value)| Some((name.clone(), moved(ground, name, value)?)));
        changed.extend(moved.collect::<Vec<_>>());
        if ground.borrowed().iter().any(|folder| folder.join("pyvenv.cfg").is_file()) {
            // Else `uv run` would install the checkout into the borrowed environment.
            changed.entry("UV_NO_SYNC".to_owned()).or_insert("1".to_owned());
        }
    }
    if let Some(folder) = python.and_then(Path::to_str) {
        let rest =
            changed.get("PYTHONPATH").or_else(|| all.get("PYTHONPATH")).filter(|rest| !rest.is_empty());
        let path = rest.map_or(folder.to_owned(), |rest| format!("{folder}{SEPARATOR}{rest}"));
        changed.insert("PYTHONPATH".to_owned(), path);
    }
    // Also where somebody named another one: see `cargo`.
    if let Some(target) = target.and_then(Path::to_str) {
        changed.insert("CARGO_TARGET_DIR".to_owned(), target.to_owned());
        if all.contains_key("CARGO_BUILD_BUILD_DIR") {
            changed.insert("CARGO_BUILD_BUILD_DIR".to_owned(), target.to_owned());
        }
    }
    changed.into_iter().collect()
}

const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The value with its paths moved; `None` where nothing is to move.
fn moved(ground: &Ground, name: &str, value: &str) -> Option<String> {
    if KEPT.contains(&name) {
        return None;
    }
    let part = |part: &str| -> String {
        let counterpart =
            Path::new(part).is_absolute().then(|| ground.counterpart(Path::new(part))).flatten();
        let counterpart = counterpart.filter(|there| SEARCHED.contains(&name) || there.exists());
        counterpart.as_deref().and_then(Path::to_str).unwrap_or(part).to_owned()
    };
    let parts: Vec<String> = value.split(SEPARATOR).map(part).collect();
    let moved = parts.join(&SEPARATOR.to_string());
    (moved != value).then_some(moved)
}
