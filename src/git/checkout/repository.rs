//! The repository inside of a throw-away checkout: enough for `git status`, `git describe` and the like, and apart
//! from the real one, whose objects it borrows.
//!
//! It is written by hand, not by `git init`: no template adds hooks to it, and it has the same form with every git.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::git::object::ObjectId;
use crate::git::repository::Repository;
use crate::platform::path_to_bytes;

/// Settings of the real repository by which git reads and writes the files of a working tree.
const KEPT: [&str; 8] = [
    "core.autocrlf",
    "core.attributesfile",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.symlinks",
];

pub fn write(real: &Repository, head: Option<&ObjectId>, root: &Path) -> Result<()> {
    let place = root.join(".git");
    for folder in ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"] {
        let folder = place.join(folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let store = |name: &str, content: &[u8]| {
        let file = place.join(name);
        std::fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))
    };
    store("HEAD", head_line(real, head)?.as_bytes())?;
    store("config", config(real)?.as_bytes())?;
    store("packed-refs", &references(real)?)?;
    store("objects/info/alternates", &alternates(real)?)?;
    for name in ["shallow", "info/exclude", "info/attributes"] {
        if let Ok(content) = std::fs::read(real.common_dir().join(name)) {
            store(name, &content)?;
        }
    }
    Ok(())
}

/// On the same branch where the commit is the one that is checked out, also before the first commit.
fn head_line(real: &Repository, head: Option<&ObjectId>) -> Result<String> {
    let branch = real.git().line(&["symbolic-ref", "--quiet", "HEAD"]);
    Ok(match (branch, head) {
        (Some(branch), head) if real.head()?.as_ref() == head => format!("ref: {branch}\n"),
        (_, Some(head)) => format!("{head}\n"),
        (_, None) => "ref: refs/heads/main\n".to_owned(),
    })
}

fn references(real: &Repository) -> Result<Vec<u8>> {
    let format = "--format=%(objectname) %(refname)";
    let mut listed = b"# pack-refs with: sorted \n".to_vec();
    listed.extend(real.git().output(&["for-each-ref", format, "refs/heads", "refs/remotes", "refs/tags"])?);
    Ok(listed)
}

/// Where git finds objects: one path on a line, quoted where it would not be read back.
fn alternates(real: &Repository) -> Result<Vec<u8>> {
    let mut places: Vec<PathBuf> = vec![real.common_dir().join("objects")];
    places.extend(std::env::var_os("GIT_OBJECT_DIRECTORY").map(PathBuf::from));
    let mut lines = Vec::new();
    for place in places {
        let path = path_to_bytes(&std::path::absolute(place)?);
        if path.iter().any(|&byte| byte.is_ascii_control() || byte == b'"' || byte == b'\\') {
            let octal = |&byte: &u8| format!("\\{byte:03o}");
            lines.extend(format!("\"{}\"", path.iter().map(octal).collect::<String>()).into_bytes());
        } else {
            lines.extend(path);
        }
        lines.push(b'\n');
    }
    Ok(lines)
}

fn config(real: &Repository) -> Result<String> {
    let sha256 = real.git().line(&["rev-parse", "--show-object-format"]).as_deref() == Some("sha256");
    let listed = real.git().output(&["config", "--list", "-z", "--show-scope"])?;
    let own = own_settings(&String::from_utf8_lossy(&listed));
    let promisors = promisors(&own);
    let version = if sha256 || !promisors.is_empty() { "1" } else { "0" };
    let mut text = String::new();
    let mut set = |key: &str, value: &str| text.push_str(&setting(key, value));
    set("core.repositoryformatversion", version);
    set("core.bare", "false");
    if sha256 {
        set("extensions.objectformat", "sha256");
    }
    for (key, value) in &own {
        if KEPT.contains(&key.as_str()) || key.starts_with("filter.") || key.starts_with("user.") {
            set(key, value);
        }
    }
    // Objects that a partial clone left out are fetched when they are asked for. Nothing is pushed from here.
    for remote in promisors {
        let prefix = format!("remote.{remote}.");
        for (key, value) in own.iter().filter(|(key, _)| key.starts_with(&prefix)) {
            if matches!(&key[prefix.len()..], "url" | "partialclonefilter") {
                set(key, value);
            }
        }
        set(&format!("{prefix}promisor"), "true");
        set(&format!("{prefix}pushurl"), "/dev/null");
    }
    Ok(text)
}

/// The remotes from which a partial clone fetches what it left out, by the newer and by the older setting.
fn promisors(own: &[(String, String)]) -> Vec<&str> {
    let named = own.iter().filter_map(|(key, value)| match key.as_str() {
        "extensions.partialclone" => Some(value.as_str()),
        key => key.strip_prefix("remote.")?.strip_suffix(".promisor").filter(|_| value == "true"),
    });
    let mut remotes: Vec<&str> = named.collect();
    remotes.sort_unstable();
    remotes.dedup();
    remotes
}

/// What is set in the repository itself, of `config --list -z --show-scope`: `<scope>\0<key>\n<value>\0`.
fn own_settings(listed: &str) -> Vec<(String, String)> {
    let mut fields = listed.split('\0');
    let mut own = Vec::new();
    while let (Some(scope), Some(setting)) = (fields.next(), fields.next()) {
        if matches!(scope, "local" | "worktree") {
            let (key, value) = setting.split_once('\n').unwrap_or((setting, "true"));
            own.push((key.to_owned(), value.to_owned()));
        }
    }
    own
}

/// One setting in the form of a configuration file.
fn setting(key: &str, value: &str) -> String {
    let (section, name) = key.rsplit_once('.').unwrap_or(("core", key));
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let heading = match section.split_once('.') {
        Some((section, sub)) => format!("[{section} \"{}\"]", sub.replace('\\', "\\\\").replace('"', "\\\"")),
        None => format!("[{section}]"),
    };
    format!("{heading}\n\t{name} = \"{}\"\n", quoted(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_as_git_reads_them() {
        assert_eq!(setting("core.eol", "lf"), "[core]\n\teol = \"lf\"\n");
        assert_eq!(
            setting("filter.a.b.clean", "sed \"s/\\t/ /\""),
            "[filter \"a.b\"]\n\tclean = \"sed \\\"s/\\\\t/ /\\\"\"\n"
        );
    }

    #[test]
    fn only_the_repositorys_own_settings_are_taken() {
        let listed = "global\0user.name\nA\0local\0core.eol\nlf\0worktree\0core.filemode\0command\0x.y\nz\0";
        let own = own_settings(listed);
        let expected = [("core.eol", "lf"), ("core.filemode", "true")];
        assert_eq!(own, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
