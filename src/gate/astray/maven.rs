//! The classes that Maven runs: those below `src/test/java` whose names say so.

use anyhow::Result;

use super::{Tree, below, folders, stem};
use crate::facts::{About, SettingValue};
use crate::gate::facts::Analyzed;

/// Builds that look into all classes, whatever their names.
const OTHERS: &[&str] =
    &["build.gradle", "build.gradle.kts", "build.xml", "BUILD", "BUILD.bazel", "build.sbt", "build.sc"];

/// Words of a `pom.xml` that lay out its sources another way.
const OTHERWISE: &[&str] = &["testSourceDirectory", "helper", "suiteXmlFile", "testSources"];

/// Where a module has its tests.
const HOME: &str = "src/test/java/";

pub(super) fn why(tree: &Tree<'_>, from: &str, to: &Analyzed) -> Result<Option<String>> {
    let modules = tree.folders_with(from, &["pom.xml"])?;
    let Some(module) = modules.first() else { return Ok(None) };
    let was_run = below(from, module).is_some_and(|path| path.starts_with(HOME)) && is_run(stem(from));
    if !was_run || is_laid_out_otherwise(tree, from)? || is_laid_out_otherwise(tree, &to.path)? {
        return Ok(None);
    }
    let own = tree.folders_with(&to.path, &["pom.xml"])?;
    let home = own.first().and_then(|module| below(&to.path, module));
    let name = stem(&to.path);
    if !home.is_some_and(|path| path.starts_with("src/test/") || path.starts_with("src/it/")) {
        return Ok(Some("where Maven builds no tests".to_owned()));
    }
    // A base class runs through others, and a suite may list what it runs.
    let is_base = to.facts.collection.abstract_types.iter().any(|base| base.name == name);
    let is_used = tree.others(&to.path).any(|side| super::has_word(&side.text, name.as_bytes()));
    let is_astray = !is_run(name) && !is_base && !is_used;
    Ok(is_astray.then(|| "and Maven runs no class of this name".to_owned()))
}

/// What surefire and failsafe take where nothing is set.
fn is_run(name: &str) -> bool {
    let ends = ["Test", "Tests", "TestCase", "IT", "ITCase"].iter().any(|end| name.ends_with(end));
    ends || name.starts_with("Test") || name.starts_with("IT")
}

fn is_laid_out_otherwise(tree: &Tree<'_>, path: &str) -> Result<bool> {
    if !tree.folders_with(path, OTHERS)?.is_empty() {
        return Ok(true);
    }
    for folder in folders(path) {
        let pom = super::joined(folder, "pom.xml");
        for word in OTHERWISE {
            if tree.says(&pom, word)? {
                return Ok(true);
            }
        }
        let facts = tree.facts(&pom)?;
        let settings = facts.iter().filter_map(|facts| facts.project.as_ref()).flat_map(|it| &it.settings);
        let mut of_tests = settings.filter(|setting| setting.about == About::Tests);
        if of_tests.any(|setting| matches!(setting.value, SettingValue::Selects(_))) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_run_begin_or_end_with_the_word() {
        for name in ["CartTest", "CartTests", "CartTestCase", "TestCart", "CartIT", "ITCart"] {
            assert!(is_run(name), "{name}");
        }
        for name in ["CartChecks", "CartTestBase", "Contest2", "CartSpec"] {
            assert!(!is_run(name), "{name}");
        }
    }
}
