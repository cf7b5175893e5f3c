//! From text to tree: one parser per thread, and a second try where the grammar does not know how something is spelled.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{InputEdit, Node, ParseOptions, ParseState, Point, Tree};

use super::{Language, edits};
use crate::platform;
use crate::similarity::hash;

thread_local! {
    /// One parser per thread: what it has allocated for one file serves the next.
    static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(tree_sitter::Parser::new());
}

/// A text as the grammar understands it.
pub(super) struct Reading {
    pub tree: Tree,
    /// A hash of each place that it could not make sense of, sorted.
    pub broken: Vec<u64>,
    /// The text in another spelling, where the tree is that of it.
    pub respelled: Option<Vec<u8>>,
    /// What led to the text from the one whose tree was used, the last edit first; none where there was none.
    pub edits: Option<Vec<InputEdit>>,
}

impl Reading {
    pub fn is_whole(&self) -> bool {
        self.broken.is_empty()
    }

    /// Whether another version of the text may be parsed by what changed in it: where there are errors, recovery may
    /// depend on what was reused.
    pub fn is_reusable(&self) -> bool {
        self.is_whole()
    }
}

/// A text that was read, for the sake of another one that may be like it.
#[derive(Clone, Copy)]
pub(super) struct Earlier<'a> {
    pub tree: &'a Tree,
    pub text: &'a [u8],
    /// See [`Reading::respelled`].
    pub respelled: Option<&'a [u8]>,
}

/// Parses a text. What the language knows to put in another way is put so first: the grammar would stumble over it, and
/// to recover from that takes longest.
pub(super) fn read(language: &Language, text: &[u8]) -> Option<Reading> {
    let respelled = (language.respell)(text);
    let reading = |tree: Tree, respelled: Option<Vec<u8>>| Reading {
        broken: broken(&tree, text),
        tree,
        respelled,
        edits: None,
    };
    let other = respelled.and_then(|other| Some(reading(parse(language, &other, None)?, Some(other))));
    if other.as_ref().is_some_and(Reading::is_whole) {
        return other;
    }
    let plain = reading(parse(language, text, None)?, None);
    Some(other.filter(|other| other.broken.len() < plain.broken.len()).unwrap_or(plain))
}

/// Parses a text, given another one that may be like it.
pub(super) fn reread(language: &Language, old: Option<Earlier<'_>>, text: &[u8]) -> Option<Reading> {
    old.and_then(|old| reuse(language, old, text)).or_else(|| read(language, text))
}

/// The same by what changed; nothing where that does not lead to a whole tree.
fn reuse(language: &Language, old: Earlier<'_>, text: &[u8]) -> Option<Reading> {
    let respelled = (language.respell)(text);
    let (from, to) = (old.respelled.unwrap_or(old.text), respelled.as_deref().unwrap_or(text));
    let edits = edits::between(from, to);
    let is_spelled = old.respelled.is_some() || respelled.is_some();
    // What is spelled alike now may have been two things.
    if !edits::are_worth_following(&edits, to) || is_spelled && !edits::lead(&edits, old.text, text) {
        return None;
    }
    let mut tree = old.tree.clone();
    for edit in &edits {
        tree.edit(edit);
    }
    let tree = parse(language, to, Some(&tree)).filter(|tree| !tree.root_node().has_error())?;
    Some(Reading { tree, broken: Vec::new(), respelled, edits: Some(edits) })
}

/// Nothing where it takes far longer than for any text that people write: what a grammar does about errors can take the
/// square of what stands there, which no look at the text tells.
fn parse(language: &Language, text: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let mut patience = Patience::with(text.len());
    let mut is_late = |_: &ParseState| match patience.is_over() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&(language.grammar)()).ok()?;
        let options = ParseOptions::new().progress_callback(&mut is_late);
        let mut rest = |at: usize, _: Point| text.get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut rest, old, Some(options));
        if tree.is_none() {
            // Else it would go on with this text next time.
            parser.reset();
        }
        tree
    })
}

/// How long a parser may take. On a busy machine time passes without it: once so much is gone, only its own time counts.
struct Patience {
    limit: Duration,
    start: Instant,
    /// What this thread had used when the time was over for the first time.
    used: Option<Duration>,
}

