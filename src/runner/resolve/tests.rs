//! What a suite runs on a machine that has this and lacks that.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::policy::Required;
use crate::runner::suite::{Inputs, Origin, Site};

struct Checkout {
    folder: TempDir,
    machine: Machine,
}

impl Checkout {
    /// With a folder of programs that do nothing in place of the machine's.
    fn new(programs: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        for program in programs {
            Self::write(folder.path(), &format!("bin/{program}"), "#!/bin/sh\nexit 0\n", true);
        }
        let path = Some(folder.path().join("bin").into_os_string());
        Self { folder, machine: Machine { path, virtual_env: None } }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    fn file(self, path: &str, content: &str, executable: bool) -> Self {
        Self::write(&self.root(), path, content, executable);
        self
    }

    fn write(root: &Path, path: &str, content: &str, executable: bool) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = if executable { 0o755 } else { 0o644 };
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        }
    }

    fn resolve(&self, folder: &str, framework: Framework, command: &[&str]) -> Result<Resolved> {
        resolve(&suite(folder, framework, command), &self.root(), &self.machine)
    }

    #[track_caller]
    fn words(&self, folder: &str, framework: Framework, command: &[&str]) -> Vec<String> {
        match self.resolve(folder, framework, command).unwrap().command {
            CommandLine::Words(words) => words,
            CommandLine::Shell(command) => panic!("{command}"),
        }
    }

    #[track_caller]
    fn error(&self, folder: &str, framework: Framework, command: &[&str]) -> String {
        format!("{:#}", self.resolve(folder, framework, command).unwrap_err())
    }

    fn inside(&self, path: &str) -> String {
        self.root().join(path).to_str().unwrap().to_owned()
    }
}

fn suite(folder: &str, framework: Framework, command: &[&str]) -> Suite {
    Suite {
        name: "some".into(),
        framework,
        command: CommandLine::Words(command.iter().map(|&word| word.to_owned()).collect()),
        directory: folder.into(),
        inputs: Inputs::Found(Site { folder: folder.into(), label: "python" }),
        timeout: Duration::from_secs(600),
        required: Required::Commit,
        environment: BTreeMap::new(),
        fail_fast: false,
        origin: Origin::Found,
    }
}

const UNITTEST: &[&str] = &["python", "-m", "unittest", "discover"];
const PYTEST: &[&str] = &["python", "-m", "pytest"];

#[test]
fn the_environment_of_the_project_comes_first_also_from_above() {
    let checkout = Checkout::new(&["python3"]).file(".venv/bin/python", "#!/bin/sh\n", true);
    let checkout = checkout.file("services/api/test_a.py", "", false);
    let words = checkout.words("services/api", Framework::Unittest, UNITTEST);
    assert_eq!(words[0], checkout.inside(".venv/bin/python"));
    assert_eq!(words[1..], UNITTEST[1..]);
}

#[test]
fn the_active_environment_comes_before_the_path() {
    let mut checkout = Checkout::new(&["python3"]).file("elsewhere/bin/python", "#!/bin/sh\n", true);
    checkout.machine.virtual_env = Some(checkout.root().join("elsewhere"));
    let words = checkout.words("", Framework::Unittest, UNITTEST);
    assert_eq!(words[0], checkout.inside("elsewhere/bin/python"));
}

#[test]
fn a_manager_that_keeps_the_environment_elsewhere_is_asked() {
    let checkout = Checkout::new(&["python3", "poetry"]).file("poetry.lock", "", false);
    assert_eq!(checkout.words("", Framework::Unittest, UNITTEST)[..3], ["poetry", "run", "python"]);
}

#[test]
fn quiet_about_a_manager_that_is_not_installed() {
    let checkout = Checkout::new(&["python3"]).file("poetry.lock", "", false);
    assert!(checkout.words("", Framework::Unittest, UNITTEST)[0].ends_with("bin/python3"));
}

