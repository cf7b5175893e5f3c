//! Which ignored folders a checkout borrows, and that they survive it.

use super::*;

#[test]
fn node_modules_survives_and_workspaces_lead_to_the_checkout() {
    let stage = Stage::new();
    stage.write(".gitignore", "node_modules\n");
    stage.write("package.json", "{}");
    stage.write("packages/a/package.json", "{}");
    stage.write("packages/a/index.js", "staged");
    stage.write("packages/a/bin.js", "staged");
    stage.write("node_modules/left-pad/index.js", "real");
    stage.write("node_modules/@scope/real/index.js", "real");
    stage.write("node_modules/.cache/x", "cache");
    stage.write("packages/a/node_modules/nested/index.js", "nested");
    stage.link("../packages/a", "node_modules/a");
    stage.link("../../packages/a", "node_modules/@scope/a");
    stage.link(stage.path("packages/a/bin.js"), "node_modules/.bin/a");
    stage.link("../left-pad/index.js", "node_modules/.bin/pad");
    stage.link("../nowhere", "node_modules/dangling");
    stage.add();
    stage.write("packages/a/index.js", "in the working tree");
    let checkout = stage.index();
    for path in ["node_modules/a/index.js", "node_modules/@scope/a/index.js", "node_modules/.bin/a"] {
        assert_eq!(read(&checkout, path), "staged", "{path}");
        assert!(std::fs::canonicalize(checkout.root().join(path)).unwrap().starts_with(checkout.root()));
    }
    for path in
        ["node_modules/left-pad/index.js", "node_modules/@scope/real/index.js", "node_modules/.bin/pad"]
    {
        assert_eq!(read(&checkout, path), "real", "{path}");
    }
    assert_eq!(read(&checkout, "packages/a/node_modules/nested/index.js"), "nested");
    assert!(!is_there(&checkout, "node_modules/.cache") && !is_there(&checkout, "node_modules/dangling"));
    assert_eq!(checkout.doubts(), [""; 0]);
    assert_eq!(
        git_in(checkout.root(), &["status", "--porcelain"])
            .lines()
            .filter(|line| line.starts_with("??"))
            .count(),
        0
    );
    std::fs::remove_dir_all(checkout.root().join("packages")).unwrap();
    drop(checkout);
    assert_eq!(std::fs::read_to_string(stage.path("node_modules/left-pad/index.js")).unwrap(), "real");
    assert_eq!(std::fs::read_to_string(stage.path("packages/a/index.js")).unwrap(), "in the working tree");
    assert!(stage.path("packages/a/node_modules/nested/index.js").exists());
}

