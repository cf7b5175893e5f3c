//! husky calls the gate: by lines that people write, and by the block that `install` adds.

use crate::document::blocks;
use crate::stage::Stage;

/// A project that npm and husky have set up.
fn project() -> Option<Stage> {
    let stage = Stage::with("husky")?;
    let husky = crate::tools::find("husky")?.pop()?.join("../husky").canonicalize().expect("husky");
    let package = format!(
        r#"{{"name":"shop","private":true,"scripts":{{"test":"echo unit tests"}},"devDependencies":{{"husky":"file:{}"}}}}"#,
        husky.display()
    );
    stage.configure(&[("package.json", &package), (".gitignore", "node_modules/\npackage-lock.json\n")]);
    npm_install(&stage);
    stage.run("npx", &["--no", "husky", "init"]).passes();
    assert_eq!(stage.repo.git(&["config", "core.hooksPath"]), ".husky/_");
    stage.repo.commit("Set up husky");
    Some(stage)
}

/// Runs husky, too, once it is set up.
fn npm_install(stage: &Stage) {
    stage.run("npm", &["install", "--offline", "--no-audit", "--no-fund"]).passes();
}

#[test]
fn husky_with_the_documented_lines() {
    let Some(stage) = project() else { return };
    let lines = blocks("## husky");
    assert_eq!(lines.len(), 4);
    for block in lines {
        stage.repo.write(block.named.expect("a file"), block.text);
    }
    stage.repo.commit("Run the gate");
    stage.blocks_a_lost_test();
    stage.lets_honest_work_pass();
    stage.judges_a_merge();
    stage.names_pushed_commits_past_the_gate();
}

#[test]
fn husky_with_the_installed_block() {
    let Some(stage) = project() else { return };
    let before = stage.repo.read(".husky/pre-commit");
    stage.run("aiwg-gate", &["install"]).passes().says("work/.husky/pre-commit");
    stage.repo.commit("Run the gate");
    stage.blocks_a_lost_test();
    stage.lets_honest_work_pass();

    let installed = stage.repo.read(".husky/pre-commit");
    std::fs::remove_dir_all(stage.repo.path(".husky/_")).expect("removed files");
    npm_install(&stage);
    assert!(stage.repo.path(".husky/_/pre-commit").exists());
    assert_eq!(stage.repo.read(".husky/pre-commit"), installed);
    stage.run("aiwg-gate", &["status"]).passes().says("none: the gate will block");
    stage.blocks_a_lost_test();
    stage.judges_a_merge();
    stage.names_pushed_commits_past_the_gate();

    stage.run("aiwg-gate", &["uninstall"]).passes();
    assert_eq!(stage.repo.read(".husky/pre-commit"), before);
    assert!(!stage.repo.path(".husky/post-commit").exists());
    stage.git(&["commit", "--allow-empty", "-m", "On"]).passes().says("unit tests").never_says("aiwg-gate:");
}
