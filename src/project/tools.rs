//! Which commands check something: one table of tools, and readers for those that do many things.

use super::looking;
use super::words::class_of_name;
use crate::facts::CheckClass::{self, Audit, Build, Coverage, Format, Gate, Lint, Test, Types};

/// Tools that do nothing but check, whatever they are told.
const TOOLS: &[(&str, CheckClass)] = &[
    ("pytest", Test),
    ("py.test", Test),
    ("nosetests", Test),
    ("stestr", Test),
    ("jest", Test),
    ("mocha", Test),
    ("_mocha", Test),
    ("ava", Test),
    ("tap", Test),
    ("tape", Test),
    ("jasmine", Test),
    ("karma", Test),
    ("vitest", Test),
    ("wtr", Test),
    ("gotestsum", Test),
    ("ginkgo", Test),
    ("ctest", Test),
    ("rspec", Test),
    ("phpunit", Test),
    ("bats", Test),
    ("hypothesis", Test),
    ("nyc", Test),
    ("c8", Test),
    ("eslint", Lint),
    ("tslint", Lint),
    ("standard", Lint),
    ("xo", Lint),
    ("oxlint", Lint),
    ("stylelint", Lint),
    ("flake8", Lint),
    ("pylint", Lint),
    ("pycodestyle", Lint),
    ("pydocstyle", Lint),
    ("golangci-lint", Lint),
    ("staticcheck", Lint),
    ("golint", Lint),
    ("flow", Types),
    ("megacheck", Lint),
    ("gosimple", Lint),
    ("errcheck", Lint),
    ("ineffassign", Lint),
    ("revive", Lint),
    ("shellcheck", Lint),
    ("actionlint", Lint),
    ("zizmor", Lint),
    ("hadolint", Lint),
    ("yamllint", Lint),
    ("rubocop", Lint),
    ("knip", Lint),
    ("publint", Lint),
    ("attw", Lint),
    ("check-manifest", Lint),
    ("aiwg-gate", Lint),
    ("mypy", Types),
    ("dmypy", Types),
    ("pyright", Types),
    ("basedpyright", Types),
    ("pytype", Types),
    ("tsc", Types),
    ("vue-tsc", Types),
    ("tsd", Types),
    ("flow", Types),
    ("bandit", Audit),
    ("safety", Audit),
    ("pip-audit", Audit),
    ("govulncheck", Audit),
    ("cargo-deny", Audit),
    ("cargo-audit", Audit),
    ("cargo-semver-checks", Audit),
    ("trivy", Audit),
    ("osv-scanner", Audit),
    ("codespell", Format),
    ("typos", Format),
    ("cspell", Format),
    ("markdownlint", Format),
    ("codecov", Coverage),
    ("coveralls", Coverage),
    ("diff-cover", Coverage),
];

/// Actions of build servers, by a part of their name.
const ACTIONS: &[(&str, CheckClass)] = &[
    ("semver-checks", Audit),
    ("cargo-deny", Audit),
    ("audit-check", Audit),
    ("dependency-review", Audit),
    ("codeql-action/analyze", Audit),
    ("trivy-action", Audit),
    ("gitleaks", Audit),
    ("scorecard-action", Audit),
    ("snyk/actions", Audit),
    ("semgrep", Audit),
    ("attest-build-provenance", Audit),
    ("slsa-verifier", Audit),
    ("gradle/actions/wrapper-validation", Audit),
    ("wrapper-validation-action", Audit),
    ("golangci-lint", Lint),
    ("clippy", Lint),
    ("pre-commit/action", Lint),
    ("prek-action", Lint),
    ("super-linter", Lint),
    ("actionlint", Lint),
    ("hadolint", Lint),
    ("ruff-action", Lint),
    ("pylint", Lint),
    ("flake8", Lint),
    ("eslint", Lint),
    ("shellcheck", Lint),
    ("zizmor", Lint),
    ("psf/black", Format),
    ("typos", Format),
    ("codespell", Format),
    ("markdownlint", Format),
    ("rustfmt", Format),
    ("spellcheck", Format),
    ("codecov/codecov-action", Coverage),
    ("coverallsapp", Coverage),
    ("cypress-io/github-action", Test),
    ("cross-test", Test),
];

