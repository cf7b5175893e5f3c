//! What a path is by its name alone, where nobody says otherwise.
//!
//! Test runners find their files by whole folder names and by marks at the ends of file names, so only these
//! count: a path that merely contains "test" is production code.

use super::PathClass;

/// Folders of other people's code, at any depth.
const VENDORED: &[&str] =
    &["vendor", "_vendor", "node_modules", "third_party", "third-party", "bower_components", "Godeps"];

/// Folders, in lower case, that hold tests and nothing else.
const TEST_FOLDERS: &[&str] = &[
    "tests",
    "test",
    "__tests__",
    "e2e",
    "testdata",
    "test-data",
    "test_data",
    "testsuite",
    "__mocks__",
    "__snapshots__",
    "__fixtures__",
    "cypress",
    "integration-tests",
    "integration_tests",
    "unit-tests",
    "unit_tests",
];

/// Folders whose source files are tests, but which are also used for something else.
const TEST_SOURCE_FOLDERS: &[&str] = &["testing", "spec", "specs"];

/// Extensions of program text, whether or not there is a language pack for it.
const SOURCE: &[&str] = &[
    "py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "rs", "java", "kt", "kts",
    "scala", "groovy", "cs", "fs", "vb", "rb", "php", "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm",
    "swift", "dart", "ex", "exs", "erl", "clj", "cljs", "hs", "ml", "lua", "pl", "pm", "r", "jl", "sh",
    "bash", "bats", "zsh", "ps1", "bat", "sql", "vue", "svelte", "zig", "nim", "d", "sol", "coffee",
];

const DOCUMENTATION: &[&str] = &["md", "rst", "txt", "adoc"];

const IMAGES: &[&str] = &["png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "bmp", "tif", "tiff", "avif"];

/// Beginnings of file names that mean documentation wherever they stand.
const DOCUMENTS: &[&str] = &["README", "LICENSE", "LICENCE", "CHANGELOG", "CONTRIBUTING"];

/// A path in its parts.
pub(super) struct Parts<'p> {
    pub folders: Vec<&'p str>,
    pub name: &'p str,
    /// The name up to its last dot, and what follows that.
    stem: &'p str,
    pub extension: &'p str,
}

impl<'p> Parts<'p> {
    pub fn of(path: &'p str) -> Self {
        let mut folders: Vec<&str> = path.split('/').collect();
        let name = folders.pop().unwrap_or_default();
        // A leading dot starts a name, it ends none.
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, extension),
            _ => (name, ""),
        };
        Self { folders, name, stem, extension }
    }

    pub fn is_source(&self) -> bool {
        has(SOURCE, self.extension)
    }
}

