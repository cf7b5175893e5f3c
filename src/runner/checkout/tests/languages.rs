//! Real interpreters and build tools in a checkout: what they load is what is checked out.

use super::*;

#[test]
fn node_loads_workspace_packages_from_the_checkout() {
    if which::which("node").is_err() {
        eprintln!("node is not installed: nothing was tried");
        return;
    }
    let stage = Stage::new();
    stage.write(".gitignore", "node_modules\n");
    stage.write("packages/a/package.json", r#"{"name": "@x/a", "main": "index.js"}"#);
    stage.write("packages/b/package.json", r#"{"name": "b", "main": "index.js"}"#);
    stage.write("packages/a/index.js", "module.exports = 'staged'");
    stage.write("packages/b/index.js", "module.exports = 'b with a ' + require('@x/a')");
    stage.link("../../packages/a", "node_modules/@x/a");
    stage.link("../packages/b", "node_modules/b");
    stage.add();
    stage.write("packages/a/index.js", "module.exports = 'in the working tree'");
    let checkout = stage.index();
    assert_eq!(run_in(&checkout, "node -p \"require('b')\""), "b with a staged");
    let module = "node --input-type=module -e \"import b from 'b'; console.log(b)\"";
    assert_eq!(run_in(&checkout, module), "b with a staged");
}

/// An environment with what `pip install -e` writes, in all the ways of the common build backends.
fn editable() -> Option<(Stage, String)> {
    let stage = Stage::new();
    stage.write(".gitignore", ".venv\n*.egg-info\n");
    stage.write("src/by_path/__init__.py", "WHO = 'staged'\n");
    stage.write("flat/by_finder/__init__.py", "WHO = 'staged'\n");
    stage.write("flat/by_finder/inner.py", "WHO = 'staged'\n");
    stage.write("lib/other_name/__init__.py", "WHO = 'staged'\n");
    stage.write("old/by_link.py", "WHO = 'staged'\n");
    stage.add();
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--without-pip", ".venv"]).current_dir(&stage.work);
    if !make.status().is_ok_and(|status| status.success()) {
        eprintln!("python3 cannot make an environment: nothing was tried");
        return None;
    }
    let found = Command::new(stage.path(".venv/bin/python"))
        .args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        .output()
        .unwrap();
    let site = String::from_utf8(found.stdout).unwrap().trim().to_owned();
    let work = stage.work.display().to_string();
    let write = |name: &str, text: &str| std::fs::write(Path::new(&site).join(name), text).unwrap();
    write("project.pth", &format!("{work}/src\n"));
    write("easy-install.pth", &format!("{work}/old\n"));
    write("__editable__.pth", "import __editable___x_finder; __editable___x_finder.install()\n");
    write("__editable___x_finder.py", &FINDER.replace("WORK", &work));
    stage.write("old/by_link.egg-info/PKG-INFO", "Metadata-Version: 1.0\nName: by-link\nVersion: 3\n");
    for path in [
        "src/by_path/__init__",
        "flat/by_finder/__init__",
        "flat/by_finder/inner",
        "lib/other_name/__init__",
        "old/by_link",
    ] {
        stage.write(&format!("{path}.py"), "WHO = 'in the working tree'\n");
    }
    Some((stage, site))
}

/// As setuptools writes it.
const FINDER: &str = "
import sys
from importlib.machinery import PathFinder
from importlib.util import spec_from_file_location
MAPPING = {'by_finder': 'WORK/flat/by_finder', 'renamed': 'WORK/lib/other_name'}
class _EditableFinder:
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        if fullname in MAPPING:
            return spec_from_file_location(fullname, MAPPING[fullname] + '/__init__.py')
def install():
    sys.meta_path.append(_EditableFinder)
";

#[test]
fn python_loads_editable_installs_from_the_checkout() {
    let Some((stage, _)) = editable() else { return };
    stage.write("src/untracked.py", "WHO = 'in the working tree'\n");
    let checkout = stage.index();
    let imports = "import by_path, by_finder.inner, renamed, by_link; \
                   print(by_path.WHO, by_finder.WHO, by_finder.inner.WHO, renamed.WHO, by_link.WHO)";
    for python in [".venv/bin/python".to_owned(), stage.path(".venv/bin/python").display().to_string()] {
        assert_eq!(run_in(&checkout, &format!("{python} -c '{imports}'")), "staged ".repeat(5).trim_end());
    }
    let version = "from importlib.metadata import version; print(version(\"by-link\"))";
    assert_eq!(run_in(&checkout, &format!(".venv/bin/python -c '{version}'")), "3");
    let untracked = run_in(&checkout, ".venv/bin/python -c 'import untracked'");
    assert!(untracked.contains("No module named 'untracked'"), "{untracked}");
    assert_eq!(checkout.doubts(), [""; 0]);
}

#[test]
fn what_python_cannot_be_led_away_from_is_a_doubt() {
    let Some((stage, site)) = editable() else { return };
    let work = stage.work.display();
    stage.write("build/generated/made.py", "");
    let site = Path::new(&site);
    std::fs::write(site.join("made.pth"), format!("{work}/build/generated\n")).unwrap();
    std::fs::write(site.join("odd.pth"), "import odd_finder\n").unwrap();
    let finder = format!(
        "import sys\nclass Odd:\n    known = {{'x': '{work}/src/x.py'}}\n    def find_spec(self, *a): return None\n\
         Odd.find_spec.__module__\no = Odd()\no.known = dict(Odd.known)\nsys.meta_path.insert(0, o)\n"
    );
    std::fs::write(site.join("odd_finder.py"), finder).unwrap();
    let checkout = stage.index();
    run_in(&checkout, ".venv/bin/python -c pass; .venv/bin/python -c pass");
    assert_eq!(
        checkout.doubts(),
        [
            "Python's finder odd_finder.Odd leads into the working tree",
            "Python's search path leads to build/generated in the working tree, which is not checked out",
        ]
    );
}

#[test]
fn another_sitecustomize_still_runs() {
    let Some((stage, site)) = editable() else { return };
    std::fs::write(Path::new(&site).join("sitecustomize.py"), "import builtins\nbuiltins.SEEN = 'seen'\n")
        .unwrap();
    let checkout = stage.index();
    assert_eq!(
        run_in(&checkout, ".venv/bin/python -c 'import by_path; print(SEEN, by_path.WHO)'"),
        "seen staged"
    );
}

#[test]
fn cargo_builds_apart_from_the_working_tree_and_keeps_dependencies() {
    // Without a build folder that the tests themselves were told to use.
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "runner::checkout::tests::languages::cargo", "--ignored", "--nocapture"]);
    command.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET_DIR");
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && words.contains("1 passed"), "{words}");
}

