//! What options and switches say by their names: that a check is left undone, or that it is made.

/// `--no-frozen-lockfile`: the opposite of what keeps an installation to what was looked at.
pub fn negates(word: &str) -> bool {
    ["--no-frozen-lockfile", "--no-immutable", "--no-locked", "--no-require-hashes"].contains(&word)
}

/// `--no-verify`, `--skip-tests`, `--ignore-errors`, `-DskipChecks`
pub fn leaves_undone(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'', ',']);
    if !word.starts_with('-') || word.len() < 6 || word.ends_with("=false") {
        return false;
    }
    const NOT: &[&str] = &["no", "skip", "ignore", "disable", "allow", "without", "continue", "bypass"];
    const CHECK: &[&str] = &[
        "verify",
        "verification",
        "test",
        "tests",
        "check",
        "checks",
        "lint",
        "validate",
        "validation",
        "strict",
        "fail",
        "failure",
        "failures",
        "errors",
        "error",
        "hooks",
        "integrity",
        "typecheck",
        "coverage",
    ];
    const OTHER: &[&str] = &["fast", "unmatched", "version", "update", "missing", "pattern"];
    let name = word.split('=').next().unwrap_or_default();
    let name = name.strip_prefix("-D").or_else(|| name.strip_prefix("-P")).unwrap_or(name);
    let words = crate::project::words_of(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    has(NOT) && has(CHECK) && !has(OTHER)
}

/// The name of a switch and its value: `skipTypeCheck: true`, `verify = false`.
pub fn switch_of(code: &str) -> Option<(&str, &str)> {
    let (name, value) = super::silenced::plain(code)
        .split_once(':')
        .or_else(|| super::silenced::plain(code).split_once('='))?;
    let name = name.trim().trim_matches(['"', '\'']);
    let value = value.trim().trim_end_matches([',', ';']).trim_matches(['"', '\'']);
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (is_name && (is_on(value) || is_off(value))).then_some((name, value))
}

pub fn is_on(value: &str) -> bool {
    matches!(value.to_lowercase().as_str(), "true" | "yes" | "on" | "1")
}

pub fn is_off(value: &str) -> bool {
    matches!(value.to_lowercase().as_str(), "false" | "no" | "off" | "0")
}

pub fn leaves_undone_by_name(name: &str) -> bool {
    let others =
        ["lib", "existing", "duplicate", "dirty", "install", "empty", "deprecated", "optional", "coverage"];
    let words = crate::project::words_of(name);
    // Servers have their own words for steps that may fail, which are read as what they are.
    !words.iter().any(|word| word == "continue")
        && leaves_undone(&format!("--{name}"))
        && !words.iter().any(|word| others.contains(&word.as_str()))
}

/// A switch that makes a failure count, by its name.
pub fn makes_a_check(name: &str) -> bool {
    let words = crate::project::words_of(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let fails = has(&["fail", "fails", "halt", "break", "abort"])
        && has(&[
            "error",
            "errors",
            "warning",
            "warnings",
            "violation",
            "violations",
            "failure",
            "failures",
            "ci",
        ]);
    fails && !has(&["fast"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_leave_something_undone_are_told_by_their_words() {
        for option in ["--no-verify", "--skip-tests", "--ignore-errors", "-DskipChecks", "--allow-failures"] {
            assert!(leaves_undone(option), "{option}");
        }
        for option in ["--no-fail-fast", "--skip-existing", "--no-cache", "--ignore-scripts", "--tests", "-n"]
        {
            assert!(!leaves_undone(option), "{option}");
        }
    }

    #[test]
    fn switches_are_told_by_their_words() {
        for name in ["skipTypeCheck", "skip_check", "ignore-build-errors", "skip-link-check"] {
            assert!(leaves_undone_by_name(name), "{name}");
        }
        for name in ["skipLibCheck", "continue-on-error", "check-keys", "skip-install", "test"] {
            assert!(!leaves_undone_by_name(name), "{name}");
        }
        assert!(makes_a_check("fail_on_warnings") && !makes_a_check("fail-fast"));
    }
}
