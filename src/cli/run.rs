//! `run`: run test suites, and put on record what ran.

use anyhow::Result;

use super::context::{self, named_session};
use super::run_display::{RunDisplay, Shown};
use super::{Context, Format};
use crate::agent;
use crate::exit_status::ExitStatus;
use crate::git::Repository;
use crate::memory::Mode;
use crate::report::{run_json, run_text};
use crate::run::{self, Hunter, Options, Stage, SuiteRun};
use crate::runner::{Adapter, Suite, Watcher};

/// Run test suites, record the attempt in debug memory, and so prove that this content was run
///
/// Without a name: the suites that the change touches, or all that a commit may need where nothing changed. What is
/// tested are the files on disk; a commit of exactly these files then has its proof.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Suites by name, as `aiwg-gate status` lists them
    #[arg(value_name = "SUITE")]
    suites: Vec<String>,
    /// Run every suite, whatever the change touches
    #[arg(long, conflicts_with = "suites")]
    all: bool,
    /// Test exactly what is staged, in a throw-away checkout
    #[arg(long, conflicts_with = "base")]
    staged: bool,
    /// Test exactly HEAD, in a throw-away checkout: what fails there already is known from then on
    #[arg(long, conflicts_with = "command")]
    base: bool,
    /// Go on with this session of debug memory (also: AIWG_SESSION_ID)
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// A command in place of the suite's own; whether it is a proof depends on what it runs
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  aiwg-gate run                       what the change touches
  aiwg-gate run --staged              exactly what would be committed
  aiwg-gate run web                   one suite
  aiwg-gate run -- pytest -k total    another command: recorded, but no proof that everything passes
  aiwg-gate run --base                once, in a project that is not green yet

Exit codes: 0 the tests passed, 1 they did not, 2 error, 130 interrupted.";

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let repository = context.repository()?;
    let mode = match (args.staged, args.base) {
        (true, _) => Mode::Staged,
        (_, true) => Mode::Base,
        _ => Mode::Worktree,
    };
    let options = Options {
        mode,
        suites: args.suites.clone(),
        all: args.all,
        command: (!args.command.is_empty()).then(|| args.command.clone()),
        hunter: hunter(args.session.clone()),
    };
    let mut stage = Terminal { context };
    let runs = run::run(&repository, &options, &mut stage)?;
    if context.format == Format::Json {
        context::print(&run_json::render(&runs)?)?;
    }
    Ok(status(&runs))
}

/// Runs suites on exactly what is staged, for a hook.
pub fn run_staged(repository: &Repository, suites: &[String], context: &Context) -> Result<()> {
    let (mode, suites) = (Mode::Staged, suites.to_vec());
    let options = Options { mode, suites, all: false, command: None, hunter: hunter(None) };
    run::run(repository, &options, &mut Terminal { context }).map(drop)
}

/// Who is at work, as the command line and the environment tell.
fn hunter(session: Option<String>) -> Hunter {
    let session = named_session(session.as_ref());
    Hunter { session, agent: agent::running(), task_id: None, iteration: None }
}

fn status(runs: &[SuiteRun]) -> ExitStatus {
    if runs.iter().any(SuiteRun::is_interrupted) {
        ExitStatus::Interrupted
    } else if runs.iter().any(|run| run.has_failed() || run.recorded.escalation.is_some()) {
        ExitStatus::Blocked
    } else {
        ExitStatus::Pass
    }
}

/// The terminal of this process, or whatever its output goes to.
struct Terminal<'c> {
    context: &'c Context,
}

impl Stage for Terminal<'_> {
    fn show(
        &mut self,
        suite: &Suite,
        adapter: Option<&'static Adapter>,
        go: &mut dyn FnMut(&mut dyn Watcher) -> Result<bool>,
    ) -> Result<()> {
        let mut display = RunDisplay::new(Shown {
            suite: &suite.name,
            quiet: self.context.quiet,
            machine: self.context.format == Format::Json,
            ended_in: adapter.map(|adapter| adapter.ended_in),
            show: adapter.and_then(|adapter| adapter.show),
        });
        let passed = go(&mut display);
        display.finish(!matches!(passed, Ok(true)));
        passed.map(drop)
    }

    fn say(&mut self, message: &str) -> Result<()> {
        context::tell(message)
    }

    fn ended(&mut self, run: &SuiteRun) -> Result<()> {
        match self.context.format {
            Format::Text => context::print(&run_text::render(run, self.context.detail())),
            Format::Json => Ok(()),
        }
    }
}