impl Patience {
    fn with(bytes: usize) -> Self {
        let limit = LEAST_TIME + Duration::from_secs((bytes / BYTES_PER_SECOND) as u64);
        Self { limit, start: Instant::now(), used: None }
    }

    fn is_over(&mut self) -> bool {
        let elapsed = self.start.elapsed();
        if elapsed <= self.limit {
            return false;
        }
        let Some(used) = platform::time_of_thread() else { return elapsed > BUSY * self.limit };
        used.saturating_sub(*self.used.get_or_insert(used)) > self.limit
    }
}

/// However short a text is, it may take so long.
const LEAST_TIME: Duration = Duration::from_millis(600);

/// A fifth of the speed of grammars that is left to slow machines.
const BYTES_PER_SECOND: usize = 1 << 20;

/// Where nobody tells how long a thread really ran, so many others may run beside it.
const BUSY: u32 = 4;

/// So much of the line around an error tells it from others of its kind.
const AROUND: usize = 32;

/// The places that are no part of the language, by what stands there, whatever their lines.
fn broken(tree: &Tree, text: &[u8]) -> Vec<u64> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_place = node.is_error() || node.is_missing();
        if is_place {
            found.push(place(node, text));
        }
        if !is_place && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                found.sort_unstable();
                return found;
            }
        }
    }
}

fn place(node: Node<'_>, text: &[u8]) -> u64 {
    let goes_on = |byte: &&u8| **byte != b'\n';
    let before = text[..node.start_byte()].iter().rev().take(AROUND).take_while(goes_on).count();
    let behind = text[node.end_byte()..].iter().take(AROUND).take_while(goes_on).count();
    hash(&text[node.start_byte() - before..node.end_byte() + behind])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::language_of;

    fn reading(path: &str, text: &str) -> Reading {
        read(language_of(path).expect("a language"), text.as_bytes()).expect("a tree")
    }

    #[test]
    fn what_grammars_do_not_know_is_read_in_another_spelling() {
        let texts = [
            ("a.rs", "fn f() { g(str![[r#\"a\"#]]); h(char!('a'), u8! {1}) }"),
            ("a.ts", "vi.mock('./x', async (original) => ({ ...(await original<typeof import('./x')>()) }))"),
            (
                "a.ts",
                "f<\n  typeof import('./x')\n>(a).g()\nf(() =>\n  g<typeof import('./x')>(\n    h('y'),\n  ),\n)",
            ),
            ("a.ts", "const a = { b: [] as import('../c').D[] }"),
            ("a.ts", "test.each<{a: string}>`\n  a\n  ${1}\n`('t', () => {})"),
            ("a.ts", "export type * from './a'"),
            ("a.jsx", "const a = <p class=\"b\" id={c}>x</p>; class D {}"),
            ("a.js", "import a from './a.json' assert { type: 'json' }"),
            (
                "a.go",
                "package a\n\nvar a = T{A: new(uint64(3)), B: new(\"b\"), C: new(d.E()), F: new(G{1})}\n",
            ),
            ("A.java", "class A { void f(@Nullable Object @Nullable ... more) {} }"),
        ];
        for (path, text) in texts {
            let reading = reading(path, text);
            assert!(reading.is_whole(), "{text}");
            assert!(reading.respelled.is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_no_part_of_a_language_stays_broken_in_any_spelling() {
        for (path, text) in [("a.rs", "fn f( { str![] }"), ("a.go", "package a\n\nfunc { new(uint64(3))\n")] {
            assert!(!reading(path, text).is_whole(), "{text}");
        }
    }

    #[test]
    fn a_broken_place_is_the_same_on_another_line() {
        let broken = |text: &str| reading("a.py", text).broken;
        let one = "def f():\n    return 1\n\n\nx = = 2\n\n\ndef g():\n    return 3\n";
        let moved = format!("import a\n\n{}", one.replace("return 3", "return 4"));
        assert!(!broken(one).is_empty());
        assert_eq!(broken(one), broken(&moved));
        assert_ne!(broken(one), broken(&one.replace("x = = 2", "x = ) 2")));
    }
}
