//! The static inventory of tests: what the runners would collect, without running anything.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};

use crate::facts::{FileFacts, Health, Level};
use crate::gate::{analyze_all, resolve_in_tree, resolve_macro_tests};
use crate::git::{Attributes, Content, File, ObjectId, Repository};
use crate::paths::{Classifier, PathClass};
use crate::policy::Policy;

pub struct Inventory {
    /// The commit that was read, `None` for the working tree.
    pub revision: Option<ObjectId>,
    /// Files that hold tests, or should and cannot be read; sorted by path.
    pub files: Vec<InventoryFile>,
}

pub struct InventoryFile {
    pub path: String,
    pub facts: Arc<FileFacts>,
}

#[derive(Clone, Copy, Default)]
pub struct Totals {
    pub files: usize,
    pub tests: usize,
    pub skipped: usize,
    pub assertions: usize,
}

impl Inventory {
    /// Reads a commit, or the working tree if none is given, below `paths` (all of it if empty). `progress` hears how
    /// many of how many files are read.
    pub fn read(
        repository: &Repository,
        revision: Option<&str>,
        paths: &[String],
        progress: impl Fn(usize, usize),
    ) -> Result<Self> {
        let revision = revision.map(|revision| repository.resolve(revision)).transpose()?;
        let all = match &revision {
            Some(commit) => committed(repository, commit)?,
            None => repository.files_on_disk()?,
        };
        let below = all.iter().filter(|file| is_below(&file.path.text(), paths));
        let known: Vec<&File> = below.filter(|file| file.is_source()).collect();
        if known.is_empty() && !paths.is_empty() {
            bail!("no source file of the repository is at or below {}", paths.join(", "));
        }
        let commit = match &revision {
            Some(commit) => Some(commit.clone()),
            None => repository.head()?,
        };
        let files = Self::files(repository, commit.as_ref(), &all, &known, progress)?;
        Ok(Self { revision, files })
    }

    /// The tests of a tree, among the files that `counts` wants.
    pub fn of_tree(repository: &Repository, tree: &ObjectId, counts: &dyn Fn(&str) -> bool) -> Result<Self> {
        let all = committed(repository, tree)?;
        let known: Vec<&File> =
            all.iter().filter(|file| file.is_source() && counts(&file.path.text())).collect();
        let files = Self::files(repository, Some(tree), &all, &known, |_, _| {})?;
        Ok(Self { revision: None, files })
    }

    /// The facts of `known`, which are some of `all`; `content` is where what they lead to is looked up.
    fn files(
        repository: &Repository,
        content: Option<&ObjectId>,
        all: &[File],
        known: &[&File],
        progress: impl Fn(usize, usize),
    ) -> Result<Vec<InventoryFile>> {
        let mut analyzed = Vec::new();
        for chunk in known.chunks(CHUNK) {
            let files = analyze_all(repository, chunk)?;
            progress(analyzed.len() + files.len(), known.len());
            analyzed
                .extend(files.into_iter().map(|file| InventoryFile { path: file.path, facts: file.facts }));
        }
        let mut pending: Vec<(&str, &mut Arc<FileFacts>)> =
            analyzed.iter_mut().map(|file| (file.path.as_str(), &mut file.facts)).collect();
        resolve_macro_tests(repository, content, &mut pending)?;
        resolve_in_tree(repository, all, &mut pending)?;
        for file in &mut analyzed {
            // Runners count these in the files that call them.
            if file.facts.tests.iter().any(|test| test.level == Level::Template) {
                Arc::make_mut(&mut file.facts).tests.retain(|test| test.level != Level::Template);
            }
        }
        let classifier = Classifier::new(&Policy::default(), Attributes::default())?;
        analyzed.retain(|file| {
            let unread =
                file.facts.health != Health::Clean && classifier.class_of(&file.path) == PathClass::Test;
            unread || !file.facts.tests.is_empty()
        });
        analyzed.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(analyzed)
    }

    pub fn totals(&self) -> Totals {
        self.files.iter().fold(Totals::default(), |sum, file| Totals {
            files: sum.files + 1,
            tests: sum.tests + file.facts.listed_tests().count(),
            skipped: sum.skipped + file.facts.listed_tests().filter(|test| test.is_skipped()).count(),
            assertions: sum.assertions
                + file.facts.listed_tests().map(|test| test.assertions.len()).sum::<usize>(),
        })
    }
}

/// Files whose texts are in memory at the same time.
const CHUNK: usize = 512;

fn committed(repository: &Repository, commit: &ObjectId) -> Result<Vec<File>> {
    let entries = repository.list(commit)?.into_iter().filter(|(_, entry)| entry.is_file());
    Ok(entries.map(|(path, entry)| File { path, content: Content::Blob(entry.id) }).collect())
}

fn is_below(path: &str, folders: &[String]) -> bool {
    let below = |folder: &String| Path::new(path).starts_with(folder);
    folders.is_empty() || folders.iter().any(below)
}
