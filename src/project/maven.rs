//! `pom.xml`: what surefire and failsafe run, and what JaCoCo demands.

use super::document::{Document, Entry};
use super::settings::number;
use super::{options, strictness, vocabulary, xml};
use crate::collections::HashMap;
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Plugins that run tests, and those that measure.
const RUN: &[&str] = &["maven-surefire-plugin", "maven-failsafe-plugin"];
const MEASURE: &[&str] = &[
    "jacoco-maven-plugin",
    "cobertura-maven-plugin",
    "emma-maven-plugin",
    "emma4it-maven-plugin",
    "clover-maven-plugin",
    "maven-clover2-plugin",
    "scoverage-maven-plugin",
    "kover-maven-plugin",
];

/// Elements of those that measure which hold the least that is enough.
const LEAST: &[&str] = &[
    "minimum",
    "branchRate",
    "lineRate",
    "totalBranchRate",
    "totalLineRate",
    "packageBranchRate",
    "packageLineRate",
    "targetPercentage",
    "minimumCoverage",
    "minimumCoverageStmtTotal",
    "minimumCoverageBranchTotal",
];

/// Switches of plugins that check: whether what they find fails the build.
const FAILS: &[&str] =
    &["failOnViolation", "failsOnError", "failOnError", "failOnWarning", "failOnViolations"];

pub fn read(text: &str) -> ProjectFacts {
    let document = xml::read(text);
    let names = Names {
        plugins: texts(&document, "plugin#", "artifactId"),
        profiles: texts(&document, "profile#", "id"),
        limits: limit_names(&document),
    };
    let mut settings: Vec<Setting> =
        document.entries.iter().flat_map(|entry| settings(entry, &names)).collect();
    settings.extend(document.entries.iter().filter_map(checking));
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

/// A plugin that checks the code in each build. One that is only set up for others does not run.
fn checking(entry: &Entry) -> Option<Setting> {
    let mut way = entry.path.iter().rev();
    let is_plugin = way.next()? == "artifactId" && way.next()?.starts_with("plugin#");
    let others = ["pluginManagement", "reporting"];
    let runs = !entry.path.iter().any(|part| others.contains(&part.split('#').next().unwrap_or_default()));
    strictness::checker_in(&entry.value).filter(|_| is_plugin && runs).map(|_| Setting {
        about: About::Lint,
        key: format!("plugin {}", entry.value),
        line: entry.line,
        value: SettingValue::Insists(format!("plugin {}", entry.value)),
    })
}

/// `.mvn/maven.config`: options that each run of Maven gets.
pub fn config(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Runner, ..ProjectFacts::default() };
    for (index, line) in text.lines().enumerate() {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let number = index as u32 + 1;
        facts.settings.extend(options::bypasses(&words).into_iter().map(|option| Setting {
            about: About::Tests,
            key: format!("mvn {option}"),
            line: number,
            value: SettingValue::Loose(true),
        }));
        facts.settings.extend(strictness::skipped("mvn", &words, number));
    }
    facts
}

/// What the numbered elements of a file are called.
struct Names<'d> {
    plugins: HashMap<&'d str, &'d str>,
    profiles: HashMap<&'d str, &'d str>,
    limits: HashMap<&'d str, String>,
}

/// By the number of an element, the text of the one below it that has a certain name.
fn texts<'d>(document: &'d Document, element: &str, name: &str) -> HashMap<&'d str, &'d str> {
    let is_named = |entry: &&Entry| entry.path.last().is_some_and(|last| last == name);
    let named = document.entries.iter().filter(is_named).filter_map(|entry| {
        let parent = entry.path.iter().rev().nth(1)?;
        parent.starts_with(element).then_some((parent.as_str(), entry.value.as_str()))
    });
    named.collect()
}

/// What each `limit#n` of JaCoCo counts, as in `BRANCH COVEREDRATIO`.
fn limit_names(document: &Document) -> HashMap<&str, String> {
    let mut names: HashMap<&str, String> = HashMap::new();
    for entry in &document.entries {
        let mut way = entry.path.iter().rev();
        let (Some(name), Some(limit)) = (way.next(), way.next()) else { continue };
        if limit.starts_with("limit#") && matches!(name.as_str(), "counter" | "value") {
            let known = names.entry(limit).or_default();
            known.push_str(&entry.value);
            known.push(' ');
        }
    }
    names
}

fn settings(entry: &Entry, names: &Names<'_>) -> Vec<Setting> {
    let known = |of: &HashMap<&str, &'_ str>| -> Option<String> {
        entry.path.iter().rev().find_map(|part| of.get(part.as_str())).map(|name| (*name).to_owned())
    };
    let plugin = known(&names.plugins).unwrap_or_default();
    let Some(name) = entry.path.last() else { return Vec::new() };
    let in_profile = entry.path.iter().any(|part| part.starts_with("profile#"));
    let limit = entry.path.iter().find_map(|part| names.limits.get(part.as_str()));
    let found = of_tests(entry, name, &plugin)
        .or_else(|| of_coverage(entry, name, &plugin))
        .or_else(|| of_checks(entry, name, &plugin));
    let Some((about, values)) = found else { return Vec::new() };
    // A profile is for those who ask for it; what it demands, and the switches it turns, count where it is asked for.
    let switches = values.iter().all(|value| matches!(value, SettingValue::Loose(_)));
    if in_profile && about != About::Coverage && !(about == About::Tests && switches) {
        return Vec::new();
    }
    let profile = known(&names.profiles).filter(|_| in_profile).map(|id| format!("profile {id}"));
    let is_lint = matches!(about, About::Lint | About::Checkers);
    let start = if is_lint { Some("pom".to_owned()) } else { profile };
    let scope = [plugin.as_str(), limit.map_or("", |limit| limit.trim()), name];
    let scope: Vec<&str> = scope.into_iter().filter(|part| !part.is_empty()).collect();
    let key = start.into_iter().chain([scope.join(".")]).collect::<Vec<_>>().join(" ");
    values.into_iter().map(|value| Setting { about, key: key.clone(), line: entry.line, value }).collect()
}

