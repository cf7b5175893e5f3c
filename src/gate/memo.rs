//! Facts that were read before, for a process that judges many changes.
//!
//! Facts depend on the path and the content of a file alone, so whoever asks cannot tell whether they were kept. The new
//! side of one commit is the old side of the next: with what is kept, each version of a file is read once. A version
//! that is new is parsed with the help of the tree of the last one: trees take twenty times the memory of facts, so
//! there is one for each path. Off unless switched on: one change alone asks for nothing twice.

mod lru;

use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::Result;

use crate::collections::HashMap;
use crate::facts::{Definition, FileFacts, Function, Test};
use crate::git::ObjectId;
use crate::languages::{Parsed, analyze_near};
use crate::similarity::{Body, Words};
use lru::Lru;

/// So many bytes of facts are kept, as far as they can be told.
const FACTS: usize = 96 << 20;

/// So many bytes of trees.
const TREES: usize = 128 << 20;

/// So many bytes of texts that are looked through.
const LOOKED_THROUGH: usize = 32 << 20;

/// What is known of one version of a file.
pub struct Known {
    pub text: Arc<[u8]>,
    pub facts: Arc<FileFacts>,
}

/// A version of a file: its path decides how its content is read.
type Version = (ObjectId, String);

struct Kept {
    facts: Mutex<Lru<Version, Arc<Known>>>,
    /// The version of each path that was read last, with its tree.
    trees: Mutex<Lru<String, Arc<Last>>>,
    /// Texts of files that lost tests are looked for in, commit after commit.
    texts: Mutex<Lru<ObjectId, Arc<[u8]>>>,
}

/// A version that the next one of its path may be like.
struct Last {
    parsed: Parsed,
    known: Arc<Known>,
}

static MEMO: OnceLock<Kept> = OnceLock::new();

/// From now on facts are kept.
pub fn switch_on() {
    MEMO.get_or_init(|| Kept {
        facts: Mutex::new(Lru::new(FACTS)),
        trees: Mutex::new(Lru::new(TREES)),
        texts: Mutex::new(Lru::new(LOOKED_THROUGH)),
    });
}

pub fn is_on() -> bool {
    MEMO.get().is_some()
}

pub fn get(blob: &ObjectId, path: &str) -> Option<Arc<Known>> {
    let key = (blob.clone(), path.to_owned());
    MEMO.get().and_then(|memo| lock(&memo.facts).get(&key))
}

/// Reads a version of a file with the help of another one, and keeps what was found; `later` is the path
/// that the file has afterwards.
pub fn read(blob: Option<&ObjectId>, path: &str, later: Option<&str>, text: &Arc<[u8]>) -> Arc<Known> {
    let memo = MEMO.get();
    let tree = |path: &str| memo.and_then(|memo| lock(&memo.trees).get(&path.to_owned()));
    let near = tree(path).or_else(|| later.and_then(tree));
    let near = near.as_deref().map(|near| (&near.parsed, &*near.known.facts));
    let (mut facts, parsed) = analyze_near(path, text, near);
    facts.project = crate::project::read(path, text).map(Box::new);
    let known = Arc::new(Known { text: text.clone(), facts: Arc::new(facts) });
    if let (Some(memo), Some(blob)) = (memo, blob) {
        // What has to go is dropped when the locks are free again.
        let bytes = known.bytes();
        let _gone = lock(&memo.facts).insert((blob.clone(), path.to_owned()), known.clone(), bytes);
        if let Some(parsed) = parsed {
            let bytes = parsed.bytes() + bytes;
            let last = Last { parsed, known: known.clone() };
            let _gone = lock(&memo.trees).insert(path.to_owned(), Arc::new(last), bytes);
        }
    }
    known
}

