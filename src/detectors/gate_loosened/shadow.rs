//! New files that stand in the way of a test framework or library: Python finds them first.

use super::ID;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::report::{Draft, rename};
use crate::finding::{Finding, Severity, Side};

/// Modules that tests import and no project calls its own file.
const IMPORTED: &[&str] =
    &["pytest", "unittest", "nose", "nose2", "hypothesis", "requests", "numpy", "pandas"];

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let added =
        comparison.files.iter().filter(|file| file.before.is_none()).filter_map(|file| file.after.as_ref());
    added.filter_map(shadowing).collect()
}

fn shadowing(file: &FileSide) -> Option<Finding> {
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let (module, folder) = match name.strip_suffix(".py")? {
        "__init__" => folder.rsplit_once('/').map_or((folder, ""), |(parent, last)| (last, parent)),
        module => (module, folder),
    };
    if !IMPORTED.contains(&module) || !matches!(folder, "" | "test" | "tests") {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!(
            "{} stands in the way of the module {module}: tests that import it get this file",
            file.path
        ),
        help: format!("give the file another name: {}", rename(&file.path, &another_name(folder, module))),
    };
    Some(draft.on(Side::After, file, 1, file.path.clone()))
}

/// A name that no library has.
fn another_name(folder: &str, module: &str) -> String {
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}own_{module}.py")
}
