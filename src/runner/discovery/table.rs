//! The one table of ecosystems.

use super::ground::Ground;
use super::{cargo, go, gradle, maven, node, python};
use crate::policy::Framework;

/// What is run for a suite, in words that do not depend on the machine.
pub struct Described {
    pub framework: Framework,
    pub command: Vec<String>,
}

impl Described {
    pub fn new(framework: Framework, command: &[&str]) -> Self {
        Self { framework, command: command.iter().map(|&word| word.to_owned()).collect() }
    }
}

pub struct Ecosystem {
    /// In the names of suites.
    pub label: &'static str,
    /// Files by which a project of this kind is told.
    pub is_manifest: fn(name: &str) -> bool,
    /// Extensions of its source files.
    pub sources: &'static [&'static str],
    /// Names of further files that nothing else reads.
    pub files: &'static [&'static str],
    /// The folder of the suite that files in this folder belong to, where this folder decides it. That is the folder
    /// itself or one above it. `None`: ask the folder above.
    pub here: fn(&Ground<'_>, folder: &str) -> Option<String>,
    /// The suite in a folder that `here` gave.
    pub describe: fn(&Ground<'_>, folder: &str) -> Described,
}

impl Ecosystem {
    pub fn is_source(&self, name: &str) -> bool {
        name.rsplit_once('.').is_some_and(|(_, extension)| self.sources.contains(&extension))
    }
}

const JVM: &[&str] = &["java", "kt", "kts", "scala", "groovy"];

pub static ECOSYSTEMS: &[Ecosystem] = &[
    Ecosystem {
        label: cargo::LABEL,
        is_manifest: |name| name == "Cargo.toml",
        sources: &["rs"],
        files: &["Cargo.lock", "rustfmt.toml", "clippy.toml", "rust-toolchain", "rust-toolchain.toml"],
        here: cargo::here,
        describe: cargo::describe,
    },
    Ecosystem {
        label: python::LABEL,
        is_manifest: python::is_manifest,
        sources: &["py", "pyi"],
        files: &[
            "poetry.lock",
            "uv.lock",
            "pdm.lock",
            "Pipfile.lock",
            "MANIFEST.in",
            ".python-version",
            "mypy.ini",
        ],
        here: python::here,
        describe: python::describe,
    },
    Ecosystem {
        label: node::LABEL,
        is_manifest: |name| name == "package.json",
        sources: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"],
        files: node::FILES,
        here: node::here,
        describe: node::describe,
    },
    Ecosystem {
        label: go::LABEL,
        is_manifest: |name| name == "go.mod",
        sources: &["go"],
        files: &["go.sum", "go.work", "go.work.sum"],
        here: go::here,
        describe: go::describe,
    },
    Ecosystem {
        label: maven::LABEL,
        is_manifest: |name| name == "pom.xml",
        sources: JVM,
        files: &["mvnw", "mvnw.cmd"],
        here: maven::here,
        describe: maven::describe,
    },
    Ecosystem {
        label: gradle::LABEL,
        is_manifest: gradle::is_manifest,
        sources: JVM,
        files: &["gradlew", "gradlew.bat", "gradle.properties"],
        here: gradle::here,
        describe: gradle::describe,
    },
];

pub fn ecosystem(label: &str) -> Option<&'static Ecosystem> {
    ECOSYSTEMS.iter().find(|kind| kind.label == label)
}

/// Whether a file is one by which suites are found; [`Finder::all`](super::Finder::all) wants all of them.
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ECOSYSTEMS.iter().any(|kind| (kind.is_manifest)(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_apart() {
        for (at, kind) in ECOSYSTEMS.iter().enumerate() {
            let others =
                || ECOSYSTEMS.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
            assert!(others().all(|other| other.label != kind.label), "{}", kind.label);
            for file in kind.files {
                let twice = others().any(|other| other.files.contains(file) || (other.is_manifest)(file));
                assert!(!twice, "{file} belongs to {} and another", kind.label);
            }
        }
    }

    #[test]
    fn manifests_are_told_by_their_names() {
        for path in
            ["Cargo.toml", "a/package.json", "a/b/requirements-dev.txt", "build.gradle.kts", "x/go.mod"]
        {
            assert!(is_manifest(path), "{path}");
        }
        for path in ["a/Cargo.lock", "package.json/a", "src/requirements.rs", "go.sum", "pom.xml.bak"] {
            assert!(!is_manifest(path), "{path}");
        }
    }
}
