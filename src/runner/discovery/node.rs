//! JavaScript and TypeScript: one suite per `package.json` that can run tests.
//!
//! A package that says how (`scripts.test`) stands for itself. One that merely has a test runner does so where no
//! package above says how; else it is tested from there.

use std::rc::Rc;

use serde_json::Value;

use super::ground::Ground;
use super::look::{Look, join};
use super::table::Described;
use super::{places, script};
use crate::policy::Framework;

pub const LABEL: &str = "node";

pub const FILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "bun.lock",
    "bun.lockb",
    "lerna.json",
    "tsconfig.json",
    ".npmrc",
    ".nvmrc",
];

/// Runners by their dependency, and how their settings files begin.
const RUNNERS: &[(Framework, &str, &[&str])] = &[
    (Framework::Vitest, "vitest", &["vitest.config.", "vitest.workspace."]),
    (Framework::Jest, "jest", &["jest.config."]),
    (Framework::Mocha, "mocha", &[".mocharc."]),
];

pub fn here(ground: &Ground<'_>, folder: &str) -> Option<String> {
    let look = &ground.look;
    if places::is_material(folder) {
        return None;
    }
    let package = package(look, folder)?;
    let above = || ground.owner_above(LABEL, folder).is_some();
    let alone = if test_script(&package).is_some() {
        !(places::is_secondary(folder) && above())
    } else {
        runner(look, folder, &package).is_some() && !above()
    };
    alone.then(|| folder.to_owned())
}

pub fn describe(ground: &Ground<'_>, folder: &str) -> Described {
    let look = &ground.look;
    let package = package(look, folder).unwrap_or_default();
    let manager = manager(look, folder);
    if let Some(text) = test_script(&package) {
        return Described::new(script::framework(&package, text), manager.test);
    }
    let framework = runner(look, folder, &package).unwrap_or(Framework::Other);
    let run: &[&str] = if framework == Framework::Vitest { &["vitest", "run"] } else { &[framework.name()] };
    Described::new(framework, &[manager.execute, run].concat())
}

/// What a script of the package in a folder runs; `None` where there is no such script.
pub fn framework_of_script(look: &Look<'_>, folder: &str, name: &str) -> Option<Framework> {
    let package = package(look, folder)?;
    let text = package.get("scripts")?.get(name)?.as_str()?;
    Some(script::framework(&package, text))
}

fn package(look: &Look<'_>, folder: &str) -> Option<Rc<Value>> {
    look.json(&join(folder, "package.json"))
}

fn test_script(package: &Value) -> Option<&str> {
    let text = package.get("scripts")?.get("test")?.as_str()?;
    script::runs_tests(text).then_some(text)
}

/// The runner that the package has without saying how to run it.
fn runner(look: &Look<'_>, folder: &str, package: &Value) -> Option<Framework> {
    let depends = |name: &str| {
        let lists = ["devDependencies", "dependencies"].iter().filter_map(|key| package.get(key));
        lists.into_iter().any(|list| list.get(name).is_some())
            || package.get(name).is_some_and(Value::is_object)
    };
    let names = look.names(folder);
    let set_up =
        |starts: &[&str]| starts.iter().any(|start| names.iter().any(|name| name.starts_with(start)));
    // At the root of a workspace the dependency is there for the packages.
    let shared =
        package.get("workspaces").is_some() || look.has_any(folder, &["pnpm-workspace.yaml", "lerna.json"]);
    let has = |name: &str, starts: &[&str]| set_up(starts) || (!shared && depends(name));
    RUNNERS.iter().find(|(_, name, starts)| has(name, starts)).map(|&(framework, ..)| framework)
}

/// How a package manager runs the tests and a program of the project.
#[derive(Clone, Copy)]
struct Manager {
    name: &'static str,
    locks: &'static [&'static str],
    test: &'static [&'static str],
    execute: &'static [&'static str],
}

const NPM: Manager =
    Manager { name: "npm", locks: &["package-lock.json"], test: &["npm", "test"], execute: &["npx"] };

const MANAGERS: [Manager; 4] = [
    Manager { name: "pnpm", locks: &["pnpm-lock.yaml"], test: &["pnpm", "test"], execute: &["pnpm", "exec"] },
    Manager { name: "yarn", locks: &["yarn.lock"], test: &["yarn", "test"], execute: &["yarn", "run"] },
    // `bun test` is a runner of its own.
    Manager {
        name: "bun",
        locks: &["bun.lock", "bun.lockb"],
        test: &["bun", "run", "test"],
        execute: &["bunx"],
    },
    NPM,
];

/// Told by the nearest package that names one, or the nearest lock file.
fn manager(look: &Look<'_>, folder: &str) -> Manager {
    let at = |folder: &str| {
        let named = package(look, folder).and_then(|package| {
            let name = package.get("packageManager")?.as_str()?.split('@').next()?.to_owned();
            MANAGERS.into_iter().find(|manager| manager.name == name)
        });
        named.or_else(|| MANAGERS.into_iter().find(|manager| look.has_any(folder, manager.locks)))
    };
    std::iter::once(folder).chain(places::above(folder)).find_map(at).unwrap_or(NPM)
}
