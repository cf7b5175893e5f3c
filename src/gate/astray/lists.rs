//! The files that lists of pytest, jest and vitest reach, and the names that the latter two take where there is no list.

use anyhow::Result;

use super::{Tree, below, joined, stem};
use crate::gate::facts::Analyzed;
use crate::project::{folders_of_mocha, is_script_test, reaches_only, selects_tests};

/// The files that pytest takes its settings from.
const PYTEST: &[&str] = &["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];

/// Where settings of runners of scripts stand, but for their endings.
const VITEST: &[&str] = &["vitest.config", "vite.config"];
const JEST: &[&str] = &["jest.config"];
const ENDINGS: &[&str] = &["ts", "mts", "cts", "js", "mjs", "cjs", "json"];

/// Runners and words of settings that find tests by other names.
const OTHERS: &[&str] = &[
    "mocha",
    "ava",
    "tap",
    "uvu",
    "jasmine",
    "karma",
    "playwright",
    "cypress",
    "bun",
    "tape",
    "lab",
    "wdio",
    "projects",
    "workspace",
    "testRegex",
    "deno",
];

pub(super) fn of_python(tree: &Tree<'_>, from: &str, to: &Analyzed) -> Result<Option<String>> {
    for folder in tree.folders_with(from, PYTEST)? {
        // A part of the repository with settings of its own is run by itself.
        if below(&to.path, &folder).is_none() || tree.folders_with(&to.path, PYTEST)?.first() != Some(&folder)
        {
            return Ok(None);
        }
        for name in PYTEST {
            let config = joined(&folder, name);
            let Some(facts) = tree.facts(&config)? else { continue };
            let Some(project) = &facts.project else { continue };
            if let Some(key) = reaches_only(&config, project, from, &to.path) {
                return Ok(Some(format!("and {key} of {config} does not reach it")));
            }
        }
    }
    Ok(None)
}

pub(super) fn of_scripts(tree: &Tree<'_>, from: &str, to: &Analyzed) -> Result<Option<String>> {
    let packages = tree.folders_with(from, &["package.json"])?;
    let Some(package) = packages.first().filter(|package| below(&to.path, package).is_some()) else {
        return Ok(None);
    };
    if tree.folders_with(&to.path, &["package.json"])?.first() != Some(package) {
        return Ok(None);
    }
    // What another file takes in is run from there.
    let name = stem(&to.path);
    let ways = ["'", "\"", ".", "`"].map(|end| format!("/{name}{end}"));
    if tree.is_spoken_of(&to.path, &ways) {
        return Ok(None);
    }
    let Some((runner, configs)) = runner(tree, package)? else {
        return of_mocha(tree, package, from, &to.path);
    };
    let mut has_list = false;
    for config in &configs {
        let facts = tree.facts(config)?;
        let Some(project) = facts.as_ref().and_then(|facts| facts.project.as_ref()) else { continue };
        if let Some(key) = reaches_only(config, project, from, &to.path) {
            return Ok(Some(format!("and {key} of {config} does not reach it")));
        }
        has_list |= selects_tests(project);
    }
    let is_lost = is_script_test(from) && !is_script_test(&to.path);
    Ok((is_lost && !has_list).then(|| format!("and {runner} finds no tests by this name")))
}

/// Runners beside mocha that may find the file, and words by which mocha is told more than its folders.
const BESIDE_MOCHA: &[&str] =
    &["vitest", "jest", "ava", "jasmine", "karma", "recursive", "playwright", "cypress", "wtr"];

/// Where mocha has its settings.
const MOCHA: &[&str] = &[
    ".mocharc.js",
    ".mocharc.cjs",
    ".mocharc.mjs",
    ".mocharc.json",
    ".mocharc.jsonc",
    ".mocharc.yml",
    ".mocharc.yaml",
];

/// Mocha runs the files of its folders, and not what is below them.
fn of_mocha(tree: &Tree<'_>, package: &str, from: &str, to: &str) -> Result<Option<String>> {
    let manifest = joined(package, "package.json");
    for name in MOCHA.iter().chain(&["test/mocha.opts"]) {
        if tree.has(&joined(package, name))? {
            return Ok(None);
        }
    }
    for word in BESIDE_MOCHA {
        if tree.commands_say(&manifest, word)? {
            return Ok(None);
        }
    }
    let facts = tree.facts(&manifest)?;
    let Some(project) = facts.as_ref().and_then(|facts| facts.project.as_ref()) else { return Ok(None) };
    let Some(folders) = folders_of_mocha(project).filter(|folders| !folders.is_empty()) else {
        return Ok(None);
    };
    let is_listed = |path: &str| {
        let folder =
            below(path, package).and_then(|path| path.rsplit_once('/')).map_or("", |(folder, _)| folder);
        folders.iter().any(|listed| listed == folder)
    };
    Ok((is_listed(from) && !is_listed(to))
        .then(|| format!("and mocha is not told of its folder in {manifest}")))
}

/// The runner of a package that takes tests by their names, and the files in which it may be told otherwise. What goes with
/// jest is used with vitest, too.
fn runner(tree: &Tree<'_>, package: &str) -> Result<Option<(&'static str, Vec<String>)>> {
    let manifest = joined(package, "package.json");
    let mut configs = vec![manifest.clone()];
    let mut runners = Vec::new();
    for (runner, names) in [("vitest", VITEST), ("jest", JEST)] {
        let named = names.iter().flat_map(|name| ENDINGS.iter().map(move |end| format!("{name}.{end}")));
        let before = configs.len();
        for config in named.map(|name| joined(package, &name)) {
            if tree.has(&config)? {
                configs.push(config);
            }
        }
        if tree.commands_say(&manifest, runner)? || runner == "jest" && configs.len() > before {
            runners.push(runner);
        }
    }
    for config in &configs {
        for other in OTHERS {
            if tree.commands_say(config, other)? {
                return Ok(None);
            }
        }
    }
    Ok(runners.first().map(|runner| (*runner, configs)))
}
