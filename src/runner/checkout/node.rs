//! `node_modules` for a checkout: a folder of its own with a link for each package.
//!
//! Node goes by real paths, so a package that is a link into the working tree (workspaces, `file:` dependencies) has to
//! lead into the checkout. All other packages are the real ones.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::borrow::leads_back;
use super::ground::{Ground, is_folder};
use crate::platform;
use crate::text::one_line;

/// Caches by path or content: a checkout begins without them.
const CACHES: [&str; 4] = [".cache", ".vite", ".vite-temp", ".vitest"];

/// How much is read to find packages that would load a workspace package from the working tree.
const MANIFESTS: usize = 5_000;
const MANIFEST_BYTES: u64 = 1024 * 1024;
const STORE_ENTRIES: usize = 50_000;

pub fn mirror(ground: &mut Ground, place: &Path) -> Result<()> {
    let shown = one_line(&place.to_string_lossy());
    let Ok(from) = std::fs::canonicalize(ground.work.join(place)) else { return Ok(()) };
    if !is_folder(&from) {
        ground.doubt(format!("{shown} is not a folder in the working tree"));
        return Ok(());
    }
    let to = ground.checkout.join(place);
    let mut mirror = Mirror { ground, shown, repointed: Vec::new(), real: Vec::new() };
    mirror.folder(&from, &to, "")?;
    mirror.doubt_dependents();
    mirror.doubt_store(&from.join(".pnpm"));
    Ok(())
}

struct Mirror<'g> {
    ground: &'g mut Ground,
    shown: String,
    /// Names of packages that lead into the checkout.
    repointed: Vec<String>,
    /// Folders of the other packages.
    real: Vec<(String, PathBuf)>,
}

impl Mirror<'_> {
    /// `prefix` is the scope that the folder stands for.
    fn folder(&mut self, from: &Path, to: &Path, prefix: &str) -> Result<()> {
        if !is_folder(to) {
            std::fs::create_dir(to).with_context(|| format!("cannot make {}", to.display()))?;
        }
        for entry in std::fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            let (source, link) = (from.join(&name), to.join(&name));
            let package = format!("{prefix}{}", name.to_string_lossy());
            if std::fs::symlink_metadata(&link).is_ok() || CACHES.iter().any(|cache| name == *cache) {
                continue;
            }
            if kind.is_symlink() {
                self.link(&source, &link, package)?;
            } else if kind.is_dir() && prefix.is_empty() && is_group(&name) {
                self.folder(&source, &link, &format!("{package}/"))?;
            } else {
                make_link(&source, &link)?;
                self.real.push((package, source));
            }
        }
        Ok(())
    }

    fn link(&mut self, source: &Path, link: &Path, package: String) -> Result<()> {
        // Where it leads to is missing in the working tree too.
        let Ok(real) = std::fs::canonicalize(source) else { return Ok(()) };
        let Some(counterpart) = self.ground.counterpart(&real) else {
            // A program of a package that is linked here: by its own words it stays inside of this folder.
            let target = std::fs::read_link(source).ok().filter(|_| package.starts_with(".bin/"));
            return make_link(target.filter(|target| target.is_relative()).as_deref().unwrap_or(&real), link);
        };
        if counterpart.exists() {
            self.repointed.push(package);
            return make_link(&counterpart, link);
        }
        self.ground.doubt(format!(
            "{}/{} is left out: it leads to a place in the working tree that is not checked out",
            self.shown,
            one_line(&package)
        ));
        Ok(())
    }

    /// A real package that needs a workspace package finds the one in the working tree, beside itself.
    fn doubt_dependents(&mut self) {
        let keys: Vec<(&String, String)> =
            self.repointed.iter().map(|name| (name, format!("\"{name}\":"))).collect();
        if keys.is_empty() {
            return;
        }
        let needs = |(package, folder): &(String, PathBuf)| {
            let manifest = folder.join("package.json");
            let small = std::fs::metadata(&manifest).is_ok_and(|metadata| metadata.len() <= MANIFEST_BYTES);
            let text = small.then(|| std::fs::read_to_string(&manifest).ok()).flatten()?;
            let (name, _) = keys.iter().find(|(_, key)| text.contains(key))?;
            Some((package.clone(), (*name).clone()))
        };
        if let Some((package, name)) = self.real.iter().take(MANIFESTS).find_map(needs) {
            let (package, name) = (one_line(&package), one_line(&name));
            self.ground.doubt(format!("{}/{package} may load {name} from the working tree", self.shown));
        }
    }

    /// pnpm keeps packages in a store, each beside links to what it needs.
    fn doubt_store(&mut self, store: &Path) {
        let mut left = STORE_ENTRIES;
        // The links in `node_modules` of the store serve packages that do not declare what they need.
        let packages = names(store).filter(|name| name != "node_modules");
        for package in packages {
            // A package of a folder in the repository, made of hard links to its files.
            if package.to_string_lossy().contains("@file+") {
                let package = one_line(&package.to_string_lossy());
                self.ground
                    .doubt(format!("{}/.pnpm/{package} shares files with the working tree", self.shown));
                return;
            }
            let folder = store.join(package).join("node_modules");
            let scoped = names(&folder).filter(|name| is_group(name)).map(|name| folder.join(name));
            for links in std::iter::once(folder.clone()).chain(scoped) {
                for name in names(&links) {
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    let link = links.join(&name);
                    if link.is_symlink() && leads_back(self.ground, &link) {
                        let link = link.strip_prefix(store).unwrap_or(&link);
                        let link = one_line(&link.to_string_lossy());
                        self.ground
                            .doubt(format!("{}/.pnpm/{link} leads back into the working tree", self.shown));
                        return;
                    }
                }
            }
        }
    }
}

/// Folders that hold packages or programs and are none themselves.
fn is_group(name: &OsStr) -> bool {
    name == ".bin" || name.to_string_lossy().starts_with('@')
}

fn names(folder: &Path) -> impl Iterator<Item = std::ffi::OsString> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name())
}

fn make_link(target: &Path, link: &Path) -> Result<()> {
    platform::symlink(target, link).with_context(|| format!("cannot link {}", link.display()))
}
