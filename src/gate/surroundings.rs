//! What files outside of the change say about the tests that it loses: whether they could run at all, and whether their
//! package has them a second time. And how to ask about them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::Result;

use super::facts::{Analyzed, analyze_all};
use super::memo;
use super::orphans::orphans;
use crate::collections::{HashMap, HashSet};
use crate::facts::{FileFacts, Repeated, Surroundings};
use crate::git::{Change, ChangeSet, Content, Entry, File, ObjectId, RepoPath, Repository};
use crate::languages::{Language, language_of};
use crate::paths::{PathClass, class_by_name};
use crate::similarity::Words;
use crate::text::occurrences;

/// Files of one package that are looked into at most.
const MAX_FILES: usize = 200;

/// Modules of one file that are looked for at most.
const MAX_MODULES: usize = 64;

/// The repository as it was before the change.
pub trait Base {
    /// Whether a file or a folder is there.
    fn has(&self, path: &str) -> Result<bool>;

    /// The names of the first files in a folder.
    fn files_in(&self, folder: &str, most: usize) -> Result<Vec<String>>;

    fn facts(&self, path: &str) -> Result<Option<Arc<FileFacts>>>;

    /// What stands in a file.
    fn text(&self, path: &str) -> Result<Option<Arc<[u8]>>>;

    /// The names in a file, which cost less than its facts.
    fn words(&self, path: &str) -> Result<Option<Arc<Words>>>;

    /// Files of a language that name one of the names, but for those to leave out. Not all of a large repository is
    /// looked through.
    fn naming(
        &self,
        language: &str,
        names: &BTreeSet<String>,
        but: &HashSet<String>,
    ) -> Result<Vec<(String, Arc<FileFacts>)>>;

    /// Those of the names that no wanted file of a language says, and the files that were looked through; `None` if
    /// there are too many of them.
    fn lacking(
        &self,
        language: &str,
        names: &BTreeSet<String>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Lacking>>;
}

/// Names, and the paths of files that do not say them.
pub type Lacking = (BTreeSet<String>, Vec<String>);

/// Completes the before sides that lose tests; `files` in the order of the changes, the before side first.
pub fn complete(changes: &[&Change], files: &mut [Analyzed], base: &dyn Base) -> Result<()> {
    let sides = pairs(changes, files.len());
    let touched: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
    for (before, after) in sides {
        let Some(before) = before else { continue };
        let lost = lost(&files[before], after.map(|after| &files[after]));
        let Some(language) = language_of(&files[before].path).filter(|_| !lost.is_empty()) else { continue };
        let file = &files[before];
        let siblings = siblings(language, &file.path, &touched, base)?;
        let in_change = files.iter().filter(|other| other.path != file.path).map(|other| &other.facts.names);
        let others: Vec<&Words> = siblings.iter().map(|(_, words)| &**words).chain(in_change).collect();
        // Where only tests are left of a package, nobody can tell what it had.
        let has_code = siblings.iter().any(|(path, _)| class_by_name(path) != PathClass::Test);
        let found = Surroundings {
            missing: if after.is_none() { missing(language, file, base)? } else { Vec::new() },
            orphans: if has_code { orphans(file, &lost, &others) } else { Vec::new() },
            repeated: repeated(&siblings, &lost, base)?,
            importers: Vec::new(),
            refusals: Vec::new(),
        };
        if found != Surroundings::default() {
            Arc::make_mut(&mut files[before].facts).surroundings = Some(Box::new(found));
        }
    }
    Ok(())
}

/// Where the sides of each change stand in a list that has the before sides first.
pub fn pairs(changes: &[&Change], files: usize) -> Vec<(Option<usize>, Option<usize>)> {
    let mut places = 0..files;
    let pair = |change: &&Change| {
        let before = change.before().and_then(|_| places.next());
        (before, change.after().and_then(|_| places.next()))
    };
    changes.iter().map(pair).collect()
}

/// The names of the tests that the file itself no longer has.
pub fn lost(before: &Analyzed, after: Option<&Analyzed>) -> Vec<String> {
    let names = |file: &Analyzed| file.facts.tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
    let kept: HashSet<String> = after.map(names).unwrap_or_default().into_iter().collect();
    names(before).into_iter().filter(|name| !kept.contains(name)).collect()
}

/// Modules that the file loads though they are not there, next to others that are.
fn missing(language: &Language, file: &Analyzed, base: &dyn Base) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for module in (language.loads)(&file.text).into_iter().take(MAX_MODULES) {
        let places = (language.modules)(&file.path, &module);
        // What a build writes has a folder of its own, and other people's modules have none here.
        let folder = |place: &String| place.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let folders: HashSet<String> =
            places.iter().map(folder).filter(|folder| !folder.is_empty()).collect();
        let near = folders.iter().map(|folder| base.has(folder)).collect::<Result<Vec<bool>>>()?;
        let there = places.iter().map(|place| base.has(place)).collect::<Result<Vec<bool>>>()?;
        if near.contains(&true) && !there.contains(&true) {
            missing.push(module);
        }
    }
    Ok(missing)
}

