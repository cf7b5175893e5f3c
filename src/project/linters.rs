//! Linters with files of their own.

use std::collections::BTreeMap;

use super::document::Document;
use super::settings::{Row, Shape, apply, row, split_lists};
use super::{braces, linted, vocabulary, yaml};
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

const GOLANGCI: &[Row] = &[
    row("linters.enable", About::Lint, Shape::Selects),
    row("linters.disable", About::Lint, Shape::LeavesOut),
    row("linters.disable-all", About::Lint, Shape::Loose(&["true"])),
    row("linters.exclusions.paths", About::Lint, Shape::LeavesOut),
    row("issues.exclude-dirs", About::Lint, Shape::LeavesOut),
    row("issues.exclude-files", About::Lint, Shape::LeavesOut),
    row("run.skip-dirs", About::Lint, Shape::LeavesOut),
    row("run.skip-files", About::Lint, Shape::LeavesOut),
    row("run.tests", About::Lint, Shape::Loose(&["false"])),
    row("run.issues-exit-code", About::Lint, Shape::Loose(&["0"])),
    row("issues.new", About::Lint, Shape::Loose(&["true"])),
    row("**.gosec.includes", About::Checkers, Shape::Selects),
    row("**.revive.rules.name", About::Checkers, Shape::Selects),
    row("**.govet.enable", About::Checkers, Shape::Selects),
    row("run.build-tags", About::Checkers, Shape::Selects),
];

/// Each rule by which issues are passed over, once for each linter that it is about.
fn exclusions(document: &Document) -> Vec<Setting> {
    let mut rules: BTreeMap<&[String], (Vec<String>, u32)> = BTreeMap::new();
    for entry in document.entries.iter().filter(|entry| !entry.value.is_empty()) {
        let keys: Vec<&str> = entry.keys().collect();
        let (["issues", "exclude-rules", name] | ["linters", "exclusions", "rules", name]) = keys[..] else {
            continue;
        };
        let Some(at) = entry.path.iter().rposition(|key| key == name) else { continue };
        let rule = rules.entry(&entry.path[..at]).or_insert_with(|| (Vec::new(), entry.line));
        rule.0.push(format!("{name} {}", entry.value));
    }
    let setting = |what: String, line| Setting {
        about: About::Lint,
        key: "exclude-rules".to_owned(),
        line,
        value: SettingValue::LeavesOut(what),
    };
    let of_rule = |(mut parts, line): (Vec<String>, u32)| {
        parts.sort();
        let (linters, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| part.starts_with("linters "));
        if linters.is_empty() {
            return vec![setting(others.join(", "), line)];
        }
        let each = |linter: String| [&[linter], &others[..]].concat().join(", ");
        linters.into_iter().map(|linter| setting(each(linter), line)).collect()
    };
    rules.into_values().flat_map(of_rule).collect()
}

pub fn yamllint(text: &str) -> ProjectFacts {
    let mut document = yaml::read(text);
    // Patterns stand on lines of one value.
    split_lists(&mut document, &["rules.*.ignore", "ignore"]);
    let settings = apply(linted::YAMLLINT, &document);
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

pub fn golangci(text: &str) -> ProjectFacts {
    let document = yaml::read(text);
    let mut settings = apply(GOLANGCI, &document);
    settings.extend(exclusions(&document));
    // How many problems are shown does not change how many there are.
    let others = ["exclusions.rules", "exclude-rules", "issues.max-", "uniq-by-line"];
    let own = vocabulary::settings(&document, GOLANGCI);
    settings.extend(own.into_iter().filter(|setting| !others.iter().any(|key| setting.key.contains(key))));
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

const BIOME: &[Row] = &[
    row("**.rules.*.*", About::Lint, Shape::Loose(&["off"])),
    row("**.rules.*.*.level", About::Lint, Shape::Loose(&["off"])),
    row("linter.enabled", About::Lint, Shape::Loose(&["false"])),
    row("**.rules.recommended", About::Lint, Shape::Loose(&["false"])),
    row("files.ignore", About::Lint, Shape::LeavesOut),
    row("linter.ignore", About::Lint, Shape::LeavesOut),
    row("files.includes", About::Lint, Shape::Negated),
];

pub fn biome(text: &str) -> ProjectFacts {
    let settings = apply(BIOME, &braces::read(text));
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

/// `.eslintignore`: one pattern on each line, of which those with a `!` are looked at all the same.
pub fn ignored(text: &str) -> ProjectFacts {
    let patterns = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let listed = patterns.filter(|(line, _)| !line.is_empty() && !line.starts_with(['#', '!']));
    let setting = |(pattern, line): (&str, u32)| Setting {
        about: About::Lint,
        key: "ignore".to_owned(),
        line,
        value: SettingValue::LeavesOut(pattern.to_owned()),
    };
    let settings = listed.map(setting).collect();
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}
