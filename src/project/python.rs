//! pytest, tox, nox and coverage.py: their settings in TOML and INI files.

use super::document::{Document, Entry};
use super::settings::{Row, Shape, apply, row, split_lists};
use super::words::class_of_name;
use super::{braces, command, ini, sessions, toml, variables, vocabulary};
use crate::collections::HashMap;
use crate::facts::{
    About, Check, CheckClass, Circumstances, Force, Ground, Mark, ProjectFacts, Setting, SettingValue,
};

const PYRIGHT_MODES: Shape = Shape::Level(&["off", "basic", "standard", "strict"], 2);

const PYPROJECT: &[Row] = &[
    row("tool.pytest.ini_options.addopts", About::Tests, Shape::Options("pytest")),
    row("tool.pytest.addopts", About::Tests, Shape::Options("pytest")),
    row("tool.pytest.ini_options.norecursedirs", About::Tests, Shape::LeavesOut),
    row("tool.pytest.ini_options.testpaths", About::Tests, Shape::Selects),
    row("tool.pytest.ini_options.python_files", About::Tests, Shape::Selects),
    row("tool.pytest.ini_options.python_functions", About::Tests, Shape::Prefixes),
    row("tool.pytest.ini_options.python_classes", About::Tests, Shape::Prefixes),
    row("tool.pytest.norecursedirs", About::Tests, Shape::LeavesOut),
    row("tool.pytest.testpaths", About::Tests, Shape::Selects),
    row("tool.pytest.python_files", About::Tests, Shape::Selects),
    row("tool.pytest.python_functions", About::Tests, Shape::Prefixes),
    row("tool.pytest.python_classes", About::Tests, Shape::Prefixes),
    row("tool.pytest.ini_options.xfail_strict", About::Tests, Shape::Loose(&["false"])),
    row("tool.pytest.xfail_strict", About::Tests, Shape::Loose(&["false"])),
    row("tool.pytest.strict", About::Tests, Shape::Loose(&["false"])),
    row("tool.pytest.ini_options.strict", About::Tests, Shape::Loose(&["false"])),
    row("**.strict_markers", About::Tests, Shape::Loose(&["false"])),
    row("**.strict_config", About::Tests, Shape::Loose(&["false"])),
    row("tool.pytest.ini_options.filterwarnings", About::Tests, Shape::Warnings),
    row("tool.coverage.report.fail_under", About::Coverage, Shape::Demands),
    row("tool.coverage.run.omit", About::Coverage, Shape::LeavesOut),
    row("tool.coverage.report.omit", About::Coverage, Shape::LeavesOut),
    row("tool.coverage.run.source", About::Coverage, Shape::Selects),
    row("tool.coverage.run.branch", About::Coverage, Shape::Loose(&["false"])),
    row("tool.coverage.report.exclude_lines", About::CoverageLines, Shape::LeavesOut),
    row("tool.coverage.report.exclude_also", About::CoverageLines, Shape::LeavesOut),
    row("tool.ruff.lint.ignore", About::Lint, Shape::LeavesOut),
    row("tool.ruff.ignore", About::Lint, Shape::LeavesOut),
    row("tool.ruff.exclude", About::Lint, Shape::LeavesOut),
    row("tool.ruff.extend-exclude", About::Lint, Shape::LeavesOut),
    row("tool.ruff.lint.select", About::Lint, Shape::Prefixes),
    row("tool.ruff.lint.extend-select", About::Lint, Shape::Prefixes),
    row("tool.ruff.select", About::Lint, Shape::Prefixes),
    row("tool.ruff.extend-select", About::Lint, Shape::Prefixes),
    row("tool.mypy.exclude", About::Lint, Shape::LeavesOut),
    row("tool.mypy.strict", About::Types, Shape::Loose(&["false"])),
    row("tool.mypy.disallow_untyped_defs", About::Types, Shape::Loose(&["false"])),
    row("tool.mypy.check_untyped_defs", About::Types, Shape::Loose(&["false"])),
    row("tool.mypy.disallow_incomplete_defs", About::Types, Shape::Loose(&["false"])),
    row("tool.mypy.disallow_untyped_calls", About::Types, Shape::Loose(&["false"])),
    row("tool.mypy.disallow_any_generics", About::Types, Shape::Loose(&["false"])),
    row("tool.mypy.strict_optional", About::Types, Shape::Loose(&["false"])),
    row("tool.pyright.typeCheckingMode", About::Types, PYRIGHT_MODES),
    row("tool.basedpyright.typeCheckingMode", About::Types, PYRIGHT_MODES),
    row("tool.pyright.ignore", About::Lint, Shape::LeavesOut),
    row("tool.pyright.exclude", About::Lint, Shape::LeavesOut),
    row("tool.ruff.lint.per-file-ignores.*", About::Lint, Shape::LeavesOut),
    row("tool.mypy.ignore_errors", About::Lint, Shape::Loose(&["true"])),
    row("tool.mypy.overrides.ignore_errors", About::Lint, Shape::Loose(&["true"])),
    row("tool.pylint.*.disable", About::Lint, Shape::LeavesOut),
    row("tool.cibuildwheel.test-skip", About::Tests, Shape::LeavesOut),
];

