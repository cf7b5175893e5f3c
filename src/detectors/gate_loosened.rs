//! # gate-loosened (GP-103)
//!
//! The gate itself became easier to pass. A step that runs tests or checks was removed, commented out, told to go on
//! when it fails, or its exit status is lost: `|| true`, a pipe, `&`, `if`, `!`, `set +e`. A list of tests to ignore
//! grew, or what is run shrank to a folder, a file or a name, or another list no longer reaches tests that are still there. What a check insisted on went: `-D warnings`,
//! `--max-warnings`, `--strict`, `-race`. A part of a build is skipped by name: `-DskipSlowITs`, `checkstyle.skip`. A
//! system or the newest version left the matrix, an entry the list that a test script goes through, a check the targets
//! that `make check` waits for. Tests are run again until they pass (`--reruns`), or one run overrides `xfail_strict`.
//! A condition now leaves out a system, pull requests or the queue, or waits for a variable; a job with
//! tests of its own went, or one that gave them a variable or a service of its own, or no workflow lists it. A matrix
//! lost a version from its middle or its end, or leaves out a combination it had; a list of environments got shorter. A
//! linter is told to pass over more, or takes an error for a warning; a plugin of the build that checks went; a lint is
//! no longer denied for a crate; a warning that failed the tests is hidden; an agent has fewer hooks. Pull requests or
//! the clock no longer start a workflow, or nothing can read it any more. A switch such as `testFailureIgnore` was
//! turned; an advisory is passed over; a git hook went; this gate is no longer called by CI, hooks or an agent; or its
//! policy was weakened. Steps and jobs whose program is unknown count by their names. Lines that are put into a
//! comment, commands that pass whatever happens, options such as `--no-verify`, an early `exit 0`, a branch that ended a
//! script badly and only says something now, and a file that was given a name which nothing reads are found whatever
//! the program is. A feature of cargo's, a tag of Go's, a profile or a further task that no command builds and tests any
//! more counts as well, and so does a row that may fail in the place of one that might not. So do a command of a pipeline
//! that runs less than the target it stands for, a part of a build of Maven that goes while its tests stay, what stands
//! behind `true ||`, and attributes that hide tests which are there: those would change unseen.
//!
//! Keys of checkers are read by their words: a list of what is ignored grew, a list of what is looked at shrank, a
//! ceiling rose or a floor fell, a switch that makes a check went, an error became a warning. A browser, a launcher or a
//! project left the settings of a runner; a rule is off for more files; a milder set of rules is taken over; a script
//! lost a command, or a server calls one that runs less; a job that publishes no longer waits for the tests; a stage of
//! checks got a condition.
//!
//! Looked at are workflows (GitHub, GitLab, Travis, Azure, CircleCI, AppVeyor, Jenkins), package scripts, make and just
//! targets, shell scripts, the settings of pytest, tox, nox, jest, vitest, mocha, karma, cargo, nextest, Maven and
//! Gradle, `conftest.py`, `TestMain`, `load_tests`, hook managers, `tsconfig.json`, ESLint, ruff, pylint, mypy,
//! pyright, golangci-lint, yamllint, biome, stylelint, commitlint, markdownlint, hadolint, RuboCop, PHPStan, detekt,
//! SwiftLint, clippy, bandit, Error Prone, revapi, japicmp, `-Werror` in CMake, size limits of bundles,
//! `.eslintignore`, the rule files of Checkstyle, PMD and SpotBugs, build scripts (`Makefile.js`, gulp, grunt),
//! `deny.toml`, the audits of npm, pnpm and yarn, the suppressions of OWASP, Trivy, Grype and Snyk, the hooks of coding
//! agents, settings in the code (`#![deny]`, `# mypy:`), `.gitattributes` and `aiwg-gate.yaml`; and where tests
//! are moved to: a name or a place that pytest, Maven, cargo, vitest, jest or mocha does not take.
//!
//! Severity: critical for the policy and hooks, high for what surely stops a check, medium where a reason is likely, for
//! what linters no longer say, and for what is told by the text alone.
//!
//! Where nothing of the kind is seen, and the message of the commit says that a check is left out (`disable the ARM job`),
//! what changes there is a warning.
//!
//! ## Why it matters
//!
//! No test has to change for the run to turn green: it is enough that nobody runs it, or that nobody asks how it
//! ended. Everything behind the gate loses its worth at once.
//!
//! ## Example
//!
//! ```yaml
//! # before                                  # after
//! - run: cargo miri test                    - run: cargo miri test
//!                                             continue-on-error: true
//! ```
//!
//! ## What is not reported
//!
//! - tightening, and edits that have nothing to do with what is checked
//! - scripts that keep a failure for their end, and features that another command still tests, or that are gone
//! - steps that check nothing: uploads, caches, clean-ups, comments, deployments
//! - a step that may fail while a later one asks how it ended, and fails the run by it
//! - a check that moved to another job, file or script, or was replaced by another of its kind
//! - a workflow that goes while another one still has its checks
//! - new steps and new rows of a matrix, also those that may fail; the oldest versions that leave a matrix, and versions
//!   that others take the place of (those that go are logged)
//! - conditions that keep a job to one repository, or a pull request from running twice
//! - rules that linters pass over while they are told to look at more, and what is generated or no code
//! - strictness that is written elsewhere in the change, on the command line, in a variable or in a file
//! - what is left out because it is generated, vendored, or no test at all, and folders that the repository does not have
//! - tests that are split over more commands, and commands beside one that still runs everything
//! - conditions that only a run can tell, and filters of paths and branches that keep code and main branches
//! - lengths of lines, words of spell checkers, licences and double versions of what is depended on
//! - switches that go with another version of their tool, and rules that are off for tests alone
//! - a pipe that fails with its first command: `shell: bash`, `set -o pipefail`, GitLab
//!
//! ## What to do
//!
//! Take the change back and make the check pass. If a check has to rest, say so in a commit of its own, with the
//! issue that brings it back, and waive the finding.

