//! Where `unittest discover` has to start so that it finds the tests.
//!
//! It goes into packages alone, imports from the top folder, and takes files by one pattern.

use super::super::look::{Look, join};
use super::super::places;

pub fn discover_arguments(look: &Look<'_>, folder: &str, files: &[String]) -> Vec<String> {
    let Some(file) = files.first().and_then(|file| places::below(folder, file)) else { return Vec::new() };
    let (start, top) = start(look, folder, file);
    let mut arguments = Vec::new();
    if let Some(start) = start {
        arguments.extend(["-s".to_owned(), start]);
    }
    if let Some(top) = top {
        arguments.extend(["-t".to_owned(), top]);
    }
    let name = file.rsplit('/').next().unwrap_or(file);
    if !name.starts_with("test") {
        arguments.extend(["-p".to_owned(), "*_test.py".to_owned()]);
    }
    arguments
}

/// The start and the top folder; `None` for the default, which is the folder itself and the start.
fn start(look: &Look<'_>, folder: &str, file: &str) -> (Option<String>, Option<String>) {
    let is_package = |at: &str| look.has(&join(folder, at), "__init__.py");
    let parts: Vec<&str> = file.split('/').collect();
    let folders = &parts[..parts.len() - 1];
    let Some(&first) = folders.first() else { return (None, None) };
    if first == "src" && folders.get(1).is_some_and(|package| is_package(&format!("src/{package}"))) {
        return (Some("src".to_owned()), Some("src".to_owned()));
    }
    if places::is_test_folder(first) {
        let top = is_package(first).then(|| ".".to_owned());
        return (Some(first.to_owned()), top);
    }
    if is_package(first) {
        return (None, None);
    }
    // Not reached from above: start where the tests are.
    (Some(folders.join("/")), None)
}