/// The other files of the package, as far as the change leaves them alone, in languages whose packages are folders.
fn siblings(
    language: &Language,
    path: &str,
    touched: &HashSet<String>,
    base: &dyn Base,
) -> Result<Vec<(String, Arc<Words>)>> {
    let mut siblings = Vec::new();
    if !language.package_is_folder {
        return Ok(siblings);
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    for name in base.files_in(folder, MAX_FILES)? {
        let other = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let is_like = language_of(&other).is_some_and(|like| std::ptr::eq(like, language));
        if is_like && !touched.contains(&other) {
            siblings.extend(base.words(&other)?.map(|words| (other, words)));
        }
    }
    Ok(siblings)
}

/// Lost tests that another file of the package has.
fn repeated(siblings: &[(String, Arc<Words>)], lost: &[String], base: &dyn Base) -> Result<Vec<Repeated>> {
    let mut repeated = Vec::new();
    // Most files name none of them, and need not be read.
    for (path, _) in siblings.iter().filter(|(_, words)| lost.iter().any(|name| words.contains(name))) {
        let Some(facts) = base.facts(path)? else { continue };
        let same = facts.tests.iter().filter(|test| test.suite.is_empty() && lost.contains(&test.name));
        repeated.extend(same.map(|test| Repeated { name: test.name.clone(), path: path.clone() }));
    }
    Ok(repeated)
}

/// The base of a change in git.
pub struct Committed<'r> {
    repository: &'r Repository,
    commit: Option<&'r ObjectId>,
    /// What was looked into so far: many files that change stand in the same folders.
    folders: RefCell<HashMap<String, Rc<Folder>>>,
}

/// Longer paths are asked for by texts alone: no system has such files.
const LONGEST_PATH: usize = 4096;

/// What a folder holds, in the order of its names.
type Folder = BTreeMap<String, Entry>;

impl<'r> Committed<'r> {
    pub fn before(repository: &'r Repository, change: &'r ChangeSet) -> Self {
        Self { repository, commit: change.base.as_ref(), folders: RefCell::default() }
    }

    /// A folder of the base, given without a slash at its end; the empty path is the root.
    fn folder(&self, path: &str) -> Result<Option<Rc<Folder>>> {
        let Some(commit) = self.commit.filter(|_| path.len() <= LONGEST_PATH) else { return Ok(None) };
        let mut folder = self.read("", commit)?;
        let ends = path.match_indices('/').map(|(at, _)| at).chain((!path.is_empty()).then_some(path.len()));
        let mut start = 0;
        for end in ends {
            let Some(inner) = folder.get(&path[start..end]).filter(|entry| entry.is_folder()) else {
                return Ok(None);
            };
            folder = self.read(&path[..end], &inner.id.clone())?;
            start = end + 1;
        }
        Ok(Some(folder))
    }

    fn read(&self, path: &str, id: &ObjectId) -> Result<Rc<Folder>> {
        if let Some(known) = self.folders.borrow().get(path) {
            return Ok(known.clone());
        }
        let children = self.repository.children(id)?.into_iter();
        let folder: Rc<Folder> = Rc::new(children.map(|(name, entry)| (name.into_text(), entry)).collect());
        self.folders.borrow_mut().insert(path.to_owned(), folder.clone());
        Ok(folder)
    }

    fn entry(&self, path: &str) -> Result<Option<Entry>> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok(self.folder(folder)?.and_then(|folder| folder.get(name).cloned()))
    }
}

