//! Which paths can decide what tests do, by name alone.
//!
//! A proof is bound to these. Leaving out too much would let a change pass that nobody ran; leaving out too little
//! would ask for a run after every edit of a workflow file. So only what tests practically never read is left out.

use super::defaults::{Parts, has};
use crate::policy;

/// The gate's memory, in the root.
const MEMORY: &str = ".aiwg";

/// Folders in the root for servers and hook managers.
const SERVICE_FOLDERS: &[&str] = &[".github", ".gitlab", ".circleci", ".husky"];

/// Files in the root for servers and hook managers.
const SERVICE_FILES: &[&str] = &[
    ".gitlab-ci.yml",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
];

/// Folders and files for git and editors, at any depth.
const EDITOR_FOLDERS: &[&str] = &[".vscode", ".idea"];
const EDITOR_FILES: &[&str] = &[".gitattributes", ".gitignore", ".editorconfig"];

/// Extensions of data and configuration that code commonly reads.
const DATA: &[&str] =
    &["json", "yaml", "yml", "toml", "ini", "cfg", "sql", "graphql", "proto", "snap", "csv", "html", "xml"];

/// What package managers write down of the versions they chose.
const LOCKS: &[&str] = &[
    "Cargo.lock",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "go.sum",
    "Pipfile.lock",
];

/// Folders, at any depth, whose files are caches or the work of others.
const CACHES: &[&str] =
    &["__pycache__", "node_modules", ".venv", "venv", ".tox", ".nox", "site-packages", ".git"];

/// Folders, at any depth, that tools fill while they build and test. Code in them may be somebody's work.
const ARTIFACTS: &[&str] = &[
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    "target",
    "build",
    "dist",
    "coverage",
    "htmlcov",
    ".nyc_output",
    ".gradle",
];

/// Code that tools put into these folders: lists of what an object was made from, and scripts of coverage reports.
const BUILT: &[&str] = &["d"];
const REPORT_SCRIPTS: &[&str] = &["prettify.js", "sorter.js", "block-navigation.js", "coverage_html.js"];

/// Shells' languages, in which hooks are written.
const SHELL: &[&str] = &["sh", "bash", "zsh", "ps1", "bat"];

/// The policy, the waivers and the memory: they say how tests are judged, not what they do.
pub fn is_gates_own(path: &str) -> bool {
    path == policy::FILE_NAME || path == policy::waivers::FILE_NAME || path.split('/').next() == Some(MEMORY)
}

/// Settings of servers, hook managers, git and editors. Code beside them may be tested like any other.
pub fn is_read_by_no_test(path: &str) -> bool {
    let parts = Parts::of(path);
    if parts.is_source() && !has(SHELL, parts.extension) {
        return false;
    }
    let service = match parts.folders.first() {
        Some(top) => SERVICE_FOLDERS.contains(top),
        None => SERVICE_FILES.contains(&parts.name),
    };
    let editor = parts.folders.iter().any(|folder| EDITOR_FOLDERS.contains(folder));
    service || editor || EDITOR_FILES.contains(&parts.name)
}

/// Whether a file that git does not know yet is more likely a part of the work than a by-product of it.
pub fn is_likely_work(path: &str) -> bool {
    let parts = Parts::of(path);
    let within = |names: &[&str]| parts.folders.iter().any(|folder| names.contains(folder));
    if within(CACHES) || parts.folders.iter().any(|folder| folder.ends_with(".egg-info")) {
        return false;
    }
    let built = || has(BUILT, parts.extension) || REPORT_SCRIPTS.contains(&parts.name);
    if within(ARTIFACTS) {
        return parts.is_source() && !built();
    }
    parts.is_source() || has(DATA, parts.extension) || LOCKS.contains(&parts.name)
}

/// Whether a run of tests writes such a file for the first time, to be committed with the change: what was chosen
/// from a registry, and what is expected from now on.
pub fn is_product_of_runs(path: &str) -> bool {
    let parts = Parts::of(path);
    let snapshot = parts.extension == "snap" || parts.folders.contains(&"__snapshots__");
    !parts.is_source() && (LOCKS.contains(&parts.name) || snapshot)
}

/// Whether tools put what they build or report into the folder of this file.
pub fn is_in_artifacts(path: &str) -> bool {
    Parts::of(path).folders.iter().any(|folder| ARTIFACTS.contains(folder))
}

