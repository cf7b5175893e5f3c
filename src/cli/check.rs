//! `check`: judge a change.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::{Context, Format, context};
use crate::exit_status::ExitStatus;
use crate::gate::{self, Ask};
use crate::git::{ChangeKind, ChangeSet, Repository, Selection};
use crate::policy::Required;
use crate::report::next_text::Occasion;
use crate::report::{json, text};
use crate::verdict::{Report, Verdict};

/// Judge a change: the staged one, a commit, a range, the working tree or a patch
///
/// Reads only: no code of the repository is executed, and neither the working tree nor the index is written to. With
/// --worktree git runs the filters that your configuration names, such as Git LFS, as it does for `git diff`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// Judge by detection alone; do not ask whether anyone ran this
    #[arg(long)]
    no_proof: bool,
    /// Exit with 0 whatever the verdict, for steps that only upload the report
    #[arg(long)]
    exit_zero: bool,
}

#[derive(clap::Args)]
#[group(multiple = false)]
struct Which {
    /// The index against HEAD (the default)
    #[arg(long)]
    staged: bool,
    /// A commit against its parent; a merge against all of them
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// A..B as one change, from where the two parted
    #[arg(long, value_name = "A..B")]
    range: Option<String>,
    /// The files on disk, tracked and untracked, against HEAD
    #[arg(long)]
    worktree: bool,
    /// A unified diff, `-` for standard input; what it starts from is looked up in the repository
    #[arg(long, value_name = "FILE")]
    patch: Option<PathBuf>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let start = Instant::now();
    let repository = context.repository()?;
    let change = ChangeSet::gather(&repository, &selection(&args.which)?)?;
    let ask = Ask { by: Required::Commit, with_hash: context.format == Format::Json };
    let report = gate::check(&repository, &change, (!args.no_proof).then_some(ask))?;
    context::print(&match context.format {
        Format::Text => text::render(&report, context.detail(), occasion(&repository, &report)?),
        Format::Json => {
            json::render(&report, u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX))?
        }
    })?;
    Ok(if report.verdict == Verdict::Block && !args.exit_zero {
        ExitStatus::Blocked
    } else {
        ExitStatus::Pass
    })
}

fn selection(which: &Which) -> Result<Selection> {
    Ok(match which {
        Which { commit: Some(revision), .. } => Selection::Commit(revision.clone()),
        Which { range: Some(range), .. } => Selection::Range(range.clone()),
        Which { worktree: true, .. } => Selection::Worktree,
        Which { patch: Some(file), .. } => Selection::Patch(read_patch(file)?),
        _ => Selection::Staged,
    })
}

/// More than this is no patch that anyone reads.
const MAX_PATCH: u64 = 256 * 1024 * 1024;

fn read_patch(file: &Path) -> Result<Vec<u8>> {
    let mut patch = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().take(MAX_PATCH + 1).read_to_end(&mut patch)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(MAX_PATCH + 1).read_to_end(&mut patch))
    };
    read.with_context(|| format!("cannot read the patch from {}", file.display()))?;
    if patch.len() as u64 > MAX_PATCH {
        bail!("the patch is larger than {} MiB: judge the commits with --range", MAX_PATCH >> 20);
    }
    Ok(patch)
}

/// What can still be done about the change depends on what stands on it.
fn occasion(repository: &Repository, report: &Report) -> Result<Occasion> {
    Ok(match report.change.kind {
        ChangeKind::Commit if report.change.head == repository.head()? => Occasion::Newest,
        ChangeKind::Commit => Occasion::Older,
        _ => Occasion::Asked,
    })
}
