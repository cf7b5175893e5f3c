//! What is checked out, the repository in it, and its place.

use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn the_index_is_checked_out_and_nothing_else() {
    let stage = Stage::new();
    stage.write("a", "committed\n");
    stage.write("gone", "staged for removal\n");
    stage.commit();
    stage.write("a", "staged\n");
    stage.write("folder/new", "new\n");
    stage.write("tool", "#!/bin/sh\n");
    std::fs::set_permissions(stage.path("tool"), PermissionsExt::from_mode(0o755)).unwrap();
    stage.link("folder/new", "link");
    std::fs::remove_file(stage.path("gone")).unwrap();
    stage.add();
    stage.write("a", "in the working tree\n");
    stage.write("untracked", "");
    let before = (std::fs::read(stage.path(".git/index")).unwrap(), stage.git(&["status", "--porcelain"]));
    let checkout = stage.index();
    assert_eq!(read(&checkout, "a"), "staged\n");
    assert_eq!(read(&checkout, "link"), "new\n");
    assert!(std::fs::symlink_metadata(checkout.root().join("link")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(checkout.root().join("tool")).unwrap().permissions().mode() & 0o111, 0o111);
    assert!(!is_there(&checkout, "gone") && !is_there(&checkout, "untracked"));
    assert!(checkout.doubts().is_empty(), "{:?}", checkout.doubts());
    let after = (std::fs::read(stage.path(".git/index")).unwrap(), stage.git(&["status", "--porcelain"]));
    assert_eq!(before, after);
    assert_eq!(read(&stage.base(), "a"), "committed\n");
}

#[test]
fn what_a_run_changes_is_found_whatever_it_does_with_git() {
    let stage = Stage::new();
    for path in ["a", "b", "c", "d/e"] {
        stage.write(path, "text\n");
    }
    stage.add();
    let checkout = stage.index();
    assert_eq!(checkout.modified().unwrap(), [""; 0]);
    let root = checkout.root();
    std::fs::write(root.join("new"), "").unwrap();
    std::fs::write(root.join("a"), "TEXT\n").unwrap();
    std::fs::write(root.join("b"), "text\n").unwrap();
    std::fs::remove_dir_all(root.join("d")).unwrap();
    git_in(root, &["add", "--all"]);
    git_in(root, &["commit", "--quiet", "--message", "by a test"]);
    assert_eq!(checkout.modified().unwrap(), ["a", "d/e"]);
}

#[test]
fn nothing_is_left_and_the_next_one_has_the_same_place() {
    let stage = Stage::new();
    stage.write("a", "");
    stage.commit();
    let first = stage.index();
    let second = stage.index();
    assert_ne!(first.root(), second.root());
    assert!(first.root().ends_with("0/project") && second.root().ends_with("1/project"));
    let (root, base) = (first.root().to_owned(), first.root().ancestors().nth(2).unwrap().to_owned());
    assert_eq!(std::fs::metadata(&base).unwrap().permissions().mode() & 0o777, 0o700);
    drop(first);
    let third = stage.index();
    assert_eq!(third.root(), root);
    drop((second, third));
    assert!(!base.exists(), "{} is left", base.display());
}

#[test]
fn what_a_killed_run_left_is_removed() {
    let stage = Stage::new();
    stage.write("a", "");
    stage.commit();
    let base = stage.index().root().ancestors().nth(2).unwrap().to_owned();
    std::fs::create_dir_all(base.join("0/project/old")).unwrap();
    std::fs::create_dir_all(base.join("7/project/old")).unwrap();
    std::fs::set_permissions(&base, PermissionsExt::from_mode(0o700)).unwrap();
    let checkout = stage.index();
    assert!(!is_there(&checkout, "old"));
    assert!(!base.join("7").exists());
    drop(checkout);
    assert!(!base.exists());
}

#[test]
fn a_place_that_others_can_write_to_is_refused() {
    let stage = Stage::new();
    stage.write("a", "");
    stage.commit();
    let base = stage.index().root().ancestors().nth(2).unwrap().to_owned();
    std::fs::create_dir(&base).unwrap();
    std::fs::set_permissions(&base, PermissionsExt::from_mode(0o777)).unwrap();
    let error = Checkout::make(&stage.open(), &CheckoutContent::Index, &[], &[]).err().unwrap().to_string();
    assert!(error.contains("is not a folder of yours alone"), "{error}");
    std::fs::remove_dir(&base).unwrap();
}

#[test]
fn what_tests_lock_up_is_removed_too() {
    let stage = Stage::new();
    stage.write("a", "");
    stage.commit();
    let checkout = stage.index();
    let root = checkout.root().to_owned();
    std::fs::create_dir_all(root.join("locked/inner")).unwrap();
    std::fs::write(root.join("locked/inner/file"), "").unwrap();
    for path in ["locked/inner/file", "locked/inner", "locked"] {
        std::fs::set_permissions(root.join(path), PermissionsExt::from_mode(0o000)).unwrap();
    }
    drop(checkout);
    assert!(!root.exists());
}

#[test]
fn filters_and_line_ends_are_those_of_the_content() {
    let stage = Stage::new();
    stage.git(&["config", "filter.loud.smudge", "tr a-z A-Z"]);
    stage.git(&["config", "filter.loud.clean", "tr A-Z a-z"]);
    stage.write(".gitattributes", "*.crlf text eol=crlf\n*.loud filter=loud\n");
    stage.write("a.crlf", "one\ntwo\n");
    stage.write("a.loud", "WORD\n");
    stage.add();
    // The attributes on disk say otherwise; they are not staged.
    stage.write(".gitattributes", "");
    let checkout = stage.index();
    assert_eq!(read(&checkout, "a.crlf"), "one\r\ntwo\r\n");
    assert_eq!(read(&checkout, "a.loud"), "WORD\n");
    assert_eq!(git_in(checkout.root(), &["diff", "--name-only"]), "");
}

#[test]
fn what_is_only_intended_is_left_out() {
    let stage = Stage::new();
    stage.write("a", "");
    stage.commit();
    stage.write("later", "text");
    stage.git(&["add", "--intent-to-add", "later"]);
    assert!(!is_there(&stage.index(), "later"));
    let unborn = Stage::new();
    unborn.write("a", "");
    unborn.add();
    unborn.write("later", "text");
    unborn.git(&["add", "--intent-to-add", "later"]);
    let checkout = unborn.index();
    assert!(is_there(&checkout, "a") && !is_there(&checkout, "later"));
    assert_eq!(git_in(checkout.root(), &["symbolic-ref", "HEAD"]), "refs/heads/main");
}

#[test]
fn a_conflict_is_told() {
    let stage = Stage::new();
    stage.write("a", "base");
    stage.commit();
    stage.git(&["checkout", "--quiet", "-b", "other"]);
    stage.write("a", "theirs");
    stage.commit();
    stage.git(&["checkout", "--quiet", "main"]);
    stage.write("a", "ours");
    stage.commit();
    let merge = Command::new("git").args(["merge", "other"]).current_dir(&stage.work).output().unwrap();
    assert!(!merge.status.success());
    let error = Checkout::make(&stage.open(), &CheckoutContent::Index, &[], &[]).err().unwrap();
    assert!(format!("{error:#}").contains("a is not merged yet"), "{error:#}");
}

#[test]
fn git_in_the_checkout_knows_the_history_and_cannot_change_it() {
    let stage = Stage::new();
    stage.write("a", "one");
    stage.commit();
    stage.git(&["tag", "v1"]);
    stage.git(&["config", "alias.x", "status"]);
    stage.write("a", "two");
    stage.add();
    let before = (stage.git(&["for-each-ref"]), stage.git(&["count-objects", "-v"]));
    let checkout = stage.index();
    let git = |args: &[&str]| git_in(checkout.root(), args);
    assert_eq!(git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    assert_eq!(git(&["describe", "--tags", "--dirty"]), "v1-dirty");
    assert_eq!(git(&["status", "--porcelain"]), "M  a");
    assert_eq!(git(&["rev-parse", "--show-toplevel"]), checkout.root().to_str().unwrap());
    git(&["commit", "--quiet", "--message", "in the checkout"]);
    git(&["branch", "--force", "main-2", "HEAD"]);
    git(&["gc", "--quiet", "--prune=now"]);
    drop(checkout);
    assert_eq!((stage.git(&["for-each-ref"]), stage.git(&["count-objects", "-v"])), before);
    stage.git(&["fsck", "--strict"]);
}

#[test]
fn every_kind_of_repository_will_do() {
    for options in [
        &["--object-format=sha256"][..],
        &["--ref-format=reftable"],
        &["--object-format=sha256", "--ref-format=reftable"],
    ] {
        let stage = Stage::init(options);
        stage.write("a", "one");
        stage.commit();
        stage.git(&["checkout", "--quiet", "--detach"]);
        stage.write("a", "two");
        stage.add();
        let checkout = stage.index();
        assert_eq!(read(&checkout, "a"), "two", "{options:?}");
        assert_eq!(git_in(checkout.root(), &["status", "--porcelain"]), "M  a", "{options:?}");
        assert_eq!(git_in(checkout.root(), &["rev-parse", "HEAD"]), stage.git(&["rev-parse", "HEAD"]));
    }
}

#[test]
fn linked_worktrees_have_their_own_index_and_share_the_places() {
    let stage = Stage::new();
    stage.write("a", "main");
    stage.commit();
    stage.git(&["worktree", "add", "--quiet", "-b", "side", "../side"]);
    let side = stage.root.path().join("side");
    std::fs::write(side.join("a"), "side").unwrap();
    git_in(&side, &["add", "a"]);
    let (one, two) =
        (stage.index(), make(&Repository::open(&side).unwrap(), &CheckoutContent::Index, &[], &[]));
    assert_eq!((read(&one, "a").as_str(), read(&two, "a").as_str()), ("main", "side"));
    assert_eq!(git_in(two.root(), &["symbolic-ref", "HEAD"]), "refs/heads/side");
    assert_eq!(one.root().ancestors().nth(2), two.root().ancestors().nth(2));
}

#[test]
fn clones_without_all_objects_will_do() {
    let stage = Stage::new();
    stage.git(&["config", "uploadpack.allowFilter", "true"]);
    for text in ["one", "two", "three"] {
        stage.write("a", text);
        stage.commit();
    }
    let url = format!("file://{}", stage.work.display());
    for options in [&["--filter=blob:none"][..], &["--depth=1"]] {
        let clone = tempfile::tempdir().unwrap();
        let place = clone.path().join("clone");
        let args = [&["clone", "--quiet"], options, &[&url, place.to_str().unwrap()]].concat();
        git_in(clone.path(), &args);
        let checkout = make(&Repository::open(&place).unwrap(), &CheckoutContent::Index, &[], &[]);
        assert_eq!(read(&checkout, "a"), "three");
        assert_eq!(git_in(checkout.root(), &["status", "--porcelain"]), "");
        git_in(checkout.root(), &["log", "--patch"]);
    }
}

#[test]
fn a_split_index_will_do_and_a_sparse_one_stays_sparse() {
    let stage = Stage::new();
    stage.write("kept/a", "a");
    stage.write("left/b", "b");
    stage.commit();
    stage.git(&["update-index", "--split-index"]);
    assert_eq!(read(&stage.index(), "left/b"), "b");
    stage.git(&["update-index", "--no-split-index"]);
    stage.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "kept"]);
    for checkout in [stage.index(), stage.base()] {
        assert!(is_there(&checkout, "kept/a") && !is_there(&checkout, "left"));
        assert_eq!(git_in(checkout.root(), &["status", "--porcelain"]), "");
    }
}

