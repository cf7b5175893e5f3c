//! Cargo, Go, Maven and Gradle, and several kinds in one tree.

use super::*;

const LIB: &str = "#[test]\nfn a() {}\n";

fn workspace(lists: &str) -> Files {
    Files::of(&[
        ("Cargo.toml", &format!("[workspace]\n{lists}")),
        ("crates/a/Cargo.toml", "[package]\nname = \"a\""),
        ("crates/a/src/lib.rs", LIB),
        ("crates/b/Cargo.toml", "[package]\nname = \"b\""),
        ("crates/b/src/lib.rs", LIB),
    ])
}

#[test]
fn a_workspace_is_one_suite() {
    let files = workspace("members = [\"crates/*\"]");
    assert_eq!(files.found(), ["cargo: cargo test --workspace"]);
    assert_eq!(files.touched(&["crates/b/src/lib.rs"]), ["cargo"]);
}

#[test]
fn a_package_that_a_workspace_excludes_stands_alone() {
    for lists in ["members = [\"crates/a\"]\nexclude = [\"crates/b\"]", "exclude = [\"./crates/b/\"]"] {
        let files = workspace(lists);
        assert_eq!(files.found(), ["cargo: cargo test --workspace", "crates/b:cargo: cargo test"], "{lists}");
    }
}

#[test]
fn a_package_taken_off_the_list_still_belongs_to_the_workspace() {
    let files = workspace("members = [\"crates/a\"]");
    assert_eq!(files.touched(&["crates/b/src/lib.rs"]), ["cargo"]);
}

#[test]
fn a_package_that_names_its_workspace_belongs_there() {
    let files = workspace("members = [\"crates/*\", \"../x\"]")
        .with("side/Cargo.toml", "[package]\nname = \"x\"\nworkspace = \"..\"")
        .with("side/src/lib.rs", LIB);
    assert_eq!(files.touched(&["side/src/lib.rs"]), ["cargo"]);
}

#[test]
fn packages_that_name_one_another_lead_nowhere() {
    let files = Files::of(&[
        ("a/Cargo.toml", "[package]\nname = \"a\"\nworkspace = \"../b\""),
        ("a/src/lib.rs", LIB),
        ("b/Cargo.toml", "[package]\nname = \"b\"\nworkspace = \"../a\""),
        ("b/src/lib.rs", LIB),
    ]);
    assert_eq!(files.found(), ["a:cargo: cargo test", "b:cargo: cargo test"]);
}

#[test]
fn nextest_is_used_where_the_project_keeps_its_settings() {
    let files = workspace("members = [\"crates/*\"]").with(".config/nextest.toml", "");
    assert_eq!(files.found(), ["cargo: cargo nextest run --workspace"]);
    assert_eq!(files.framework(), Framework::Nextest);
}

#[test]
fn quiet_about_rust_projects_without_tests() {
    let plain = Files::of(&[("Cargo.toml", "[package]\nname = \"a\""), ("src/main.rs", "fn main() {}")]);
    assert_eq!(plain.found(), [""; 0]);
    let fuzz = workspace("members = [\"crates/*\"]\nexclude = [\"fuzz\"]")
        .with(
            "fuzz/Cargo.toml",
            "[package]\nname = \"f\"\n[package.metadata]\ncargo-fuzz = true\n[workspace]",
        )
        .with("fuzz/fuzz_targets/a.rs", "// ```");
    assert_eq!(fuzz.touched(&["fuzz/fuzz_targets/a.rs"]), ["cargo"]);
}

#[test]
fn quiet_about_projects_that_are_material_of_tests() {
    let root = Files::of(&[("Cargo.toml", "[package]\nname = \"a\""), ("src/lib.rs", LIB)]);
    for folder in ["tests/fixtures/a", "testdata/a", "tests/a", "vendor/a", "crates/tests/data/a", "{{name}}"]
    {
        let files = root
            .clone()
            .with(&format!("{folder}/Cargo.toml"), "[package]\nname = \"x\"\n[workspace]")
            .with(&format!("{folder}/src/lib.rs"), LIB);
        assert_eq!(files.touched(&[&format!("{folder}/src/lib.rs")]), ["cargo"], "{folder}");
    }
}

