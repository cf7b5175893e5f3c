//! Whether the dependencies of a Node project are there.

use anyhow::{Result, bail};
use serde_json::Value;

use super::Place;

/// Without its dependencies every run of a project fails, with a message that says something else.
pub fn check_installed(program: &str, place: &Place<'_>) -> Result<()> {
    let installed = |folder: &std::path::PathBuf| {
        // Yarn may keep them in an archive that this file describes.
        ["node_modules", ".pnp.cjs", ".pnp.js"].iter().any(|name| folder.join(name).exists())
    };
    if !has_dependencies(place) || place.upwards().any(|folder| installed(&folder)) {
        return Ok(());
    }
    let manager = match program {
        "npx" => "npm",
        "bunx" => "bun",
        other => other,
    };
    let place = if place.folder.is_empty() { "the root" } else { place.folder };
    bail!("node_modules is missing in {}: run `{manager} install` there", crate::text::one_line(place))
}

fn has_dependencies(place: &Place<'_>) -> bool {
    let package = std::fs::read(place.directory().join("package.json")).unwrap_or_default();
    let package: Value = serde_json::from_slice(&package).unwrap_or_default();
    let lists = ["dependencies", "devDependencies"].iter().filter_map(|key| package.get(key)?.as_object());
    lists.into_iter().any(|list| !list.is_empty())
}
