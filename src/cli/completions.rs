//! `completions`: a script that teaches a shell this command line.

use anyhow::Result;
use clap_complete::Shell;

use super::{Context, context};
use crate::exit_status::ExitStatus;

/// Print a completion script for a shell
///
/// For example: `aiwg-gate completions bash > ~/.local/share/bash-completion/completions/aiwg-gate`
#[derive(clap::Args)]
pub struct Args {
    shell: Shell,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("completions")?;
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "aiwg-gate", &mut script);
    context::print(&mended(String::from_utf8(script)?))?;
    Ok(ExitStatus::Pass)
}

/// clap_complete writes the hyphen of the program's name for bash in two ways, so that nothing behind the first word
/// would be completed.
fn mended(script: String) -> String {
    script.replace("aiwg__subcmd__gate", "aiwg__gate")
}