/// What an action checks; a workflow of the repository itself is told by its name.
pub fn of_action(action: &str) -> Option<(CheckClass, String)> {
    let name = action.split('@').next().unwrap_or_default();
    if let Some(local) = name.strip_prefix("./") {
        let stem = local.trim_end_matches("/action.yml").rsplit('/').next().unwrap_or_default();
        let stem = stem.split('.').next().unwrap_or_default();
        return class_of_name(stem).map(|class| (class, format!("uses {stem}")));
    }
    let lower = name.to_lowercase();
    let class = ACTIONS.iter().find(|(part, _)| lower.contains(part)).map(|(_, class)| *class)?;
    Some((class, format!("uses {lower}")))
}

/// Programs that run the targets of another file.
pub const TASK_RUNNERS: &[&str] = &[
    "make", "gmake", "nmake", "just", "task", "invoke", "inv", "rake", "mage", "poe", "pdm", "hatch",
    "grunt", "gulp", "ninja", "earthly", "mise", "moon", "tasks", "xtask", "doit", "pixi",
];

/// What a command checks, and its signature. `words` start with the program.
pub fn of_command(words: &[String]) -> Option<(CheckClass, String)> {
    let program = base_name(words.first()?);
    let rest = &words[1..];
    if looking::is_benchmark(words) {
        return None;
    }
    // `bash <(curl -s https://codecov.io/bash)`
    let fetches = matches!(program, "bash" | "sh" | "curl" | "wget");
    if fetches && rest.iter().any(|word| word.contains("codecov.io") || word.contains("coveralls.io")) {
        return Some((Coverage, "codecov".to_owned()));
    }
    let found = match program {
        "aiwg-gate" => gate(rest),
        "cargo" | "cross" => cargo(rest),
        "travis-cargo" => {
            let at = rest.iter().position(|word| matches!(word.as_str(), "test" | "build" | "clippy"))?;
            cargo(&rest[at..])
        }
        // Others colour what it says.
        "go" | "richgo" | "gotip" => go(rest),
        "npm" | "yarn" | "pnpm" | "bun" | "nps" | "npm-run-all" | "run-s" | "run-p" | "lerna" | "nx"
        | "turbo" | "ni" | "nr" | "wireit" | "corepack" => node(rest),
        "mvn" | "mvnw" | "mvnd" | "maven" => maven(rest),
        "gradle" | "gradlew" => gradle(rest),
        runner if TASK_RUNNERS.contains(&runner) => targets(program, rest),
        "tox" | "nox" | "detox" => sessions(program.trim_start_matches("de"), rest),
        "node" => node_program(rest),
        "deno" | "bazel" | "bazelisk" | "dotnet" | "swift" | "playwright" | "cypress" | "web-test-runner"
        | "trial" | "mix" | "flutter" | "dart" => verbs(program, rest),
        "ruff" | "biome" | "ty" | "buf" | "dprint" | "pre-commit" | "prek" | "lefthook" | "hk" | "twine" => {
            many(program, rest)
        }
        "black" | "isort" | "prettier" | "rustfmt" | "yapf" | "autoflake" | "shfmt" | "clang-format" => {
            formats(program, rest)
        }
        "gofmt" | "goimports" | "gofumpt" => has(rest, &["-l", "-d"]).then(|| (Format, program.to_owned())),
        "coverage" | "coverage3" => coverage(rest),
        "python" | "python3" | "py" => python(rest),
        "tsc" => (!has(rest, &["--build", "-b", "--watch", "-w"])).then(|| (Types, "tsc".to_owned())),
        "bash" | "sh" | "zsh" | "source" | "." => script(rest.iter().find(|word| !word.starts_with('-'))?),
        _ => TOOLS
            .iter()
            .find(|(tool, _)| *tool == program)
            .map(|(tool, class)| (*class, (*tool).to_owned()))
            .or_else(|| script(&words[0]))
            .or_else(|| linter(program)),
    };
    found.or_else(|| looking::of_options(program, rest))
}

