//! The variables by which git tells its children what they work on.

use std::sync::OnceLock;

use super::program::Git;

impl Git {
    /// Names of the variables that belong to one repository or one git command. A program that works on something
    /// else must not see them.
    pub fn local_variables() -> &'static [String] {
        static NAMES: OnceLock<Vec<String>> = OnceLock::new();
        NAMES.get_or_init(|| {
            let mut names: Vec<String> = KNOWN.map(str::to_owned).to_vec();
            // A newer git may know more of them.
            let asked = Self::at(".").output(&["rev-parse", "--local-env-vars"]).unwrap_or_default();
            names.extend(String::from_utf8_lossy(&asked).lines().map(str::to_owned));
            names.sort();
            names.dedup();
            names
        })
    }
}

/// What git 2.47 prints, so that nothing depends on an answer of git.
const KNOWN: [&str; 15] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_itself_prints_is_in_the_list() {
        let printed = Git::at(".").output(&["rev-parse", "--local-env-vars"]).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        assert!(printed.lines().count() >= 10);
        for name in printed.lines().chain(KNOWN) {
            assert!(Git::local_variables().iter().any(|known| known == name), "{name}");
        }
    }
}
