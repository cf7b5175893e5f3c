//! Reads the files of a change and turns them into facts, in parallel.

use std::sync::Arc;

use anyhow::Result;
use rayon::prelude::*;

use super::memo::{self, Known};
use super::understand::sides;
use crate::facts::{FileFacts, Health};
use crate::git::{Change, Content, File, ObjectId, Repository};
use crate::languages::{Source, analyze, analyze_pair, is_settings_file};
use crate::paths::{PathClass, class_by_name, is_run, is_stored_expectation, may_hold_tests};
use crate::project::is_project;

/// A file with its text and facts.
#[derive(Clone)]
pub struct Analyzed {
    pub path: String,
    pub text: Arc<[u8]>,
    pub facts: Arc<FileFacts>,
}

impl Analyzed {
    /// A file with what languages know about it, completed by what it says about the project.
    fn new(path: String, text: Arc<[u8]>, mut facts: FileFacts) -> Self {
        facts.project = crate::project::read(&path, &text).map(Box::new);
        Self { path, text, facts: Arc::new(facts) }
    }
}

/// Up to here one thread is done before a second one has started.
const SERIAL_BYTES: usize = 64 * 1024;

/// The facts of each file, in the order given. Files that neither a language nor a reader of
/// configuration knows stay unread.
pub fn analyze_all(repository: &Repository, files: &[&File]) -> Result<Vec<Analyzed>> {
    if memo::is_on() {
        let units = files.iter().map(|file| vec![*file]).collect();
        return analyze_kept(repository, units);
    }
    let texts = read_all(repository, files)?;
    Ok(analyze_texts(files, texts))
}

/// The same for files whose texts are at hand.
pub fn analyze_texts(files: &[&File], texts: Vec<Arc<[u8]>>) -> Vec<Analyzed> {
    let analyzed = |(file, text): (&&File, Arc<[u8]>)| {
        let path = file.path.text().into_owned();
        let facts = match &file.content {
            // A link or a submodule where a file was: nothing in it can be read.
            Content::Opaque => FileFacts::opaque(Health::Unsupported),
            _ => analyze(Source { path: &path, text: &text }),
        };
        Analyzed::new(path, text, facts)
    };
    if texts.iter().map(|text| text.len()).sum::<usize>() <= SERIAL_BYTES {
        return files.iter().zip(texts).map(analyzed).collect();
    }
    files.par_iter().zip(texts).map(analyzed).collect()
}

/// A file with its text.
type Side<'f> = (&'f File, Arc<[u8]>);

/// The facts of both sides of each change, the before side first.
pub fn analyze_sides(repository: &Repository, changes: &[&Change]) -> Result<Vec<Analyzed>> {
    if memo::is_on() {
        return analyze_kept(repository, changes.iter().map(|change| sides(change).collect()).collect());
    }
    let files: Vec<&File> = changes.iter().flat_map(|change| sides(change)).collect();
    let texts = read_all(repository, &files)?;
    let bytes = texts.iter().map(|text| text.len()).sum::<usize>();
    let mut files = files.into_iter().zip(texts);
    let units: Vec<Vec<Side<'_>>> =
        changes.iter().map(|change| files.by_ref().take(sides(change).count()).collect()).collect();
    if bytes <= SERIAL_BYTES {
        return Ok(units.into_iter().flat_map(analyze_unit).collect());
    }
    Ok(units.into_par_iter().flat_map_iter(analyze_unit).collect())
}

/// The sides of one change, together where both can be read.
fn analyze_unit(unit: Vec<Side<'_>>) -> Vec<Analyzed> {
    let is_text = |file: &File| !matches!(file.content, Content::Opaque);
    if let [(before, old), (after, new)] = &unit[..]
        && is_text(before)
        && is_text(after)
    {
        let (old_path, new_path) = (before.path.text(), after.path.text());
        let (first, second) =
            analyze_pair(Source { path: &old_path, text: old }, Source { path: &new_path, text: new });
        let analyzed =
            |path: &str, text: &Arc<[u8]>, facts| Analyzed::new(path.to_owned(), text.clone(), facts);
        return vec![analyzed(&old_path, old, first), analyzed(&new_path, new, second)];
    }
    let (files, texts): (Vec<&File>, Vec<Arc<[u8]>>) = unit.into_iter().unzip();
    analyze_texts(&files, texts)
}

