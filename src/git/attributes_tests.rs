//! Attributes: small cases by hand, then a table compared with what git itself says.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use super::*;

fn root(text: &str) -> Attributes {
    Attributes::from_files([("", text)])
}

#[test]
fn later_lines_and_deeper_files_win() {
    let attributes = Attributes::from_files([
        ("", "*.js linguist-vendored\nsrc/** -linguist-vendored\nsrc/gen/* linguist-generated=true\n"),
        ("lib/", "own.js linguist-vendored=false\nfree.js !linguist-vendored\n"),
    ]);
    let vendored = |path| attributes.vendored(path);
    assert_eq!(vendored("a/x.js"), Some(true));
    assert_eq!(vendored("src/a/x.js"), Some(false));
    assert_eq!(vendored("lib/own.js"), Some(false));
    assert_eq!(vendored("lib/deep/own.js"), Some(false));
    assert_eq!(vendored("lib/free.js"), None);
    assert_eq!(vendored("own.js"), Some(true));
    assert_eq!(vendored("x.py"), None);
    assert!(attributes.is_generated("src/gen/a.py") && !attributes.is_generated("src/gen/a/b.py"));
}

#[test]
fn quiet_where_a_line_says_nothing_about_the_two() {
    let text = "# *.a linguist-vendored\n*.b text eol=lf\n[attr]linguist-vendored x\n!*.c linguist-vendored\n\
                d/ linguist-vendored\n*.e linguist-vendored-not\n[ linguist-vendored\n*.f\n\n";
    let attributes = root(text);
    for path in ["x.a", "x.b", "x.c", "d/x", "x.e", "[", "x.f"] {
        assert_eq!(attributes.vendored(path), None, "{path}");
    }
}

#[test]
fn large_files_and_long_lines_are_left_alone() {
    let filler = "#".repeat(MAX_BYTES);
    assert!(!root(&format!("* linguist-vendored\n{filler}")).is_vendored("a"));
    assert!(!root(&format!("* {} linguist-vendored\n", "x".repeat(MAX_LINE))).is_vendored("a"));
}

#[test]
fn a_mark_at_the_start_of_the_file_is_no_part_of_the_first_pattern() {
    assert!(root("\u{feff}a.js linguist-vendored").is_vendored("a.js"));
}

#[test]
fn folders_are_asked_for_once() {
    let paths = ["a/b/c.rs", "a/b/d.rs", "a/e.rs", "f.rs"].map(RepoPath::new);
    let folders: Vec<_> = folders_above(&paths).into_iter().map(String::from_utf8_lossy).collect();
    assert_eq!(folders, ["", "a/", "a/b/"]);
}

const FILES: &[(&str, &str)] = &[
    (
        "",
        "first.js linguist-vendored\n\
         *.min.js linguist-vendored\n  \t indented.js\tlinguist-vendored \r\n\
         /anchored.js linguist-vendored\nmid/slash.js linguist-vendored\n\
         **/any/x.js linguist-vendored\ntop/** linguist-vendored\na/**/z.js linguist-vendored\n\
         a**b.js linguist-vendored\nfolder/ linguist-vendored\nfolder2 linguist-vendored\n\
         q?.js linguist-vendored\n[xy]1.js linguist-vendored\n[!xy]2.js linguist-vendored\n\
         [[:digit:]]3.js linguist-vendored\n[]-]4.js linguist-vendored\n[a-c]5.js linguist-vendored\n\
         {m,n}.js linguist-vendored\n\"with space.js\" linguist-vendored\n\"t\\141b.js\" linguist-vendored\n\
         \\!bang.js linguist-vendored\n!neg.js linguist-vendored\nstar\\*.js linguist-vendored\n\
         twice.js linguist-vendored -linguist-vendored\nunset.js -linguist-vendored\n\
         value.js linguist-vendored=true other=1\nno.js linguist-vendored=false\n\
         over.js linguist-vendored\nover.js !linguist-vendored\nsub/deep.js linguist-vendored\n\
         *.pb.go linguist-generated linguist-vendored\n[unclosed linguist-vendored\n",
    ),
    (
        "sub/",
        "deep.js -linguist-vendored\n/here.js linguist-vendored\nbelow/*.js linguist-vendored\n*.gen linguist-generated",
    ),
    ("sub/below/", "c.js !linguist-vendored\n* linguist-generated\n"),
];

