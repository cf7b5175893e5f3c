//! Which suites a run is about.

use anyhow::{Result, bail};

use crate::detectors;
use crate::gate::sides;
use crate::git::{Attributes, ChangeSet, Repository, Selection};
use crate::memory::Mode;
use crate::paths::Classifier;
use crate::policy::{self, Policy, Required, nearest};
use crate::runner::{CommitTree, DiskTree, Finder, StagedTree, Suite, Tree, is_manifest};
use crate::text::one_line;

/// What a person asked for.
pub struct Choice<'a> {
    pub mode: Mode,
    /// Names; empty for those that the change touches.
    pub names: &'a [String],
    pub all: bool,
    /// Whether a command was given in place of the suite's own.
    pub has_command: bool,
}

/// The policy that a run goes by: that of HEAD, or of the files to be tested where HEAD has none.
pub fn policy(repository: &Repository, tree: &dyn Tree) -> Result<Policy> {
    let head = repository.head()?;
    let committed = head.map(|head| repository.file_at(&head, policy::FILE_NAME)).transpose()?.flatten();
    let text = committed.or_else(|| tree.read(policy::FILE_NAME));
    match text {
        Some(text) => Ok(Policy::parse_bytes(&text, &detectors::names())?),
        None => Ok(Policy::default()),
    }
}

/// The files that a run is about.
pub fn tree(repository: &Repository, mode: Mode) -> Result<Box<dyn Tree + '_>> {
    let head = repository.head()?;
    Ok(match (mode, repository.work_dir()) {
        (Mode::Worktree, Some(root)) => Box::new(DiskTree::new(root)),
        (Mode::Base, _) => Box::new(CommitTree::new(repository, head.as_ref())),
        (Mode::Staged, Some(_)) => {
            let staged = repository.staged(head.as_ref())?;
            Box::new(StagedTree::new(repository, head.as_ref(), &staged))
        }
        (_, None) => bail!("a bare repository has no working tree: run the suites in a clone"),
    })
}

/// The suites of a choice.
pub fn choose(
    repository: &Repository,
    choice: &Choice<'_>,
    policy: &Policy,
    finder: &Finder<'_>,
) -> Result<Vec<Suite>> {
    let suites = finder.all(&manifests(repository, choice.mode)?);
    if suites.is_empty() {
        bail!(
            "no test suite was found here: name one under `suites` in {}, as in\n  suites:\n    - name: unit\n      \
             command: make test\n      paths: [\"**\"]",
            policy::FILE_NAME
        );
    }
    if !choice.names.is_empty() {
        return choice.names.iter().map(|name| named(&suites, name)).collect();
    }
    let chosen: Vec<Suite> = if choice.all || choice.mode == Mode::Base || suites.len() == 1 {
        suites
    } else {
        touched(repository, choice.mode, policy, finder, suites)?
    };
    if choice.has_command && chosen.len() > 1 {
        bail!(
            "say which suite the command stands for: `aiwg-gate run SUITE -- COMMAND`; there are {}",
            names(&chosen)
        );
    }
    Ok(chosen)
}

fn named(suites: &[Suite], name: &str) -> Result<Suite> {
    if let Some(suite) = suites.iter().find(|suite| suite.name == name) {
        return Ok(suite.clone());
    }
    let known: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
    let name = one_line(name);
    match nearest(&name, &known) {
        Some(meant) => bail!("there is no suite `{name}`: did you mean `{meant}`?"),
        None => bail!("there is no suite `{name}`: there are {}", names(suites)),
    }
}

fn names(suites: &[Suite]) -> String {
    suites.iter().map(|suite| one_line(&suite.name)).collect::<Vec<_>>().join(", ")
}

/// Those whose proof the next commit needs; all of them where nothing changed.
fn touched(
    repository: &Repository,
    mode: Mode,
    policy: &Policy,
    finder: &Finder<'_>,
    suites: Vec<Suite>,
) -> Result<Vec<Suite>> {
    let selection = if mode == Mode::Staged { Selection::Staged } else { Selection::Worktree };
    let change = ChangeSet::gather(repository, &selection)?;
    let classifier = Classifier::new(policy, Attributes::default())?;
    let sides = change.changes.iter().flat_map(sides);
    let paths: Vec<String> =
        sides.map(|file| file.path.text().into_owned()).filter(|path| classifier.is_input(path)).collect();
    let on_commit = |suite: &Suite| suite.required == Required::Commit;
    let hit = |suite: &&Suite| on_commit(suite) && paths.iter().any(|path| finder.has_input(suite, path));
    let chosen: Vec<Suite> = suites.iter().filter(hit).cloned().collect();
    Ok(if chosen.is_empty() { suites.into_iter().filter(on_commit).collect() } else { chosen })
}

/// The files by which suites are found.
fn manifests(repository: &Repository, mode: Mode) -> Result<Vec<String>> {
    let listed = match mode {
        Mode::Worktree => repository.paths_on_disk()?,
        Mode::Staged => repository.paths_in_index()?,
        Mode::Base => match repository.head()? {
            Some(head) => repository.list(&head)?.into_iter().map(|(path, _)| path).collect(),
            None => Vec::new(),
        },
    };
    Ok(listed.iter().map(|path| path.text().into_owned()).filter(|path| is_manifest(path)).collect())
}