#[test]
#[ignore = "started by another test in a process of its own"]
fn cargo() {
    let stage = Stage::new();
    stage.write(".gitignore", "target\n");
    stage.write("Cargo.toml", "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    stage.write("src/main.rs", "fn main() { println!(\"staged\") }\n");
    stage.add();
    stage.write("src/main.rs", "fn main() { println!(\"in the working tree\") }\n");
    let cargo = |directory: &Path, checkout: Option<&Checkout>| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["run", "--quiet", "--offline"]).current_dir(directory);
        command.envs(checkout.map(|checkout| checkout.environment("", &[])).unwrap_or_default());
        let output = command.output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap().trim().to_owned()
    };
    assert_eq!(cargo(&stage.work, None), "in the working tree");
    // As if a dependency had been built.
    stage.write("target/debug/.fingerprint/dep-0123/lib-dep", "");
    stage.write("target/debug/deps/libdep-0123.rlib", "");
    let checkout = stage.index();
    assert_eq!(cargo(checkout.root(), Some(&checkout)), "staged");
    let environment = checkout.environment("", &[]);
    let target = &environment.iter().find(|(name, _)| name == "CARGO_TARGET_DIR").unwrap().1;
    let target = Path::new(target);
    assert!(target.starts_with(stage.path("target/aiwg-gate")), "{}", target.display());
    assert!(target.join("debug/.fingerprint/dep-0123/lib-dep").exists());
    assert!(target.join("debug/deps/libdep-0123.rlib").exists());
    drop(checkout);
    assert_eq!(cargo(&stage.work, None), "in the working tree");
    let again = stage.index();
    assert_eq!(cargo(again.root(), Some(&again)), "staged");
}

#[test]
fn without_a_build_folder_nothing_is_left_in_the_working_tree() {
    let stage = Stage::new();
    stage.write("pom.xml", "");
    stage.write("app/Cargo.toml", "");
    stage.write("target/classes/A.class", "");
    stage.git(&["add", "pom.xml", "app"]);
    let checkout = stage.with(&["target"], &["app"]);
    assert!(!is_there(&checkout, "target"));
    let target = |directory: &str| {
        let environment = checkout.environment(directory, &[]);
        environment.into_iter().find(|(name, _)| name == "CARGO_TARGET_DIR").map(|(_, value)| value)
    };
    assert_eq!(target(""), None);
    let inside = checkout.root().parent().unwrap().join("target");
    assert_eq!(target("app"), Some(inside.to_str().unwrap().to_owned()));
    drop(checkout);
    assert!(!stage.path("target/aiwg-gate").exists() && !stage.path("app/target").exists());
}
