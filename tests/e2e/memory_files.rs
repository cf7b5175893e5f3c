//! Where debug memory is, whichever working tree asks; and the schemas of its files.

use std::path::Path;

use aiwg_gate::git::Repository;
use aiwg_gate::memory::Store;

use crate::repo::Repo;

#[track_caller]
fn memory_of(directory: &Path) -> std::path::PathBuf {
    let store = Store::of(&Repository::open(directory).expect("a repository")).expect("a memory");
    store.directory().to_owned()
}

fn real(path: &Path) -> std::path::PathBuf {
    path.canonicalize().expect("a path")
}

fn root_of(memory: &Path) -> std::path::PathBuf {
    real(memory.ancestors().nth(3).expect("a root"))
}

const MEMORY: &str = ".aiwg/ralph/debug-memory";

#[test]
fn linked_worktrees_share_the_memory_of_the_main_one() {
    let repo = Repo::new();
    repo.write("src/a.py", "a = 1\n");
    repo.commit("start");
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    let wanted = real(repo.directory()).join(MEMORY);
    assert_eq!(memory_of(repo.directory()), wanted);
    assert_eq!(memory_of(&repo.path("src")), wanted);
    assert_eq!(memory_of(&repo.root().join("linked")), wanted);
}

#[test]
fn a_bare_main_repository_keeps_the_memory_itself() {
    let repo = Repo::new();
    repo.commit("start");
    repo.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    repo.git(&["-C", "../bare.git", "worktree", "add", "--quiet", "../of-bare"]);
    let wanted = real(&repo.root().join("bare.git")).join(MEMORY);
    assert_eq!(memory_of(&repo.root().join("bare.git")), wanted);
    assert_eq!(memory_of(&repo.root().join("of-bare")), wanted);
}

#[test]
fn a_worktree_of_a_format_that_the_library_does_not_know_shares_it_too() {
    let repo = Repo::init(&["--object-format=sha256", "--ref-format=reftable"]);
    repo.commit("start");
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    assert_eq!(root_of(&memory_of(&repo.root().join("linked"))), real(repo.directory()));
}

#[test]
fn a_submodule_has_a_memory_of_its_own() {
    let repo = Repo::new();
    repo.commit("start");
    repo.git(&["clone", "--quiet", ".", "../other"]);
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../other", "inner"]);
    let inner = repo.path("inner");
    assert_eq!(memory_of(&inner), real(&inner).join(MEMORY));
    repo.git(&["-C", "inner", "worktree", "add", "--quiet", "../../linked"]);
    assert_eq!(root_of(&memory_of(&repo.root().join("linked"))), real(&inner));
}

#[test]
fn schemas_are_listed_and_printed() {
    let repo = Repo::new();
    repo.gate(&["schema"]).passes().says("debug-memory").says("learned-patterns");
    for name in ["debug-memory", "learned-patterns"] {
        let printed = repo.gate(&["schema", name]).passes().stdout;
        let schema: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    repo.gate(&["schema", "nothing"]).errs("the schemas are: debug-memory");
}
