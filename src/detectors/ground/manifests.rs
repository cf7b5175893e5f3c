//! What the manifests of cargo in a change say about features and packages.

use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::text::contains;

/// The manifests that a change touches, both sides of each.
pub struct Manifests<'c>(Vec<(&'c FileSide, &'c FileSide)>);

impl<'c> Manifests<'c> {
    pub fn of(comparison: &'c Comparison) -> Self {
        Self(comparison.files.iter().filter_map(sides).collect())
    }

    /// Whether one says which packages are meant where nobody names any.
    pub fn have_default_members(&self) -> bool {
        self.0.iter().any(|(_, after)| contains(&after.text, b"default-members"))
    }

    /// Whether one no longer has a line that defines this name.
    pub fn lose(&self, name: &str) -> bool {
        let defines = |side: &FileSide| {
            let text = String::from_utf8_lossy(&side.text);
            text.lines().any(|line| line.split('=').next().is_some_and(|key| key.trim() == name))
        };
        self.0.iter().any(|(before, after)| defines(before) && !defines(after))
    }
}

fn sides(file: &FileComparison) -> Option<(&FileSide, &FileSide)> {
    let sides = file.before.as_ref().zip(file.after.as_ref());
    sides.filter(|(before, _)| before.path.ends_with("Cargo.toml"))
}
