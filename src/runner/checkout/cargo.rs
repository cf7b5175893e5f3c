//! Where cargo builds in a checkout.
//!
//! Never in the build folder of the working tree: cargo names what it builds by the path inside of the workspace, so
//! both would write the same files, and by their dates the working tree would take what was built here for its own.
//! Each place of a checkout has a folder of its own inside of the real one, which stays, and which begins with the
//! dependencies that are built already.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::ground::{Ground, is_folder};
use super::slot::Slot;
use crate::git::Listed;

/// Where the packages of one manifest are built.
pub struct Build {
    /// The folder of the manifest, from the root.
    folder: String,
    target: PathBuf,
}

/// A larger manifest names no packages that matter.
const MANIFEST_BYTES: u64 = 1024 * 1024;

/// The build folder for a suite: that of the nearest manifest around its folder.
pub fn target_of<'b>(builds: &'b [Build], directory: &str) -> Option<&'b Path> {
    let around = builds.iter().filter(|build| Path::new(directory).starts_with(&build.folder));
    around.max_by_key(|build| build.folder.len()).map(|build| build.target.as_path())
}

/// `reuse`: whether build folders of the working tree may be used at all.
pub fn prepare(
    ground: &Ground,
    slot: &Slot,
    entries: &[Listed],
    folders: &BTreeSet<String>,
    reuse: bool,
) -> Result<Vec<Build>> {
    let own = PackageNames::of(ground, entries);
    let mut builds = Vec::new();
    for folder in folders.iter().filter(|folder| ground.checkout.join(folder).join("Cargo.toml").is_file()) {
        let target = match real_target(ground, folder).filter(|_| reuse) {
            Some(real) => inside(&real, slot, &own)?,
            None => slot.place().join("target"),
        };
        builds.push(Build { folder: folder.clone(), target });
    }
    Ok(builds)
}

/// Where the working tree builds, if it has.
fn real_target(ground: &Ground, folder: &str) -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_TARGET_DIR").or_else(|| std::env::var_os("CARGO_BUILD_TARGET_DIR"));
    let target = match named.map(PathBuf::from).filter(|named| named.is_absolute()) {
        Some(named) => named,
        None if ground.has_folder(Path::new(folder)) => ground.work.join(folder).join("target"),
        None => return None,
    };
    std::fs::canonicalize(target).ok().filter(|target| is_folder(target))
}

/// The folder of this slot in the real build folder, with the dependencies that are there when it is first used.
fn inside(real: &Path, slot: &Slot, own: &PackageNames) -> Result<PathBuf> {
    let target = real.join("aiwg-gate").join(slot.name());
    if is_folder(&target) {
        return Ok(target);
    }
    let around = real.join("aiwg-gate");
    let context = || format!("cannot make {}", target.display());
    std::fs::create_dir_all(&around).with_context(context)?;
    let half = tempfile::Builder::new().prefix(".new-").tempdir_in(&around).with_context(context)?;
    for profile in profiles(real) {
        // What cannot be taken over is built again.
        let _ = seed(&real.join(&profile), &half.path().join(&profile), own);
    }
    std::fs::rename(half.keep(), &target).with_context(context)?;
    Ok(target)
}

/// Folders of profiles in a build folder: `debug`, or `<platform>/debug`.
fn profiles(target: &Path) -> Vec<PathBuf> {
    let below = |folder: PathBuf| -> Vec<PathBuf> {
        names(&target.join(&folder)).map(|name| folder.join(name)).collect()
    };
    let first = below(PathBuf::new());
    let second =
        first.iter().filter(|name| !name.ends_with("aiwg-gate")).flat_map(|name| below(name.clone()));
    let all = first.iter().cloned().chain(second);
    all.filter(|folder| is_folder(&target.join(folder).join(".fingerprint"))).collect()
}

