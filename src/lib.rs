//! aiwg-gate: did a change get to green by weakening the checks, and has anyone run exactly this?
//!
//! # The flow
//!
//! ```text
//! git commit -> hooks/shim.sh -> aiwg-gate hook pre-commit
//!   GATHER      git: the change as two sides of each file; policy: from the base side
//!   UNDERSTAND  languages: each side of each file as facts; pairing: what became of each test
//!   DETECT      detectors: compare facts, give findings                                (pure)
//!   PROVE       proof: which recorded run, if any, ran exactly this content
//!   JUDGE       verdict: policy, findings, waivers and proofs give a report with a verdict (pure)
//!   TELL        report: prints it; ledger: keeps the verdict, binds it to the commit
//! -> exit status
//!
//! aiwg-gate run
//!   CHOOSE      run: the suites that the change touches; git: a snapshot of what is tested
//!   RUN         runner: a child in its own process group, its report, results test by test
//!   RECORD      memory: the attempt in its session, with what makes it evidence
//! -> exit status
//! ```
//!
//! [`gate`] is the first flow, [`run`] the second. *Facts in the middle*: languages produce [`facts`], detectors compare them, neither knows
//! the other. The core is pure; git, files, environment and terminal stay at the edge.
//!
//! # The map
//!
//! | module | owns |
//! | --- | --- |
//! | [`agent`] | which coding agent is running |
//! | [`cli`] | arguments and one function per command; no domain logic |
//! | [`git`] | the only user of git2 and of the git program: change sets, objects, attributes, notes |
//! | [`languages`] | the only user of tree-sitter: one folder and one row per language |
//! | [`facts`], [`similarity`] | what a side of a file says; how alike two bodies are |
//! | [`pairing`], [`assertions`] | what became of each test, and of each of its assertions |
//! | [`intent`] | what the message of a commit says that it does |
//! | [`comparison`] | both sides of a change as the detectors see them |
//! | [`detectors`], [`finding`] | one file and one row per rule; what a rule reports |
//! | [`paths`], [`policy`] | classes of paths; the policy file, profiles, project rules, waivers, decisions, edits that keep comments |
//! | [`project`] | workflows, scripts, runner, coverage and hook configuration as facts |
//! | [`runner`] | suites, process control, throw-away checkouts; one file and one row per framework and per ecosystem |
//! | [`proof`] | what a recorded run is worth for a content, and why not |
//! | [`memory`] | debug memory: sessions in files, index, queries, learning, escalation, retention |
//! | [`verdict`] | from findings and proofs to a decision |
//! | [`gate`], [`run`], [`inventory`], [`status`] | the flows behind `check`, `hook`, `waive`, `run`, `tests` and `status` |
//! | [`audit`] | the flow over past commits: many at once, in the order of `git log`, with what is known kept on disk |
//! | [`ledger`] | verdicts that wait for their commit, and notes on commits |
//! | [`hooks`] | installing into and leaving the git hooks of a repository without a trace |
//! | [`report`] | one file per output format; JSON types of their own |
//! | [`demo`] | the scenes of `aiwg-gate demo` |
//! | [`files`], [`digest`] | files replaced whole under locks; the one user of the hash |
//! | [`collections`] | maps and sets with a fast hash |
//! | [`faults`] | mistakes of this program: panics as errors |
//! | [`exit_status`], [`text`], [`platform`] | exit codes; safe printing; what differs between systems |
//! | [`shell`] | command lines as a shell splits them |
//!
//! # The words
//!
//! - **side**: before or after the change.
//! - **fact**: something read off one side of one file: a test, a skip, an assertion, a definition.
//! - **pair**: a test of the before side and what became of it.
//! - **intent**: what the author says that the change does. **Admission**: a finding that rests on that.
//! - **finding**: what a rule found, with severity and confidence.
//! - **waiver**: one finding that a person accepts, with a reason and an end. **Decision**: the record of that.
//! - **suite**: tests that are run by one command, and the files that decide how they end.
//! - **run**: one execution of a suite. **Attempt**: a run on record. **Session**: the attempts of one bug hunt.
//! - **proof**: a run on record that had exactly the content in question, and passed.
//! - **verdict**: pass, warn or block. **Report**: the verdict and everything that led to it.

pub mod agent;
pub mod assertions;
pub mod audit;
pub mod cli;
pub mod collections;
pub mod comparison;
pub mod demo;
pub mod detectors;
pub mod digest;
pub mod exit_status;
pub mod facts;
pub mod faults;
pub mod files;
pub mod finding;
pub mod gate;
pub mod git;
pub mod hooks;
pub mod intent;
pub mod inventory;
pub mod languages;
pub mod ledger;
pub mod memory;
pub mod pairing;
pub mod paths;
pub mod platform;
pub mod policy;
pub mod project;
pub mod proof;
pub mod report;
pub mod run;
pub mod runner;
pub mod shell;
pub mod similarity;
pub mod status;
pub mod text;
pub mod verdict;