const PATHS: &[&str] = &[
    "first.js",
    "z/first.js",
    "x.min.js",
    "a/b/x.min.js",
    "min.js",
    "indented.js",
    "anchored.js",
    "b/anchored.js",
    "mid/slash.js",
    "b/mid/slash.js",
    "any/x.js",
    "b/c/any/x.js",
    "anyx.js",
    "top/a.js",
    "top/b/c.js",
    "top",
    "b/top/a.js",
    "a/z.js",
    "a/b/c/z.js",
    "a/b/c/y.js",
    "ab.js",
    "aXXb.js",
    "a/b.js",
    "folder/x.js",
    "folder2/x.js",
    "q1.js",
    "q.js",
    "x1.js",
    "z1.js",
    "x2.js",
    "z2.js",
    "73.js",
    "a3.js",
    "]4.js",
    "-4.js",
    "a4.js",
    "b5.js",
    "d5.js",
    "m.js",
    "{m,n}.js",
    "with space.js",
    "tab.js",
    "!bang.js",
    "neg.js",
    "!neg.js",
    "star*.js",
    "starx.js",
    "twice.js",
    "unset.js",
    "value.js",
    "no.js",
    "over.js",
    "sub/deep.js",
    "sub/here.js",
    "sub/x/here.js",
    "sub/below/a.js",
    "sub/below/c.js",
    "sub/below/x/d.js",
    "sub/a.gen",
    "a.pb.go",
    "sub/x/a.pb.go",
    "[unclosed",
    "sub",
    "x/sub/deep.js",
];

fn git(directory: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .current_dir(directory)
        .args(["-c", "user.name=T", "-c", "user.email=t@example.invalid"])
        .args(args);
    for variable in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let output = command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "").output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// `path: name: state` for every path, in git's words, with linguist's reading of values.
fn by_git(directory: &Path) -> String {
    let args = ["check-attr", "--source=HEAD", "linguist-vendored", "linguist-generated", "--"];
    git(directory, &[&args[..], PATHS].concat())
        .replace(": true\n", ": set\n")
        .replace(": false\n", ": unset\n")
}

fn by_us(attributes: &Attributes) -> String {
    let word = |state| match state {
        Some(true) => "set",
        Some(false) => "unset",
        None => "unspecified",
    };
    let mut lines = String::new();
    for path in PATHS {
        writeln!(lines, "{path}: linguist-vendored: {}", word(attributes.vendored(path))).unwrap();
        writeln!(lines, "{path}: linguist-generated: {}", word(attributes.generated(path))).unwrap();
    }
    lines
}

fn agrees_with_git(options: &[&str]) {
    let temporary = tempfile::tempdir().unwrap();
    let directory = temporary.path();
    git(directory, &[&["init", "--quiet"], options].concat());
    for (folder, text) in FILES {
        std::fs::create_dir_all(directory.join(folder)).unwrap();
        std::fs::write(directory.join(folder).join(".gitattributes"), text).unwrap();
    }
    git(directory, &["add", "--all"]);
    git(directory, &["commit", "--quiet", "-m", "attributes"]);
    // The working tree must not matter.
    std::fs::write(directory.join(".gitattributes"), "* linguist-vendored\n").unwrap();
    let repository = Repository::open(directory).unwrap();
    let paths: Vec<RepoPath> = PATHS.iter().map(|path| RepoPath::new(*path)).collect();
    let head = repository.head().unwrap();
    let attributes = Attributes::read(&repository, head.as_ref(), &paths).unwrap();
    assert_eq!(attributes.folders.len(), FILES.len());
    let (ours, gits) = (by_us(&attributes), by_git(directory));
    let differ: Vec<_> = ours.lines().zip(gits.lines()).filter(|(ours, gits)| ours != gits).collect();
    assert!(differ.is_empty() && ours.len() == gits.len(), "{differ:#?}");
    assert!(Attributes::read(&repository, None, &paths).unwrap().folders.is_empty());
}

#[test]
fn agrees_with_git_on_every_kind_of_pattern() {
    agrees_with_git(&[]);
}

#[test]
fn agrees_with_git_where_libgit2_cannot_read() {
    agrees_with_git(&["--object-format=sha256"]);
}
