//! jest, vitest, mocha, karma, nyc and package scripts.

use super::document::{Document, Entry};
use super::masking::Shell;
use super::settings::{Row, Shape, apply, row};
use super::vocabulary::any;
use super::words::{class_of_name, words_of};
use super::{braces, command, overrides};
use crate::collections::{HashMap, HashSet};
use crate::facts::{
    About, Check, CheckClass, Circumstances, Force, Ground, ProjectFacts, Setting, SettingValue,
};
use crate::shell;

const RUNNERS: &[Row] = &[
    row("**.testPathIgnorePatterns", About::Tests, Shape::LeavesOut),
    row("**.testIgnore", About::Tests, Shape::LeavesOut),
    row("**.testMatch", About::Tests, Shape::Selects),
    row("**.testRegex", About::Tests, Shape::Selects),
    row("roots", About::Tests, Shape::Selects),
    row("jest.roots", About::Tests, Shape::Selects),
    row("**.testNamePattern", About::Tests, Shape::Selects),
    row("**.passWithNoTests", About::Tests, Shape::Loose(&["true"])),
    row("**.forbidOnly", About::Tests, Shape::Loose(&["false"])),
    row("**.failOnEmptyTestSuite", About::Tests, Shape::Loose(&["false"])),
    row("**.dangerouslyIgnoreUnhandledErrors", About::Tests, Shape::Loose(&["true"])),
    row("**.coveragePathIgnorePatterns", About::Coverage, Shape::LeavesOut),
    row("**.collectCoverageFrom", About::Coverage, Shape::Negated),
    row("**.coverageThreshold.*", About::Coverage, Shape::Demands),
    row("**.coverageThreshold.*.*", About::Coverage, Shape::Demands),
    row("**.coverage.exclude", About::Coverage, Shape::LeavesOut),
    row("**.coverage.include", About::Coverage, Shape::Selects),
    row("**.thresholds.*", About::Coverage, Shape::Demands),
    row("**.thresholds.*.*", About::Coverage, Shape::Demands),
    row("**.coverage.lines", About::Coverage, Shape::Demands),
    row("**.coverage.branches", About::Coverage, Shape::Demands),
    row("**.coverage.functions", About::Coverage, Shape::Demands),
    row("**.coverage.statements", About::Coverage, Shape::Demands),
    row("**.check-coverage", About::Coverage, Shape::Loose(&["false"])),
    row("**.checkCoverage", About::Coverage, Shape::Loose(&["false"])),
    row("nyc.exclude", About::Coverage, Shape::LeavesOut),
    row("c8.exclude", About::Coverage, Shape::LeavesOut),
    row("nyc.*", About::Coverage, Shape::Demands),
    row("c8.*", About::Coverage, Shape::Demands),
    row("**.test.exclude", About::Tests, Shape::LeavesOut),
    row("**.test.include", About::Tests, Shape::Selects),
    row("**.test.dir", About::Tests, Shape::Selects),
    row("projects", About::Tests, Shape::Selects),
    row("**.projects.name", About::Tests, Shape::Selects),
    row("jest.projects", About::Tests, Shape::Selects),
    row("**.modulePathIgnorePatterns", About::Tests, Shape::LeavesOut),
    row("**.excludeSpecPattern", About::Tests, Shape::LeavesOut),
    row("**.ignoreTestFiles", About::Tests, Shape::LeavesOut),
    row("**.grepInvert", About::Tests, Shape::LeavesOut),
    row("**.specPattern", About::Tests, Shape::Selects),
    row("specs", About::Tests, Shape::Selects),
    row("exclude", About::Tests, Shape::LeavesOut),
    row("**.browserName", About::Tests, Shape::Selects),
    row("browsers.browser", About::Tests, Shape::Selects),
    row("browsers.name", About::Tests, Shape::Selects),
    row("browsers", About::Tests, Shape::Selects),
    row("launch_in_ci", About::Tests, Shape::Selects),
    row("retries", About::Tests, Shape::AtMost),
    row("test.retry", About::Tests, Shape::AtMost),
    row("**.maxDiffPixels", About::Tests, Shape::AtMost),
    row("**.maxDiffPixelRatio", About::Tests, Shape::AtMost),
    row("**.failureThreshold", About::Tests, Shape::AtMost),
    row("**.typecheck.enabled", About::Tests, Shape::Loose(&["false"])),
    row("mocha.ignore", About::Tests, Shape::LeavesOut),
    row("mocha.exclude", About::Tests, Shape::LeavesOut),
    row("mocha.spec", About::Tests, Shape::Selects),
];

