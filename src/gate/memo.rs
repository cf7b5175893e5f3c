//! Facts that were read before, for a process that judges many changes.
//!
//! Facts depend on the path and the content of a file alone, so whoever asks cannot tell whether they were kept. The new
//! side of one commit is the old side of the next: with what is kept, each version of a file is read once, and most of it
//! is not even parsed again. Off unless switched on: one change alone asks for nothing twice.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::Result;

use crate::facts::{Definition, FileFacts, Test};
use crate::git::ObjectId;
use crate::languages::{Parsed, analyze_near};
use crate::similarity::{Body, Words};

/// So many bytes are kept, as far as they can be told.
const LIMIT: usize = 128 << 20;

/// What is known of one version of a file.
pub struct Known {
    pub text: Arc<[u8]>,
    pub facts: Arc<FileFacts>,
    pub parsed: Option<Parsed>,
}

impl Known {
    /// Reads a text, given another version of it where one is known.
    pub fn read(path: &str, text: &Arc<[u8]>, near: Option<&Self>) -> Self {
        let (mut facts, parsed) = analyze_near(path, text, near.and_then(|near| near.parsed.as_ref()));
        facts.project = crate::project::read(path, text).map(Box::new);
        Self { text: text.clone(), facts: Arc::new(facts), parsed }
    }

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
        let prints = 8 * facts.names.len() + facts.comments.iter().map(|c| 8 * c.body.len()).sum::<usize>();
        let facts = tests.sum::<usize>() + definitions.sum::<usize>() + prints;
        facts + self.text.len() + self.parsed.as_ref().map_or(0, Parsed::bytes)
    }
}

/// What an assertion takes with its texts.
const ASSERTION: usize = 400;

/// A version of a file: its path decides how its content is read.
type Key = (ObjectId, String);

#[derive(Default)]
struct Kept {
    known: HashMap<Key, (u64, usize, Arc<Known>)>,
    /// The keys by when they were last asked for.
    order: BTreeMap<u64, Key>,
    clock: u64,
    bytes: usize,
}

static MEMO: OnceLock<Mutex<Kept>> = OnceLock::new();

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

type Found<K, V> = Mutex<Option<HashMap<K, Arc<[V]>>>>;

static DEFINED: Found<(ObjectId, &'static str), Macro> = Mutex::new(None);

static TESTS: Found<ObjectId, String> = Mutex::new(None);

/// From now on facts are kept.
pub fn switch_on() {
    MEMO.get_or_init(Mutex::default);
}

pub fn is_on() -> bool {
    MEMO.get().is_some()
}

fn with<T>(use_it: impl FnOnce(&mut Kept) -> T) -> Option<T> {
    MEMO.get().map(|memo| use_it(&mut memo.lock().unwrap_or_else(PoisonError::into_inner)))
}

pub fn get(blob: &ObjectId, path: &str) -> Option<Arc<Known>> {
    with(|kept| kept.get(&(blob.clone(), path.to_owned()))).flatten()
}

pub fn keep(blob: &ObjectId, path: &str, known: &Arc<Known>) {
    with(|kept| kept.insert((blob.clone(), path.to_owned()), known.clone()));
}

/// The macros that a folder or file defines in a language, found out once.
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

fn once<K: Hash + Eq, V>(
    found: &Found<K, V>,
    key: K,
    find: impl FnOnce() -> Result<Vec<V>>,
) -> Result<Arc<[V]>> {
    let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().as_ref().and_then(|known| known.get(&key)) {
        return Ok(known.clone());
    }
    let new: Arc<[V]> = find()?.into();
    let mut found = lock();
    let known = found.get_or_insert_default();
    if known.len() >= MACROS {
        known.clear();
    }
    known.insert(key, new.clone());
    Ok(new)
}

impl Kept {
    fn get(&mut self, key: &Key) -> Option<Arc<Known>> {
        let (last, _, known) = self.known.get_mut(key)?;
        let key = self.order.remove(last)?;
        self.clock += 1;
        *last = self.clock;
        self.order.insert(self.clock, key);
        Some(known.clone())
    }

    fn insert(&mut self, key: Key, known: Arc<Known>) {
        let bytes = known.bytes();
        self.clock += 1;
        self.order.insert(self.clock, key.clone());
        if let Some((last, old, _)) = self.known.insert(key, (self.clock, bytes, known)) {
            self.order.remove(&last);
            self.bytes -= old;
        }
        self.bytes += bytes;
        while self.bytes > LIMIT
            && let Some((_, oldest)) = self.order.pop_first()
            && let Some((_, bytes, _)) = self.known.remove(&oldest)
        {
            self.bytes -= bytes;
        }
    }
}
