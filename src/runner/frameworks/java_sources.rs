//! A bounded walk through a Java project: fresh reports of its build, and the files that classes are written in.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::collections::HashMap;

const DEEPEST: usize = 24;
const MOST: usize = 200_000;
/// Clocks of file systems are coarser than that of the process.
const SLACK: Duration = Duration::from_millis(100);
const REPORTS: [&str; 3] = ["target/surefire-reports", "target/failsafe-reports", "build/test-results"];
const SKIPPED: [&str; 4] = ["node_modules", "target", "build", "out"];
const SOURCES: [&str; 4] = ["java", "kt", "groovy", "scala"];

#[derive(Default)]
pub struct Project {
    /// Folders with reports, each with the module that it belongs to.
    reports: Vec<(PathBuf, PathBuf)>,
    /// Files of source by their name without extension.
    sources: HashMap<String, Vec<PathBuf>>,
    seen: usize,
}

impl Project {
    pub fn walk(directory: &Path) -> Self {
        let mut project = Self::default();
        project.folder(directory, 0);
        project
    }

    fn folder(&mut self, folder: &Path, depth: usize) {
        for name in REPORTS {
            let reports = folder.join(name);
            if reports.is_dir() {
                self.reports.push((reports, folder.to_owned()));
            }
        }
        for entry in entries(folder) {
            self.seen += 1;
            if depth >= DEEPEST || self.seen > MOST {
                return;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) => {
                    self.folder(&entry.path(), depth + 1);
                }
                Ok(kind) if kind.is_file() => self.file(&name, entry.path()),
                _ => (),
            }
        }
    }

    fn file(&mut self, name: &str, path: PathBuf) {
        if let Some((stem, extension)) = name.rsplit_once('.')
            && SOURCES.contains(&extension)
        {
            self.sources.entry(stem.to_owned()).or_default().push(path);
        }
    }

    /// Reports that were written since, each with its module, in a fixed order.
    pub fn fresh_reports(&self, since: SystemTime) -> Vec<(PathBuf, &Path)> {
        let files = self.reports.iter().flat_map(|(folder, module)| {
            fresh_in(folder, since).into_iter().map(move |file| (file, module.as_path()))
        });
        files.collect()
    }

    /// The file of a class such as `com.acme.CartTest$Inner`, rather in the module than elsewhere.
    pub fn source(&self, class: &str, module: &Path) -> Option<&Path> {
        let outermost = class.split('$').next()?;
        let (package, name) = outermost.rsplit_once('.').unwrap_or(("", outermost));
        let folder = package.replace('.', "/");
        let mut found = self.sources.get(name)?.iter().map(PathBuf::as_path);
        let fits = |file: &&Path| file.parent().is_some_and(|parent| parent.ends_with(&folder));
        let mut fitting: Vec<&Path> = found.by_ref().filter(fits).collect();
        fitting.sort_by_key(|file| !file.starts_with(module));
        fitting.first().copied()
    }

    /// The file that a frame of a stack names below its package: `com/acme/CartTest.java`.
    pub fn frame_source(&self, place: &str, module: &Path) -> Option<&Path> {
        let (path, _) = place.rsplit_once('.')?;
        self.source(&path.replace('/', "."), module)
    }
}

/// Reports in a folder and those below it that were written since.
pub fn fresh_in(folder: &Path, since: SystemTime) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in entries(&folder) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(data) = entry.metadata() else { continue };
            let fresh = data.modified().is_ok_and(|at| at + SLACK >= since);
            if data.is_dir() && depth < 4 {
                folders.push((entry.path(), depth + 1));
            } else if data.is_file() && fresh && name.starts_with("TEST-") && name.ends_with(".xml") {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    files
}

fn entries(folder: &Path) -> Vec<std::fs::DirEntry> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_reports_of_every_module_are_found_and_classes_in_their_own_module() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for file in [
            "a/target/surefire-reports/TEST-com.acme.CartTest.xml",
            "b/build/test-results/test/TEST-com.acme.CartTest.xml",
            "b/build/test-results/test/binary/output.bin",
            "node_modules/x/target/surefire-reports/TEST-x.xml",
            "a/src/test/java/com/acme/CartTest.java",
            "b/src/test/java/com/acme/CartTest.java",
            "b/src/test/java/com/other/CartTest.java",
        ] {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), "").unwrap();
        }
        let project = Project::walk(root);
        let reports = project.fresh_reports(SystemTime::UNIX_EPOCH);
        let mut modules: Vec<&Path> = reports.iter().map(|(_, module)| *module).collect();
        modules.sort();
        assert_eq!(modules, [root.join("a"), root.join("b")]);
        assert!(project.fresh_reports(SystemTime::now() + Duration::from_secs(60)).is_empty());
        let source = |class| project.source(class, &root.join("b"));
        assert_eq!(
            source("com.acme.CartTest$Inner"),
            Some(&*root.join("b/src/test/java/com/acme/CartTest.java"))
        );
        assert_eq!(source("com.none.CartTest"), None);
        assert_eq!(
            project.frame_source("com/acme/CartTest.java", &root.join("a")),
            Some(&*root.join("a/src/test/java/com/acme/CartTest.java"))
        );
    }
}