#[test]
fn a_package_that_may_load_the_working_tree_is_a_doubt() {
    let stage = Stage::new();
    stage.write(".gitignore", "node_modules\n");
    stage.write("packages/a/package.json", "{}");
    stage.link("../packages/a", "node_modules/a");
    stage.write("node_modules/plugin/package.json", r#"{"peerDependencies": {"a": "*"}}"#);
    stage.link("../packages/untracked", "node_modules/new");
    stage.add();
    stage.write("packages/untracked/package.json", "{}");
    assert_eq!(
        stage.index().doubts(),
        [
            "node_modules/new is left out: it leads to a place in the working tree that is not checked out",
            "node_modules/plugin may load a from the working tree",
        ]
    );
}

#[test]
fn the_store_of_pnpm_is_looked_through() {
    let stage = Stage::new();
    stage.write(".gitignore", "node_modules\n");
    stage.write("packages/a/package.json", "{}");
    stage.write("node_modules/.pnpm/x@1/node_modules/x/index.js", "real");
    stage.link(".pnpm/x@1/node_modules/x", "node_modules/x");
    stage.link("../../../packages/a", "node_modules/.pnpm/node_modules/a");
    stage.add();
    let checkout = stage.index();
    assert_eq!(read(&checkout, "node_modules/x/index.js"), "real");
    assert_eq!(checkout.doubts(), [""; 0]);
    drop(checkout);
    stage.write("node_modules/.pnpm/c@file+packages+c/node_modules/c/index.js", "");
    assert_eq!(
        stage.index().doubts(),
        ["node_modules/.pnpm/c@file+packages+c shares files with the working tree"]
    );
    std::fs::remove_dir_all(stage.path("node_modules/.pnpm/c@file+packages+c")).unwrap();
    stage.link("../../../../packages/a", "node_modules/.pnpm/x@1/node_modules/a");
    assert_eq!(
        stage.index().doubts(),
        ["node_modules/.pnpm/x@1/node_modules/a leads back into the working tree"]
    );
}

#[test]
fn links_of_the_repository_are_never_gone_through() {
    let stage = Stage::new();
    let outside = stage.root.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    stage.link(&outside, "node_modules");
    stage.link(&outside, "app");
    stage.add();
    std::fs::remove_file(stage.path("node_modules")).unwrap();
    std::fs::remove_file(stage.path("app")).unwrap();
    stage.write("node_modules/x/index.js", "");
    stage.write("app/node_modules/x/index.js", "");
    let checkout = stage.with(&["node_modules"], &["app", "../outside", "app/../.."]);
    assert_eq!(checkout.doubts(), ["node_modules is not borrowed: git tracks something else at its place"]);
    drop(checkout);
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn tracked_links_that_leave_the_checkout_are_doubts() {
    let stage = Stage::new();
    stage.write("src/a", "");
    stage.link(stage.path("src"), "absolute");
    stage.link("../../elsewhere", "src/out");
    stage.link("../src", "src/fine");
    stage.link("/usr", "system");
    stage.add();
    let doubts = stage.index().doubts();
    assert_eq!(doubts.len(), 2, "{doubts:?}");
    assert!(doubts[0].starts_with("the tracked link absolute leads into the working tree: /"), "{doubts:?}");
    assert_eq!(doubts[1], "the tracked link src/out leads out of the repository: ../../elsewhere");
}

#[test]
fn other_folders_are_linked_as_they_are() {
    let stage = Stage::new();
    stage.write(".gitignore", "fixtures\nvendor\n");
    stage.write("src/a", "staged");
    stage.write("app/src/a", "");
    stage.write("fixtures/big/data", "data");
    stage.write("app/vendor/x", "x");
    stage.add();
    let link = ["fixtures", "vendor", "../escape", "/etc", "missing"];
    let checkout = stage.with(&link, &["app/"]);
    assert_eq!(read(&checkout, "fixtures/big/data"), "data");
    assert_eq!(read(&checkout, "app/vendor/x"), "x");
    assert_eq!(
        checkout.doubts(),
        [
            "`proof.link` names `../escape`, which is no path below a folder",
            "`proof.link` names `/etc`, which is no path below a folder",
        ]
    );
    assert!(!git_in(checkout.root(), &["status", "--porcelain"]).contains("??"));
    drop(checkout);
    assert!(stage.path("fixtures/big/data").exists());
    stage.link("../../src/a", "fixtures/big/back");
    let checkout = stage.with(&["fixtures"], &[]);
    assert_eq!(checkout.doubts(), ["fixtures/big/back leads back into the working tree"]);
}

#[test]
fn a_link_to_a_tracked_place_leads_to_the_checkout() {
    let stage = Stage::new();
    stage.write(".gitignore", "current\n");
    stage.write("configs/a/x", "staged");
    stage.link("configs/a", "current");
    stage.add();
    stage.write("configs/a/x", "in the working tree");
    assert_eq!(read(&stage.with(&["current"], &[]), "current/x"), "staged");
}

#[test]
fn what_git_does_not_ignore_is_a_doubt() {
    let stage = Stage::new();
    stage.write("a", "");
    stage.add();
    stage.write("node_modules/x/index.js", "");
    stage.write(".venv/.gitignore", "*\n");
    stage.write(".venv/pyvenv.cfg", "");
    assert_eq!(
        stage.index().doubts(),
        ["node_modules is borrowed though git does not ignore it: add it to .gitignore"]
    );
}

#[test]
fn variables_that_lead_into_the_working_tree_lead_to_the_checkout() {
    let stage = Stage::new();
    stage.write(".gitignore", ".venv\n");
    stage.write("src/a.py", "");
    stage.write(".venv/pyvenv.cfg", "");
    stage.add();
    stage.write("untracked/a.py", "");
    let checkout = stage.index();
    let (work, root) = (stage.work.to_str().unwrap(), checkout.root().to_str().unwrap());
    let set = |name: &str, value: String| (name.to_owned(), value);
    let given = [
        set("PYTHONPATH", format!("{work}/src:relative:{work}/untracked")),
        set("CONFIG", format!("{work}/src/a.py")),
        set("CACHE", format!("{work}/untracked")),
        set("TOOLS", format!("{work}/.venv/bin:/usr/bin:{work}")),
        set("HOME", work.to_owned()),
    ];
    let environment = checkout.environment("", &given);
    let value = |name: &str| &environment.iter().find(|(known, _)| known == name).unwrap().1;
    let shim = std::fs::canonicalize(checkout.root().join("../python")).unwrap();
    assert_eq!(value("PYTHONPATH"), &format!("{}:{root}/src:relative:{root}/untracked", shim.display()));
    assert_eq!(value("CONFIG"), &format!("{root}/src/a.py"));
    assert_eq!(value("CACHE"), &format!("{work}/untracked"));
    assert_eq!(value("TOOLS"), &format!("{work}/.venv/bin:/usr/bin:{root}"));
    assert_eq!(value("HOME"), work);
    assert_eq!(value("UV_NO_SYNC"), "1");
}
