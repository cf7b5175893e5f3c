//! Linters with files of their own.

use super::settings::{Row, Shape, apply, row};
use super::yaml;
use crate::facts::{About, Ground, ProjectFacts};

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
