//! What every command has: where it runs, how it prints.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;

use crate::exit_status::ExitStatus;
use crate::gate::BadPolicy;
use crate::git::Repository;
use crate::memory::SESSION_VARIABLE;
use crate::report::text::Detail;

/// The heading under which every command lists them.
const GLOBAL: &str = "Global options";

/// Options that stand before or after any command.
#[derive(clap::Args)]
pub struct Global {
    /// Run as if started in DIR
    #[arg(short = 'C', value_name = "DIR", help_heading = GLOBAL, global = true)]
    directory: Option<PathBuf>,
    /// How to print; jsonl and html are for audits
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = GLOBAL, global = true)]
    format: Option<FormatName>,
    /// When to colour the output
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", help_heading = GLOBAL, global = true)]
    color: ColorChoice,
    /// Print less: of a check, nothing where nothing is wrong
    #[arg(short, long, help_heading = GLOBAL, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print more: also what is only logged
    #[arg(short, long, help_heading = GLOBAL, global = true)]
    verbose: bool,
}

/// Every format; most commands have the first two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    Text,
    Json,
    /// A JSON document on each line
    Jsonl,
    /// A page that needs nothing but itself
    Html,
}

impl FormatName {
    pub const USUAL: &'static [Self] = &[Self::Text, Self::Json];

    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Html => "html",
        }
    }
}

/// How the commands print that have text and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

pub struct Context {
    pub directory: PathBuf,
    pub format: Format,
    /// The same, of all there are.
    pub asked: FormatName,
    pub color: ColorChoice,
    pub quiet: bool,
    pub verbose: bool,
}

impl Context {
    /// `formats` are those that the command has.
    pub fn new(global: Global, formats: &[FormatName]) -> Result<Self> {
        let asked = global.format.unwrap_or(FormatName::Text);
        if !formats.contains(&asked) {
            let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
            bail!("there is no --format {} of this command: choose {}", asked.name(), names.join(" or "));
        }
        let color = match global.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        color.write_global();
        if let Some(directory) = &global.directory {
            // As git does it, so that every relative path counts from there, those in variables too.
            std::env::set_current_dir(directory)
                .with_context(|| format!("-C {}: there is no such directory", directory.display()))?;
        }
        Ok(Self {
            directory: PathBuf::from("."),
            format: if asked == FormatName::Json { Format::Json } else { Format::Text },
            asked,
            color: global.color,
            quiet: global.quiet,
            verbose: global.verbose,
        })
    }

    pub fn repository(&self) -> Result<Repository> {
        Repository::open(&self.directory)
    }

    pub fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }

    /// Refuses `--format json` where a command has only text.
    pub fn only_text(&self, command: &str) -> Result<()> {
        match self.format {
            Format::Text => Ok(()),
            Format::Json => bail!("`{command}` prints text only: leave out --format"),
        }
    }
}

/// The session that somebody names: by option, or by the variable for everything below a loop.
pub fn named_session(option: Option<&String>) -> Option<String> {
    let variable = || std::env::var(SESSION_VARIABLE).ok();
    option.cloned().or_else(variable).filter(|id| !id.trim().is_empty())
}

/// Writes to standard output. A reader that went away (`| head`) is not an error.
pub fn print(text: &str) -> Result<()> {
    print_on(text).map(drop)
}

/// The same for output that goes on: whether anyone still reads it.
pub fn print_on(text: &str) -> Result<bool> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(true),
    }
}

/// Writes a line to standard error, beside whatever is printed.
pub fn tell(message: &str) -> Result<()> {
    let line = crate::text::safe_lines(&format!("aiwg-gate: {message}\n"));
    match anstream::stderr().lock().write_all(line.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Tells a person that the tool failed, and gives the status for it.
pub fn report_error(error: &anyhow::Error, in_hook: bool) -> ExitStatus {
    let mut message = format!("aiwg-gate: error: {error:#}\n");
    if in_hook && !error.is::<BadPolicy>() {
        message.push_str("This is a failure of the tool, not a judgement of your change.\n");
    }
    // Nothing is left to do where even standard error is gone.
    let _ = anstream::stderr().lock().write_all(crate::text::safe_lines(&message).as_bytes());
    ExitStatus::Error
}