/// Files that hold the settings of one tool at their top.
const MOCHA: &[Row] = &[
    row("ignore", About::Tests, Shape::LeavesOut),
    row("exclude", About::Tests, Shape::LeavesOut),
    row("spec", About::Tests, Shape::Selects),
    row("forbidOnly", About::Tests, Shape::Loose(&["false"])),
    row("forbid-only", About::Tests, Shape::Loose(&["false"])),
    row("forbid-pending", About::Tests, Shape::Loose(&["false"])),
    row("forbidPending", About::Tests, Shape::Loose(&["false"])),
    row("retries", About::Tests, Shape::AtMost),
];

const KARMA: &[Row] = &[
    row("**.browsers", About::Tests, Shape::Selects),
    row("**.files", About::Tests, Shape::Negated),
    row("**.base", About::Tests, Shape::Keyed),
    row("**.exclude", About::Tests, Shape::LeavesOut),
    row("**.failOnEmptyTestSuite", About::Tests, Shape::Loose(&["false"])),
    row("**.thresholds.*.*", About::Coverage, Shape::Demands),
    row("**.check.*.*", About::Coverage, Shape::Demands),
];

const NYC: &[Row] = &[
    row("exclude", About::Coverage, Shape::LeavesOut),
    row("include", About::Coverage, Shape::Selects),
    row("check-coverage", About::Coverage, Shape::Loose(&["false"])),
    row("checkCoverage", About::Coverage, Shape::Loose(&["false"])),
    row("lines", About::Coverage, Shape::Demands),
    row("branches", About::Coverage, Shape::Demands),
    row("functions", About::Coverage, Shape::Demands),
    row("statements", About::Coverage, Shape::Demands),
    row("all", About::Coverage, Shape::Loose(&["false"])),
];

const OFF: Shape = Shape::Loose(&["false"]);
const ON: Shape = Shape::Loose(&["true"]);

/// What the compiler of TypeScript insists on.
const COMPILER: &[Row] = &[
    row("compilerOptions.strict", About::Types, OFF),
    row("compilerOptions.noImplicitAny", About::Types, OFF),
    row("compilerOptions.strictNullChecks", About::Types, OFF),
    row("compilerOptions.strictFunctionTypes", About::Types, OFF),
    row("compilerOptions.noImplicitReturns", About::Types, OFF),
    row("compilerOptions.noUncheckedIndexedAccess", About::Types, OFF),
    row("compilerOptions.noUnusedLocals", About::Types, OFF),
    row("compilerOptions.noUnusedParameters", About::Types, OFF),
    row("compilerOptions.noImplicitThis", About::Types, OFF),
    row("compilerOptions.noImplicitOverride", About::Types, OFF),
    row("compilerOptions.noFallthroughCasesInSwitch", About::Types, OFF),
    row("compilerOptions.strictPropertyInitialization", About::Types, OFF),
    row("compilerOptions.strictBindCallApply", About::Types, OFF),
    row("compilerOptions.exactOptionalPropertyTypes", About::Types, OFF),
    row("compilerOptions.useUnknownInCatchVariables", About::Types, OFF),
    row("compilerOptions.checkJs", About::Types, OFF),
    row("compilerOptions.noEmitOnError", About::Types, OFF),
    row("compilerOptions.skipLibCheck", About::Types, ON),
    row("compilerOptions.skipDefaultLibCheck", About::Types, ON),
    row("compilerOptions.noCheck", About::Types, ON),
    row("compilerOptions.allowUnreachableCode", About::Types, ON),
    row("compilerOptions.suppressImplicitAnyIndexErrors", About::Types, ON),
];

