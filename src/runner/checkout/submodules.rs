//! Submodules: borrowed from the working tree where it has exactly the commit that is asked for.

use std::path::Path;

use anyhow::{Context, Result};

use super::ground::Ground;
use crate::git::{Listed, Repository};
use crate::platform;

pub fn fill(ground: &mut Ground, repository: &Repository, entries: &[Listed]) -> Result<()> {
    for listed in entries.iter().filter(|listed| listed.is_submodule() && !listed.skipped) {
        let Some(place) = listed.path.to_os_path().filter(|place| ground.has_folder(place)) else { continue };
        match repository.submodule_is_at(&ground.work.join(&place), &listed.entry.id) {
            // Nothing is there in the working tree either.
            None => {}
            Some(true) => fill_one(ground, &place)?,
            Some(false) => ground.doubt(format!(
                "the submodule {} is empty: in the working tree it is not exactly at {}",
                crate::text::one_line(&listed.path.text()),
                listed.entry.id.short()
            )),
        }
    }
    Ok(())
}

/// A link for each entry: to git, the folder stays a submodule that is not populated.
fn fill_one(ground: &mut Ground, place: &Path) -> Result<()> {
    let (from, to) = (ground.work.join(place), ground.checkout.join(place));
    for entry in std::fs::read_dir(&from).with_context(|| format!("cannot read {}", from.display()))? {
        let name = entry?.file_name();
        if name != ".git" {
            platform::symlink(&from.join(&name), &to.join(&name))
                .with_context(|| format!("cannot link {}", to.join(&name).display()))?;
        }
    }
    ground.borrow(place);
    Ok(())
}
