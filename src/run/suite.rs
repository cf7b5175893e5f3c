//! Runs one suite: from its command to results.

use std::path::Path;

use anyhow::{Context, Result};

use super::selecting::selecting;
use crate::policy::Framework;
use crate::runner::{
    Adapter, CommandLine, Ended, Launch, Machine, Plan, Report, Request, Resolved, Results, Suite, Watcher,
    adapter, recognize, resolve, run,
};

/// A suite that has run.
pub struct Finished {
    /// What was asked for, without what is added for the report.
    pub command: CommandLine,
    /// Whether that is the suite's own.
    pub own_command: bool,
    /// Whether it was a test runner that told the results: the command is one, or our report was written.
    pub told_by_runner: bool,
    pub framework: Framework,
    /// Variables that were set and choose among tests.
    pub selecting: Vec<&'static str>,
    pub ended: Ended,
    /// Why the results could not be read, in words.
    pub results: Result<Results, String>,
    /// Whether results may be missing: only the output told them, and its middle was left out.
    pub results_cut: bool,
}

/// What is about to run.
pub struct Prepared<'a> {
    suite: &'a Suite,
    root: &'a Path,
    /// What was asked for.
    command: CommandLine,
    /// What that is on this machine.
    resolved: CommandLine,
    own_command: bool,
    /// Whether the command is the suite's own or one that is known to run tests.
    is_runner: bool,
    framework: Framework,
    /// Where something else runs than the suite names: what, and why.
    pub note: Option<String>,
}

impl<'a> Prepared<'a> {
    /// `given` stands in place of the suite's own command.
    pub fn new(suite: &'a Suite, given: Option<&[String]>, root: &'a Path) -> Result<Self> {
        let given = given.map(|words| CommandLine::Words(words.to_vec()));
        if let Some(command) = given.filter(|command| command.to_string() != suite.command.to_string()) {
            let recognized = recognize(&command);
            let framework = recognized.unwrap_or(suite.framework);
            let resolved = command.clone();
            return Ok(Self {
                suite,
                root,
                command,
                resolved,
                own_command: false,
                is_runner: recognized.is_some(),
                framework,
                note: None,
            });
        }
        let Resolved { command: resolved, framework, note } =
            resolve(suite, root, &Machine::from_environment())?;
        let command = suite.command.clone();
        Ok(Self { suite, root, command, resolved, own_command: true, is_runner: true, framework, note })
    }

    pub fn adapter(&self) -> Option<&'static Adapter> {
        adapter(self.framework)
    }

    fn plan(&self, directory: &Path, scratch: &Path, environment: &[(String, String)]) -> Plan {
        let Some(adapter) = self.adapter() else {
            return Plan { command: self.resolved.clone(), environment: Vec::new(), report: None };
        };
        let variable = |name: &str| value_of(environment, name);
        (adapter.plan)(&Request {
            command: &self.resolved,
            directory,
            scratch,
            fail_fast: self.suite.fail_fast,
            variable: &variable,
        })
    }

    /// `environment` is what is set for the suite beside what its report needs.
    pub fn run(&self, mut environment: Vec<(String, String)>, watcher: &mut dyn Watcher) -> Result<Finished> {
        let scratch = tempfile::Builder::new().prefix("aiwg-gate-run-").tempdir();
        let scratch = scratch.context("cannot make a temporary folder for the report")?;
        let directory = self.root.join(&self.suite.directory);
        let selecting = selecting(|name| value_of(&environment, name));
        let plan = self.plan(&directory, scratch.path(), &environment);
        environment.extend(plan.environment.clone());
        let launch = Launch {
            command: &plan.command,
            directory: &directory,
            environment: &environment,
            timeout: self.suite.timeout,
            capture: &scratch.path().join("output"),
        };
        let ended = run(&launch, watcher)?;
        let report = Report {
            plan: &plan,
            output: &ended.output,
            directory: &directory,
            root: self.root,
            started: ended.started,
        };
        let results = match self.adapter() {
            Some(adapter) => (adapter.read)(&report),
            None => Ok(Results::default()),
        };
        Ok(Finished {
            results_cut: ended.truncated && plan.report.is_none() && self.adapter().is_some(),
            command: self.command.clone(),
            own_command: self.own_command,
            told_by_runner: self.is_runner || is_written(&plan, scratch.path()),
            framework: self.framework,
            selecting,
            ended,
            results,
        })
    }
}

/// Whether the report that we asked for was written. Others lie in the project, where an earlier run may have left them.
fn is_written(plan: &Plan, scratch: &Path) -> bool {
    let own = plan.report.as_deref().filter(|report| report.starts_with(scratch));
    let Some(name) = own.and_then(Path::file_name) else { return false };
    // Of several processes each writes its own.
    let files = std::fs::read_dir(scratch).into_iter().flatten().flatten();
    files.into_iter().any(|file| {
        file.file_name().as_encoded_bytes().starts_with(name.as_encoded_bytes())
            && file.metadata().is_ok_and(|data| data.is_file() && data.len() > 0)
    })
}

/// What a child would see: what is set for it, else what this program was started with.
fn value_of(environment: &[(String, String)], name: &str) -> Option<String> {
    let set = environment.iter().rev().find(|(known, _)| known == name);
    set.map(|(_, value)| value.clone()).or_else(|| std::env::var(name).ok())
}
