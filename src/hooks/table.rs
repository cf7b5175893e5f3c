//! The hooks that git runs from a hooks directory, and what the gate does in each: data only.

/// What becomes of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs the gate; without the program nothing may be committed.
    Blocks,
    /// Runs the gate; without the program it says so and lets git go on.
    Reports,
    /// Installed, but runs only the hook that was there before.
    Passes,
    /// Not the gate's. Passed on where installing would otherwise switch it off.
    Other,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Hook {
    pub name: &'static str,
    pub role: Role,
    /// Whether git writes to the hook's standard input what the gate reads.
    pub reads_stdin: bool,
}

impl Hook {
    pub fn is_installed(&self) -> bool {
        self.role != Role::Other
    }

    pub fn runs_gate(&self) -> bool {
        matches!(self.role, Role::Blocks | Role::Reports)
    }

    /// The role in the words of the shim.
    pub(super) fn role_word(&self) -> &'static str {
        match self.role {
            Role::Blocks => "blocks",
            Role::Reports => "reports",
            Role::Passes | Role::Other => "passes",
        }
    }
}

const fn gate(name: &'static str, role: Role) -> Hook {
    Hook { name, role, reads_stdin: false }
}

const fn other(name: &'static str) -> Hook {
    Hook { name, role: Role::Other, reads_stdin: false }
}

/// `fsmonitor-watchman` is missing on purpose: git finds it by `core.fsmonitor`, not by its place.
pub static HOOKS: &[Hook] = &[
    gate("pre-commit", Role::Blocks),
    gate("pre-merge-commit", Role::Blocks),
    gate("commit-msg", Role::Passes),
    gate("post-commit", Role::Reports),
    Hook { name: "pre-push", role: Role::Reports, reads_stdin: true },
    other("applypatch-msg"),
    other("p4-changelist"),
    other("p4-post-changelist"),
    other("p4-pre-submit"),
    other("p4-prepare-changelist"),
    other("post-applypatch"),
    other("post-checkout"),
    other("post-index-change"),
    other("post-merge"),
    other("post-receive"),
    other("post-rewrite"),
    other("post-update"),
    other("pre-applypatch"),
    other("pre-auto-gc"),
    other("pre-rebase"),
    other("pre-receive"),
    other("prepare-commit-msg"),
    other("proc-receive"),
    other("push-to-checkout"),
    other("reference-transaction"),
    other("sendemail-validate"),
    other("update"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = HOOKS.iter().map(|hook| hook.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), HOOKS.len());
    }

    #[test]
    fn every_hook_that_can_refuse_a_commit_needs_the_program() {
        let blocking = HOOKS.iter().filter(|hook| hook.role == Role::Blocks).map(|hook| hook.name);
        assert_eq!(blocking.collect::<Vec<_>>(), ["pre-commit", "pre-merge-commit"]);
    }
}
