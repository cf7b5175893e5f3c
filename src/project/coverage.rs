//! Codecov and Sonar: what they leave out and what they demand.

use super::document::{Document, Entry};
use super::settings::{Row, Shape, apply, number, row, split_lists};
use super::{ini, toml, yaml};
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

const CODECOV: &[Row] = &[
    row("ignore", About::Coverage, Shape::LeavesOut),
    row("coverage.ignore", About::Coverage, Shape::LeavesOut),
    row("coverage.status.*.*.informational", About::Coverage, Shape::Loose(&["true"])),
    row("coverage.status.*.informational", About::Coverage, Shape::Loose(&["true"])),
    row("coverage.status.*.*.target", About::Coverage, Shape::Demands),
    row("coverage.status.*.target", About::Coverage, Shape::Demands),
    row("coverage.status.*.*.enabled", About::Coverage, Shape::Loose(&["false", "off", "no"])),
    row("coverage.status.*", About::Coverage, Shape::Loose(&["false", "off", "no"])),
    row("coverage.status.*.*", About::Coverage, Shape::Loose(&["false", "off", "no"])),
    row("coverage.status", About::Coverage, Shape::Loose(&["false", "off", "no"])),
    row("**.statuses.informational", About::Coverage, Shape::Loose(&["true"])),
    row("**.statuses.target", About::Coverage, Shape::Demands),
    row("codecov.require_ci_to_pass", About::Reports, Shape::Loose(&["false", "no"])),
    row("component_management.individual_components.ignore", About::Coverage, Shape::LeavesOut),
];

/// `.testcoverage.yml` and `.octocov.yml`
const GO: &[Row] = &[
    row("threshold.*", About::Coverage, Shape::Demands),
    row("exclude.paths", About::Coverage, Shape::LeavesOut),
    row("coverage.acceptable", About::Coverage, Shape::Demands),
];

/// `tarpaulin.toml`, each of whose tables is one run.
const TARPAULIN: &[Row] = &[
    row("*.fail-under", About::Coverage, Shape::Demands),
    row("*.exclude-files", About::Coverage, Shape::LeavesOut),
    row("*.exclude", About::Coverage, Shape::LeavesOut),
];

const SONAR: &[Row] = &[
    row("sonar.coverage.exclusions", About::Coverage, Shape::LeavesOut),
    row("sonar.exclusions", About::Coverage, Shape::LeavesOut),
];

pub fn codecov(text: &str) -> ProjectFacts {
    let document = yaml::read(text);
    let mut settings = apply(CODECOV, &document);
    settings.extend(document.entries.iter().filter_map(allowed_drop));
    settings.extend(STATUSES.iter().filter_map(|status| implied(status, &document)));
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

pub fn go(text: &str) -> ProjectFacts {
    ProjectFacts { ground: Ground::Runner, settings: apply(GO, &yaml::read(text)), ..ProjectFacts::default() }
}

/// `minimum_coverage 95` of SimpleCov, and `line: 90` behind it.
pub fn simplecov(text: &str) -> ProjectFacts {
    let demanded = text.lines().zip(1..).filter_map(|(line, at)| {
        let (name, value) = line.trim().split_once([' ', '('])?;
        let value = value.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits = value.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
        let value = SettingValue::Demands(number(digits)?);
        name.starts_with("minimum_coverage").then(|| Setting {
            about: About::Coverage,
            key: name.to_owned(),
            line: at,
            value,
        })
    });
    ProjectFacts { ground: Ground::Runner, settings: demanded.collect(), ..ProjectFacts::default() }
}

pub fn tarpaulin(text: &str) -> ProjectFacts {
    let settings = apply(TARPAULIN, &toml::read(text));
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

/// The statuses that Codecov reports unless it is told otherwise.
const STATUSES: &[&str] = &["project", "patch"];

/// Where nothing is said of a status, coverage may not drop at all.
fn implied(status: &str, document: &Document) -> Option<Setting> {
    let own = ["coverage", "status", status];
    let is_off = |entry: &Entry| matches!(entry.value.as_str(), "off" | "false" | "no");
    let says = |entry: &Entry| {
        let keys: Vec<&str> = entry.keys().collect();
        let is_above = own.starts_with(&keys) && is_off(entry);
        let is_own = keys.starts_with(&own);
        is_above || is_own && (is_off(entry) || matches!(entry.name(), "threshold" | "informational"))
    };
    let key = format!("coverage.status.{status}.default.threshold");
    let setting = Setting { about: About::Coverage, key, line: 1, value: SettingValue::Demands(0.0) };
    (!document.entries.iter().any(says)).then_some(setting)
}

/// The more coverage may drop, the less is demanded.
fn allowed_drop(entry: &Entry) -> Option<Setting> {
    let is_threshold = entry.is("coverage.status.*.*.threshold") || entry.is("coverage.status.*.threshold");
    let drop = number(&entry.value).filter(|_| is_threshold)?;
    let mut keys: Vec<&str> = entry.keys().collect();
    // Without a name of its own, a status is the default one.
    if keys.len() == 4 {
        keys.insert(3, "default");
    }
    let key = keys.join(".");
    Some(Setting { about: About::Coverage, key, line: entry.line, value: SettingValue::Demands(-drop) })
}

pub fn sonar(text: &str) -> ProjectFacts {
    let mut document: Document = ini::read(text);
    for entry in &mut document.entries {
        entry.path = entry.path.concat().split('.').map(str::to_owned).collect();
    }
    split_lists(&mut document, &["sonar.coverage.exclusions", "sonar.exclusions"]);
    ProjectFacts { ground: Ground::Runner, settings: apply(SONAR, &document), ..ProjectFacts::default() }
}
