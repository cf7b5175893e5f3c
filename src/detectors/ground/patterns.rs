//! Whether one pattern of paths covers another: everything that the second one matches, the first one matches too.
//!
//! Told by examples: one pattern is matched against what the other one stands for. Patterns with more than
//! wildcards, brackets and braces in them cover only themselves.

use globset::GlobBuilder;

/// So many ways to write out one pattern are looked at.
const MAX_EXAMPLES: usize = 64;

/// Longer patterns cover only themselves.
const MAX_PATTERN: usize = 1024;

/// A pattern without what is only notation.
pub fn plain(pattern: &str) -> String {
    let text =
        pattern.trim().trim_start_matches("<rootDir>").trim_start_matches("./").trim_start_matches('/');
    let text = text.trim_end_matches('/').trim_end_matches("/**").trim_end_matches("/*");
    text.trim_matches(['"', '\'']).to_owned()
}

pub fn covers(wide: &str, narrow: &str) -> bool {
    let (wide, narrow) = (plain(wide), plain(narrow));
    if wide == narrow || matches!(wide.as_str(), "" | "." | "**" | "**/*") {
        return true;
    }
    if wide.len().max(narrow.len()) > MAX_PATTERN || is_opaque(&wide) || is_opaque(&narrow) {
        return false;
    }
    let is_below = |rest: &str| rest.starts_with('/') || rest.starts_with("::");
    if !wide.contains(['*', '?', '[', '{']) {
        return narrow.strip_prefix(wide.as_str()).is_some_and(is_below);
    }
    // To compile a pattern takes long; most differ before their first wildcard.
    let literal = |pattern: &str| pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let common = literal(&wide).min(literal(&narrow));
    if wide.as_bytes()[..common] != narrow.as_bytes()[..common] {
        return false;
    }
    let matcher = |pattern: &str| {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build().ok()?;
        Some(glob.compile_matcher())
    };
    let (Some(itself), Some(below)) = (matcher(&wide), matcher(&format!("{wide}/**"))) else { return false };
    let examples = examples(&narrow);
    !examples.is_empty() && examples.iter().all(|path| itself.is_match(path) || below.is_match(path))
}

/// Variables and regular expressions, of which only a run or another reader can tell what they match.
fn is_opaque(pattern: &str) -> bool {
    pattern.contains(['$', '(', '|', '\\', '^', '!'])
}

/// Paths that a pattern stands for; none where there are too many.
fn examples(pattern: &str) -> Vec<String> {
    let mut open = vec![pattern.to_owned()];
    let mut found = Vec::new();
    while let Some(text) = open.pop() {
        if open.len() + found.len() >= MAX_EXAMPLES {
            return Vec::new();
        }
        match choice(&text) {
            Some(choices) => open.extend(choices),
            None => found.push(text),
        }
    }
    found
}

/// The first part of a pattern that can be written in more than one way, written in each of them.
fn choice(text: &str) -> Option<Vec<String>> {
    if let Some((before, rest)) = text.split_once("**/") {
        return Some(vec![format!("{before}{rest}"), format!("{before}zq/zr/{rest}")]);
    }
    let at = text.find(['*', '?', '[', '{'])?;
    let (before, rest) = text.split_at(at);
    let inside = |close: char| rest[1..].split_once(close);
    match rest.as_bytes()[0] {
        b'{' => {
            let (parts, rest) = inside('}')?;
            let parts = parts.split(',').take(MAX_EXAMPLES + 1);
            Some(parts.map(|part| format!("{before}{part}{rest}")).collect())
        }
        b'[' => {
            let (parts, rest) = inside(']')?;
            let letters = parts.chars().filter(|c| c.is_alphanumeric()).take(MAX_EXAMPLES + 1);
            Some(letters.map(|c| format!("{before}{c}{rest}")).collect())
        }
        b'?' => Some(vec![format!("{before}z{}", &rest[1..])]),
        _ => Some(vec![format!("{before}zq{}", rest.trim_start_matches('*'))]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wider_patterns_cover_narrower_ones() {
        for (wide, narrow, expected) in [
            ("tests", "tests/unit", true),
            ("tests/unit", "tests", false),
            ("tests", "tests2", false),
            ("tests/", "<rootDir>/tests/**", true),
            ("tests/test_a.py", "tests/test_a.py::test_b", true),
            ("src/**/*.test.ts", "src/unit/**/*.test.ts", true),
            ("src/unit/**/*.test.ts", "src/**/*.test.ts", false),
            ("**/*.test.{ts,tsx}", "**/*.test.ts", true),
            ("**/*.test.ts", "**/*.test.{ts,tsx}", false),
            ("**/*.test.[jt]s", "**/*.test.ts", true),
            ("test_*.py", "test_smoke_*.py", true),
            ("**", "pkg", true),
            ("$A", "tests", false),
            ("a(b|c)", "ab", false),
        ] {
            assert_eq!(covers(wide, narrow), expected, "{wide} {narrow}");
        }
    }

    #[test]
    fn patterns_that_no_person_writes_cover_only_themselves() {
        let many = format!("{{{}}}{}", ",".repeat(120_000), "x".repeat(120_000));
        assert!(covers(&many, &many));
        assert!(!covers("*x", &many));
        assert!(!covers(&many, "x"));
        assert!(!covers("a*", &format!("a{{{}}}", "b,".repeat(300))));
        assert!(covers("a*", &format!("a{{{}b}}", "b,".repeat(30))));
    }

    proptest! {
        #[test]
        fn every_pattern_covers_itself(text in r"[a*?\[\]{},/.!$é]{0,20}", other in r"[a*?\[\]{},/.é]{0,20}") {
            prop_assert!(covers(&text, &text));
            covers(&text, &other);
        }
    }
}