/// Folders of what tests read, compare with or work on.
const INPUTS: &[&str] = &[
    "fixtures",
    "fixture",
    "__fixtures__",
    "testdata",
    "test-data",
    "test_data",
    "data",
    "snapshots",
    "__snapshots__",
    "inputs",
    "input",
    "outputs",
    "in",
    "out",
    "golden",
    "goldens",
    "corpus",
    "samples",
];

/// Whether a file stands in a folder of what tests only take as their input.
pub fn is_input_of_tests(path: &str) -> bool {
    Parts::of(path).folders.iter().any(|folder| INPUTS.contains(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gates_own_files_stand_in_the_root() {
        for path in ["aiwg-gate.yaml", "aiwg-gate.waivers.yaml", ".aiwg/ralph/debug-memory/sessions/a.yaml"] {
            assert!(is_gates_own(path), "{path}");
        }
        for path in ["tests/fixtures/aiwg-gate.yaml", "a/.aiwg/b.py", ".aiwg.py", "aiwg-gate.yaml.py"] {
            assert!(!is_gates_own(path), "{path}");
        }
    }

    #[test]
    fn fires_on_settings_of_servers_hook_managers_and_editors() {
        for path in [
            ".github/workflows/ci.yml",
            ".gitlab-ci.yml",
            ".gitlab/ci/test.yml",
            ".circleci/config.yml",
            ".pre-commit-config.yaml",
            "lefthook.yml",
            ".husky/pre-commit",
            ".husky/_/husky.sh",
            ".github/scripts/setup.sh",
            ".gitattributes",
            "src/.gitattributes",
            "a/.gitignore",
            ".editorconfig",
            ".vscode/settings.json",
            "web/.idea/x.xml",
        ] {
            assert!(is_read_by_no_test(path), "{path}");
        }
    }

    #[test]
    fn quiet_on_what_code_may_read() {
        for path in [
            "src/a.py",
            "Makefile",
            "package.json",
            "tests/fixtures/.github/workflows/ci.yml",
            "tests/data/.gitlab-ci.yml",
            "src/lefthook.yml",
            "github/a.py",
            ".github/scripts/release.py",
            ".husky/check.mjs",
            ".vscode/extension.ts",
            ".env",
            ".eslintrc.json",
        ] {
            assert!(!is_read_by_no_test(path), "{path}");
        }
    }

    #[test]
    fn new_code_and_data_are_work() {
        for path in [
            "src/a.py",
            "tests/test_a.py",
            "a.ts",
            "tests/data/in.json",
            "config/app.YAML",
            "schema.graphql",
            "src/__snapshots__/a.snap",
            "pyproject.toml",
            "db/1.sql",
            "targets/a.rs",
            "rebuild/a.go",
            "web/dist/app.js",
            "build/helper.py",
            "target/a.rs",
            "coverage/plugin.py",
            "Cargo.lock",
            "go.sum",
        ] {
            assert!(is_likely_work(path), "{path}");
        }
    }

    #[test]
    fn by_products_and_unknown_kinds_are_none() {
        for path in [
            "src/__pycache__/a.py",
            "node_modules/a/index.js",
            "web/dist/app.json",
            "target/debug/deps/a.d",
            "target/release.json",
            "coverage/index.html",
            "coverage/lcov-report/sorter.js",
            "venv/lib/site-packages/a.py",
            "htmlcov/a.html",
            "build/a.json",
            ".venv/lib/a.py",
            "shop.egg-info/x.json",
            "a/.gradle/a.xml",
            "core.1234",
            "notes.md",
            "out.log",
            "a.pyc",
            "Makefile",
            "Dockerfile",
            "data.bin",
            ".json",
        ] {
            assert!(!is_likely_work(path), "{path}");
        }
    }

    #[test]
    fn only_locks_and_snapshots_are_products_to_commit() {
        for path in
            ["Cargo.lock", "web/pnpm-lock.yaml", "go.sum", "src/__snapshots__/a.test.ts.snap", "a.snap"]
        {
            assert!(is_product_of_runs(path), "{path}");
        }
        for path in
            ["data.json", "a.snap.new", "src/__snapshots__/a.py", "settings.toml", "src/lock.rs", "a.py"]
        {
            assert!(!is_product_of_runs(path), "{path}");
        }
    }
}