/// The same in INI files, each under the names that its section may have.
const INI: &[Row] = &[
    row("pytest.addopts", About::Tests, Shape::Options("pytest")),
    row("tool:pytest.addopts", About::Tests, Shape::Options("pytest")),
    row("pytest.norecursedirs", About::Tests, Shape::LeavesOut),
    row("tool:pytest.norecursedirs", About::Tests, Shape::LeavesOut),
    row("pytest.testpaths", About::Tests, Shape::Selects),
    row("tool:pytest.testpaths", About::Tests, Shape::Selects),
    row("pytest.python_files", About::Tests, Shape::Selects),
    row("tool:pytest.python_files", About::Tests, Shape::Selects),
    row("pytest.python_functions", About::Tests, Shape::Prefixes),
    row("tool:pytest.python_functions", About::Tests, Shape::Prefixes),
    row("pytest.python_classes", About::Tests, Shape::Prefixes),
    row("tool:pytest.python_classes", About::Tests, Shape::Prefixes),
    row("pytest.xfail_strict", About::Tests, Shape::Loose(&["false"])),
    row("pytest.strict", About::Tests, Shape::Loose(&["false"])),
    row("**.strict_markers", About::Tests, Shape::Loose(&["false"])),
    row("**.strict_config", About::Tests, Shape::Loose(&["false"])),
    row("tool:pytest.xfail_strict", About::Tests, Shape::Loose(&["false"])),
    row("pytest.filterwarnings", About::Tests, Shape::Warnings),
    row("tool:pytest.filterwarnings", About::Tests, Shape::Warnings),
    row("report.fail_under", About::Coverage, Shape::Demands),
    row("coverage:report.fail_under", About::Coverage, Shape::Demands),
    row("run.omit", About::Coverage, Shape::LeavesOut),
    row("report.omit", About::Coverage, Shape::LeavesOut),
    row("coverage:run.omit", About::Coverage, Shape::LeavesOut),
    row("coverage:report.omit", About::Coverage, Shape::LeavesOut),
    row("report.exclude_lines", About::CoverageLines, Shape::LeavesOut),
    row("report.exclude_also", About::CoverageLines, Shape::LeavesOut),
    row("coverage:report.exclude_lines", About::CoverageLines, Shape::LeavesOut),
    row("mypy.strict", About::Types, Shape::Loose(&["false"])),
    row("mypy.disallow_untyped_defs", About::Types, Shape::Loose(&["false"])),
    row("mypy.check_untyped_defs", About::Types, Shape::Loose(&["false"])),
    row("mypy.disallow_incomplete_defs", About::Types, Shape::Loose(&["false"])),
    row("mypy.disallow_untyped_calls", About::Types, Shape::Loose(&["false"])),
    row("mypy.disallow_any_generics", About::Types, Shape::Loose(&["false"])),
    row("mypy.strict_optional", About::Types, Shape::Loose(&["false"])),
    row("*.ignore_errors", About::Lint, Shape::Loose(&["true"])),
    row("run.branch", About::Coverage, Shape::Loose(&["false"])),
    row("coverage:run.branch", About::Coverage, Shape::Loose(&["false"])),
    row("run.source", About::Coverage, Shape::Selects),
    row("coverage:run.source", About::Coverage, Shape::Selects),
    row("coverage:report.exclude_also", About::CoverageLines, Shape::LeavesOut),
    row("*.disable", About::Lint, Shape::LeavesOut),
    row("tox.skip_missing_interpreters", About::Checkers, Shape::Loose(&["true"])),
    row("flake8.ignore", About::Lint, Shape::LeavesOut),
    row("flake8.extend-ignore", About::Lint, Shape::LeavesOut),
    row("flake8.exclude", About::Lint, Shape::LeavesOut),
];