/// The texts of some files, read where they are not at hand.
pub fn texts(
    ids: &[&ObjectId],
    read: impl FnOnce(&[&ObjectId]) -> Result<Vec<Vec<u8>>>,
) -> Result<Vec<Arc<[u8]>>> {
    let Some(memo) = MEMO.get() else { return Ok(read(ids)?.into_iter().map(Arc::from).collect()) };
    let known: Vec<Option<Arc<[u8]>>> = {
        let mut texts = lock(&memo.texts);
        ids.iter().map(|id| texts.get(id)).collect()
    };
    let missing: Vec<&ObjectId> =
        ids.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(id, _)| *id).collect();
    let mut fresh = read(&missing)?.into_iter().zip(missing);
    let (mut texts, mut gone) = (lock(&memo.texts), Vec::new());
    let text = |known: Option<Arc<[u8]>>| {
        known.unwrap_or_else(|| {
            let Some((text, id)) = fresh.next() else { return Arc::default() };
            let text: Arc<[u8]> = text.into();
            gone.push(texts.insert(id.clone(), text.clone(), text.len()));
            text
        })
    };
    let all = known.into_iter().map(text).collect();
    // What has to go is dropped when the lock is free again.
    drop(texts);
    drop(gone);
    Ok(all)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    /// About how much memory it takes.
    fn bytes(&self) -> usize {
        let prints = |body: &Body, words: &Words| 8 * (body.len() + words.len());
        let facts = &self.facts;
        let tests = facts.tests.iter().chain(facts.macro_tests.iter().map(|test| &test.test));
        let tests = tests.map(|test| {
            size_of::<Test>() + prints(&test.body, &test.words) + ASSERTION * test.assertions.len()
        });
        let definitions = facts.definitions.iter().map(|definition| {
            let assertions = ASSERTION * definition.assertions.len();
            size_of::<Definition>() + prints(&definition.body, &definition.words) + assertions
        });
        let functions = facts.functions.iter().map(|function| {
            let noted = function.exits.len() + function.handlers.len() + function.errors.len();
            size_of::<Function>() + TEXTS * (1 + noted) + 16 * function.comments.len()
        });
        let signals = &facts.signals;
        let named = signals.switches.len() + signals.exports.len() + signals.imports.len();
        let prints = 8 * facts.names.len() + facts.comments.iter().map(|c| 8 * c.body.len()).sum::<usize>();
        let rest = prints + TEXTS * named + 12 * signals.remarks.len();
        let of_tests = tests.sum::<usize>() + definitions.sum::<usize>();
        of_tests + functions.sum::<usize>() + rest + self.text.len()
    }
}

/// What an assertion takes with its texts.
const ASSERTION: usize = 400;

/// What an entry of another kind takes with its texts.
const TEXTS: usize = 150;

/// So many folders and files are remembered for the macros they define.
const MACROS: usize = 20_000;

/// A macro and the file that defines it.
#[derive(Clone)]
pub struct Macro {
    pub name: String,
    /// The name of the file, without its folders.
    pub file: String,
    pub blob: ObjectId,
}

/// The macros that one file defines. Folders share these lists: each commit brings new folders up to the root.
pub type OfFile = Arc<[Macro]>;

type Found<K, V> = Mutex<Option<HashMap<K, Arc<[V]>>>>;

static DEFINED: Found<(ObjectId, &'static str), Macro> = Mutex::new(None);

static BELOW: Found<(ObjectId, &'static str), OfFile> = Mutex::new(None);

static TESTS: Found<ObjectId, String> = Mutex::new(None);

/// The words of so many files are remembered.
const WORDS: usize = 20_000;

static SAID: Mutex<Option<HashMap<ObjectId, Arc<Words>>>> = Mutex::new(None);

/// The macros that files below a folder define in a language, found out once.
pub fn macros_below(
    folder: &ObjectId,
    language: &'static str,
    find: impl FnOnce() -> Result<Vec<OfFile>>,
) -> Result<Arc<[OfFile]>> {
    once(&BELOW, (folder.clone(), language), find)
}

/// The macros that a file defines in a language, found out once.
pub fn macros(
    of: &ObjectId,
    language: &'static str,
    find: impl FnOnce() -> Result<Vec<Macro>>,
) -> Result<Arc<[Macro]>> {
    once(&DEFINED, (of.clone(), language), find)
}

/// The macros of a file that make tests, found out once.
pub fn test_macros(of: &ObjectId, find: impl FnOnce() -> Result<Vec<String>>) -> Result<Arc<[String]>> {
    once(&TESTS, of.clone(), find)
}

/// The words of a file, found out once.
pub fn words(of: &ObjectId, text: impl FnOnce() -> Result<Vec<u8>>) -> Result<Arc<Words>> {
    if let Some(known) = lock(&SAID).as_ref().and_then(|known| known.get(of)) {
        return Ok(known.clone());
    }
    let text = text()?;
    let words = Arc::new(Words::names(&text, &[]));
    let mut said = lock(&SAID);
    let known = said.get_or_insert_default();
    if known.len() >= WORDS {
        known.clear();
    }
    known.insert(of.clone(), words.clone());
    Ok(words)
}

fn once<K: Hash + Eq, V>(
    found: &Found<K, V>,
    key: K,
    find: impl FnOnce() -> Result<Vec<V>>,
) -> Result<Arc<[V]>> {
    if let Some(known) = lock(found).as_ref().and_then(|known| known.get(&key)) {
        return Ok(known.clone());
    }
    let new: Arc<[V]> = find()?.into();
    let mut found = lock(found);
    let known = found.get_or_insert_default();
    if known.len() >= MACROS {
        known.clear();
    }
    known.insert(key, new.clone());
    Ok(new)
}