const ESLINT: &[Row] = &[
    row("**.rules.*", About::Lint, Shape::Rule),
    row("**.ignorePatterns", About::Lint, Shape::LeavesOut),
    row("**.ignores", About::Lint, Shape::LeavesOut),
    row("linterOptions.exclude", About::Lint, Shape::LeavesOut),
    row("ignoreFiles", About::Lint, Shape::LeavesOut),
    row("extends", About::Checkers, Shape::Selects),
];

/// How large what is shipped may get.
const SIZES: &[Row] = &[
    row("limit", About::Checkers, Shape::AtMost),
    row("**.maxSize", About::Checkers, Shape::AtMost),
    row("size-limit.limit", About::Checkers, Shape::AtMost),
];

/// Markdownlint has its rules at the top.
pub fn markdown(text: &str) -> ProjectFacts {
    const MARKDOWN: &[Row] =
        &[row("*", About::Checkers, Shape::Rule), row("config.*", About::Checkers, Shape::Rule)];
    of(MARKDOWN, &any(text))
}

pub fn sizes(text: &str) -> ProjectFacts {
    of(SIZES, &braces::read(text))
}

/// The same for linters that are set up in the package.
const PACKAGED: &[Row] = &[
    row("eslintConfig.rules.*", About::Lint, Shape::Rule),
    row("eslintConfig.overrides.rules.*", About::Lint, Shape::Rule),
    row("xo.rules.*", About::Lint, Shape::Rule),
    row("eslintIgnore", About::Lint, Shape::LeavesOut),
    row("eslintConfig.ignorePatterns", About::Lint, Shape::LeavesOut),
    row("xo.ignores", About::Lint, Shape::LeavesOut),
    row("xo.ignore", About::Lint, Shape::LeavesOut),
    row("standard.ignore", About::Lint, Shape::LeavesOut),
];

pub fn tsconfig(text: &str) -> ProjectFacts {
    let document = braces::read(text);
    let mut facts = of(COMPILER, &document);
    // Where nobody says so, nothing is passed over.
    let is_set = |row: &&Row| document.entries.iter().any(|entry| entry.is(row.pattern));
    let on = COMPILER.iter().filter(|row| matches!(row.shape, Shape::Loose(["true"])));
    let unset = on.filter(|row| !is_set(row) && !document.entries.is_empty());
    facts.settings.extend(unset.map(|row| Setting {
        about: row.about,
        key: row.pattern.to_owned(),
        line: 1,
        value: SettingValue::Loose(false),
    }));
    facts
}

pub fn eslint(text: &str) -> ProjectFacts {
    let document = any(text);
    let mut facts = of(ESLINT, &document);
    let aside = overrides::lines_aside(&document);
    let is_off = |setting: &Setting| setting.value == SettingValue::Loose(true);
    facts.settings.retain(|setting| !(is_off(setting) && aside.contains(&setting.line)));
    facts.settings.extend(overrides::settings(&document));
    facts
}

pub fn config(text: &str) -> ProjectFacts {
    of(RUNNERS, &any(text))
}

pub fn mocha(text: &str) -> ProjectFacts {
    of(MOCHA, &any(text))
}

pub fn karma(text: &str) -> ProjectFacts {
    of(KARMA, &braces::read(text))
}

pub fn nyc(text: &str) -> ProjectFacts {
    of(NYC, &any(text))
}

fn of(rows: &[Row], document: &Document) -> ProjectFacts {
    ProjectFacts { ground: Ground::Runner, settings: apply(rows, document), ..ProjectFacts::default() }
}

