//! Folders that a policy names: always below the root of the repository, never git's own.

/// Longer paths are a mistake.
const MAX_BYTES: usize = 1024;

/// The folder from the root, with `/` between its parts and none at the end; empty for the root itself.
pub fn read(text: &str) -> Result<String, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("a path of {} bytes is too long: {MAX_BYTES} is the limit", text.len()));
    }
    if text.chars().any(char::is_control) {
        return Err("a folder is one line of text without control characters".into());
    }
    if text.contains('\\') {
        return Err(format!("`{text}`: write folders with `/` between their names"));
    }
    let drive = text.as_bytes().get(1) == Some(&b':');
    if text.starts_with(['/', '~']) || drive {
        return Err(format!(
            "`{text}` is not below the repository: write it from the root, as in `packages/api`"
        ));
    }
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err(format!(
            "`{text}` leads upwards: write it from the root of the repository, without `..`"
        ));
    }
    if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
        return Err(format!("`{text}` is git's own folder: name another one"));
    }
    Ok(parts.join("/"))
}

/// A folder that a checkout borrows: a plain name, or a path from the root.
pub fn read_link(text: &str) -> Result<String, String> {
    if text.contains(['*', '?', '[', '{']) {
        return Err(format!(
            "`{text}`: links are names of folders, not globs: write one such as `node_modules`"
        ));
    }
    match read(text)? {
        folder if folder.is_empty() => Err("the root itself cannot be linked: name a folder below it".into()),
        folder => Ok(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_read_from_the_root() {
        for (text, folder) in
            [("api", "api"), ("./api/", "api"), ("a//b", "a/b"), (".", ""), ("", ""), ("a..b", "a..b")]
        {
            assert_eq!(read(text), Ok(folder.to_owned()), "{text}");
        }
    }

    #[test]
    fn nothing_leads_out_of_the_repository() {
        for text in ["/etc", "..", "a/../b", "~/x", "C:/x", "a\\b", ".git", "a/.GIT/hooks", "a\nb"] {
            assert!(read(text).is_err(), "{text}");
            assert!(read_link(text).is_err(), "{text}");
        }
        assert!(read(&"a".repeat(2000)).unwrap_err().contains("too long"));
    }

    #[test]
    fn links_are_names_and_no_globs() {
        assert_eq!(read_link("packages/app/node_modules/"), Ok("packages/app/node_modules".into()));
        for text in [".", "", "*.egg-info", "a?"] {
            assert!(read_link(text).is_err(), "{text}");
        }
    }
}