/// Whether anything can be read off the file.
pub fn is_read(file: &File) -> bool {
    let path = file.path.text();
    let is_settings = || is_settings_file(&path) || is_project(&path);
    file.is_source()
        || is_settings()
        || is_stored_expectation(&path)
        || is_unknown_test(&path)
        || is_run(&path)
}

/// Tests in a language that nobody reads: whether only their comments change is worth knowing.
fn is_unknown_test(path: &str) -> bool {
    may_hold_tests(path) && class_by_name(path) == PathClass::Test
}

/// The same with what was read before. The versions of a unit are like each other.
fn analyze_kept(repository: &Repository, units: Vec<Vec<&File>>) -> Result<Vec<Analyzed>> {
    let files: Vec<&File> = units.iter().flatten().copied().collect();
    let known: Vec<Option<Arc<Known>>> = files.iter().map(|file| kept(file)).collect();
    let missing = files.iter().zip(&known).filter(|(_, known)| known.is_none());
    let missing: Vec<&File> = missing.map(|(file, _)| *file).collect();
    let texts = read_all(repository, &missing)?;
    let bytes = texts.iter().map(|text| text.len()).sum::<usize>();
    let mut texts = texts.into_iter();
    let mut sides = files.iter().zip(known).map(|(file, known)| {
        let text = if known.is_some() { Arc::default() } else { texts.next().unwrap_or_default() };
        KeptSide { file, text, known }
    });
    let units: Vec<Vec<KeptSide<'_>>> =
        units.iter().map(|unit| sides.by_ref().take(unit.len()).collect()).collect();
    if bytes <= MUCH {
        return Ok(units.into_iter().flat_map(analyze_kept_unit).collect());
    }
    Ok(units.into_par_iter().flat_map_iter(analyze_kept_unit).collect())
}

/// More than this is shared among the threads, though they have changes of their own.
const MUCH: usize = 1024 * 1024;

/// A file with what is known of it, or its text.
struct KeptSide<'f> {
    file: &'f File,
    text: Arc<[u8]>,
    known: Option<Arc<Known>>,
}

fn kept(file: &File) -> Option<Arc<Known>> {
    match &file.content {
        Content::Blob(id) if is_read(file) => memo::get(id, &file.path.text()),
        _ => None,
    }
}

fn analyze_kept_unit(mut unit: Vec<KeptSide<'_>>) -> Vec<Analyzed> {
    let later = unit.last().map(|side| side.file.path.text());
    // History is gone through backwards: the old side is the one whose tree is asked for again.
    for side in unit.iter_mut().rev().filter(|side| side.known.is_none()) {
        side.known = read_kept(side.file, &side.text, later.as_deref());
    }
    let analyzed = |side: KeptSide<'_>| {
        let path = side.file.path.text().into_owned();
        match side.known {
            Some(known) => Analyzed { path, text: known.text.clone(), facts: known.facts.clone() },
            None => {
                let facts = Arc::new(FileFacts::opaque(Health::Unsupported));
                Analyzed { path, text: side.text, facts }
            }
        }
    };
    unit.into_iter().map(analyzed).collect()
}

/// Reads and keeps one file; nothing where there is nothing to read.
fn read_kept(file: &File, text: &Arc<[u8]>, later: Option<&str>) -> Option<Arc<Known>> {
    let blob = match &file.content {
        Content::Opaque => return None,
        Content::Blob(id) if is_read(file) => Some(id),
        _ => None,
    };
    Some(memo::read(blob, &file.path.text(), later, text))
}

/// The texts of files, empty for those of which nothing is read.
pub fn read_all(repository: &Repository, files: &[&File]) -> Result<Vec<Arc<[u8]>>> {
    let blob = |file: &&File| match &file.content {
        Content::Blob(id) if is_read(file) => Some(id.clone()),
        _ => None,
    };
    let wanted: Vec<ObjectId> = files.iter().filter_map(blob).collect();
    let mut blobs = repository.blobs(&wanted.iter().collect::<Vec<_>>())?.into_iter();
    let text = |file: &&File| -> Arc<[u8]> {
        match &file.content {
            Content::Bytes(bytes) => bytes.clone(),
            _ => blob(file).and_then(|_| blobs.next()).unwrap_or_default().into(),
        }
    };
    Ok(files.iter().map(text).collect())
}