/// A program that no table knows, and that says by its name that it lints: `commitlint`, `lint-openapi`.
fn linter(program: &str) -> Option<(CheckClass, String)> {
    let words = super::words::words_of(program);
    let lints = words.iter().any(|word| word.ends_with("lint") || word == "linter") && !program.contains('=');
    lints.then(|| (Lint, program.to_owned()))
}

fn base_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name)
}

fn has(words: &[String], wanted: &[&str]) -> bool {
    words.iter().any(|word| wanted.contains(&word.as_str()))
}

fn plain(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str).filter(|word| !word.starts_with(['-', '+']) && !word.contains('='))
}

/// What this gate itself is asked to judge.
fn gate(rest: &[String]) -> Option<(CheckClass, String)> {
    let verb =
        plain(rest).find(|word| matches!(*word, "check" | "verify" | "hook" | "agent-hook" | "run"))?;
    let class = if verb == "run" { Test } else { Gate };
    // Which of its hooks it is matters, which of its questions does not.
    let asks = if verb == "hook" { plain(rest).skip_while(|word| *word != "hook").nth(1) } else { None };
    Some((class, asks.map_or("aiwg-gate".to_owned(), |hook| format!("aiwg-gate hook {hook}"))))
}

fn cargo(rest: &[String]) -> Option<(CheckClass, String)> {
    let mut words = plain(rest);
    let mut verb = words.next()?;
    // Tools that run another command of cargo's.
    while matches!(
        verb,
        "hack" | "all-features" | "careful" | "make" | "xtask" | "x" | "insta" | "minimal-versions"
    ) {
        if matches!(verb, "make" | "xtask" | "x") {
            let target = words.next()?;
            return class_of_name(target).map(|class| (class, format!("cargo {verb} {target}")));
        }
        verb = words.find(|word| matches!(*word, "test" | "clippy" | "check" | "build" | "nextest"))?;
    }
    let class = match verb {
        "test" | "t" | "nextest" | "llvm-cov" | "tarpaulin" => return Some((Test, "cargo test".to_owned())),
        "miri" | "fuzz" | "loom" => Test,
        "clippy" | "udeps" | "machete" | "shear" | "sort" | "rdme" => Lint,
        "fmt" if has(rest, &["--check"]) => Format,
        "deny" | "audit" | "semver-checks" | "vet" | "public-api" | "outdated" => Audit,
        "check" | "build" => Build,
        // A tool that nobody knows: `cargo public-api-crates --manifest-path a/Cargo.toml check`.
        _ if verb.contains('-') && words.any(|word| matches!(word, "check" | "verify" | "lint")) => Lint,
        _ => return None,
    };
    Some((class, format!("cargo {verb}")))
}

fn go(rest: &[String]) -> Option<(CheckClass, String)> {
    match plain(rest).next()? {
        "test" => Some((Test, "go test".to_owned())),
        "vet" => Some((Lint, "go vet".to_owned())),
        "run" => {
            let tool = base_name(plain(&rest[1..]).next()?.split('@').next()?);
            of_command(&[tool.to_owned()]).or_else(|| script(tool))
        }
        _ => None,
    }
}

