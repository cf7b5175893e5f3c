//! `pom.xml`: what surefire and failsafe run, and what JaCoCo demands.

use std::collections::HashMap;

use super::document::{Document, Entry};
use super::settings::number;
use super::xml;
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Plugins that run tests, and those that measure.
const RUN: &[&str] = &["maven-surefire-plugin", "maven-failsafe-plugin"];
const MEASURE: &[&str] = &["jacoco-maven-plugin", "cobertura-maven-plugin"];

pub fn read(text: &str) -> ProjectFacts {
    let document = xml::read(text);
    let names = plugin_names(&document);
    let limits = limit_names(&document);
    let settings = document.entries.iter().filter_map(|entry| setting(entry, &names, &limits)).collect();
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

/// Which plugin each `plugin#n` is.
fn plugin_names(document: &Document) -> HashMap<&str, &str> {
    let artifact = |entry: &&Entry| entry.path.last().is_some_and(|name| name == "artifactId");
    let named = document.entries.iter().filter(artifact).filter_map(|entry| {
        let parent = entry.path.iter().rev().nth(1)?;
        parent.starts_with("plugin#").then_some((parent.as_str(), entry.value.as_str()))
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

fn setting(entry: &Entry, plugins: &HashMap<&str, &str>, limits: &HashMap<&str, String>) -> Option<Setting> {
    let name = entry.path.last()?.as_str();
    // A profile is for those who ask for it.
    if entry.path.iter().any(|part| part.starts_with("profile#")) {
        return None;
    }
    let plugin =
        entry.path.iter().rev().find_map(|part| plugins.get(part.as_str())).copied().unwrap_or_default();
    let in_list = |list: &str| entry.path.iter().any(|part| part == list);
    let limit = entry.path.iter().find_map(|part| limits.get(part.as_str()));
    let value = entry.value.as_str();
    let (about, value) = match name {
        "skipTests" | "skipITs" | "maven.test.skip" | "testFailureIgnore" | "maven.test.failure.ignore" => {
            (About::Tests, SettingValue::Loose(value == "true"))
        }
        "skip" if RUN.contains(&plugin) => (About::Tests, SettingValue::Loose(value == "true")),
        "jacoco.skip" => (About::Coverage, SettingValue::Loose(value == "true")),
        "haltOnFailure" | "commons.jacoco.haltOnFailure" | "jacoco.haltOnFailure" => {
            (About::Coverage, SettingValue::Loose(value == "false"))
        }
        "exclude" if RUN.contains(&plugin) && in_list("excludes") => {
            (About::Tests, SettingValue::LeavesOut(value.to_owned()))
        }
        "excludedGroups" if RUN.contains(&plugin) => {
            (About::Tests, SettingValue::LeavesOut(value.to_owned()))
        }
        "exclude" if MEASURE.contains(&plugin) => {
            (About::Coverage, SettingValue::LeavesOut(value.to_owned()))
        }
        "sonar.coverage.exclusions" => (About::Coverage, SettingValue::LeavesOut(value.to_owned())),
        "minimum" if MEASURE.contains(&plugin) => (About::Coverage, SettingValue::Demands(number(value)?)),
        _ if is_ratio(name) => (About::Coverage, SettingValue::Demands(number(value)?)),
        _ => return None,
    };
    let scope: Vec<&str> = [plugin, limit.map_or("", |limit| limit.trim()), name]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    Some(Setting { about, key: scope.join("."), line: entry.line, value })
}

/// Properties such as `commons.jacoco.branchRatio` and `coverage.minimum`.
fn is_ratio(name: &str) -> bool {
    let lower = name.to_lowercase();
    let measures = ["jacoco", "coverage", "cobertura"].iter().any(|word| lower.contains(word));
    measures && ["ratio", "minimum", "threshold", "min"].iter().any(|end| lower.ends_with(end))
}
