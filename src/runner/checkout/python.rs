//! Python in a checkout: what an editable install leads to in the working tree, leads into the checkout.
//!
//! Which interpreter a command uses is known only when it starts. So each one finds a `sitecustomize` that moves its
//! search path and its editable finders, in place, before anything of the project is imported. What it cannot move
//! it writes down.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::ground::Ground;
use crate::git::Listed;
use crate::platform::path_to_bytes;
use crate::text::one_line;

const TEMPLATE: &str = include_str!("sitecustomize.py");
const DOUBTS: &str = "doubts";
/// Enough for every doubt that a person would read.
const DOUBT_BYTES: usize = 64 * 1024;

/// Whether anything here is Python's.
pub fn is_used(ground: &Ground, entries: &[Listed]) -> bool {
    entries.iter().any(|listed| listed.path.as_bytes().ends_with(b".py"))
        || ground.borrowed().iter().any(|folder| folder.join("pyvenv.cfg").is_file())
}

/// Writes the module to a folder of its own in `place` and gives the folder.
pub fn write(ground: &Ground, place: &Path) -> Result<PathBuf> {
    let folder = place.join("python");
    std::fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let borrowed: Vec<&Path> = ground.borrowed().iter().map(PathBuf::as_path).collect();
    let script = TEMPLATE
        .replace("ROOTS = []", &format!("ROOTS = {}", literals(&ground.roots())))
        .replace("BORROWED = []", &format!("BORROWED = {}", literals(&borrowed)))
        .replace("CHECKOUT = None", &format!("CHECKOUT = {}", literal(&ground.checkout)))
        .replace("DOUBTS = None", &format!("DOUBTS = {}", literal(&folder.join(DOUBTS))));
    let file = folder.join("sitecustomize.py");
    std::fs::write(&file, script).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(folder)
}

/// What interpreters wrote down.
pub fn doubts(folder: &Path) -> Vec<String> {
    let written = std::fs::read(folder.join(DOUBTS)).unwrap_or_default();
    let written = &written[..written.len().min(DOUBT_BYTES)];
    String::from_utf8_lossy(written).lines().map(one_line).collect()
}

fn literals(paths: &[&Path]) -> String {
    let list: Vec<String> = paths.iter().map(|path| literal(path)).collect();
    format!("[{}]", list.join(", "))
}

/// Bytes as every Python reads them.
fn literal(path: &Path) -> String {
    let bytes: String = path_to_bytes(path).iter().map(|byte| format!("\\x{byte:02x}")).collect();
    format!("_text(b\"{bytes}\")")
}
