//! From bytes to facts: picks the language, parses, and walks the tree once for everybody who reads it.

use std::sync::Arc;

use tree_sitter::Tree;

use super::builder::Spoken;
use super::kept::Kept;
use super::parse::{Earlier, Reading, read, reread};
use super::walk::{Nobody, Tests, walk};
use super::{Builder, LANGUAGES, Language, functions, signals};
use crate::facts::{FileFacts, Function, Health, Test};

/// Larger files are reported as too large instead of being read. Nobody writes such tests by hand, and a commit must
/// not wait for them: a file of this size, however it is made, takes a second or two on both sides.
const MAX_BYTES: usize = 1024 * 1024;

/// A file is too large, too, if its parser has to look at more than this: it takes about as long.
const MAX_EFFORT: usize = 32 * MAX_BYTES;

/// Text with more open brackets than this is not parsed: a parser keeps them all. Strings may hold some that are never
/// closed, so the number is one that none of them reaches.
const MAX_OPEN: usize = 10_000;

/// So many blocks inside of each other are no work of hands. What is in a function is looked at once for each function
/// around it.
const MAX_BLOCKS: usize = 400;

/// Nobody starts so many functions, or tests, on one line.
const MOST_ON_A_LINE: usize = 64;

/// Nobody writes a function with so many ways out, handlers and uses of errors.
const MOST_IN_A_FUNCTION: usize = 1000;

/// One file as a pack sees it.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The path inside the repository, with forward slashes.
    pub path: &'a str,
    pub text: &'a [u8],
}

impl<'a> Source<'a> {
    pub fn file_name(&self) -> &'a str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// The file name up to its last dot.
    pub fn stem(&self) -> &'a str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The folders above the file, outermost first.
    pub fn folders(&self) -> impl DoubleEndedIterator<Item = &'a str> + use<'a> {
        let folders = self.path.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').filter(|folder| !folder.is_empty())
    }

