//! Repositories that libgit2 cannot open or misreads give the answers of a plain one.

use crate::repo::{GATE, Outcome, Repo, outcome};
use crate::suite::{FILE, NO_SUITES, findings, tests};

/// A repository seen from one of its working trees.
struct Tree<'r> {
    repo: &'r Repo,
    place: &'r str,
}

impl Tree<'_> {
    fn git(&self, args: &[&str]) -> Outcome {
        self.repo.try_git(&[&["-C", self.place], args].concat())
    }

    fn gate(&self, args: &[&str]) -> Outcome {
        self.repo.gate(&[&["-C", self.place], args].concat())
    }

    fn findings(&self, args: &[&str]) -> Vec<String> {
        findings(&self.repo.gate_json(&[&["-C", self.place, "check"], args].concat()))
    }

    fn write(&self, path: &str, text: String) {
        let path = self.repo.path(self.place).join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    fn stage(&self, words: &[&str]) {
        self.write(FILE, tests(words));
        self.git(&["add", FILE]).passes();
    }

    /// Everything that a plain repository answers. HEAD has `total` and `tax`, and its parent `old` too.
    fn answers_as_a_plain_one(&self) {
        assert_eq!(self.findings(&["--commit", "HEAD"]), ["test-removed test_old"]);
        assert_eq!(self.findings(&["--range", "HEAD~1.."]), ["test-removed test_old"]);
        self.gate(&["check", "--commit", "nowhere"]).errs("there is no commit");
        assert_eq!(self.findings(&[]), [""; 0]);
        let listed = self.gate(&["tests", "--rev", "HEAD~1"]).passes().stdout;
        assert!(listed.contains("test_old") && listed.contains("3 tests in 1 file"), "{listed}");
        self.gate(&["tests"]).passes().says("2 tests in 1 file");
        self.stage(&["total"]);
        self.write(FILE, tests(&["total", "tax"]));
        assert_eq!(self.findings(&[]), ["test-removed test_tax"]);
        assert_eq!(self.findings(&["--worktree"]), [""; 0]);
        self.git(&["add", FILE]).passes();

        self.gate(&["install", "--binary", GATE]).passes();
        self.stage(&["total"]);
        let commit =
            |options: &[&str]| self.git(&[&["commit", "--quiet", "-m", "A change"], options].concat());
        let head = self.git(&["rev-parse", "HEAD"]).stdout;
        commit(&[]).blocks().says("test_tax was removed");
        commit(&[FILE]).blocks();
        assert_eq!(self.git(&["rev-parse", "HEAD"]).stdout, head);
        self.stage(&["total", "tax", "more"]);
        commit(&[]).passes();
        let note = self.git(&["notes", "--ref=aiwg-gate", "show"]).passes().stdout;
        assert!(note.contains("\"judged\":\"before_commit\""), "{note}");
        commit(&["--amend"]).passes();
        self.git(&["notes", "--ref=aiwg-gate", "show"]).passes().says("after_commit");
        self.stage(&["more"]);
        commit(&["--no-verify"]).passes().says("never judged");
        self.gate(&["status"]).passes().says("never judged").says("pass (judged after)");
        self.git(&["reset", "--quiet", "--hard", "HEAD~1"]).passes();
        self.merges_as_a_plain_one();
    }

    fn merges_as_a_plain_one(&self) {
        self.git(&["checkout", "--quiet", "-b", "side"]).passes();
        self.stage(&["total", "tax", "more", "side"]);
        self.git(&["commit", "--quiet", "-m", "Side"]).passes();
        self.git(&["checkout", "--quiet", "-"]).passes();
        self.stage(&["total", "tax", "more", "main"]);
        self.git(&["commit", "--quiet", "-m", "Main"]).passes();
        self.git(&["merge", "side"]).blocks();
        self.gate(&["check"]).errs("is not merged yet");
        self.stage(&["total", "tax", "more", "main"]);
        self.git(&["commit", "--quiet", "--no-edit"]).blocks().says("test_side was removed");
        self.stage(&["total", "tax", "more", "main", "side"]);
        self.git(&["commit", "--quiet", "--no-edit"]).passes();
        assert_eq!(self.findings(&["--commit", "HEAD"]), [""; 0]);
    }
}