#[test]
fn submodules_are_borrowed_where_they_are_exact() {
    let inner = Stage::new();
    inner.write("lib", "one");
    inner.commit();
    let stage = Stage::new();
    let url = inner.work.to_str().unwrap();
    stage.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "sub"]);
    stage.commit();
    let checkout = stage.index();
    assert_eq!(read(&checkout, "sub/lib"), "one");
    assert_eq!(git_in(checkout.root(), &["status", "--porcelain"]), "");
    assert!(checkout.doubts().is_empty());
    drop(checkout);
    assert!(stage.path("sub/lib").exists() && stage.path("sub/.git").exists());
    stage.write("sub/lib", "changed");
    let checkout = stage.index();
    assert!(!is_there(&checkout, "sub/lib"));
    assert!(matches!(&checkout.doubts()[..], [doubt] if doubt.starts_with("the submodule sub is empty")));
    drop(checkout);
    stage.git(&["submodule", "--quiet", "deinit", "--force", "sub"]);
    assert!(stage.index().doubts().is_empty());
}

#[test]
fn the_index_of_a_hook_is_the_one_that_is_committed() {
    let stage = Stage::new();
    stage.write("a", "one");
    stage.write("b", "one");
    stage.commit();
    stage.write("a", "two");
    stage.write("b", "two");
    stage.git(&["add", "b"]);
    let hook = stage.path(".git/hooks/pre-commit");
    let test = "runner::checkout::tests::content::in_a_hook";
    let program = std::env::current_exe().unwrap();
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(
        &hook,
        format!("#!/bin/sh\nexec '{}' --exact {test} --ignored --nocapture >&2\n", program.display()),
    )
    .unwrap();
    std::fs::set_permissions(&hook, PermissionsExt::from_mode(0o755)).unwrap();
    // `commit <path>` commits an index that git makes for it: with `a`, without `b`.
    let mut commit = Command::new("git");
    commit.args(["commit", "--message", "only a", "a"]).current_dir(&stage.work).stdin(Stdio::null());
    let output = commit.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}");
    assert!(words.contains("seen a=two b=one git=M  a"), "{words}");
    assert_eq!(stage.git(&["status", "--porcelain"]), "M  b");
}