/// `ruff.toml`
const RUFF: &[Row] = &[
    row("lint.select", About::Lint, Shape::Prefixes),
    row("lint.extend-select", About::Lint, Shape::Prefixes),
    row("select", About::Lint, Shape::Prefixes),
    row("lint.ignore", About::Lint, Shape::LeavesOut),
    row("ignore", About::Lint, Shape::LeavesOut),
    row("exclude", About::Lint, Shape::LeavesOut),
    row("extend-exclude", About::Lint, Shape::LeavesOut),
];

const LISTS: &[&str] = &[
    "pytest.norecursedirs",
    "tool:pytest.norecursedirs",
    "pytest.testpaths",
    "tool:pytest.testpaths",
    "pytest.python_files",
    "tool:pytest.python_files",
    "pytest.python_functions",
    "tool:pytest.python_functions",
    "pytest.python_classes",
    "tool:pytest.python_classes",
    "tool.pytest.ini_options.testpaths",
    "tool.pytest.ini_options.python_files",
    "tool.pytest.ini_options.python_functions",
    "tool.pytest.ini_options.python_classes",
    "tool.pytest.ini_options.norecursedirs",
    "run.omit",
    "run.source",
    "coverage:run.source",
    "report.omit",
    "coverage:run.omit",
    "coverage:report.omit",
    "*.disable",
    "flake8.ignore",
    "flake8.extend-ignore",
    "flake8.exclude",
    "tool.cibuildwheel.test-skip",
];

pub fn pyproject(text: &str) -> ProjectFacts {
    let mut document = toml::read(text);
    split_lists(&mut document, LISTS);
    let mut facts = runner(apply(PYPROJECT, &document));
    facts.settings.extend(told(&document, PYPROJECT));
    // Task runners and tox keep commands here.
    for entry in &document.entries {
        let keys: Vec<&str> = entry.keys().collect();
        let is_script = matches!(
            keys[..],
            ["tool", "hatch", "envs", .., "scripts", _]
                | ["tool", "poe" | "taskipy" | "pdm", "tasks" | "scripts", ..]
        );
        if is_script && !entry.value.is_empty() {
            facts.checks.extend(command::read(&entry.value, entry.line, &keys[1..].join(".")).checks);
        }
    }
    if let Some(entry) = document.entries.iter().find(|entry| entry.is("tool.tox.legacy_tox_ini")) {
        let inner = ini::read(&entry.value);
        facts.settings.extend(tox_variables(&inner));
        facts.checks.extend(tox_checks(&inner));
    }
    facts
}

pub fn ini_file(text: &str) -> ProjectFacts {
    let mut document = ini::read(text);
    split_lists(&mut document, LISTS);
    let mut facts = runner(apply(INI, &document));
    facts.settings.extend(told(&document, INI));
    facts.settings.extend(tox_variables(&document));
    facts.settings.extend(sessions::environments(&document));
    facts.checks = tox_checks(&document);
    facts.checks.extend(tox_environments(&document));
    facts.commented = super::pipeline::commented(&document, text);
    facts
}

/// `pyrightconfig.json`
pub fn pyright(text: &str) -> ProjectFacts {
    const PYRIGHT: &[Row] = &[
        row("typeCheckingMode", About::Types, PYRIGHT_MODES),
        row("ignore", About::Lint, Shape::LeavesOut),
        row("exclude", About::Lint, Shape::LeavesOut),
    ];
    let document = braces::read(text);
    let mut facts = runner(apply(PYRIGHT, &document));
    facts.settings.extend(vocabulary::settings(&document, PYRIGHT));
    facts
}

pub fn ruff(text: &str) -> ProjectFacts {
    let document = toml::read(text);
    let mut facts = runner(apply(RUFF, &document));
    facts.settings.extend(vocabulary::settings(&document, RUFF));
    facts
}

/// Sections of tools that do nothing but check.
const CHECKERS: &[&str] = &[
    "flake8",
    "pycodestyle",
    "pydocstyle",
    "pylint",
    "isort",
    "mypy",
    "pyright",
    "basedpyright",
    "ruff",
    "bandit",
    "interrogate",
    "pyrefly",
    "ty",
    "doc8",
    "darglint",
    "vulture",
    "zuban",
];

/// What such sections say beyond what is known of them.
fn told(document: &Document, known: &[Row]) -> Vec<Setting> {
    let own = |entry: &&Entry| {
        let section = entry.keys().find(|key| *key != "tool").unwrap_or_default();
        // Sections of single modules begin with the name of the tool; those of pylint have names of their own.
        let tool = section.split(['-', '.']).next().unwrap_or_default();
        let is_pylint = section.chars().all(|c| c.is_ascii_uppercase() || c == ' ') && !section.is_empty();
        CHECKERS.contains(&tool) || is_pylint
    };
    let open = document.entries.iter().filter(own);
    let open = open.filter(|entry| !known.iter().any(|row| entry.is(row.pattern)));
    open.flat_map(vocabulary::of_entry).chain(ignored_modules(document)).collect()
}

