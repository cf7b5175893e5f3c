//! Globs of the policy: which ones are allowed and what they match.
//!
//! As in a `.gitignore`: without a slash a glob matches file names at any depth, with one it starts at the root,
//! and `folder/` stands for everything below the folder. `*` and `?` never match a slash, `**` does. There is no
//! negation: a list says what belongs, and lists have an order of their own.

use globset::{Glob, GlobBuilder};

/// Longer globs are a mistake, and cost memory for nothing.
const MAX_BYTES: usize = 1024;

/// The glob ready to match whole paths, or a sentence that says what to write instead.
pub fn compile(pattern: &str) -> Result<Glob, String> {
    if pattern.is_empty() {
        return Err("an empty glob matches nothing: write one such as \"tests/**\", or leave it out".into());
    }
    if pattern.len() > MAX_BYTES {
        return Err(format!("a glob of {} bytes is too long: {MAX_BYTES} is the limit", pattern.len()));
    }
    if pattern.starts_with('!') {
        return Err(format!("`{pattern}`: globs are not negated here: list what belongs, without `!`"));
    }
    if pattern.chars().any(char::is_control) {
        return Err("a glob is one line of text without control characters".into());
    }
    let rooted = pattern.strip_prefix("./").unwrap_or(pattern);
    let whole = expand(rooted);
    let built = GlobBuilder::new(&whole).literal_separator(true).backslash_escape(true).build();
    built.map_err(|error| {
        format!("`{pattern}` is not a glob: {}; write one such as \"tests/**\"", error.kind())
    })
}

/// The glob that says the same about whole paths from the root.
fn expand(pattern: &str) -> String {
    let folder = pattern.ends_with('/');
    let anchored = pattern.trim_end_matches('/').contains('/');
    let body = pattern.trim_start_matches('/');
    match (anchored, folder) {
        (true, true) => format!("{body}**"),
        (true, false) => body.to_owned(),
        (false, true) => format!("**/{body}**"),
        (false, false) => format!("**/{body}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        compile(pattern).expect(pattern).compile_matcher().is_match(path)
    }

    #[test]
    fn globs_match_as_in_a_gitignore() {
        for (pattern, path) in [
            ("*.snap", "a/b/c.snap"),
            ("*.snap", "c.snap"),
            ("/top.py", "top.py"),
            ("handbook/**", "handbook/a/b.html"),
            ("handbook/", "handbook/a/b.html"),
            ("generated/", "src/generated/a.ts"),
            ("src/**/x.rs", "src/x.rs"),
            ("./src/*.rs", "src/a.rs"),
            ("{a,b}/*.py", "b/c.py"),
        ] {
            assert!(matches(pattern, path), "{pattern} on {path}");
        }
    }

    #[test]
    fn quiet_where_a_glob_merely_resembles_the_path() {
        for (pattern, path) in [
            ("/top.py", "a/top.py"),
            ("handbook/**", "docs/handbook/a.md"),
            ("handbook/**", "handbook"),
            ("src/*.rs", "src/a/b.rs"),
            ("generated/", "src/generated.ts"),
            ("tests/**", "latests/a.py"),
        ] {
            assert!(!matches(pattern, path), "{pattern} on {path}");
        }
    }

    #[test]
    fn bad_globs_say_what_to_write() {
        for pattern in ["", "!src/**", "a[", "a{b", "a\nb", &"x".repeat(2000)] {
            assert!(compile(pattern).is_err(), "{pattern:?}");
        }
        assert!(compile("a[").unwrap_err().contains("`a[` is not a glob"));
    }
}
