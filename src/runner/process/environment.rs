//! Which variables a child must not see: those by which git tells a hook what is being committed.
//!
//! A test that calls git would otherwise work on the repository of the commit. What a person exports for git in
//! general (`GIT_SSH_COMMAND`, `GIT_CONFIG_GLOBAL`, `GIT_AUTHOR_NAME`) stays.

use crate::git::Git;

/// Set by git for its hooks or by an option of one git command, and not in `git rev-parse --local-env-vars`.
const LEFTOVERS: [&str; 17] = [
    "GIT_ATTR_SOURCE",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_DATE",
    "GIT_EDITOR",
    "GIT_EXEC_PATH",
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_MERGE_AUTOEDIT",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_PAGER_IN_USE",
    "GIT_QUARANTINE_PATH",
    "GIT_REFLOG_ACTION",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SUPER_PREFIX",
    "GIT_TEMPLATE_DIR",
];

const NUMBERED: [&str; 4] = ["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_PUSH_OPTION_", "GIT_INTERNAL_"];

/// Whether a variable says something about one git command.
pub fn is_gits_own(name: &str) -> bool {
    // Most variables are none of git's: no list has to be asked for them.
    name.starts_with("GIT")
        && (LEFTOVERS.contains(&name)
            || NUMBERED.iter().any(|prefix| name.starts_with(prefix))
            || Git::local_variables().iter().any(|known| known == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_repository_goes() {
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"] {
            assert!(is_gits_own(name), "{name}");
        }
        for name in ["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_12"] {
            assert!(is_gits_own(name), "{name}");
        }
        for name in ["GIT_EDITOR", "GIT_AUTHOR_DATE", "GIT_EXEC_PATH", "GIT_REFLOG_ACTION"] {
            assert!(is_gits_own(name), "{name}");
        }
    }

    #[test]
    fn what_a_person_exports_stays() {
        for name in ["GIT_SSH", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_ASKPASS"]
        {
            assert!(!is_gits_own(name), "{name}");
        }
        for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_EMAIL", "GIT_TERMINAL_PROMPT", "GITHUB_TOKEN", "PATH"]
        {
            assert!(!is_gits_own(name), "{name}");
        }
    }
}
