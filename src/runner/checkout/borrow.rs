//! Which ignored folders of the working tree a checkout borrows, and how.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use super::ground::Ground;
use super::node;
use crate::git::{Git, Listed};
use crate::platform;
use crate::text::one_line;

/// How much of a borrowed folder is searched for links that lead back.
const SCANNED_LEVELS: usize = 2;
const SCANNED_ENTRIES: usize = 10_000;

/// Borrows everything that is there. Build folders of cargo are not: see `cargo`.
pub fn all(ground: &mut Ground, link: &[String], folders: &BTreeSet<String>) -> Result<()> {
    let mut wanted = Vec::new();
    for name in link.iter().filter(|name| *name != "target") {
        if !is_inside(name) {
            ground.doubt(format!("`proof.link` names `{}`, which is no path below a folder", one_line(name)));
            continue;
        }
        for folder in folders {
            let place = Path::new(folder).join(name);
            if can_borrow(ground, &place) {
                ground.borrow(&place);
                wanted.push(place);
            }
        }
    }
    // All of them are known before the first is linked: they may lead to each other.
    for place in &wanted {
        one(ground, place)?;
    }
    doubt_unignored(ground, &wanted);
    Ok(())
}

/// The root, the folders of suites, and the packages of node workspaces.
pub fn folders(entries: &[Listed], directories: &[String]) -> BTreeSet<String> {
    let mut folders: BTreeSet<String> = BTreeSet::from([String::new()]);
    folders.extend(directories.iter().map(|folder| folder.trim_matches('/').to_owned()));
    for listed in entries {
        let path = listed.path.text();
        if let Some(folder) = path.strip_suffix("/package.json")
            && !folder.split('/').any(|part| part == "node_modules")
        {
            folders.insert(folder.to_owned());
        }
    }
    folders
}

fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether there is something to borrow and room for it. Links of the repository are never gone through.
fn can_borrow(ground: &mut Ground, place: &Path) -> bool {
    let parent = place.parent().unwrap_or(Path::new(""));
    if !ground.has_folder(parent) || std::fs::symlink_metadata(ground.work.join(place)).is_err() {
        return false;
    }
    match std::fs::symlink_metadata(ground.checkout.join(place)) {
        Err(_) => true,
        // Tracked, at least in part: of node_modules the rest is borrowed, anything else is as it is checked out.
        Ok(there) if there.is_dir() => place.ends_with("node_modules"),
        Ok(_) => {
            let shown = one_line(&place.to_string_lossy());
            ground.doubt(format!("{shown} is not borrowed: git tracks something else at its place"));
            false
        }
    }
}

fn one(ground: &mut Ground, place: &Path) -> Result<()> {
    if place.ends_with("node_modules") {
        return node::mirror(ground, place);
    }
    let (from, to) = (ground.work.join(place), ground.checkout.join(place));
    let shown = one_line(&place.to_string_lossy());
    let Ok(real) = std::fs::canonicalize(&from) else { return Ok(()) };
    let target = match ground.counterpart(&real) {
        Some(counterpart) if counterpart.exists() => counterpart,
        Some(_) => {
            ground.doubt(format!("{shown} leads to a place in the working tree that is not checked out"));
            return Ok(());
        }
        None => real.clone(),
    };
    platform::symlink(&target, &to).with_context(|| format!("cannot link {}", to.display()))?;
    // What an environment of Python leads to is found out when an interpreter starts.
    if !real.join("pyvenv.cfg").is_file()
        && let Some(link) = link_back(ground, &real)
    {
        ground
            .doubt(format!("{shown}/{} leads back into the working tree", one_line(&link.to_string_lossy())));
    }
    Ok(())
}

/// A link in a borrowed folder that leads to what is not borrowed.
fn link_back(ground: &Ground, folder: &Path) -> Option<PathBuf> {
    let mut folders = vec![(folder.to_owned(), 1)];
    let mut left = SCANNED_ENTRIES;
    while let Some((here, level)) = folders.pop() {
        for entry in std::fs::read_dir(&here).into_iter().flatten().flatten() {
            left = left.checked_sub(1)?;
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_symlink() && leads_back(ground, &path) {
                return path.strip_prefix(folder).ok().map(Path::to_owned);
            }
            if kind.is_dir() && level < SCANNED_LEVELS {
                folders.push((path, level + 1));
            }
        }
    }
    None
}

pub fn leads_back(ground: &Ground, link: &Path) -> bool {
    let target = std::fs::canonicalize(link).or_else(|_| std::fs::read_link(link));
    let folder = link.parent().unwrap_or(Path::new(""));
    target.is_ok_and(|target| ground.inside(&folder.join(target)).is_some())
}

/// What git does not ignore may be work that somebody forgot to add.
fn doubt_unignored(ground: &mut Ground, places: &[PathBuf]) {
    let listing = ["--literal-pathspecs", "ls-files", "--others", "--exclude-standard", "-z"];
    // A folder in which all is ignored counts as an empty one.
    let folders = ["--directory", "--no-empty-directory", "--"];
    let mut command = Git::at(&ground.work).command(&[&listing[..], &folders].concat());
    // Without a path git would list everything.
    let Some(output) = (!places.is_empty()).then(|| command.args(places).output().ok()).flatten() else {
        return;
    };
    let listed: Vec<PathBuf> =
        output.stdout.split(|&byte| byte == 0).filter_map(platform::path_from_bytes).collect();
    for place in places {
        if listed.iter().any(|path| path.starts_with(place)) {
            let shown = one_line(&place.to_string_lossy());
            ground.doubt(format!("{shown} is borrowed though git does not ignore it: add it to .gitignore"));
        }
    }
}