pub(super) fn has(extensions: &[&str], extension: &str) -> bool {
    extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Whether the file is code in some language, be it one that a pack reads or not.
pub fn is_source(path: &str) -> bool {
    Parts::of(path).is_source()
}

/// Endings, beside those of program text, and whole names of files that are run line by line, or that builds are made of.
const RUN: &[&str] = &[
    "gradle", "mk", "mak", "cmake", "bzl", "bazel", "just", "fish", "tcl", "awk", "nix", "tf", "rake",
    "test", "case", "feature", "robot", "phpt", "lit",
];
const RUN_NAMES: &[&str] = &[
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Dockerfile",
    "Jenkinsfile",
    "Justfile",
    "justfile",
    "Rakefile",
    "BUILD",
];

/// Folders whose files without an ending are scripts.
const SCRIPT_FOLDERS: &[&str] =
    &["bin", "ci", ".ci", "scripts", "script", "hack", "tools", "build", "release", "hooks"];

/// Whether a person wrote the file for a machine to run, be it in a language that no pack reads.
pub fn is_run(path: &str) -> bool {
    let parts = Parts::of(path);
    let is_script =
        || parts.extension.is_empty() && parts.folders.iter().any(|folder| SCRIPT_FOLDERS.contains(folder));
    parts.is_source() || has(RUN, parts.extension) || RUN_NAMES.contains(&parts.name) || is_script()
}

/// Languages of which most files among the tests prepare or clean up something, or are what a test expects.
const SCRIPTS: &[&str] = &["sh", "bash", "zsh", "ps1", "bat", "sql"];

/// Whether a file that stands among the tests may hold some, as far as its name tells.
pub fn may_hold_tests(path: &str) -> bool {
    let parts = Parts::of(path);
    let named =
        || parts.stem.split(['-', '_', '.']).any(|word| matches!(word, "test" | "tests" | "spec" | "check"));
    parts.is_source() && (!has(SCRIPTS, parts.extension) || named())
}

pub fn is_vendored(path: &str) -> bool {
    let parts = Parts::of(path);
    parts.folders.iter().any(|folder| VENDORED.contains(folder)) || parts.name.ends_with(".min.js")
}

/// The class of a path that is not vendored.
pub fn class_of(path: &str) -> PathClass {
    let parts = Parts::of(path);
    if is_document(&parts) || (parts.folders.first() == Some(&"docs") && !parts.is_source()) {
        PathClass::Documentation
    } else if is_test(&parts) {
        PathClass::Test
    } else if is_written_for_people(&parts) {
        PathClass::Documentation
    } else {
        PathClass::Production
    }
}

/// Files that are documentation even among tests.
fn is_document(parts: &Parts<'_>) -> bool {
    let named = DOCUMENTS.iter().any(|start| parts.name.starts_with(start));
    (named && !parts.is_source()) || matches!(parts.name, ".gitignore" | ".editorconfig")
}

fn is_written_for_people(parts: &Parts<'_>) -> bool {
    has(IMAGES, parts.extension) || (has(DOCUMENTATION, parts.extension) && !is_read_by_tools(parts))
}

/// Text files that say what a program is built from.
fn is_read_by_tools(parts: &Parts<'_>) -> bool {
    let lists = parts.name == "CMakeLists.txt" || parts.folders.last() == Some(&"requirements");
    let pinned = ["requirements", "constraints"].iter().any(|word| parts.stem.contains(word));
    parts.extension == "txt" && (lists || pinned)
}

fn is_test(parts: &Parts<'_>) -> bool {
    // Maven and Gradle say it themselves, whatever the names below are.
    let main = parts.folders.windows(2).any(|pair| pair == ["src", "main"]);
    !main && (in_test_folder(parts) || has_test_name(parts))
}

fn in_test_folder(parts: &Parts<'_>) -> bool {
    let source = parts.is_source();
    let by_name = |folder: &&str| {
        let lower = folder.to_ascii_lowercase();
        TEST_FOLDERS.contains(&lower.as_str()) || (source && TEST_SOURCE_FOLDERS.contains(&lower.as_str()))
    };
    // Projects such as `Shop.Tests` and source sets such as `src/integrationTest`.
    let project = |folder: &&str| folder.rsplit_once('.').is_some_and(|(_, last)| is_project_of_tests(last));
    let source_set = |pair: &[&str]| {
        pair[0] == "src"
            && (pair[1].ends_with("Test") || pair[1].ends_with("Tests") || pair[1] == "testFixtures")
    };
    parts.folders.iter().any(|folder| by_name(folder) || project(folder))
        || parts.folders.windows(2).any(source_set)
}

fn is_project_of_tests(last: &str) -> bool {
    last == "Test" || last == "Tests" || last.ends_with("UnitTests") || last.ends_with("IntegrationTests")
}

fn has_test_name(parts: &Parts<'_>) -> bool {
    let stem = parts.stem;
    let starts = |marks: &[&str]| marks.iter().any(|mark| stem.starts_with(mark));
    let ends = |marks: &[&str]| marks.iter().any(|mark| stem.ends_with(mark));
    let is = |names: &[&str]| names.contains(&stem);
    match parts.extension {
        "py" => starts(&["test_"]) || ends(&["_test", "_tests"]) || is(&["conftest", "test", "tests"]),
        "go" => ends(&["_test"]),
        "rs" => ends(&["_test", "_tests"]) || is(&["test", "tests"]),
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" | "coffee" => {
            ends(&[".test", ".spec", ".e2e", ".cy", ".test-d", "-test", "_test", "-spec", "_spec"])
                || starts(&["test-"])
                || is(&["test", "tests"])
        }
        "java" | "kt" | "scala" | "groovy" | "cs" | "php" | "swift" => is_test_class(stem),
        "rb" => ends(&["_test", "_spec"]) || starts(&["test_"]) || is(&["spec_helper", "test_helper"]),
        "c" | "cc" | "cpp" | "cxx" | "m" | "mm" => {
            ends(&["_test", "_tests", "_unittest"]) || starts(&["test_"])
        }
        "ex" | "exs" | "dart" => ends(&["_test"]),
        "bats" | "snap" => true,
        _ => false,
    }
}

