//! What pipelines and hooks start that stands in other files: scripts of packages by name, and whether there may be more,
//! such as targets, environments, commands inside of a container.

use std::collections::BTreeMap;

use super::tools::TASK_RUNNERS;
use crate::collections::{HashMap, HashSet};

/// Other programs that do what another file says, or that run a command which nobody reads here.
const OTHERS: &[&str] = &[
    "tox",
    "nox",
    "detox",
    "pipx",
    "uvx",
    "pre-commit",
    "prek",
    "lefthook",
    "hk",
    "docker",
    "docker-compose",
    "podman",
    "nix",
    "vagrant",
    "act",
];

/// Shells, which run the file that follows.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "source"];

/// Programs that run scripts of packages by their names.
const PACKAGE_MANAGERS: &[&str] = &["npm", "yarn", "pnpm", "bun", "nr"];

/// Programs that run many of them at once, which ones only they know.
const SCRIPT_RUNNERS: &[&str] = &[
    "npm-run-all",
    "run-s",
    "run-p",
    "concurrently",
    "turbo",
    "nx",
    "lerna",
    "rush",
    "wireit",
    "gulp",
    "grunt",
];

/// Scripts that run where a package is installed.
const AT_INSTALLATION: &[&str] = &["preinstall", "install", "postinstall", "prepare"];

/// What is started by files that something reads: build servers, hooks.
#[derive(Default)]
pub struct Callees {
    /// Whether that may be anything: where it is not sure, it may.
    pub anything: bool,
    /// The scripts of packages, with those that these start.
    pub scripts: HashSet<String>,
}

impl Callees {
    /// What files start, given their texts, and the texts of packages.
    pub fn of<'t>(callers: impl Iterator<Item = &'t [u8]>, packages: impl Iterator<Item = &'t [u8]>) -> Self {
        let mut callees = Self::default();
        for text in callers {
            let text = String::from_utf8_lossy(text);
            text.lines()
                .filter(|line| !line.trim_start().starts_with('#'))
                .for_each(|line| callees.read(line));
        }
        let scripts: HashMap<String, String> = packages.flat_map(scripts_of).collect();
        let mut pending: Vec<String> = callees.scripts.drain().collect();
        while let Some(name) = pending.pop() {
            if !callees.scripts.insert(name.clone()) {
                continue;
            }
            let mut inner = Self::default();
            for name in [name.clone(), format!("pre{name}"), format!("post{name}")] {
                scripts.get(&name).into_iter().for_each(|command| inner.read(command));
            }
            callees.anything |= inner.anything;
            pending.extend(inner.scripts);
        }
        callees
    }

    fn read(&mut self, line: &str) {
        let is_end =
            |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ';' | '&' | '|' | '(' | ')' | ',');
        let mut words = line.split(is_end).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            let name = word.rsplit('/').next().unwrap_or(word);
            let runs_next = SHELLS.contains(&name)
                && words.peek().is_some_and(|next| !next.starts_with('-') && next.contains(['/', '.']));
            let is_file = word.starts_with("./") && word.len() > 2 || name.ends_with(".sh");
            let others = [TASK_RUNNERS, OTHERS, SCRIPT_RUNNERS];
            self.anything |= runs_next || is_file || others.iter().any(|names| names.contains(&name));
            if PACKAGE_MANAGERS.contains(&name) {
                let mut given = words.clone().filter(|word| !word.starts_with('-'));
                match given.next() {
                    Some("run" | "run-script") => self.scripts.extend(given.next().map(str::to_owned)),
                    Some("t" | "tst") => drop(self.scripts.insert("test".to_owned())),
                    Some("ci" | "i" | "install") => {
                        self.scripts.extend(AT_INSTALLATION.iter().map(|&name| name.to_owned()));
                    }
                    Some(script) => drop(self.scripts.insert(script.to_owned())),
                    None => {}
                }
            }
        }
    }
}

/// The scripts of a package, by name.
fn scripts_of(text: &[u8]) -> Vec<(String, String)> {
    #[derive(serde::Deserialize)]
    struct Package {
        #[serde(default)]
        scripts: BTreeMap<String, String>,
    }
    let package = serde_json::from_slice::<Package>(text);
    package.map(|package| package.scripts.into_iter().collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn callees(line: &str) -> Callees {
        Callees::of([line.as_bytes()].into_iter(), std::iter::empty())
    }

    #[test]
    fn what_may_stand_for_other_commands_is_known_by_its_program() {
        for line in [
            "- run: gmake check",
            "- run: docker compose run app make check",
            "- run: pipx run tox -e py",
            "- run: bash ci/test",
            "- run: scripts/check.sh --all",
            "      ./check",
            "- run: 'cd app && just test'",
            "- run: npx turbo run test",
        ] {
            assert!(callees(line).anything, "{line}");
        }
        for line in [
            "- run: pytest -q",
            "shell: bash",
            "- run: npm ci",
            "uses: actions/checkout@v4",
            "name: Run all",
            "# make",
        ] {
            assert!(!callees(line).anything, "{line}");
        }
    }

    #[test]
    fn scripts_start_other_scripts() {
        let package =
            br#"{ "scripts": { "ci": "npm run lint && npm test", "lint": "eslint .", "test": "jest",
            "pretest": "npm run types", "types": "tsc", "verify": "npm run e2e", "loop": "npm run loop" } }"#;
        let started = |line: &str| {
            let found = Callees::of([line.as_bytes()].into_iter(), [&package[..]].into_iter());
            let mut names: Vec<String> = found.scripts.into_iter().collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(started("- run: npm run ci"), "ci lint test types");
        assert_eq!(started("- run: npm run --silent lint && yarn test"), "lint test types");
        assert_eq!(started("- run: pnpm loop"), "loop");
        assert_eq!(started("- run: jest"), "");
    }
}