/// Takes over what was built of other people's packages. Files that are only ever replaced as a whole are linked,
/// all others copied with their dates, by which cargo tells what is fresh.
fn seed(from: &Path, to: &Path, own: &PackageNames) -> std::io::Result<()> {
    for part in [".fingerprint", "build"] {
        for name in names(&from.join(part)) {
            if !own.built(&name.to_string_lossy()) {
                copy_tree(&from.join(part).join(&name), &to.join(part).join(&name))?;
            }
        }
    }
    let (from, to) = (from.join("deps"), to.join("deps"));
    std::fs::create_dir_all(&to)?;
    for name in names(&from) {
        let shown = name.to_string_lossy();
        let stem = shown.strip_prefix("lib").unwrap_or(&shown);
        if own.built(stem) {
            continue;
        }
        match Path::new(&name).extension().and_then(|extension| extension.to_str()) {
            Some("rlib" | "rmeta" | "so" | "dylib" | "dll") => {
                std::fs::hard_link(from.join(&name), to.join(&name))
                    .or_else(|_| copy(&from.join(&name), &to.join(&name)))?;
            }
            Some("d") => copy(&from.join(&name), &to.join(&name))?,
            _ => {}
        }
    }
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (source, copied) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&source, &copied)?;
        } else if kind.is_file() {
            copy(&source, &copied)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(std::fs::metadata(from)?.modified()?)
}

/// What the manifests of the repository name: its own packages and their targets.
struct PackageNames(BTreeSet<String>);

impl PackageNames {
    fn of(ground: &Ground, entries: &[Listed]) -> Self {
        let manifest = |listed: &&Listed| {
            let path = listed.path.as_bytes();
            path == b"Cargo.toml" || path.ends_with(b"/Cargo.toml")
        };
        let mut found = BTreeSet::new();
        for path in entries.iter().filter(manifest).filter_map(|listed| listed.path.to_os_path()) {
            let file = ground.checkout.join(path);
            let readable = std::fs::symlink_metadata(&file)
                .is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MANIFEST_BYTES);
            if readable && let Ok(text) = std::fs::read_to_string(&file) {
                found.extend(names_in(&text));
            }
        }
        Self(found)
    }

    /// Whether a file or folder of the form `<name>-<hash>` was built from them.
    fn built(&self, file: &str) -> bool {
        file.rsplit_once('-').is_some_and(|(name, _)| self.0.contains(&name.replace('-', "_")))
    }
}

/// Each `name = "..."`, as a crate is named.
fn names_in(manifest: &str) -> impl Iterator<Item = String> {
    manifest.lines().filter_map(|line| {
        let value = line.trim_start().strip_prefix("name")?.trim_start().strip_prefix('=')?.trim();
        let value = value.strip_prefix(['"', '\''])?;
        Some(value.split(['"', '\'']).next()?.replace('-', "_"))
    })
}

fn names(folder: &Path) -> impl Iterator<Item = std::ffi::OsString> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_packages_are_told_by_their_names() {
        let manifest =
            "[package]\nname = \"my-crate\"\n[[bin]]\nname='tool'\n[dependencies]\nnamed = \"1\"\n";
        let own = PackageNames(names_in(manifest).collect());
        assert_eq!(own.0, ["my_crate", "tool"].map(str::to_owned).into());
        assert!(own.built("my-crate-0123abcd") && own.built("my_crate-0123abcd.rlib"));
        assert!(
            !own.built("my-crate-derive-0123abcd") && !own.built("serde-0123abcd") && !own.built("plain")
        );
    }

    #[test]
    fn the_nearest_manifest_decides() {
        let build = |folder: &str| Build { folder: folder.to_owned(), target: Path::new("/t").join(folder) };
        let builds = [build(""), build("crates"), build("crates/a")];
        assert_eq!(target_of(&builds, "crates/a/sub"), Some(Path::new("/t/crates/a")));
        assert_eq!(target_of(&builds, "crates/ab"), Some(Path::new("/t/crates")));
        assert_eq!(target_of(&builds, ""), Some(Path::new("/t/")));
        assert_eq!(target_of(&builds[1..], "other"), None);
    }
}
