//! `Cargo.toml`, the aliases of cargo and the settings of nextest.

use std::collections::BTreeMap;

use super::command;
use super::document::Entry;
use super::settings::{Row, Shape, apply, row};
use super::toml;
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

const MANIFEST: &[Row] = &[
    row("lib.test", About::Tests, Shape::Loose(&["false"])),
    row("lib.doctest", About::Tests, Shape::Loose(&["false"])),
    row("package.autotests", About::Tests, Shape::Loose(&["false"])),
    row("bin.test", About::Tests, Shape::Loose(&["false"])),
    row("test.test", About::Tests, Shape::Loose(&["false"])),
    row("lints.*.*", About::Lint, DENIED),
    row("lints.*.*.level", About::Lint, DENIED),
    row("workspace.lints.*.*", About::Lint, DENIED),
    row("workspace.lints.*.*.level", About::Lint, DENIED),
];

/// Lints that are passed over everywhere.
fn allowed(entry: &Entry) -> Option<Setting> {
    let mut keys: Vec<&str> = entry.keys().collect();
    keys.retain(|key| !matches!(*key, "workspace" | "level"));
    let ["lints", _, lint] = keys[..] else { return None };
    (entry.value == "allow").then(|| Setting {
        about: About::Lint,
        key: "lints".to_owned(),
        line: entry.line,
        value: SettingValue::LeavesOut(format!("{lint} (allow)")),
    })
}

/// Lints that are errors; the same lint may be denied on the command line.
const DENIED: Shape = Shape::Insists(&["deny", "forbid"]);

pub fn manifest(text: &str) -> ProjectFacts {
    let document = toml::read(text);
    let mut settings = apply(MANIFEST, &document);
    settings.extend(document.entries.iter().filter_map(allowed));
    // Where tests are listed one by one, cargo need not look for them.
    if document.entries.iter().any(|entry| entry.is("test.name") || entry.is("test.path")) {
        settings.retain(|setting| setting.key != "package.autotests");
    }
    of(settings)
}

/// `default-filter = 'not test(slow)'`
pub fn nextest(text: &str) -> ProjectFacts {
    let document = toml::read(text);
    let filters = document.entries.iter().filter(|entry| entry.is("profile.*.default-filter"));
    let left_out = filters.filter(|entry| entry.value.contains("not ")).map(|entry| Setting {
        about: About::Tests,
        key: entry.keys().collect::<Vec<_>>().join("."),
        line: entry.line,
        value: SettingValue::LeavesOut(entry.value.clone()),
    });
    let mut settings: Vec<Setting> = left_out.collect();
    settings.extend(apply(&[row("profile.*.retries", About::Tests, Shape::AtMost)], &document));
    of(settings)
}

/// `.cargo/config.toml`: an alias is a script of cargo's.
pub fn config(text: &str) -> ProjectFacts {
    let document = toml::read(text);
    let mut checks = Vec::new();
    let mut lists: BTreeMap<&str, (String, u32)> = BTreeMap::new();
    for entry in document.entries.iter().filter(|entry| entry.is("alias.*") && !entry.value.is_empty()) {
        let (command, _) = lists.entry(entry.name()).or_insert_with(|| ("cargo".to_owned(), entry.line));
        command.push(' ');
        command.push_str(&entry.value);
    }
    for (name, (command, line)) in lists {
        checks.extend(command::read(&command, line, &format!("alias.{name}")).checks);
    }
    ProjectFacts { checks, ..ProjectFacts::default() }
}

fn of(settings: Vec<Setting>) -> ProjectFacts {
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}