/// `CartTest`, `CartTests`, `CartTestCase`, `CartIT`, `CartSpec`, `TestCart`: a mark next to another word.
fn is_test_class(stem: &str) -> bool {
    let marked = ["Test", "Tests", "TestCase", "Spec"]
        .iter()
        .any(|mark| stem.len() > mark.len() && stem.ends_with(mark));
    // `AUDIT` and `COMMIT` are words, not integration tests.
    let before = stem.strip_suffix("IT").and_then(|word| word.chars().last());
    let after = stem.strip_prefix("Test").and_then(|word| word.chars().next());
    marked
        || before.is_some_and(|last| last.is_ascii_lowercase() || last.is_ascii_digit())
        || after.is_some_and(|first| first.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn all(class: PathClass, paths: &[&str]) {
        for path in paths {
            let found = if is_vendored(path) { PathClass::Vendored } else { class_of(path) };
            assert_eq!(found, class, "{path}");
        }
    }

    #[test]
    fn fires_on_the_folders_that_runners_use() {
        all(
            PathClass::Test,
            &[
                "tests/a.py",
                "pkg/tests/util/helper.py",
                "pkg/testsuite/basic.py",
                "test/a.rb",
                "src/__tests__/a.ts",
                "e2e/login.ts",
                "spec/a_spec.rb",
                "spec/support/helper.rb",
                "testing/fake.go",
                "pkg/testdata/input.json",
                "tests/fixtures/a.txt",
                "tests/expected/page.md",
                "tests/screens/a.png",
                "Tests/AppTests/Cart.swift",
                "src/test/java/a/Helper.java",
                "src/test/resources/a.xml",
                "src/integrationTest/java/A.java",
                "src/testFixtures/java/A.java",
                "src/androidTest/java/A.kt",
                "Shop.Tests/Cart.cs",
                "Shop.UnitTests/Cart.cs",
                "cypress/support/commands.js",
                "src/__snapshots__/a.snap",
                "src/__mocks__/api.ts",
                "crates/a/tests/cli.rs",
            ],
        );
    }

    #[test]
    fn fires_on_the_names_that_runners_use() {
        all(
            PathClass::Test,
            &[
                "src/test_cart.py",
                "cart_test.py",
                "conftest.py",
                "app/tests.py",
                "cart/cart_test.go",
                "src/cart.test.ts",
                "src/cart.spec.tsx",
                "src/cart.test.mjs",
                "src/Cart.spec.vue",
                "a/cart_test.ts",
                "cart-test.js",
                "src/cart.cy.ts",
                "test-cart.js",
                "types/a.test-d.ts",
                "CartTest.java",
                "CartTests.java",
                "a/CartIT.java",
                "a/CartTestCase.java",
                "a/TestCart.java",
                "HTTPTest.java",
                "CartSpec.kt",
                "CartTest.php",
                "CartTests.swift",
                "src/tests.rs",
                "src/cart_tests.rs",
                "src/cart_test.rs",
                "src/cart/test.rs",
                "a/cart_spec.rb",
                "cart_unittest.cc",
                "a/cart_test.exs",
                "run.bats",
                "src/app.snap",
            ],
        );
    }

    #[test]
    fn scripts_among_the_tests_hold_some_only_where_they_say_so() {
        for path in
            ["test/run-tests.sh", "test/check_ports.sh", "tests/cart_test.sh", "src/test/kotlin/Cart.kt"]
        {
            assert!(may_hold_tests(path), "{path}");
        }
        for path in
            ["test/ca/generate.sh", "tests/snapshots/basic.bash", "tests/data/latest.sql", "tests/a.json"]
        {
            assert!(!may_hold_tests(path), "{path}");
        }
    }

    #[test]
    fn quiet_on_paths_that_merely_contain_the_word() {
        all(
            PathClass::Production,
            &[
                "src/latest.ts",
                "src/attestation/x.py",
                "contest/a.go",
                "src/testing_utils_prod.py",
                "src/contest.py",
                "src/testimonials.tsx",
                "src/protest_test_results.sql",
                "src/fastest.rs",
                "greatest/hits.py",
                "src/test_utils.rs",
                "src/testament/a.py",
                "Latest.java",
                "Contest.java",
                "Testimonial.java",
                "AUDIT.java",
                "Submit.java",
                "COMMIT.java",
                "Test.java",
                "latest_test/a.py",
                "src/unittest_runner.py",
                "inspector.rb",
                "spectest/a.py",
                "src/specification.ts",
                "src/test.config.yaml",
                "backtest/engine.py",
                "src/e2e_metrics.go",
                "manifest.json",
                "src/testable.kt",
                "src/pytest.ini",
                "src/abtest.js",
                "ABtest.kt",
                "src/cart.testing.ts",
                "src/specs.py",
            ],
        );
    }

    #[test]
    fn quiet_where_a_build_tool_says_that_it_is_production_code() {
        all(
            PathClass::Production,
            &[
                "src/main/java/org/shop/AbTest.java",
                "core/src/main/kotlin/a/test/Runner.kt",
                "src/main/resources/tests/a.xml",
                "spec/openapi.yaml",
                "specs/api.json",
                "testing/deploy.yaml",
                "api.spec.yaml",
                "src/fixtures/countries.json",
                "package.spec",
            ],
        );
    }

    #[test]
    fn fires_on_documentation() {
        all(
            PathClass::Documentation,
            &[
                "README.md",
                "a/b/notes.MD",
                "guide.rst",
                "todo.txt",
                "guide.adoc",
                "docs/index.html",
                "docs/theme/site.css",
                "docs/test/page.yaml",
                "LICENSE",
                "LICENSE-MIT",
                "CHANGELOG",
                "CHANGELOG.md",
                ".gitignore",
                "a/.editorconfig",
                "logo.svg",
                "assets/logo.PNG",
                "tests/README.md",
                "tests/.gitignore",
                "spec/format.md",
                "src/attestation/notes.md",
            ],
        );
    }

    #[test]
    fn quiet_on_what_only_looks_like_documentation() {
        all(
            PathClass::Production,
            &[
                "docs/conf.py",
                "docs/build.sh",
                "docs/src/app.tsx",
                "requirements.txt",
                "requirements-dev.txt",
                "dev-requirements.txt",
                "requirements/prod.txt",
                "constraints.txt",
                "CMakeLists.txt",
                "src/LICENSE.py",
                "license.go",
                "changelog.rs",
                "mydocs/a.html",
                "src/docs/a.html",
                "README.py",
                "Makefile",
                "Cargo.lock",
                "package.json",
                "page.mdx",
                "src/md",
                "txt",
                "",
            ],
        );
    }

    #[test]
    fn fires_on_vendored_folders() {
        all(
            PathClass::Vendored,
            &[
                "vendor/a/b.go",
                "src/pip/_vendor/a.py",
                "web/node_modules/x/index.js",
                "third_party/x.c",
                "third-party/x.c",
                "bower_components/x.js",
                "Godeps/x.go",
                "static/jquery.min.js",
                "vendor/a/a_test.go",
                "vendor/README.md",
            ],
        );
    }

    #[test]
    fn quiet_on_names_near_vendored_ones() {
        all(
            PathClass::Production,
            &[
                "vendors/a.go",
                "src/vendor.ts",
                "src/vendoring/a.py",
                "node_modules.js",
                "src/third_party.rs",
                "src/admin.js",
                "src/min.js",
                "src/a.min.ts",
                "godeps/x.go",
                "vendor",
            ],
        );
    }
}