impl Base for Committed<'_> {
    fn has(&self, path: &str) -> Result<bool> {
        Ok(self.entry(path)?.is_some())
    }

    fn files_in(&self, folder: &str, most: usize) -> Result<Vec<String>> {
        let Some(folder) = self.folder(folder)? else { return Ok(Vec::new()) };
        let files = folder.iter().filter(|(_, entry)| entry.is_file());
        Ok(files.map(|(name, _)| name.clone()).take(most).collect())
    }

    fn facts(&self, path: &str) -> Result<Option<Arc<FileFacts>>> {
        let Some(entry) = self.entry(path)?.filter(Entry::is_file) else { return Ok(None) };
        let file = File { path: RepoPath::new(path), content: Content::Blob(entry.id) };
        Ok(analyze_all(self.repository, &[&file])?.pop().map(|file| file.facts))
    }

    fn text(&self, path: &str) -> Result<Option<Arc<[u8]>>> {
        let Some(entry) = self.entry(path)?.filter(Entry::is_file) else { return Ok(None) };
        Ok(Some(self.repository.blob(&entry.id)?.into()))
    }

    fn words(&self, path: &str) -> Result<Option<Arc<Words>>> {
        let Some(entry) = self.entry(path)?.filter(Entry::is_file) else { return Ok(None) };
        memo::words(&entry.id, || self.repository.blob(&entry.id)).map(Some)
    }

    fn naming(
        &self,
        language: &str,
        names: &BTreeSet<String>,
        but: &HashSet<String>,
    ) -> Result<Vec<(String, Arc<FileFacts>)>> {
        let Some(commit) = self.commit else { return Ok(Vec::new()) };
        let is_wanted = |(path, entry): &(RepoPath, Entry)| {
            let path = path.text();
            let is_like = language_of(&path).is_some_and(|it| it.name == language);
            entry.is_file() && is_like && !but.contains(path.as_ref())
        };
        let mut all = self.repository.list(commit)?;
        all.retain(is_wanted);
        let (mut found, mut bytes) = (Vec::new(), 0);
        for chunk in all.chunks(CHUNK).take(MAX_SOURCES / CHUNK) {
            for named in self.named_in(chunk, names, &mut bytes)? {
                let file = File { path: named.0.clone(), content: Content::Blob(named.1.id.clone()) };
                let facts = analyze_all(self.repository, &[&file])?.pop().map(|file| file.facts);
                found.extend(facts.map(|facts| (named.0.text().into_owned(), facts)));
            }
            if bytes > MAX_BYTES || found.len() > MAX_FILES {
                break;
            }
        }
        Ok(found)
    }

    fn lacking(
        &self,
        language: &str,
        names: &BTreeSet<String>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Lacking>> {
        let Some(commit) = self.commit else { return Ok(None) };
        let mut all = self.repository.list(commit)?;
        all.retain(|(path, entry)| {
            let path = path.text();
            entry.is_file() && language_of(&path).is_some_and(|it| it.name == language) && is_wanted(&path)
        });
        let (mut left, mut bytes) = (names.clone(), 0);
        if all.len() > MAX_SOURCES {
            return Ok(None);
        }
        for chunk in all.chunks(CHUNK) {
            let ids: Vec<&ObjectId> = chunk.iter().map(|(_, entry)| &entry.id).collect();
            let texts = self.repository.blobs(&ids)?;
            bytes += texts.iter().map(Vec::len).sum::<usize>();
            left.retain(|name| !texts.iter().any(|text| has_word(text, name.as_bytes())));
            if left.is_empty() {
                break;
            }
            if bytes > MAX_BYTES {
                return Ok(None);
            }
        }
        Ok(Some((left, all.into_iter().map(|(path, _)| path.text().into_owned()).collect())))
    }
}

/// So many sources are looked through for a name, this many bytes of them, and so many at once.
const MAX_SOURCES: usize = 4096;
const MAX_BYTES: usize = 32 << 20;
const CHUNK: usize = 256;

impl Committed<'_> {
    /// Those of the files in which one of the names stands as a word.
    fn named_in<'e>(
        &self,
        files: &'e [(RepoPath, Entry)],
        names: &BTreeSet<String>,
        bytes: &mut usize,
    ) -> Result<Vec<&'e (RepoPath, Entry)>> {
        if memo::is_on() {
            let mut found = Vec::new();
            for file in files {
                let words = memo::words(&file.1.id, || self.repository.blob(&file.1.id))?;
                if names.iter().any(|name| words.contains(name)) {
                    found.push(file);
                }
            }
            return Ok(found);
        }
        let texts = self.repository.blobs(&files.iter().map(|(_, entry)| &entry.id).collect::<Vec<_>>())?;
        *bytes += texts.iter().map(Vec::len).sum::<usize>();
        let named = |text: &Vec<u8>| names.iter().any(|name| has_word(text, name.as_bytes()));
        Ok(files.iter().zip(texts).filter(|(_, text)| named(text)).map(|(file, _)| file).collect())
    }
}

/// Whether a word stands in a text by itself.
pub fn has_word(text: &[u8], word: &[u8]) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    occurrences(text, word).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        !is_part(before) && !is_part(text.get(at + word.len()))
    })
}
