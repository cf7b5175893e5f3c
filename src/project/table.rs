//! Which configuration files are read, and by what: by name, by place, by tool.

use super::files::{NAMES, Read, STEMS};
use super::{advisories, cargo, hooks, lists, maven, pipeline, python, rulesets, scripts};
use crate::facts::{Ground, ProjectFacts};

/// Larger files are no configuration that a person wrote.
const MAX_BYTES: usize = 512 * 1024;

/// Folders of what is only an example or the input of tests: nothing in them runs here.
const OTHERS: &[&str] = &[
    "fixtures",
    "fixture",
    "__fixtures__",
    "testdata",
    "test-data",
    "examples",
    "example",
    "templates",
    "template",
    "samples",
    "playground",
    "demo",
    "demos",
    "node_modules",
    "vendor",
    "snapshots",
    "cookbook",
    "starters",
    "boilerplate",
    "resources",
    "benchmarks",
    "data",
    "third_party",
];

/// Whether the content of a file of this name can matter.
pub fn is_project(path: &str) -> bool {
    path == crate::policy::FILE_NAME || reader_of(path).is_some()
}

/// What a configuration file says; `None` for other files and for what is too large or no text.
pub fn read(path: &str, text: &[u8]) -> Option<ProjectFacts> {
    if path == crate::policy::FILE_NAME {
        return Some(ProjectFacts { ground: Ground::Policy, ..ProjectFacts::default() });
    }
    let reader = reader_of(path).filter(|_| text.len() <= MAX_BYTES)?;
    let text = std::str::from_utf8(text).ok()?;
    Some(reader(text.trim_start_matches('\u{feff}'))).filter(is_bounded)
}

/// No person writes more, and comparing takes its time.
fn is_bounded(facts: &ProjectFacts) -> bool {
    const MOST: usize = 5_000;
    let listed = facts.triggers.iter().map(|trigger| {
        let lists = [&trigger.branches, &trigger.branches_ignored, &trigger.paths, &trigger.paths_ignored];
        1 + lists.iter().map(|list| list.len()).sum::<usize>()
    });
    let counts = [facts.checks.len(), facts.commented.len(), facts.settings.len(), facts.jobs.len()];
    counts.into_iter().chain([listed.sum()]).all(|count| count <= MOST)
}

/// What a file is called whatever its ending and a leading dot: `.codecov.yml` and `codecov.yaml` are the same thing.
pub fn family_of(path: &str) -> Option<&str> {
    const ENDINGS: &[&str] = &[
        "yml", "yaml", "json", "jsonc", "json5", "js", "cjs", "mjs", "ts", "cts", "mts", "toml", "ini", "kts",
    ];
    reader_of(path)?;
    let name = path.rsplit('/').next()?.trim_start_matches('.');
    match name.rsplit_once('.') {
        Some((stem, ending)) if ENDINGS.contains(&ending) => Some(stem),
        _ => Some(name),
    }
}

/// Whether a file of code is nothing but what a runner of tests is told.
pub fn is_runner_settings(path: &str) -> bool {
    const RUNNERS: &[&str] = &[
        "karma.conf",
        "wdio.conf",
        "playwright.config.",
        "jest.config.",
        "vitest.config.",
        "cypress.config.",
        "web-test-runner.config.",
        "nightwatch.conf",
        "protractor.conf",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    RUNNERS.iter().any(|runner| name.starts_with(runner)) && is_project(path)
}

fn reader_of(path: &str) -> Option<Read> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folders: Vec<&str> = folder.split('/').collect();
    // The rules of a linter are kept among other resources, where tests have theirs, too.
    let is_ruleset = rulesets::is_ruleset(name) && !folders.contains(&"test");
    let is_other = |folder: &&str| {
        let known = OTHERS.contains(folder) || folder.starts_with("template-");
        known && !(is_ruleset && *folder == "resources")
    };
    if folders.iter().any(is_other) {
        return None;
    }
    if lists::is_list_of_left_out(path) {
        return Some(lists::left_out);
    }
    let in_tests = folders.iter().any(|folder| matches!(*folder, "test" | "tests" | "__tests__"));
    let by_name = NAMES.iter().find(|(known, _)| *known == name).map(|(_, read)| *read);
    let by_stem = || STEMS.iter().find(|(stem, _)| name.starts_with(stem)).map(|(_, read)| *read);
    let found = by_name.or_else(by_stem);
    // What runs tests may stand beside them.
    let runs_tests = matches!(folders[0], "scripts" | "script" | "ci" | ".ci") && name.ends_with(".sh");
    if in_tests && !runs_tests {
        // Below tests stand many projects that are only looked at; runners are set up there all the same.
        return found.filter(|_| {
            matches!(name, "conftest.py" | ".gitattributes")
                || name.starts_with("jest.config")
                || name.starts_with(".mocharc")
                || name == "package.json"
        });
    }
    found.or_else(|| by_folder(&folders, name)).or_else(|| by_tool(name))
}