/// Package managers run scripts by name; which manager it is does not matter.
fn node(rest: &[String]) -> Option<(CheckClass, String)> {
    const PASSED_OVER: &[&str] = &[
        "run",
        "run-script",
        "--filter",
        "-w",
        "--workspace",
        "--prefix",
        "-C",
        "--dir",
        "workspace",
        "-s",
        "-F",
    ];
    let mut names = rest.iter().map(String::as_str);
    while let Some(word) = names.next() {
        match word {
            "--filter" | "--prefix" | "-C" | "--dir" | "workspace" | "-F" | "--cwd" => {
                names.next();
            }
            "run-many" | "affected" => {
                let target = rest.iter().find_map(|word| word.strip_prefix("--target="));
                return target
                    .and_then(|name| class_of_name(name).map(|class| (class, format!("run {name}"))));
            }
            "t" | "tst" => return Some((Test, "run test".to_owned())),
            "audit" => return Some((Audit, "run audit".to_owned())),
            "install" | "i" | "ci" | "add" | "pack" | "publish" | "version" | "config" | "set" | "cache"
            | "link" | "dlx" | "create" | "why" | "view" | "info" | "login" | "remove" | "update"
            | "global" | "root" => return None,
            "exec" | "x" | "node" => {
                let inner: Vec<String> =
                    names.skip_while(|word| word.starts_with('-')).map(str::to_owned).collect();
                return if inner.is_empty() { None } else { of_command(&inner) };
            }
            word if word.starts_with('-') || PASSED_OVER.contains(&word) => {}
            name => {
                let direct = TOOLS.iter().find(|(tool, _)| *tool == name).map(|(_, class)| *class);
                let class = direct.or_else(|| class_of_name(name))?;
                let signature = if direct.is_some() { name.to_owned() } else { format!("run {name}") };
                return Some((class, signature));
            }
        }
    }
    None
}

fn maven(rest: &[String]) -> Option<(CheckClass, String)> {
    let mut build = None;
    for goal in plain(rest) {
        match goal {
            "test" | "verify" | "install" | "integration-test" | "deploy" => {
                return Some((Test, "mvn test".to_owned()));
            }
            "package" | "compile" | "test-compile" => build = Some((Build, "mvn build".to_owned())),
            _ if goal.ends_with(":check") || goal.ends_with(":verify") => {
                let plugin = goal.split(':').next().unwrap_or_default();
                let class = if plugin == "spotless" { Format } else { Lint };
                return Some((class, format!("mvn {plugin}")));
            }
            _ => {}
        }
    }
    build
}

fn gradle(rest: &[String]) -> Option<(CheckClass, String)> {
    let tasks = plain(rest).map(|task| task.rsplit(':').next().unwrap_or_default());
    let mut found = None;
    for task in tasks {
        match task {
            "test" | "check" | "build" => return Some((Test, "gradle test".to_owned())),
            "assemble" | "classes" | "testClasses" => {
                found = found.or_else(|| Some((Build, "gradle build".to_owned())));
            }
            _ => found = class_of_name(task).map(|class| (class, format!("gradle {task}"))).or(found),
        }
    }
    found
}

fn targets(program: &str, rest: &[String]) -> Option<(CheckClass, String)> {
    let mut names = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-C" | "-f" | "-j" | "--directory" => {
                words.next();
            }
            "run" | "test" if matches!(program, "pdm" | "hatch" | "poe" | "pixi") && word == "run" => {}
            word if !word.starts_with('-') && !word.contains('=') => names.push(word),
            _ => {}
        }
    }
    let (class, name) = names.iter().find_map(|name| Some((class_of_name(name)?, *name)))?;
    Some((class, format!("{program} {name}")))
}

/// `tox -e lint`, `nox -s tests-3.12`: versions in the name do not matter.
fn sessions(program: &str, rest: &[String]) -> Option<(CheckClass, String)> {
    let mut words = rest.iter().map(String::as_str);
    let name = words.find_map(|word| match word {
        "-e" | "-s" | "--session" | "--sessions" | "--env" => Some(None),
        _ => word.strip_prefix("-e").or_else(|| word.strip_prefix("--session=")).map(Some),
    });
    let name = match name {
        Some(None) => words.next(),
        Some(name) => name,
        None => None,
    };
    // Of a list, each entry counts.
    let is_list = name.is_some_and(|name| name.contains(','));
    match name.filter(|_| !is_list).and_then(|name| Some((class_of_name(name)?, name))) {
        _ if is_list => Some((Test, program.to_owned())),
        Some((class, name)) if class != Test => Some((class, format!("{program} {name}"))),
        None if name.is_some_and(|name| {
            super::words::words_of(name).iter().any(|word| word == "docs" || word == "build")
        }) =>
        {
            None
        }
        _ => Some((Test, program.to_owned())),
    }
}

