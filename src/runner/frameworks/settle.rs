//! Names of files as the repository knows them: from its root, with forward slashes.

use std::path::{Component, Path, PathBuf};

use super::table::Report;
use crate::runner::results::Results;

/// The largest report that is read.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Names files of tests and places from the root of the checkout, where they are below it.
pub fn settle(mut results: Results, report: &Report<'_>) -> Results {
    let roots = Roots::new(report);
    for test in &mut results.tests {
        if let Some(file) = &mut test.id.file {
            *file = roots.name(file);
        }
    }
    let failures = results.tests.iter_mut().filter_map(|test| test.failure.as_mut());
    for location in failures.chain(&mut results.problems).filter_map(|failure| failure.location.as_mut()) {
        location.file = roots.name(&location.file);
    }
    results
}

/// The report that the plan asked for; `None` if the run left none.
pub fn report_bytes(file: &Path) -> Result<Option<Vec<u8>>, String> {
    match std::fs::metadata(file) {
        Ok(data) if data.len() > LARGEST => {
            Err(format!("the report is larger than {} MB", LARGEST / 1024 / 1024))
        }
        Ok(data) if data.is_file() => {
            std::fs::read(file).map(Some).map_err(|error| format!("the report cannot be read: {error}"))
        }
        _ => Ok(None),
    }
}

struct Roots {
    /// The root as it was given and as it really is: tools print either.
    roots: [PathBuf; 2],
    directory: PathBuf,
}

impl Roots {
    fn new(report: &Report<'_>) -> Self {
        let real = std::fs::canonicalize(report.root).unwrap_or_else(|_| report.root.to_owned());
        Self { roots: [report.root.to_owned(), real], directory: report.directory.to_owned() }
    }

    fn name(&self, file: &str) -> String {
        let plain = file.strip_prefix("file://").unwrap_or(file);
        let path = normal(&self.directory.join(plain));
        // What is not there may be meant from another folder.
        if Path::new(plain).is_relative() && !path.exists() {
            return plain.replace('\\', "/");
        }
        let below = self.roots.iter().find_map(|root| path.strip_prefix(root).ok());
        below.map_or(plain.to_owned(), |below| below.to_string_lossy().replace('\\', "/"))
    }
}

/// Without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut whole, part| {
        match part {
            Component::CurDir => (),
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
        whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        std::fs::create_dir_all(root.join("app/src")).unwrap();
        std::fs::write(root.join("app/src/a.js"), "").unwrap();
        let roots = Roots { roots: [root.clone(), root.clone()], directory: root.join("app") };
        assert_eq!(roots.name("src/a.js"), "app/src/a.js");
        assert_eq!(roots.name("./src/../src/a.js"), "app/src/a.js");
        assert_eq!(roots.name(&format!("file://{}/app/src/a.js", root.display())), "app/src/a.js");
        assert_eq!(roots.name("com/acme/A.java"), "com/acme/A.java");
        assert_eq!(roots.name("/elsewhere/b.js"), "/elsewhere/b.js");
    }
}
