//! The three kinds of trees show the same files, and nothing outside of them.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::super::{CommitTree, DiskTree, StagedTree};
use super::*;
use crate::git::{RepoPath, Repository};

fn git(root: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(root).args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
    ]);
    command
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn write(root: &Path, path: &str, content: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

fn repository(format: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    git(folder.path(), &["init", "-q", &format!("--object-format={format}")]);
    for path in
        ["Cargo.toml", "src/lib.rs", "web/package.json", "web/src/a.ts", "web.txt", "gone/only.py", "swap"]
    {
        write(folder.path(), path, path);
    }
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-qm", "one"]);
    folder
}

#[track_caller]
fn same(one: &dyn Tree, two: &dyn Tree, folder: &str) {
    let names = one.names(folder);
    assert_eq!(names, two.names(folder), "{folder}");
    for name in &names {
        let path = super::super::look::join(folder, name.trim_end_matches('/'));
        assert!(one.exists(&path) && two.exists(&path), "{path}");
        assert_eq!(one.read(&path), two.read(&path), "{path}");
        if name.ends_with('/') {
            same(one, two, &path);
        }
    }
}

#[test]
fn a_commit_the_index_and_the_disk_look_alike() {
    let folder = repository("sha1");
    let root = folder.path();
    write(root, "swap.d/deep/er/new.go", "x");
    write(root, "web/src/a.ts", "changed");
    fs::remove_dir_all(root.join("gone")).unwrap();
    fs::remove_file(root.join("swap")).unwrap();
    write(root, "swap/now/a/folder.rs", "y");
    fs::remove_dir_all(root.join("src")).unwrap();
    write(root, "src", "now a file");
    git(root, &["add", "-A"]);

    let repository = Repository::open(root).unwrap();
    let base = repository.head().unwrap();
    let staged = repository.staged(base.as_ref()).unwrap();
    let index = StagedTree::new(&repository, base.as_ref(), &staged);
    let disk = DiskTree::new(root);
    same(&index, &disk, "");
    assert!(!index.exists("gone") && !index.exists("gone/only.py") && !index.exists("src/lib.rs"));

    git(root, &["commit", "-qm", "two"]);
    let repository = Repository::open(root).unwrap();
    let head = repository.head().unwrap();
    same(&CommitTree::new(&repository, head.as_ref()), &index, "");
    same(&CommitTree::new(&repository, head.as_ref()), &disk, "");

    let first = repository.staged(None).unwrap();
    same(&StagedTree::new(&repository, None, &first), &disk, "");
    assert!(CommitTree::new(&repository, None).names("").is_empty());
}

/// libgit2 does not open repositories with long ids, so those go through git's plumbing.
#[test]
fn both_ways_to_git_give_the_same_folder() {
    for format in ["sha1", "sha256"] {
        let folder = repository(format);
        let repository = Repository::open(folder.path()).unwrap();
        let head = repository.head().unwrap().unwrap();
        let entry = |path: &str| repository.entry(&head, &RepoPath::new(path)).unwrap().unwrap();
        let web = entry("web");
        assert!(web.is_folder(), "{format}");
        let children = repository.children(&web.id).unwrap();
        let names: Vec<_> = children.iter().map(|(name, _)| name.text()).collect();
        assert_eq!(names, ["package.json", "src"], "{format}");
        same(&CommitTree::new(&repository, Some(&head)), &DiskTree::new(folder.path()), "");
        let text = entry("web.txt");
        assert_eq!(repository.blob_up_to(&text.id, 6).unwrap(), None, "{format}");
        assert_eq!(repository.blob_up_to(&text.id, 7).unwrap(), Some(b"web.txt".to_vec()), "{format}");
    }
}

#[test]
fn the_disk_is_not_read_outside_of_the_root() {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join("root");
    write(folder.path(), "secret/package.json", "{}");
    write(&root, "a/package.json", "{}");
    let disk = DiskTree::new(&root);
    assert!(disk.exists("a/package.json"));
    for path in
        ["../secret/package.json", "a/../../secret/package.json", "/etc/passwd", "a//package.json", "./a", ""]
    {
        assert!(!disk.exists(path) && disk.read(path).is_none(), "{path}");
    }
    assert!(disk.names("..").is_empty() && disk.names("../secret").is_empty());
}

#[cfg(unix)]
#[test]
fn links_are_there_but_lead_nowhere() {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join("root");
    write(folder.path(), "secret/package.json", "{}");
    write(&root, "real/package.json", "{}");
    std::os::unix::fs::symlink(folder.path().join("secret"), root.join("out")).unwrap();
    std::os::unix::fs::symlink("real/package.json", root.join("package.json")).unwrap();
    let disk = DiskTree::new(&root);
    assert_eq!(disk.names(""), ["out", "package.json", "real/"]);
    assert!(disk.exists("out") && disk.names("out").is_empty() && !disk.exists("out/package.json"));
    assert!(disk.exists("package.json") && disk.read("package.json").is_none());
}

#[test]
fn large_files_are_not_read() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "package.json", &" ".repeat(1024 * 1024 + 1));
    assert!(DiskTree::new(folder.path()).read("package.json").is_none());
}