fn node_program(rest: &[String]) -> Option<(CheckClass, String)> {
    if has(rest, &["--test"]) {
        return Some((Test, "node --test".to_owned()));
    }
    let at = rest.iter().position(|word| !word.starts_with('-'))?;
    // `node --trace-warnings node_modules/.bin/jest` runs what it names.
    if rest[at].contains("/.bin/") { of_command(&rest[at..]) } else { script(&rest[at]) }
}

/// Tools with a verb of their own for tests.
fn verbs(program: &str, rest: &[String]) -> Option<(CheckClass, String)> {
    let verb = plain(rest).next()?;
    let class = match verb {
        "test" | "run" if program != "deno" || verb == "test" => Test,
        "lint" | "check" | "analyze" | "vet" => Lint,
        "fmt" if has(rest, &["--check"]) => Format,
        "build" => Build,
        _ => return None,
    };
    Some((class, format!("{program} {verb}")))
}

fn many(program: &str, rest: &[String]) -> Option<(CheckClass, String)> {
    let verb = plain(rest).next().unwrap_or_default();
    let class = match (program, verb) {
        ("ruff" | "biome" | "dprint", "format" | "fmt") => return formats(program, rest),
        ("ty", "check") => Types,
        ("ruff" | "biome", "check" | "lint" | "ci" | ".")
        | ("buf" | "twine", "lint" | "check" | "breaking") => Lint,
        ("dprint", "check") => Format,
        ("pre-commit" | "prek" | "lefthook" | "hk", "run" | "check") => Lint,
        _ => return None,
    };
    Some((
        class,
        if class == Lint && program == "ruff" { "ruff".to_owned() } else { format!("{program} {verb}") },
    ))
}

fn formats(program: &str, rest: &[String]) -> Option<(CheckClass, String)> {
    let checks =
        has(rest, &["--check", "--check-only", "--diff", "-c", "-l", "--list-different", "-d", "--dry-run"]);
    checks.then(|| (Format, program.to_owned()))
}

fn coverage(rest: &[String]) -> Option<(CheckClass, String)> {
    match plain(rest).next()? {
        "run" => Some((Test, "coverage run".to_owned())),
        "report" if rest.iter().any(|word| word.starts_with("--fail-under")) => {
            Some((Coverage, "coverage report".to_owned()))
        }
        _ => None,
    }
}

fn python(rest: &[String]) -> Option<(CheckClass, String)> {
    // `-W error` and `-X dev` have a value behind them.
    let is_value = |at: usize| at > 0 && matches!(rest[at - 1].as_str(), "-W" | "-X");
    let at = (0..rest.len()).find(|&at| rest[at] == "-m" || !rest[at].starts_with('-') && !is_value(at))?;
    if rest[at] == "-m" {
        let module = rest.get(at + 1)?;
        return match module.as_str() {
            "unittest" => Some((Test, "unittest".to_owned())),
            "doctest" => Some((Test, "doctest".to_owned())),
            _ => of_command(&rest[at + 1..]),
        };
    }
    let argument = rest.get(at + 1).map(String::as_str);
    if matches!(base_name(&rest[at]), "setup.py" | "manage.py") {
        return (argument == Some("test")).then(|| (Test, format!("{} test", base_name(&rest[at]))));
    }
    let stem = base_name(&rest[at]).trim_end_matches(".py");
    script(&rest[at]).or_else(|| looking::of_options(stem, &rest[at + 1..]))
}

/// A script of the repository, told by its name.
fn script(path: &str) -> Option<(CheckClass, String)> {
    let name = base_name(path);
    let stem = name.split('.').next().unwrap_or_default();
    let is_script = path.contains('/') || name.contains('.') && !path.starts_with('-');
    // What hands reports on may be called anything: `codecov-upload.sh`, `./codecov`.
    if let Some(service) = ["codecov", "coveralls"].into_iter().find(|service| stem.contains(service)) {
        return Some((Coverage, format!("script {service}")));
    }
    let class = class_of_name(stem).filter(|_| is_script && !path.contains("://"))?;
    Some((class, format!("script {stem}")))
}
