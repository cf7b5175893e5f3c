//! Linters with files of their own.

use super::settings::{Row, Shape, apply, row};
use super::{braces, yaml};
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
];

pub fn golangci(text: &str) -> ProjectFacts {
    let settings = apply(GOLANGCI, &yaml::read(text));
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
