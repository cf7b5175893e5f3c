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

/// The policies that a run goes by. What the tested files say themselves only adds suites to what HEAD says.
pub struct Policies {
    pub base: Policy,
    /// Where the tested files have another policy than HEAD.
    brought: Option<Policy>,
}

impl Policies {
    pub fn read(repository: &Repository, tree: &dyn Tree) -> Result<Self> {
        let head = repository.head()?;
        let committed = head.map(|head| repository.file_at(&head, policy::FILE_NAME)).transpose()?.flatten();
        let tested = tree.read(policy::FILE_NAME).filter(|text| Some(text) != committed.as_ref());
        let parse = |text: Vec<u8>| Policy::parse_bytes(&text, &detectors::names());
        Ok(Self {
            base: committed.map(parse).transpose()?.unwrap_or_default(),
            brought: tested.map(parse).transpose()?,
        })
    }

    /// One finder for each policy, that of HEAD first.
    pub fn finders<'t>(&'t self, tree: &'t dyn Tree) -> Vec<Finder<'t>> {
        let all = std::iter::once(&self.base).chain(&self.brought);
        all.map(|policy| Finder::new(policy, tree)).collect()
    }
}

/// A suite, and who knows which files are its own.
#[derive(Clone)]
pub struct Chosen<'f, 't> {
    pub suite: Suite,
    pub finder: &'f Finder<'t>,
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
pub fn choose<'f, 't>(
    repository: &Repository,
    choice: &Choice<'_>,
    policy: &Policy,
    finders: &'f [Finder<'t>],
) -> Result<Vec<Chosen<'f, 't>>> {
    let manifests = manifests(repository, choice.mode)?;
    let mut suites: Vec<Chosen<'f, 't>> = Vec::new();
    for finder in finders {
        for suite in finder.all(&manifests) {
            if !suites.iter().any(|known| known.suite.name == suite.name) {
                suites.push(Chosen { suite, finder });
            }
        }
    }
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
    let chosen = if choice.all || choice.mode == Mode::Base || suites.len() == 1 {
        suites
    } else {
        touched(repository, choice.mode, policy, suites)?
    };
    if choice.has_command && chosen.len() > 1 {
        bail!(
            "say which suite the command stands for: `aiwg-gate run SUITE -- COMMAND`; there are {}",
            names(&chosen)
        );
    }
    Ok(chosen)
}

fn named<'f, 't>(suites: &[Chosen<'f, 't>], name: &str) -> Result<Chosen<'f, 't>> {
    if let Some(chosen) = suites.iter().find(|chosen| chosen.suite.name == name) {
        return Ok(chosen.clone());
    }
    let known: Vec<&str> = suites.iter().map(|chosen| chosen.suite.name.as_str()).collect();
    let name = one_line(name);
    match nearest(&name, &known) {
        Some(meant) => bail!("there is no suite `{name}`: did you mean `{meant}`?"),
        None => bail!("there is no suite `{name}`: there are {}", names(suites)),
    }
}

fn names(suites: &[Chosen<'_, '_>]) -> String {
    suites.iter().map(|chosen| one_line(&chosen.suite.name)).collect::<Vec<_>>().join(", ")
}

/// Those whose proof the next commit needs; all of them where nothing changed.
fn touched<'f, 't>(
    repository: &Repository,
    mode: Mode,
    policy: &Policy,
    suites: Vec<Chosen<'f, 't>>,
) -> Result<Vec<Chosen<'f, 't>>> {
    let selection = if mode == Mode::Staged { Selection::Staged } else { Selection::Worktree };
    let change = ChangeSet::gather(repository, &selection)?;
    let classifier = Classifier::new(policy, Attributes::default())?;
    let sides = change.changes.iter().flat_map(sides);
    let paths: Vec<String> =
        sides.map(|file| file.path.text().into_owned()).filter(|path| classifier.is_input(path)).collect();
    let committed = CommitTree::new(repository, repository.head()?.as_ref());
    let before = Finder::new(policy, &committed);
    let on_commit = |chosen: &Chosen<'_, '_>| chosen.suite.required == Required::Commit;
    let hit = |chosen: &&Chosen<'_, '_>| {
        let touched = |path: &String| {
            chosen.finder.has_input(&chosen.suite, path) || before.had_input(&chosen.suite, path)
        };
        on_commit(chosen) && paths.iter().any(touched)
    };
    let chosen: Vec<Chosen<'f, 't>> = suites.iter().filter(hit).cloned().collect();
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