/// Modules whose errors mypy passes over, by the lists of its overrides.
fn ignored_modules(document: &Document) -> Vec<Setting> {
    let is_switch = |entry: &&Entry| entry.is("tool.mypy.overrides.ignore_errors") && entry.value == "true";
    let blocks: Vec<&[String]> =
        document.entries.iter().filter(is_switch).map(|entry| &entry.path[..entry.path.len() - 1]).collect();
    let modules = document.entries.iter().filter(|entry| entry.is("tool.mypy.overrides.module"));
    let own = modules.filter(|entry| blocks.iter().any(|block| entry.path.starts_with(block)));
    let setting = |entry: &Entry| Setting {
        about: About::Checkers,
        key: "mypy ignore_errors".to_owned(),
        line: entry.line,
        value: SettingValue::LeavesOut(entry.value.clone()),
    };
    own.filter(|entry| !entry.value.is_empty()).map(setting).collect()
}

fn runner(settings: Vec<Setting>) -> ProjectFacts {
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

/// What `tox` runs when it is told nothing; environments of tests are a matter of versions.
fn tox_environments(document: &Document) -> Vec<Check> {
    let listed = document.entries.iter().filter(|entry| entry.is("tox.envlist") || entry.is("tox.env_list"));
    let names =
        listed.flat_map(|entry| entry.value.split([',', ' ']).map(move |name| (name.trim(), entry.line)));
    let checks = names.filter_map(|(name, line)| Some((name, class_of_name(name)?, line)));
    let check = |(name, class, line): (&str, CheckClass, u32)| Check {
        class,
        signature: format!("tox {name}"),
        place: "tox".to_owned(),
        text: name.to_owned(),
        line,
        force: Force::Blocks,
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    };
    checks.filter(|(_, class, _)| *class != CheckClass::Test).map(check).collect()
}

/// Longer commands are data that was put in line.
const MAX_COMMAND: usize = 8 * 1024;

/// The commands of `[testenv]` sections; a leading `-` lets a failure pass.
fn tox_checks(document: &Document) -> Vec<Check> {
    let environments = document.entries.iter().filter(|entry| entry.path[0].starts_with("testenv"));
    let ignored: HashMap<&str, u32> = environments
        .clone()
        .filter(|entry| entry.name() == "ignore_outcome" && entry.value.eq_ignore_ascii_case("true"))
        .map(|entry| (entry.path[0].as_str(), entry.line))
        .collect();
    let mut found = Vec::new();
    let mut open = String::new();
    for entry in environments.filter(|entry| matches!(entry.name(), "commands" | "commands_pre")) {
        open.push_str(without_factor(entry.value.trim_end_matches('\\')));
        // A command may go on in the next line.
        if entry.value.ends_with('\\') && open.len() <= MAX_COMMAND {
            open.push(' ');
            continue;
        }
        let text = std::mem::take(&mut open);
        let text = text.as_str();
        let (command, lenient) = match text.strip_prefix('-') {
            Some(rest) => (rest.trim(), true),
            None => (text, false),
        };
        let mark = match ignored.get(entry.path[0].as_str()) {
            Some(line) => Some(Mark { text: "ignore_outcome = true".to_owned(), line: *line }),
            None => lenient.then(|| Mark { text: text.to_owned(), line: entry.line }),
        };
        for mut check in command::read(command, entry.line, &entry.path[0]).checks {
            if let Some(mark) = &mark {
                check.force = Force::Ignored(mark.clone());
            }
            found.push(check);
        }
    }
    found
}

/// `!ci: --numprocesses auto`: a line that only holds in some environments.
fn without_factor(line: &str) -> &str {
    let is_factor = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "!_-.,{}".contains(c));
    line.split_once(": ").filter(|(factor, _)| is_factor(factor)).map_or(line, |(_, rest)| rest.trim_start())
}

/// What `setenv` hands to test runners.
fn tox_variables(document: &Document) -> Vec<Setting> {
    let set = document.entries.iter().filter(|entry| matches!(entry.name(), "setenv" | "set_env"));
    let mut found = Vec::new();
    for entry in set.filter(|entry| entry.path[0].starts_with("testenv")) {
        let Some((name, value)) = entry.value.split_once('=') else { continue };
        found.extend(
            variables::settings(name.trim(), value.trim(), entry.line)
                .map(|setting| Setting { key: format!("{} {}", entry.path[0], setting.key), ..setting }),
        );
    }
    found
}
