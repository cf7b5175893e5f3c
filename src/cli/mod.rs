//! The command line: one file per command with its arguments and one function, no domain logic.

mod audit;
mod check;
mod completions;
mod config;
mod context;
mod demo;
mod explain;
mod hints;
mod hook;
mod install;
mod man;
mod memory;
mod progress;
mod run;
mod run_display;
mod schema;
mod status;
mod tests;
mod uninstall;
mod waive;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

pub use context::{ColorChoice, Context, Format, FormatName};

use crate::exit_status::ExitStatus;
use crate::faults;

/// A git gate for repositories in which coding agents write code.
///
/// It looks at each commit and blocks the ones that got to green by weakening the tests, and the ones that nobody ran.
#[derive(Parser)]
#[command(name = "aiwg-gate", version, max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    #[command(flatten)]
    global: context::Global,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 pass (also with warnings), 1 blocked, 2 error, 130 interrupted.

Start with `aiwg-gate demo`, then `aiwg-gate install` in your repository.";

#[derive(Subcommand)]
enum Command {
    Install(install::Args),
    Uninstall(uninstall::Args),
    Status(status::Args),
    Check(check::Args),
    Audit(audit::Args),
    Run(run::Args),
    Tests(tests::Args),
    Memory(memory::Args),
    Waive(waive::Args),
    Config(config::Args),
    Explain(explain::Args),
    Schema(schema::Args),
    Demo(demo::Args),
    Hook(hook::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn formats(&self) -> &'static [FormatName] {
        match self {
            Self::Audit(_) => audit::FORMATS,
            _ => FormatName::USUAL,
        }
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitStatus {
    faults::told_as_errors();
    let cli = Cli::try_parse().unwrap_or_else(|mut error| {
        hints::add(&mut error, &std::env::args().collect::<Vec<_>>());
        error.exit()
    });
    let context = Context::new(cli.global, cli.command.formats());
    let in_hook = matches!(cli.command, Command::Hook(_));
    match context.and_then(|context| faults::caught(|| run(cli.command, &context))) {
        Ok(status) => status,
        Err(error) => context::report_error(&error, in_hook),
    }
}

fn run(command: Command, context: &Context) -> Result<ExitStatus> {
    match command {
        Command::Install(args) => install::run(&args, context),
        Command::Uninstall(args) => uninstall::run(&args, context),
        Command::Status(args) => status::run(&args, context),
        Command::Check(args) => check::run(&args, context),
        Command::Audit(args) => audit::run(&args, context),
        Command::Run(args) => run::run(&args, context),
        Command::Tests(args) => tests::run(&args, context),
        Command::Memory(args) => memory::run(&args, context),
        Command::Waive(args) => waive::run(&args, context),
        Command::Config(args) => config::run(&args, context),
        Command::Explain(args) => explain::run(&args, context),
        Command::Schema(args) => schema::run(&args, context),
        Command::Demo(args) => demo::run(&args, context),
        Command::Hook(args) => hook::run(&args, context),
        Command::Completions(args) => completions::run(&args, context),
        Command::Man(args) => man::run(&args, context),
    }
}

/// The whole command line, for completions and manual pages.
fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod test {
    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }
}
