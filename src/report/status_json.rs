//! The JSON of `status`, version 1. Fields may be added, never renamed or dropped.

use serde::Serialize;

use crate::hooks::{HookReport, State};
use crate::ledger::Entry;
use crate::proof::SuiteProof;
use crate::runner::{Origin, Suite};
use crate::status::Status;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    hooks: Hooks<'a>,
    policy: Policy<'a>,
    suites: Vec<SuiteJson<'a>>,
    /// Null where it cannot be told.
    proofs: Option<Vec<Proof<'a>>>,
    memory: Memory<'a>,
    commits: Vec<Commit<'a>>,
    problems: Vec<Problem<'a>>,
}

#[derive(Serialize)]
struct Hooks<'a> {
    directory: String,
    installed: Vec<Hook<'a>>,
}

#[derive(Serialize)]
struct Hook<'a> {
    name: &'a str,
    state: &'a str,
    program: Option<String>,
    keeps_existing: bool,
}

#[derive(Serialize)]
struct Policy<'a> {
    profile: &'a str,
    from_file: bool,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct SuiteJson<'a> {
    name: &'a str,
    command: String,
    framework: &'a str,
    directory: &'a str,
    required: &'a str,
    found: bool,
}

#[derive(Serialize)]
struct Proof<'a> {
    suite: &'a str,
    status: &'a str,
    explanation: &'a str,
    details: &'a [String],
    next: Option<&'a str>,
}

#[derive(Serialize)]
struct Memory<'a> {
    sessions: usize,
    unreadable: &'a [String],
}

#[derive(Serialize)]
struct Commit<'a> {
    commit: &'a str,
    subject: &'a str,
    /// Null where the commit was never judged.
    verdict: Option<&'a Entry>,
}

#[derive(Serialize)]
struct Problem<'a> {
    message: &'a str,
    repair: &'a str,
}

pub fn render(status: &Status) -> serde_json::Result<String> {
    let document = Document {
        version: 1,
        hooks: Hooks {
            directory: status.installation.directory.display().to_string(),
            installed: status.installation.hooks.iter().map(hook).collect(),
        },
        policy: Policy {
            profile: status.policy.policy.profile.name(),
            from_file: status.policy.from_file,
            error: status.policy.error.as_deref(),
        },
        suites: status.suites.iter().map(suite).collect(),
        proofs: status.proofs.as_ref().ok().map(|proofs| proofs.iter().map(proof).collect()),
        memory: Memory { sessions: status.memory.sessions, unreadable: &status.memory.unreadable },
        commits: status
            .recent
            .iter()
            .map(|(commit, entry)| Commit {
                commit: commit.id.as_str(),
                subject: &commit.subject,
                verdict: entry.as_ref(),
            })
            .collect(),
        problems: status
            .problems
            .iter()
            .map(|problem| Problem { message: &problem.message, repair: &problem.repair })
            .collect(),
    };
    super::json::pretty(&document)
}

fn suite(suite: &Suite) -> SuiteJson<'_> {
    SuiteJson {
        name: &suite.name,
        command: suite.command.to_string(),
        framework: suite.framework.name(),
        directory: &suite.directory,
        required: suite.required.name(),
        found: suite.origin == Origin::Found,
    }
}

fn proof(proof: &SuiteProof) -> Proof<'_> {
    Proof {
        suite: &proof.suite,
        status: proof.status.name(),
        explanation: &proof.explanation,
        details: &proof.details,
        next: proof.next.as_deref(),
    }
}

fn hook(report: &HookReport) -> Hook<'_> {
    let state = match report.state {
        State::Ours { .. } => "installed",
        State::Outdated { .. } => "outdated",
        State::NotExecutable => "not_executable",
        State::Edited => "edited",
        State::Foreign => "foreign",
        State::Absent => "absent",
    };
    let program = report.state.binary_found().flatten().map(|path| path.display().to_string());
    Hook { name: report.hook.name, state, program, keeps_existing: report.keeps_existing }
}