#[test]
fn every_go_module_with_tests_is_a_suite() {
    let files = Files::of(&[
        ("go.mod", "module a"),
        ("go.work", "go 1.22\nuse (\n.\n./tests\n)"),
        ("a_test.go", ""),
        ("tests/go.mod", "module t"),
        ("tests/e2e/b_test.go", ""),
        ("tools/go.mod", "module tools"),
        ("tools/tools.go", ""),
        ("pkg/testdata/x/go.mod", "module x"),
        ("pkg/testdata/x/x_test.go", ""),
    ]);
    assert_eq!(files.found(), ["go: go test ./...", "tests:go: go test ./..."]);
    assert_eq!(files.touched(&["tools/tools.go"]), ["go"]);
    assert_eq!(files.touched(&["pkg/testdata/x/x_test.go"]), ["go"]);
}

#[test]
fn modules_belong_to_the_project_that_lists_them() {
    let files = Files::of(&[
        (
            "pom.xml",
            "<modules><module>core</module><!--<module>old</module>--><module>a/b</module></modules>",
        ),
        ("mvnw", ""),
        ("core/pom.xml", "<project/>"),
        ("core/src/test/java/ATest.java", ""),
        ("core/src/test/resources/it/pom.xml", "<project/>"),
        ("a/b/pom.xml", "<project/>"),
        ("a/b/src/test/java/BTest.java", ""),
        ("old/pom.xml", "<project/>"),
        ("old/src/test/java/CTest.java", ""),
        ("bom/pom.xml", "<project/>"),
    ]);
    assert_eq!(files.found(), ["maven: ./mvnw test", "old:maven: ../mvnw test"]);
    assert_eq!(files.touched(&["a/b/src/main/java/B.java"]), ["maven"]);
}

#[test]
fn a_gradle_build_is_one_suite_and_its_logic_is_none() {
    let files = Files::of(&[
        ("settings.gradle.kts", ""),
        ("gradlew", ""),
        ("app/build.gradle.kts", ""),
        ("app/src/test/kotlin/ATest.kt", ""),
        ("build-logic/settings.gradle.kts", ""),
        ("build-logic/src/main/kotlin/x.gradle.kts", ""),
    ]);
    assert_eq!(files.found(), ["gradle: ./gradlew test"]);
    assert_eq!(files.touched(&["build-logic/src/main/kotlin/x.gradle.kts"]), ["gradle"]);
}

#[test]
fn where_two_build_tools_stand_the_wrapper_decides() {
    let both =
        Files::of(&[("pom.xml", "<project/>"), ("build.gradle", ""), ("src/test/java/ATest.java", "")]);
    assert_eq!(both.found(), ["maven: mvn test"]);
    assert_eq!(both.with("gradlew", "").found(), ["gradle: ./gradlew test"]);
}

fn mixed() -> Files {
    Files::of(&[
        ("Cargo.toml", "[package]\nname = \"a\""),
        ("src/lib.rs", LIB),
        ("package.json", r#"{"scripts": {"test": "jest"}}"#),
        ("services/api/pyproject.toml", "[tool.pytest.ini_options]"),
        ("services/api/tests/test_a.py", "def test_a(): pass"),
    ])
}

#[test]
fn a_file_touches_the_suites_of_its_kind_and_place() {
    let files = mixed();
    for (path, expected) in [
        ("src/deep/x.rs", &["cargo"] as &[&str]),
        ("web/x.ts", &["node"]),
        ("data/x.json", &["cargo", "node"]),
        ("Cargo.lock", &["cargo"]),
        ("package-lock.json", &["node"]),
        // Python has no suite above these: whatever is near may use them.
        ("scripts/build.py", &["cargo", "node"]),
        ("src/native.c", &["cargo", "node"]),
        ("services/api/app.py", &["services/api:python"]),
        ("services/api/data.json", &["services/api:python"]),
        ("services/api/native/x.rs", &["cargo"]),
        ("services/other/x.json", &["cargo", "node"]),
    ] {
        assert_eq!(files.touched(&[path]), expected, "{path}");
    }
    assert_eq!(files.touched(&["src/lib.rs", "services/api/app.py"]), ["cargo", "services/api:python"]);
}

#[test]
fn an_unreadable_manifest_does_not_take_its_suite_away() {
    let files = mixed().with("Cargo.toml", "<<<<<<< HEAD");
    assert_eq!(files.touched(&["src/lib.rs"]), ["cargo"]);
}