    /// The text of a node, empty where it is not UTF-8.
    pub fn text_of(&self, node: tree_sitter::Node<'_>) -> &'a str {
        std::str::from_utf8(&self.text[node.byte_range()]).unwrap_or("")
    }
}

/// The language that reads files of this path, if any.
pub fn language_of(path: &str) -> Option<&'static Language> {
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

/// Everything a pack can tell of one file.
pub fn analyze(source: Source<'_>) -> FileFacts {
    match readable(source) {
        Ok(language) => facts(language, source, read(language, source.text).as_ref(), None).0,
        Err(health) => unread(source, health),
    }
}

/// What is known of a file whose tree is not.
fn unread(source: Source<'_>, health: Health) -> FileFacts {
    let language = language_of(source.path).map_or("", |language| language.name);
    let signals = signals::of_settings(source);
    FileFacts { language, signals, ..FileFacts::opaque(health) }
}

/// The macros of a file that make tests: what one walk can tell, without anything else.
pub fn test_macros(source: Source<'_>) -> Vec<String> {
    let Ok(language) = readable(source) else { return Vec::new() };
    let Some(reading) = read(language, source.text) else { return Vec::new() };
    let mut tests = Tests::new((language.pack)(&source), Builder::new(source, language.claim));
    if !walk(&reading.tree, &mut tests, &mut Nobody, &mut Nobody) {
        return Vec::new();
    }
    tests.finish().finish(language.name, Health::Clean).0.test_macros
}

/// Everything of both sides of a file. What the edit left alone is not parsed again, which saves most of the second side.
pub fn analyze_pair(before: Source<'_>, after: Source<'_>) -> (FileFacts, FileFacts) {
    let (Ok(language), Ok(other)) = (readable(before), readable(after)) else {
        return (analyze(before), analyze(after));
    };
    if !std::ptr::eq(language, other) {
        return (analyze(before), analyze(after));
    }
    let old = read(language, before.text);
    let near = old.as_ref().filter(|old| old.is_reusable()).map(|old| Earlier {
        tree: &old.tree,
        text: before.text,
        respelled: old.respelled.as_deref(),
    });
    let new = reread(language, near, after.text);
    let (first, spoken) = facts(language, before, old.as_ref(), None);
    let (second, _) = facts(language, after, new.as_ref(), Some((&first, &spoken)));
    (first, second)
}

/// A file that was read, kept so that another version of it is read faster.
pub struct Parsed {
    language: &'static Language,
    text: Arc<[u8]>,
    tree: Tree,
    respelled: Option<Vec<u8>>,
    spoken: Vec<Spoken>,
}

impl Parsed {
    /// About how much memory it takes, the text included.
    pub fn bytes(&self) -> usize {
        let spoken = size_of::<Spoken>() * self.spoken.len();
        let texts = self.text.len() + self.respelled.as_ref().map_or(0, Vec::len);
        texts + spoken + NODE_BYTES * self.tree.root_node().descendant_count()
    }
}

/// What a node of a tree takes, on average over the grammars.
const NODE_BYTES: usize = 40;

/// Everything a pack can tell of a file, given another version of it and its facts where they are at hand. Gives what was
/// parsed, too.
pub fn analyze_near(
    path: &str,
    text: &Arc<[u8]>,
    near: Option<(&Parsed, &FileFacts)>,
) -> (FileFacts, Option<Parsed>) {
    let source = Source { path, text };
    let Ok(language) = readable(source) else { return (analyze(source), None) };
    let near = near.filter(|(near, _)| std::ptr::eq(near.language, language));
    let earlier = near.map(|(near, _)| Earlier {
        tree: &near.tree,
        text: &near.text,
        respelled: near.respelled.as_deref(),
    });
    let reading = reread(language, earlier, text);
    let near = near.map(|(parsed, facts)| (facts, &*parsed.spoken));
    let (facts, spoken) = facts(language, source, reading.as_ref(), near);
    let kept = reading.filter(Reading::is_reusable);
    let parsed = kept.map(|Reading { tree, respelled, .. }| Parsed {
        language,
        text: text.clone(),
        tree,
        respelled,
        spoken,
    });
    (facts, parsed)
}

/// The language of a file, or why it is not parsed.
pub(super) fn readable(source: Source<'_>) -> Result<&'static Language, Health> {
    let language = language_of(source.path).ok_or(Health::Unsupported)?;
    match () {
        () if source.text.len() > MAX_BYTES => Err(Health::TooLarge),
        () if (language.effort)(source.text) > MAX_EFFORT => Err(Health::TooLarge),
        () if !stays_above(source.text, MAX_OPEN, b"([{", b")]}") => Err(Health::TooDeep),
        () if !stays_above(source.text, MAX_BLOCKS, b"{", b"}") => Err(Health::TooDeep),
        () => Ok(language),
    }
}

/// Whether never more than `most` brackets are open, as far as bytes tell.
fn stays_above(text: &[u8], most: usize, opening: &[u8], closing: &[u8]) -> bool {
    if text.len() <= most || text.iter().filter(|byte| opening.contains(byte)).count() <= most {
        return true;
    }
    let mut open: usize = 0;
    text.iter().all(|byte| {
        if opening.contains(byte) {
            open += 1;
        } else if closing.contains(byte) {
            open = open.saturating_sub(1);
        }
        open <= most
    })
}

/// Everything that one walk tells, and what it took for comments. `near` is the same of the text whose tree was used.
fn facts(
    language: &'static Language,
    source: Source<'_>,
    reading: Option<&Reading>,
    near: Option<(&FileFacts, &[Spoken])>,
) -> (FileFacts, Vec<Spoken>) {
    let unread = |health| (unread(source, health), Vec::new());
    let Some(Reading { tree, broken, edits, .. }) = reading else {
        return unread(Health::TooLarge);
    };
    let kept = near.zip(edits.as_ref()).map(|((facts, spoken), edits)| Kept::new(facts, spoken, edits));
    let builder = Builder::new(source, language.claim).with_known(kept.as_ref());
    let mut tests = Tests::new((language.pack)(&source), builder);
    let mut functions = functions::Walker::new(language, source, tree.root_node(), kept.as_ref());
    let mut signals = signals::Reader::new(language, source, kept.as_ref());
    if !walk(tree, &mut tests, &mut functions, &mut signals) {
        return unread(Health::TooDeep);
    }
    let health = if broken.is_empty() { Health::Clean } else { Health::Partial };
    let functions = functions.finish();
    let packed = is_packed(&functions);
    let (tests, spoken) = tests.finish().finish(language.name, health);
    if is_crowded(&tests.tests) {
        return unread(Health::TooLarge);
    }
    let facts = FileFacts {
        broken: broken.clone(),
        functions: if packed { Vec::new() } else { functions },
        packed,
        signals: signals.finish(),
        ..tests
    };
    (facts, spoken)
}

/// Whether a program wrote the functions: whoever compares them would go through the same long stretch for each.
fn is_packed(functions: &[Function]) -> bool {
    let crowded = |line: &[Function]| line.len() > MOST_ON_A_LINE;
    let noted = |one: &Function| one.exits.len() + one.handlers.len() + one.errors.len();
    functions.chunk_by(|one, next| one.span.start == next.span.start).any(crowded)
        || functions.iter().any(|one| noted(one) > MOST_IN_A_FUNCTION)
}

/// Whether a program wrote the tests: each of them would be told with all that stands on its line.
fn is_crowded(tests: &[Test]) -> bool {
    tests.chunk_by(|one, next| one.line == next.line).any(|line| line.len() > MOST_ON_A_LINE)
}