mod broken;
mod checks;
mod gone;
mod hooks;
mod inner;
mod jobs;
mod judging;
mod linted;
mod mains;
mod matching;
mod measured;
mod moved;
mod narrower_scripts;
mod out_of_sight;
mod policy;
mod refusals;
mod rows;
mod settings;
mod shadow;
mod silenced;
mod steps;
mod triggers;
mod undone;
mod ungated;
mod unreached_tests;

use super::ground::{Pool, pairs};
use super::table;
use crate::comparison::Comparison;
use crate::finding::{Finding, FindingType, RuleId};

pub use matching::Matched;
pub use measured::detect as measured;

pub const ID: RuleId = table::id("gate-loosened", "GP-103", FindingType::ValidationBypass);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let pairs = pairs(comparison);
    let mut findings = shadow::detect(comparison);
    findings.extend(mains::detect(comparison));
    findings.extend(moved::detect(comparison));
    findings.extend(inner::detect(comparison, &pairs));
    if pairs.is_empty() {
        return findings;
    }
    let pool = Pool::new(comparison, &pairs);
    findings.extend(checks::detect(comparison, &pairs, &pool));
    findings.extend(broken::detect(&pairs));
    findings.extend(narrower_scripts::detect(&pairs, &pool));
    findings.extend(triggers::detect(&pairs));
    // A row that is gone with its check is told by the check.
    let is_told = |row: &Finding| findings.iter().any(|one| (&one.path, one.line) == (&row.path, row.line));
    let of_settings: Vec<Finding> =
        settings::detect(&pairs, &pool).into_iter().filter(|row| !is_told(row)).collect();
    findings.extend(of_settings);
    let replaced = unreached_tests::detect(&pairs, &findings);
    findings.extend(replaced);
    findings.extend(hooks::detect(comparison, &pairs));
    findings.extend(policy::detect(comparison));
    findings.extend(out_of_sight::detect(comparison));
    let more = silenced::detect(&pairs, &findings);
    findings.extend(more);
    findings
}