type Found = Option<(About, Vec<SettingValue>)>;

fn loose(about: About, is_loose: bool) -> Found {
    Some((about, vec![SettingValue::Loose(is_loose)]))
}

/// Which tests run, and whether they can fail.
fn of_tests(entry: &Entry, name: &str, plugin: &str) -> Found {
    let value = entry.value.as_str();
    let in_list = |list: &str| entry.path.iter().any(|part| part == list);
    let one = |value| Some((About::Tests, vec![value]));
    match name {
        "skipTests" | "skipITs" | "maven.test.skip" | "testFailureIgnore" | "maven.test.failure.ignore" => {
            loose(About::Tests, value == "true")
        }
        "skip" if RUN.contains(&plugin) => loose(About::Tests, value == "true"),
        "exclude" if RUN.contains(&plugin) && in_list("excludes") => {
            one(SettingValue::LeavesOut(value.to_owned()))
        }
        "include" if RUN.contains(&plugin) && in_list("includes") => {
            one(SettingValue::Selects(value.to_owned()))
        }
        // A plugin that nobody knows may run tests, too, and take the pattern from a property.
        _ if is_property_of_tests(entry, name) => one(SettingValue::Selects(value.to_owned())),
        // The parts of a build, each with the tests in its folder.
        "module" if in_list("modules") && !value.contains('$') => {
            one(SettingValue::Selects(value.to_owned()))
        }
        "excludedGroups" if RUN.contains(&plugin) => one(SettingValue::LeavesOut(value.to_owned())),
        _ => None,
    }
}

/// `<gwt.test.include>**/Suite.java</gwt.test.include>`
fn is_property_of_tests(entry: &Entry, name: &str) -> bool {
    let words = super::words::words_of(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    entry.path.iter().any(|part| part == "properties")
        && has(&["include", "includes", "pattern", "patterns"])
        && has(&["test", "tests", "it", "its"])
        && !entry.value.contains('$')
}

/// What is measured, and what is enough.
fn of_coverage(entry: &Entry, name: &str, plugin: &str) -> Found {
    let value = entry.value.as_str();
    let measures = MEASURE.contains(&plugin);
    let demands = || Some((About::Coverage, vec![SettingValue::Demands(number(value)?)]));
    match name {
        "jacoco.skip" => loose(About::Coverage, value == "true"),
        "skip" if measures => loose(About::Coverage, value == "true"),
        "haltOnFailure" | "commons.jacoco.haltOnFailure" | "jacoco.haltOnFailure" => {
            loose(About::Coverage, value == "false")
        }
        "exclude" | "ignore" if measures => {
            Some((About::Coverage, vec![SettingValue::LeavesOut(value.to_owned())]))
        }
        "include" if measures => Some((About::Coverage, vec![SettingValue::Selects(value.to_owned())])),
        "sonar.coverage.exclusions" | "sonar.exclusions" => {
            let patterns = value.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
            let patterns = patterns.map(|pattern| SettingValue::LeavesOut(pattern.to_owned()));
            Some((About::Coverage, patterns.collect()))
        }
        _ if measures && LEAST.contains(&name) => demands(),
        _ if is_ratio(name) => demands(),
        _ => None,
    }
}

/// Plugins that check, and what the compiler insists on.
fn of_checks(entry: &Entry, name: &str, plugin: &str) -> Found {
    let value = entry.value.as_str();
    let checks = strictness::is_checker(plugin);
    match name {
        "skip" if checks => loose(About::Lint, value == "true"),
        _ if checks && FAILS.contains(&name) => loose(About::Lint, value == "false"),
        "failOnWarning" if plugin == "maven-compiler-plugin" => loose(About::Lint, value == "false"),
        "arg" | "compilerArgument" if value == "-Werror" => {
            Some((About::Lint, vec![SettingValue::Insists(value.to_owned())]))
        }
        _ => strictness::skip_of(name)
            .and_then(|about| loose(about, value == "true"))
            .or_else(|| checks.then(|| told(entry)).flatten())
            .or_else(|| of_runs(entry, name, plugin)),
    }
}

/// What a plugin that checks is told, by the words of its elements.
fn told(entry: &Entry) -> Found {
    let in_rules = entry.path.iter().any(|part| part == "configuration");
    let found: Vec<SettingValue> =
        vocabulary::of_entry(entry).into_iter().map(|setting| setting.value).collect();
    (in_rules && !found.is_empty()).then_some((About::Checkers, found))
}

/// How easily a plugin that runs tests is content.
fn of_runs(entry: &Entry, name: &str, plugin: &str) -> Found {
    let value = entry.value.as_str();
    match name {
        _ if !RUN.contains(&plugin) => None,
        "failIfNoTests" | "failIfNoSpecifiedTests" => loose(About::Checkers, value == "false"),
        "rerunFailingTestsCount" => Some((About::Tests, vec![SettingValue::Demands(-number(value)?)])),
        _ => None,
    }
}

/// Properties such as `commons.jacoco.branchRatio` and `coverage.minimum`.
fn is_ratio(name: &str) -> bool {
    let lower = name.to_lowercase();
    let measures = ["jacoco", "coverage", "cobertura"].iter().any(|word| lower.contains(word));
    measures && ["ratio", "minimum", "threshold", "min"].iter().any(|end| lower.ends_with(end))
}