#[test]
#[ignore = "started by a hook of another test"]
fn in_a_hook() {
    let checkout =
        make(&Repository::open(Path::new(".")).unwrap(), &CheckoutContent::Index, &["node_modules"], &[]);
    let command = crate::runner::CommandLine::Shell("printf 'git='; git status --porcelain".to_owned());
    let capture = checkout.root().join("../output");
    let launch = crate::runner::Launch {
        command: &command,
        directory: checkout.root(),
        environment: &checkout.environment("", &[]),
        timeout: std::time::Duration::from_secs(60),
        capture: &capture,
    };
    struct Nobody;
    impl crate::runner::Watcher for Nobody {
        fn line(&mut self, _: &str) {}
    }
    let ended = crate::runner::run(&launch, &mut Nobody).unwrap();
    let status = String::from_utf8(ended.output).unwrap();
    eprintln!("seen a={} b={} {}", read(&checkout, "a"), read(&checkout, "b"), status.trim_end());
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let stage = Stage::new();
    stage.write("a", "");
    stage.commit();
    let base = stage.index().root().ancestors().nth(2).unwrap().to_owned();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "runner::checkout::tests::content::sleeping", "--ignored", "--nocapture"]);
    let mut child = command.current_dir(&stage.work).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut seen = String::new();
    while !seen.contains("asleep") {
        assert!(std::io::BufRead::read_line(&mut output, &mut seen).unwrap() > 0, "{seen}");
    }
    assert!(base.join("0/project/a").exists());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    std::io::Read::read_to_string(&mut output, &mut seen).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(seen.contains("ended Interrupted") && !base.exists(), "{seen}");
}

#[test]
#[ignore = "started by another test in a process of its own"]
fn sleeping() {
    struct Told;
    impl crate::runner::Watcher for Told {
        fn line(&mut self, line: &str) {
            println!("{line}");
        }
    }
    let checkout = make(&Repository::open(Path::new(".")).unwrap(), &CheckoutContent::Index, &[], &[]);
    let command = crate::runner::CommandLine::Shell("echo asleep; sleep 60".to_owned());
    let capture = checkout.root().join("../output");
    let launch = crate::runner::Launch {
        command: &command,
        directory: checkout.root(),
        environment: &[],
        timeout: std::time::Duration::from_secs(90),
        capture: &capture,
    };
    println!("ended {:?}", crate::runner::run(&launch, &mut Told).unwrap().end);
}