pub fn package(text: &str) -> ProjectFacts {
    let document = braces::read(text);
    let mut facts = of(RUNNERS, &document);
    facts.ground = Ground::Scripts;
    facts.settings.extend(apply(PACKAGED, &document));
    facts.settings.extend(apply(SIZES, &document));
    facts.settings.extend(apply(super::advisories::PACKAGED, &document));
    let called = called_by_checks(&document);
    for entry in document.entries.iter().filter(|entry| !entry.value.is_empty()) {
        let keys: Vec<&str> = entry.keys().collect();
        match keys[..] {
            ["scripts", name] => script(name, entry, called.contains(name), &mut facts),
            [key] if OFFERS.contains(&key) || is_unread(key) => facts.settings.push(offer(key, entry)),
            ["bin" | "exports", ..] => facts.settings.push(offer(&keys.join("."), entry)),
            ["lint-staged" | "simple-git-hooks" | "pre-commit" | "pre-push", ..] | ["husky", "hooks", ..] => {
                let found = command::read(&entry.value, entry.line, &keys.join("."));
                facts.checks.extend(found.checks);
            }
            _ => {}
        }
    }
    facts
}

/// Keys of a package that lead those who use it to its files.
const OFFERS: &[&str] = &["main", "module", "types", "typings", "bin", "browser", "exports", "style"];

/// A key that no tool reads, as one writes it to keep a value at hand.
fn is_unread(key: &str) -> bool {
    let words = words_of(key);
    key.starts_with(['_', '/', '#']) || words.iter().any(|word| word.starts_with("disabl") || word == "todo")
}

fn offer(key: &str, entry: &Entry) -> Setting {
    let kind = if is_unread(key) { "unread " } else { "" };
    Setting {
        about: About::Offers,
        key: format!("{kind}{key}"),
        line: entry.line,
        value: SettingValue::Selects(entry.value.clone()),
    }
}

/// What starts a script or a program of a package.
const STARTERS: &[&str] =
    &["npm", "yarn", "pnpm", "bun", "npx", "run", "run-script", "cross-env", "run-s", "run-p", "npm-run-all"];

/// The scripts that those call which check, and so on: what they run is checked with, whatever they are called.
fn called_by_checks(document: &Document) -> HashSet<&str> {
    let scripts: HashMap<&str, &str> = document
        .entries
        .iter()
        .filter_map(|entry| match entry.keys().collect::<Vec<_>>()[..] {
            ["scripts", name] => Some((name, entry.value.as_str())),
            _ => None,
        })
        .collect();
    let mut called = HashSet::new();
    let mut open: Vec<&str> =
        scripts.keys().copied().filter(|name| class_of_script(name).is_some()).collect();
    while let Some(name) = open.pop() {
        let commands = scripts[name].split("&&").flat_map(|command| command.split(['|', ';', '&']));
        for command in
            commands.map(str::trim).filter(|command| STARTERS.iter().any(|it| command.starts_with(it)))
        {
            let words = command.split_whitespace().filter_map(|word| scripts.get_key_value(word));
            open.extend(words.map(|(name, _)| *name).filter(|name| called.insert(*name)));
        }
    }
    called
}

/// The commands of a script, and the script as a whole.
fn script(name: &str, entry: &Entry, is_called: bool, facts: &mut ProjectFacts) {
    let place = format!("scripts.{name}");
    let found = command::read_in(Shell::PLAIN, &entry.value, entry.line, &place);
    let Some(class) = class_of_script(name) else {
        facts.settings.extend(found.settings);
        facts.checks.extend(found.checks.into_iter().filter(|_| is_called));
        return;
    };
    facts.settings.extend(chain(name, entry));
    let masked = masked(&entry.value, entry.line);
    facts.checks.push(Check {
        class,
        signature: format!("script:{name}"),
        place,
        text: entry.value.clone(),
        line: entry.line,
        force: masked.map_or(Force::Blocks, Force::Ignored),
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    });
    facts.checks.extend(found.checks);
    facts.settings.extend(found.settings);
}