/// Settings of a known tool in a file with a name of its own: `metacov.ini`, `.coveragerc-ci`, `pytest-slow.ini`.
fn by_tool(name: &str) -> Option<Read> {
    const TOOLS: &[&str] = &["cov", "pytest", "tox", "mypy", "flake8", "pylint"];
    let lower = name.to_lowercase();
    let is_settings =
        [".ini", ".cfg", ".rc"].iter().any(|end| lower.ends_with(end)) || lower.contains("coveragerc");
    (is_settings && TOOLS.iter().any(|tool| lower.contains(tool))).then_some(python::ini_file)
}

/// Workflows, hooks and scripts, which are told by where they stand.
fn by_folder(folders: &[&str], name: &str) -> Option<Read> {
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    let is_script = name.ends_with(".sh") || name.ends_with(".bash") || !name.contains('.');
    match folders {
        [.., ".mvn"] if name == "maven.config" => Some(maven::config),
        [.., ".cargo"] if matches!(name, "config.toml" | "config") => Some(cargo::config),
        [.., ".cargo"] if name == "audit.toml" => Some(advisories::toml_file),
        [".github", "workflows", ..] | [".github", "actions", ..] | [".gitea" | ".forgejo", "workflows"]
            if is_yaml =>
        {
            Some(pipeline::read)
        }
        [
            ".circleci" | ".gitlab" | ".buildkite" | ".azure" | ".azure-pipelines" | ".woodpecker" | ".ci"
            | "ci" | ".semaphore" | ".tekton",
            ..,
        ] if is_yaml => Some(pipeline::read),
        [".claude" | ".codex" | ".cursor" | ".gemini" | ".windsurf"]
            if matches!(name, "settings.json" | "settings.local.json" | "hooks.json") =>
        {
            Some(hooks::agent)
        }
        [".github", "hooks"] if name.ends_with(".json") => Some(hooks::agent),
        [.., ".husky" | ".githooks" | "githooks" | "git-hooks"]
            if is_script && !name.starts_with('.') && name != "_" =>
        {
            Some(scripts::hook)
        }
        ["scripts" | "script" | "ci" | ".ci" | "tools" | "dev" | "hack" | "bin", ..]
        | [".github" | ".circleci" | ".travis", ..]
            if is_script =>
        {
            Some(scripts::shell_file)
        }
        _ if rulesets::is_ruleset(name) => Some(rulesets::read),
        _ if name.ends_with(".sh") && super::words::class_of_name(name.trim_end_matches(".sh")).is_some() => {
            Some(scripts::shell_file)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn files_are_known_by_name_and_place() {
        for path in [
            ".github/workflows/ci.yml",
            ".github/actions/setup/action.yml",
            ".gitlab-ci.yml",
            ".circleci/config.yml",
            "package.json",
            "packages/core/package.json",
            "tests/conftest.py",
            "vitest.config.mts",
            "its/pom.xml",
            ".husky/pre-commit",
            "scripts/test.sh",
            "aiwg-gate.yaml",
        ] {
            assert!(is_project(path), "{path}");
        }
        for path in [
            "src/main.rs",
            "docs/guide.yml",
            "tests/fixtures/app/package.json",
            "tests/data/pom.xml",
            "examples/shop/package.json",
            "node_modules/x/package.json",
            ".github/dependabot.yml",
            "package-lock.json",
        ] {
            assert!(!is_project(path), "{path}");
        }
    }

    #[test]
    fn hostile_files_are_read_in_time_or_not_at_all() {
        let jobs: String = (0..9_000).map(|n| format!("j{n}:\n  script: pytest t{n}\n")).collect();
        let bomb = (0..30).map(|n| format!("a{n}: &a{n} [*a{}, *a{}]\n", n - 1, n - 1)).collect::<String>();
        let steps = "      - run: pytest\n".repeat(9_000);
        let matrix = format!(
            "jobs:\n  a:\n    continue-on-error: ${{{{ matrix.x }}}}\n    strategy:\n      matrix:\n        x: [true]\n    steps:\n{steps}"
        );
        let needs: String = (0..4_000).map(|n| format!("  all{n}:\n    needs: [a, b]\n")).collect();
        let run = |line: &str, count: usize| {
            format!(
                "jobs:\n  a:\n    steps:\n      - run: |\n{}",
                format!("          {line}\n").repeat(count)
            )
        };
        let blocks = |count: usize| format!("{}{}", "a {".repeat(60), "b 'x';\n".repeat(count));
        for (path, text) in [
            ("scripts/test.sh", "if pytest\n".repeat(50_000)),
            ("scripts/test.sh", "if a; then\n".repeat(45_000)),
            ("scripts/test.sh", "a | b &\n".repeat(60_000)),
            ("scripts/test.sh", "pytest | tee x\n".repeat(30_000)),
            ("scripts/test.sh", format!("set +e\n{}{}", "pytest;".repeat(1_000), "\n".repeat(400_000))),
            (".github/workflows/ci.yml", run("if a; then", 20_000)),
            (".github/workflows/ci.yml", run("pytest | tee x &", 15_000)),
            (
                ".github/workflows/ci.yml",
                format!(
                    "jobs:\n  a:\n    if: ${{{{ {}f(x) }}}}\n    steps:\n      - run: pytest\n",
                    "!".repeat(39)
                ),
            ),
            ("scripts/test.sh", "X=(\n".repeat(60_000)),
            ("scripts/test.sh", "for a in b c; do\n".repeat(20_000)),
            ("scripts/test.sh", format!("pytest $({})", "(| grep -v x ".repeat(600))),
            ("Makefile", "check: test lint vet\n".repeat(20_000)),
            ("Makefile.js", "exec('--lines 9 ' + \"--branch 9\");\n".repeat(12_000)),
            ("build.gradle", blocks(60_000)),
            ("build.gradle", format!("{} {{\n{}", "test ".repeat(40_000), "a = b\n".repeat(50_000))),
            (".gitlab-ci.yml", jobs),
            (".travis.yml", bomb),
            (".github/workflows/ci.yml", matrix),
            (".github/workflows/ci.yml", format!("jobs:\n{needs}")),
            (".github/workflows/ci.yml", "- ".repeat(100_000)),
            (".github/workflows/ci.yml", "a: [".repeat(100_000)),
            ("package.json", "[{\"a\":".repeat(60_000)),
            ("package.json", format!("{{\"scripts\": {{\"test\": \"{}\"}}}}", "a && ".repeat(90_000))),
            ("pyproject.toml", "[".repeat(400_000)),
            ("pom.xml", "<a>".repeat(100_000)),
            ("build.gradle", "test {".repeat(80_000)),
            ("Makefile", "test:\n\t-pytest \\\n".repeat(25_000)),
            ("tests/conftest.py", "collect_ignore = [".repeat(25_000)),
            ("jest.config.js", "/".repeat(400_000)),
        ] {
            // Four times as much may take four times as long, and what grows with the square sixteen times.
            let part = took(path, &text.as_bytes()[..text.len() / 4]);
            let whole = took(path, text.as_bytes());
            assert!(whole < part * 10 + Duration::from_secs(1), "{path}: {part:?}, then {whole:?}");
        }
    }

    /// The better of two runs, since others may be at work.
    fn took(path: &str, text: &[u8]) -> Duration {
        let run = || {
            let start = Instant::now();
            let _ = read(path, text);
            start.elapsed()
        };
        run().min(run())
    }
}
