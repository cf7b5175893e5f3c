//! Packages that a filter keeps from a test command: `grep -v` in the list of what is tested.

use crate::facts::{About, Setting, SettingValue};

/// `PKGS = $(go list ./... | grep -v /e2e)`: the packages that a later command gets.
pub fn of_variable(text: &str, line: u32) -> Vec<Setting> {
    let Some((name, value)) = text.split_once('=').filter(|(_, value)| value.contains("go list")) else {
        return Vec::new();
    };
    let name = name.trim_end_matches([':', '?', '+', ' ']).rsplit(' ').next().unwrap_or_default();
    patterns(value).iter().map(|pattern| left_out(&format!("{name} grep -v"), pattern, line)).collect()
}

/// The setting that stands for one pattern.
pub fn left_out(key: &str, pattern: &str, line: u32) -> Setting {
    Setting {
        about: About::Tests,
        key: key.to_owned(),
        line,
        value: SettingValue::LeavesOut(pattern.to_owned()),
    }
}

/// What commands in brackets leave out of the list they make: `$(go list ./... | grep -v examples)`.
pub fn patterns(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !text.contains("grep ") {
        return found;
    }
    let mut depth = 0_usize;
    // What stands behind a bracket that closes is outside of it.
    let is_quoted = text.contains('`');
    for part in text.split_inclusive(['(', ')', '|', '`']) {
        let is_inside = depth > 0 || is_quoted;
        let command = part.trim_end_matches(['(', ')', '|', '`']).trim();
        if let Some(rest) = command.strip_prefix("grep ").filter(|_| is_inside) {
            found.extend(inverted(rest));
        }
        match part.chars().next_back() {
            Some('(') => depth += 1,
            Some(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// The patterns of a `grep` that keeps what does not match.
fn inverted(arguments: &str) -> Vec<String> {
    let (options, patterns): (Vec<&str>, Vec<&str>) =
        arguments.split_whitespace().partition(|word| word.starts_with('-'));
    let is_inverted =
        |option: &&str| *option == "--invert-match" || !option.starts_with("--") && option.contains('v');
    if !options.iter().any(is_inverted) {
        return Vec::new();
    }
    patterns.iter().map(|pattern| pattern.trim_matches(['"', '\'']).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_of_a_list_of_packages_is_told_from_output() {
        for (text, expected) in [
            ("go test $(go list ./... | grep -v /e2e | grep -v vendor)", "/e2e vendor"),
            ("go test $(pkgs) | grep -v 'no test files'", ""),
            ("go test `go list ./... | grep -Ev examples`", "examples"),
            ("go test $(go list ./... | grep internal)", ""),
        ] {
            assert_eq!(patterns(text).join(" "), expected, "{text}");
        }
    }
}
