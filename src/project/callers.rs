//! Whether a pipeline may start what stands in other files: targets, scripts, environments, commands inside of a container.

use super::tools::TASK_RUNNERS;
use crate::facts::{Check, ProjectFacts};

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

/// Whether a file of a server or a hook may start checks that stand elsewhere. Where that is not sure, it may.
pub fn may_call_others(facts: &ProjectFacts, text: &[u8]) -> bool {
    // `run lint` of a package.
    let is_script = |check: &Check| check.signature.starts_with("run ") || check.signature.starts_with("./");
    if facts.checks.iter().any(is_script) {
        return true;
    }
    let text = String::from_utf8_lossy(text);
    text.lines().filter(|line| !line.trim_start().starts_with('#')).any(calls_others)
}

fn calls_others(line: &str) -> bool {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ';' | '&' | '|' | '(' | ')' | ',');
    let mut words = line.split(is_end).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let name = word.rsplit('/').next().unwrap_or(word);
        let runs_next = SHELLS.contains(&name)
            && words.peek().is_some_and(|next| !next.starts_with('-') && next.contains(['/', '.']));
        let is_file = word.starts_with("./") && word.len() > 2 || name.ends_with(".sh");
        if runs_next || is_file || TASK_RUNNERS.contains(&name) || OTHERS.contains(&name) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            assert!(calls_others(line), "{line}");
        }
        for line in
            ["- run: pytest -q", "shell: bash", "- run: npm ci", "uses: actions/checkout@v4", "name: Run all"]
        {
            assert!(!calls_others(line), "{line}");
        }
    }
}