/// The commands of a script that checks, whatever they are. Where one goes and nothing comes, the script checks less.
fn chain(name: &str, entry: &Entry) -> Vec<Setting> {
    if class_of_script(name) == Some(CheckClass::Build) {
        return Vec::new();
    }
    let commands = entry.value.split("&&").map(str::trim).filter_map(|command| {
        let words = command.split_whitespace().filter(|word| !word.contains('='));
        let mut words = words.skip_while(|word| STARTERS.contains(word));
        // `node --trace-warnings node_modules/.bin/jest`
        match words.next() {
            Some("node") => words
                .find(|word| !word.starts_with('-'))
                .and_then(|path| path.split_once("/.bin/"))
                .map(|it| it.1),
            word => word,
        }
    });
    // What prepares and tidies up is no check.
    const PREPARES: &[&str] =
        &["rm", "rimraf", "mkdir", "cp", "mv", "echo", "cd", "del", "sleep", "exit", "node", "git", "tsc"];
    let telling = commands.filter(|command| {
        !PREPARES.contains(command) && !super::words::is_other(&words_of(command)) && is_plain(command)
    });
    let setting = |command: &str| Setting {
        about: About::Checkers,
        key: format!("scripts.{name}"),
        line: entry.line,
        value: SettingValue::Selects(command.to_owned()),
    };
    telling.map(setting).collect()
}

fn is_plain(command: &str) -> bool {
    command.chars().all(|c| c.is_ascii_alphanumeric() || "-_:./@".contains(c))
}

fn class_of_script(name: &str) -> Option<CheckClass> {
    const BUILDS: [&str; 7] =
        ["build", "compile", "prepare", "prepack", "prepublish", "preversion", "bundle"];
    let builds = || words_of(name).iter().any(|word| BUILDS.iter().any(|build| word.starts_with(build)));
    class_of_name(name).or_else(|| builds().then_some(CheckClass::Build))
}

/// `echo ...`, `exit 0`, `true`: a script that passes whatever the code is like.
pub fn does_nothing(script: &str) -> bool {
    let commands = shell::commands(script);
    let idle = |words: &Vec<String>| match words.first().map(String::as_str) {
        Some("echo" | "true" | ":" | "noop") => true,
        Some("exit") => words.get(1).is_none_or(|code| code == "0"),
        _ => false,
    };
    commands.iter().all(idle)
}

/// Whether the end of a script hides how it went.
pub fn masked(script: &str, line: u32) -> Option<crate::facts::Mark> {
    // In front of everything, and in place of the last pipe.
    let mut list = shell::list(script);
    list.pop_if(|(words, _)| words.is_empty());
    let before_last = list.len().saturating_sub(1);
    let ends = list[..before_last].iter().rposition(|(_, operator)| !matches!(*operator, "|" | "|&"));
    let probes = [format!("pytest && {script}"), probe_at(&list, ends.map_or(0, |end| end + 1))];
    probes.iter().find_map(|probe| {
        let found = command::read_in(Shell::PLAIN, probe, line, "").checks;
        match found.into_iter().next().map(|check| check.force) {
            Some(Force::Ignored(mark)) => Some(mark),
            _ => None,
        }
    })
}

/// A list from one of its commands on, which is replaced by one that checks.
fn probe_at(list: &[(Vec<String>, &'static str)], start: usize) -> String {
    let mut text = "pytest".to_owned();
    for (index, (words, operator)) in list.iter().enumerate().skip(start) {
        let quoted = words.iter().map(|word| crate::text::shell_quote(word));
        if index > start {
            text.push_str(&quoted.collect::<Vec<_>>().join(" "));
        }
        text.push_str(&format!(" {operator} "));
    }
    text
}