#[test]
fn a_missing_pytest_is_said_before_the_run() {
    let missing = "#!/bin/sh\necho \"ModuleNotFoundError: No module named 'pytest'\" >&2\nexit 1\n";
    let checkout = Checkout::new(&[]).file(".venv/bin/python", missing, true);
    let error = checkout.error("", Framework::Pytest, PYTEST);
    assert!(error.contains("pytest is not installed for"), "{error}");
    assert!(error.contains("pip install pytest") && error.contains("aiwg-gate.yaml"), "{error}");
}

#[test]
fn a_pytest_that_cannot_be_imported_is_not_called_missing() {
    let broken = "#!/bin/sh\necho 'Traceback' >&2\necho 'ImportError: broken plugin' >&2\nexit 1\n";
    let checkout = Checkout::new(&[]).file(".venv/bin/python", broken, true);
    let error = checkout.error("", Framework::Pytest, PYTEST);
    assert!(error.contains("ImportError: broken plugin") && !error.contains("not installed"), "{error}");
}

#[test]
fn a_missing_interpreter_or_program_is_named() {
    let checkout = Checkout::new(&[]).file("a", "", false);
    assert!(checkout.error("", Framework::Unittest, UNITTEST).contains("no python3 on PATH"));
    let error = checkout.error("", Framework::GoTest, &["go", "test", "./..."]);
    assert!(
        error.contains("suite `some` cannot run here") && error.contains("`go` is not on PATH"),
        "{error}"
    );
}

#[test]
fn nextest_is_replaced_by_cargo_test_where_it_is_not_installed() {
    let command = ["cargo", "nextest", "run", "--workspace"];
    let with = Checkout::new(&["cargo", "cargo-nextest"]).file("a", "", false);
    let resolved = with.resolve("", Framework::Nextest, &command).unwrap();
    assert_eq!((resolved.framework, resolved.note), (Framework::Nextest, None));

    let without = Checkout::new(&["cargo"]).file("a", "", false);
    let resolved = without.resolve("", Framework::Nextest, &command).unwrap();
    assert_eq!(resolved.framework, Framework::CargoTest);
    assert_eq!(without.words("", Framework::Nextest, &command), ["cargo", "test", "--workspace"]);
    assert!(resolved.note.unwrap().contains("cargo-nextest is not installed"));
}

#[test]
fn missing_dependencies_of_a_package_are_said() {
    let package = r#"{"devDependencies": {"jest": "^29"}}"#;
    let checkout = Checkout::new(&["pnpm"]).file("packages/a/package.json", package, false);
    let error = checkout.error("packages/a", Framework::Jest, &["pnpm", "test"]);
    assert!(error.contains("node_modules is missing in packages/a: run `pnpm install`"), "{error}");
    let checkout = checkout.file("node_modules/.keep", "", false);
    assert_eq!(checkout.words("packages/a", Framework::Jest, &["pnpm", "test"]), ["pnpm", "test"]);
}

#[test]
fn quiet_about_a_package_without_dependencies() {
    let checkout = Checkout::new(&["npm"]).file("package.json", r#"{"devDependencies": {}}"#, false);
    assert_eq!(checkout.words("", Framework::NodeTest, &["npm", "test"]), ["npm", "test"]);
}

#[cfg(unix)]
#[test]
fn a_wrapper_without_its_mode_is_run_by_the_shell() {
    let checkout = Checkout::new(&[]).file("mvnw", "#!/bin/sh\n", true).file("android/gradlew", "", false);
    let words = checkout.words("android", Framework::Junit, &["../mvnw", "test"]);
    assert_eq!(words, [checkout.inside("android/../mvnw"), "test".to_owned()]);
    let words = checkout.words("android", Framework::Junit, &["./gradlew", "test"]);
    assert_eq!(words[0], "sh");
    assert!(checkout.error("", Framework::Junit, &["./gradlew", "test"]).contains("is not there"));
}