/// The commits that [`Tree::answers_as_a_plain_one`] asks about.
fn filled(repo: Repo) -> Repo {
    repo.write(FILE, tests(&["total", "tax", "old"]));
    repo.write("aiwg-gate.yaml", NO_SUITES);
    repo.write("src/cart.py", "x = 1\n");
    repo.write("other/deep/file.py", "x = 1\n");
    repo.write(".gitattributes", "vendored/** linguist-vendored\n");
    repo.commit("First");
    repo.commit_tests(&["total", "tax"]);
    repo
}

fn here(repo: &Repo) -> Tree<'_> {
    Tree { repo, place: "." }
}

#[test]
fn a_plain_repository() {
    here(&filled(Repo::new())).answers_as_a_plain_one();
}

#[test]
fn sha256() {
    let repo = filled(Repo::init(&["--object-format=sha256"]));
    assert_eq!(repo.head().len(), 64);
    here(&repo).answers_as_a_plain_one();
}

#[test]
fn reftable() {
    here(&filled(Repo::init(&["--ref-format=reftable"]))).answers_as_a_plain_one();
}

#[test]
fn a_partial_clone() {
    let repo = filled(Repo::new());
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let source = format!("file://{}", repo.directory().display());
    repo.git(&["clone", "--quiet", "--filter=blob:none", &source, "../partial"]);
    Tree { repo: &repo, place: "../partial" }.answers_as_a_plain_one();
}

#[test]
fn a_sparse_checkout_with_and_without_a_sparse_index() {
    for index in ["--sparse-index", "--no-sparse-index"] {
        let repo = filled(Repo::new());
        repo.git(&["sparse-checkout", "set", "--cone", index, "tests"]);
        assert!(!repo.path("other").exists());
        here(&repo).answers_as_a_plain_one();
    }
}

#[test]
fn a_split_index() {
    let repo = filled(Repo::new());
    repo.git(&["update-index", "--split-index"]);
    repo.git(&["config", "core.splitIndex", "true"]);
    here(&repo).answers_as_a_plain_one();
}

#[test]
fn an_index_of_version_4() {
    let repo = filled(Repo::new());
    repo.git(&["config", "feature.manyFiles", "true"]);
    repo.git(&["update-index", "--index-version=4"]);
    here(&repo).answers_as_a_plain_one();
}

#[test]
fn a_worktree_with_settings_of_its_own() {
    let repo = filled(Repo::new());
    repo.git(&["config", "extensions.worktreeConfig", "true"]);
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    repo.git(&["-C", "../linked", "config", "--worktree", "core.abbrev", "12"]);
    Tree { repo: &repo, place: "../linked" }.answers_as_a_plain_one();
}

#[test]
fn a_linked_worktree_of_a_format_unknown_to_libgit2() {
    let repo = filled(Repo::init(&["--object-format=sha256", "--ref-format=reftable"]));
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    Tree { repo: &repo, place: "../linked" }.answers_as_a_plain_one();
}

#[test]
fn objects_that_another_repository_has() {
    let repo = filled(Repo::new());
    repo.git(&["clone", "--quiet", "--shared", ".", "../shared"]);
    Tree { repo: &repo, place: "../shared" }.answers_as_a_plain_one();
}

#[test]
fn a_bare_repository_of_a_format_unknown_to_libgit2() {
    let repo = filled(Repo::init(&["--object-format=sha256"]));
    repo.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    let gate = |args: &[&str]| repo.gate(&[&["-C", "../bare.git"], args].concat());
    gate(&["check", "--commit", "HEAD"]).blocks();
    gate(&["check"]).errs("bare repository has no index");
    gate(&["check", "--worktree"]).errs("no working tree");
}

#[test]
fn an_unknown_format_in_odd_places() {
    let repo = filled(Repo::init(&["--object-format=sha256"]));
    repo.stage(&["total"]);
    repo.gate(&["-C", "tests", "check"]).blocks();
    repo.gate(&["-C", ".git", "check"]).blocks();
    let mut command = repo.command(GATE);
    command.current_dir(repo.root()).arg("check").env("GIT_DIR", "work/.git").env("GIT_WORK_TREE", "work");
    outcome(&mut command).blocks();
    let unborn = Repo::init(&["--object-format=sha256"]);
    unborn.gate(&["check"]).passes();
    unborn.stage(&["total"]);
    unborn.gate(&["check", "--worktree"]).passes().says("tests 0 -> 1");
    unborn.install();
    unborn.write("aiwg-gate.yaml", NO_SUITES);
    unborn.add();
    unborn.try_commit(&[]).passes();
    assert!(unborn.has_note("HEAD"));
}
