//! What the names of folders say about projects in them.

/// Folders of data and of other people's code: a manifest below them is material, not a project of its own.
const MATERIAL: &[&str] = &[
    "testdata",
    "test-data",
    "test_data",
    "testData",
    "fixtures",
    "fixture",
    "__fixtures__",
    "test-fixtures",
    "test_fixtures",
    "__mocks__",
    "__snapshots__",
    "snapshots",
    "node_modules",
    "bower_components",
    "vendor",
    "third_party",
    "third-party",
    "site-packages",
];

/// The same where they are below a folder of tests.
const MATERIAL_OF_TESTS: &[&str] =
    &["data", "artifacts", "resources", "cases", "projects", "samples", "templates", "assets", "inputs"];

/// Folders that tests stand in. A manifest below them is a project only if nothing of its kind is above.
const TESTS: &[&str] = &[
    "tests",
    "test",
    "testing",
    "__tests__",
    "e2e",
    "spec",
    "specs",
    "integration",
    "integration-tests",
    "integration_tests",
    "unit-tests",
    "unit_tests",
];

pub fn is_material(folder: &str) -> bool {
    // Project templates have names such as `{{cookiecutter.name}}`.
    let material = |part: &str| MATERIAL.contains(&part) || part.contains("{{");
    let mut tests = false;
    folder.split('/').any(|part| {
        let found = material(part) || (tests && MATERIAL_OF_TESTS.contains(&part));
        tests |= is_test_folder(part) || is_test_project(part);
        found
    })
}

/// Whether a project there is likely a part of what is above: something for its tests, or for its documentation.
pub fn is_secondary(folder: &str) -> bool {
    folder.split('/').any(|part| is_test_folder(part) || is_documentation(part))
}

pub fn is_test_folder(name: &str) -> bool {
    TESTS.contains(&name)
}

/// Builds with many projects keep some that only test others.
fn is_test_project(name: &str) -> bool {
    name.ends_with("-tests") || name.ends_with("_tests")
}

pub fn is_documentation(name: &str) -> bool {
    matches!(name, "docs" | "doc")
}

/// Folders above one, nearest first, up to the root; the folder itself is left out.
pub fn above(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(parent(folder), |folder| parent(folder))
}

pub fn parent(folder: &str) -> Option<&str> {
    (!folder.is_empty()).then(|| folder.rsplit_once('/').map_or("", |(above, _)| above))
}

/// The path of something below a folder, from there.
pub fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// How deep a folder lies; the root has depth 0.
pub fn depth(folder: &str) -> usize {
    if folder.is_empty() { 0 } else { folder.split('/').count() }
}

/// A path with `.` and `..` in it, from a folder; `None` where it leads out of the repository.
pub fn resolve(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_above_end_at_the_root() {
        assert_eq!(above("a/b/c").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(above("").count(), 0);
    }

    #[test]
    fn paths_below_a_folder_keep_to_whole_names() {
        assert_eq!(below("a", "a/b"), Some("b"));
        assert_eq!(below("a", "ab"), None);
        assert_eq!(below("", "ab"), Some("ab"));
    }

    #[test]
    fn a_path_out_of_the_repository_is_none() {
        assert_eq!(resolve("a/b", "../c").as_deref(), Some("a/c"));
        assert_eq!(resolve("a", "..").as_deref(), Some(""));
        assert_eq!(resolve("a", "../../c"), None);
    }
}
