//! Which packages can run tests, and with what.

use super::*;

fn package(content: &str) -> Files {
    Files::of(&[("package.json", content), ("src/a.ts", "")])
}

#[test]
fn the_package_manager_is_told_by_its_field_or_its_lock_file() {
    let files = package(r#"{"scripts": {"test": "jest"}}"#);
    for (path, command) in [
        ("README.md", "npm test"),
        ("package-lock.json", "npm test"),
        ("pnpm-lock.yaml", "pnpm test"),
        ("yarn.lock", "yarn test"),
        ("bun.lock", "bun run test"),
    ] {
        assert_eq!(files.clone().with(path, "").found(), [format!("node: {command}")], "{path}");
    }
    let files =
        package(r#"{"packageManager": "pnpm@9.1.0", "scripts": {"test": "jest"}}"#).with("yarn.lock", "");
    assert_eq!(files.found(), ["node: pnpm test"]);
}

#[test]
fn a_runner_without_a_script_is_run_itself() {
    for (content, command) in [
        (r#"{"devDependencies": {"jest": "1"}}"#, "npx jest"),
        (r#"{"devDependencies": {"vitest": "1"}}"#, "npx vitest run"),
        (r#"{"dependencies": {"mocha": "1"}}"#, "npx mocha"),
        (r#"{"jest": {"verbose": true}}"#, "npx jest"),
    ] {
        assert_eq!(package(content).found(), [format!("node: {command}")], "{content}");
    }
    assert_eq!(package("{}").with("vitest.config.ts", "").found(), ["node: npx vitest run"]);
}

#[test]
fn quiet_about_packages_that_run_no_tests() {
    let placeholder = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    let idle = r#"{"scripts": {"test": "true"}}"#;
    for content in ["{}", "", "not json", "[]", r#"{"scripts": {"test": 1}}"#, placeholder, idle] {
        assert_eq!(package(content).found(), [""; 0], "{content}");
    }
}

#[test]
fn packages_of_a_workspace_without_a_script_belong_to_the_root() {
    let files = package(r#"{"workspaces": ["packages/*"], "scripts": {"test": "vitest"}}"#)
        .with("packages/a/package.json", r#"{"scripts": {"test": "mocha"}}"#)
        .with("packages/b/package.json", r#"{"devDependencies": {"vitest": "1"}}"#)
        .with("packages/c/package.json", r#"{"name": "c"}"#);
    assert_eq!(files.found(), ["node: npm test", "packages/a:node: npm test"]);
    assert_eq!(files.touched(&["packages/b/x.ts", "packages/c/y.ts"]), ["node"]);
}

#[test]
fn the_root_of_a_workspace_is_no_suite_for_having_a_runner() {
    let files = package(r#"{"workspaces": ["packages/*"], "devDependencies": {"jest": "1"}}"#)
        .with("packages/a/package.json", r#"{"scripts": {"test": "jest"}}"#);
    assert_eq!(files.found(), ["packages/a:node: npm test"]);
}

#[test]
fn packages_among_the_tests_belong_to_the_package_above() {
    let files = package(r#"{"scripts": {"test": "jest"}}"#)
        .with("e2e/esm/package.json", r#"{"scripts": {"test": "jest"}}"#)
        .with("test/fixtures/a/package.json", r#"{"scripts": {"test": "jest"}}"#);
    assert_eq!(files.found(), ["node: npm test"]);
    let alone = Files::of(&[("e2e/package.json", r#"{"scripts": {"test": "jest"}}"#)]);
    assert_eq!(alone.found(), ["e2e:node: npm test"]);
}
