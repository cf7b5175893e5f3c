//! Collects what a pack reports during the walk: open scopes, inherited skips, focus, comments.
//!
//! Packs say what a node is; the builder knows where it stands.

mod checks;
mod contents;
mod settle;
mod skips;

pub(crate) use skips::strengthen;

use std::ops::Range;

use tree_sitter::Node;

use super::Source;
use super::guards::{Leaves, guard};
use super::kept::Kept;
use super::shared::Sharing;
use crate::facts::{
    Claim, Collection, Definition, DefinitionKind, Double, Level, Reach, Scope, Skip, SkipKind, Span, Test,
};
use crate::paths::{PathClass, class_by_name};
use crate::similarity::{Body, Words, words_and_body};

/// Longest text kept of an assertion or a mark.
const TEXT_LIMIT: usize = 160;

/// Nobody nests deeper. What is inside more tests, suites and functions than this is still counted, but without names
/// and fingerprints of all that is around it: these would cost the square of the depth.
const MAX_NESTING: usize = 64;

/// What a pack knows of a test when it meets it.
pub struct TestHead<'t> {
    pub name: String,
    /// The node whose line names the test.
    pub name_node: Node<'t>,
    /// The node that is fingerprinted: the body, without the name.
    pub body: Node<'t>,
    pub level: Level,
    pub cases: Option<u32>,
    pub skip: Option<Skip>,
    /// Marked to run alone (`it.only`).
    pub focused: bool,
    /// Takes the place of a test that a base class defines.
    pub overrides: bool,
}

impl<'t> TestHead<'t> {
    /// A plain test of one case.
    pub fn new(name: impl Into<String>, name_node: Node<'t>, body: Node<'t>) -> Self {
        Self {
            name: name.into(),
            name_node,
            body,
            level: Level::Definition,
            cases: Some(1),
            skip: None,
            focused: false,
            overrides: false,
        }
    }
}

/// A suite met during the walk; tests point at it until the file is finished.
struct Suite {
    name: String,
    parent: Option<usize>,
    skip: Option<Skip>,
    /// Every condition under which it is off.
    conditions: Vec<Skip>,
    focused: bool,
    /// Its bytes in the file, and whether tests stand directly in it.
    whole: Range<usize>,
    holds_tests: bool,
}

/// A test whose skip is not settled yet.
struct Draft {
    test: Test,
    suite: Option<usize>,
    /// The outermost function around it.
    function: Option<usize>,
    focused: bool,
    body: Range<usize>,
    /// Where its words stand: decorators, name and body.
    whole: Range<usize>,
    /// Set when the test only counts if this macro is a test macro.
    macro_name: Option<String>,
    /// The lines of this file that say what it does, where these are a part of the macro.
    written_on: Option<Span>,
    /// The condition under which it has been left so far.
    left: Option<(Range<usize>, u32)>,
}

/// A comment, or words for readers that are none.
#[derive(Clone)]
pub(super) struct Spoken {
    pub bytes: Range<usize>,
    span: Span,
    is_comment: bool,
}

/// A scope that is open at the current point of the walk.
struct Open {
    node: usize,
    kind: OpenKind,
    /// Whether a check directly inside can fail the test or definition around it.
    reach: Reach,
}

enum OpenKind {
    Suite {
        outer: Option<usize>,
    },
    Test(usize),
    Definition {
        index: usize,
        body: Range<usize>,
    },
    Branch {
        /// Without which nothing inside runs, and the line of it.
        condition: Option<(Range<usize>, u32)>,
        /// The condition under which a round of the loop has been left so far.
        left: Option<(Range<usize>, u32)>,
    },
    Closure,
    /// Checks inside cannot fail the test, for this reason.
    Muted(Reach),
}

pub struct Builder<'a> {
    source: Source<'a>,
    /// Whether the file is one of tests, by its name.
    is_test_file: bool,
    /// Reads what an assertion of the language claims.
    claim: fn(&str) -> Claim,
    open: Vec<Open>,
    /// The tests and definitions among the open scopes, innermost last.
    tests_around: Vec<usize>,
    definitions_around: Vec<usize>,
    /// Where the checks around the current point end.
    checks_around: Vec<usize>,
    /// How many of the open scopes are functions of any kind, and things with a body.
    functions_around: usize,
    bodies_around: usize,
    suite: Option<usize>,
    suites: Vec<Suite>,
    drafts: Vec<Draft>,
    definitions: Vec<Definition>,
    test_macros: Vec<String>,
    rows: usize,
    doubles: Vec<Double>,
    collection: Collection,
    sharing: Sharing,
    file_skip: Option<Skip>,
    /// Every condition under which the file is off.
    file_conditions: Vec<Skip>,
    comment_ranges: Vec<Range<usize>>,
    /// The same with what is needed to tell them once more.
    spoken: Vec<Spoken>,
    comments: Vec<(Span, Range<usize>)>,
    /// What is known from another version of the file.
    kept: Option<&'a Kept<'a>>,
}

impl<'a> Builder<'a> {
    /// The same with what is known from another version of the file.
    pub(super) fn with_known(self, kept: Option<&'a Kept<'a>>) -> Self {
        Self { kept, ..self }
    }

    pub(super) fn new(source: Source<'a>, claim: fn(&str) -> Claim) -> Self {
        Self {
            source,
            is_test_file: class_by_name(source.path) == PathClass::Test,
            claim,
            open: Vec::new(),
            tests_around: Vec::new(),
            definitions_around: Vec::new(),
            checks_around: Vec::new(),
            functions_around: 0,
            bodies_around: 0,
            suite: None,
            suites: Vec::new(),
            drafts: Vec::new(),
            definitions: Vec::new(),
            test_macros: Vec::new(),
            rows: 0,
            doubles: Vec::new(),
            collection: Collection::default(),
            sharing: Sharing::default(),
            file_skip: None,
            file_conditions: Vec::new(),
            comment_ranges: Vec::new(),
            spoken: Vec::new(),
            comments: Vec::new(),
            kept: None,
        }
    }

    pub fn source(&self) -> Source<'a> {
        self.source
    }

    pub fn text(&self, node: Node<'_>) -> &'a str {
        self.source.text_of(node)
    }

    /// The start of the node's text, as much as is worth reading for one line.
    pub fn opening(&self, node: Node<'_>) -> std::borrow::Cow<'a, str> {
        self.stretch(node.byte_range(), 8 * TEXT_LIMIT)
    }

    /// The node's text on one line, cut to a readable length.
    pub fn one_line(&self, node: Node<'_>) -> String {
        one_line(self.text(node))
    }

    // ---- scopes; each closes when its node is left ----

    /// A group of tests: class, module, `describe`.
    pub fn open_suite(&mut self, node: Node<'_>, name: impl Into<String>, skip: Option<Skip>, focused: bool) {
        let skip = skip.map(|skip| Skip { scope: Scope::Suite, ..skip });
        let (whole, parent) = (node.byte_range(), self.suite);
        let conditions = skip.iter().filter(|skip| skip.kind == SkipKind::Conditional).cloned().collect();
        let (name, holds_tests) = (name.into(), false);
        self.suites.push(Suite { name, parent, skip, conditions, focused, whole, holds_tests });
        let outer = self.suite.replace(self.suites.len() - 1);
        self.push(node, OpenKind::Suite { outer });
    }

    pub fn open_test(&mut self, node: Node<'_>, head: TestHead<'_>) {
        self.open_draft(node, head, None);
    }

    /// A test only if `macro_name` turns out to be a test macro of the repository.
    pub fn open_macro_test(&mut self, node: Node<'_>, macro_name: &str, head: TestHead<'_>) {
        self.open_draft(node, head, Some(macro_name.to_owned()));
    }

    fn open_draft(&mut self, node: Node<'_>, head: TestHead<'_>, macro_name: Option<String>) {
        let mut suite = self.suite_path();
        if head.level == Level::Subtest {
            let enclosing = self.enclosing_tests().map(|index| self.drafts[index].test.name.clone());
            let mut enclosing: Vec<String> = enclosing.collect();
            enclosing.reverse();
            suite.extend(enclosing);
        }
        let test = Test {
            name: head.name,
            suite,
            level: head.level,
            span: span_of(node),
            line: line_of(head.name_node),
            skip: None,
            conditions: Vec::new(),
            cases: head.cases,
            overrides: head.overrides,
            assertions: Vec::new(),
            rows: Vec::new(),
            bindings: Vec::new(),
            doubles: Vec::new(),
            body: Body::default(),
            words: Words::default(),
        };
        let own_skip = head.skip.map(|skip| Skip { scope: Scope::Test, ..skip });
        let defined_if = self.defined_if(node);
        let (body, whole) = (head.body.byte_range(), node.byte_range());
        let (suite, function) = (self.suite, self.outermost_function());
        self.drafts.push(Draft {
            test,
            suite,
            function,
            focused: head.focused,
            body,
            whole,
            macro_name,
            written_on: None,
            left: None,
        });
        let index = self.drafts.len() - 1;
        for skip in own_skip.into_iter().chain(defined_if) {
            self.skip_test(index, skip);
        }
        if let Some(suite) = self.suite {
            self.suites[suite].holds_tests = true;
        }
        self.push(node, OpenKind::Test(index));
    }

    /// The true place of the test opened last, where it stands over several sibling nodes: attributes before a
    /// function, tokens of a macro.
    pub fn relocate(&mut self, span: Span, line: u32, body: Range<usize>, whole: Range<usize>) {
        if let Some(draft) = self.drafts.last_mut() {
            (draft.test.span, draft.test.line) = (span, line);
            (draft.body, draft.whole) = (body, whole);
        }
    }

    /// What the test opened last does stands on these lines, in the macro that makes it.
    pub fn written_on(&mut self, lines: Span) {
        if let Some(draft) = self.drafts.last_mut() {
            draft.written_on = Some(lines);
        }
    }

    /// A named thing that is no test. Assertions inside are counted for it.
    pub fn open_definition(
        &mut self,
        node: Node<'_>,
        name: &str,
        kind: DefinitionKind,
        body: Option<Node<'_>>,
    ) {
        let definition = Definition {
            name: name.to_owned(),
            kind,
            span: span_of(node),
            in_suite: self.suite.is_some(),
            assertions: Vec::new(),
            bindings: Vec::new(),
            value: None,
            body: Body::default(),
            words: Words::default(),
        };
        self.definitions.push(definition);
        let body = body.map_or(0..0, |body| body.byte_range());
        self.push(node, OpenKind::Definition { index: self.definitions.len() - 1, body });
    }

    /// Code that may not run: the arm of an `if`, a loop, a handler.
    pub fn open_branch(&mut self, node: Node<'_>) {
        // What is asked inside functions that are no tests decides nothing about a test.
        let matters = self.in_test() || !self.in_function();
        let guard = if matters { guard(node, self.source) } else { None };
        match guard.as_ref().map(|guard| (guard.leaves, guard.condition.clone())) {
            Some((Some(Leaves::Function), condition)) => self.leaves_if(node, condition),
            Some((Some(Leaves::Round), condition)) => self.leaves_round_if(node, condition),
            _ => {}
        }
        let condition = guard.map(|guard| (guard.condition, line_of(node)));
        self.push(node, OpenKind::Branch { condition, left: None });
    }

    /// A function inside another that is neither a test nor worth a definition.
    pub fn open_closure(&mut self, node: Node<'_>) {
        self.push(node, OpenKind::Closure);
    }

    /// Code whose checks cannot fail the test: a `try` that forgets errors, what follows a `return`, a callback that
    /// nobody calls, a promise that nobody waits for.
    pub fn open_muted(&mut self, node: Node<'_>, why: Reach) {
        self.push(node, OpenKind::Muted(why));
    }

    fn push(&mut self, node: Node<'_>, kind: OpenKind) {
        let [function, body] = self.counts(&kind);
        self.functions_around += function;
        self.bodies_around += body;
        match kind {
            OpenKind::Test(index) => self.tests_around.push(index),
            OpenKind::Definition { index, .. } => self.definitions_around.push(index),
            _ => {}
        }
        let around = self.reach();
        let reach = match kind {
            OpenKind::Suite { .. } | OpenKind::Test(_) | OpenKind::Definition { .. } => Reach::Always,
            OpenKind::Branch { .. } => around.max(Reach::Branch),
            OpenKind::Muted(why) => around.max(why),
            OpenKind::Closure => around,
        };
        self.open.push(Open { node: node.id(), kind, reach });
    }

    /// Whether a check at the current point can fail what is around it.
    fn reach(&self) -> Reach {
        self.open.last().map_or(Reach::Always, |open| open.reach)
    }

    /// What a scope adds to the numbers of functions and bodies around the current point.
    fn counts(&self, kind: &OpenKind) -> [usize; 2] {
        match kind {
            OpenKind::Test(_) => [1, 1],
            OpenKind::Definition { index, .. } => {
                [usize::from(self.definitions[*index].kind == DefinitionKind::Function), 1]
            }
            OpenKind::Closure => [1, 0],
            OpenKind::Suite { .. } | OpenKind::Branch { .. } | OpenKind::Muted(_) => [0, 0],
        }
    }

    pub(super) fn leave(&mut self, node: Node<'_>) {
        while self.open.last().is_some_and(|open| open.node == node.id()) {
            let Some(open) = self.open.pop() else { return };
            let [function, body] = self.counts(&open.kind);
            self.functions_around -= function;
            self.bodies_around -= body;
            match open.kind {
                OpenKind::Test(_) => drop(self.tests_around.pop()),
                OpenKind::Definition { index, .. } => {
                    self.definitions_around.pop();
                    self.forget_bindings(index);
                }
                _ => {}
            }
            match open.kind {
                OpenKind::Suite { outer } => self.suite = outer,
                _ if self.bodies_around >= MAX_NESTING => {}
                OpenKind::Test(index) => {
                    let draft = &self.drafts[index];
                    let (whole, body) = (draft.whole.clone(), draft.body.clone());
                    let known = self.kept.and_then(|kept| kept.test(&draft.test));
                    let (words, body) = known.unwrap_or_else(|| {
                        words_and_body(self.source.text, whole, body, &self.comment_ranges)
                    });
                    let test = &mut self.drafts[index].test;
                    (test.body, test.words) = (body, words);
                }
                OpenKind::Definition { index, body } if !body.is_empty() => {
                    let known = self.kept.and_then(|kept| kept.definition(&self.definitions[index]));
                    let (words, body) = known.unwrap_or_else(|| {
                        words_and_body(self.source.text, body.clone(), body, &self.comment_ranges)
                    });
                    (self.definitions[index].words, self.definitions[index].body) = (words, body);
                }
                _ => {}
            }
        }
    }

    /// How many scopes are open around the current point.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Takes over what is known of the function that was just opened, where nothing else was; whether it did. What is
    /// inside a plain function may still set up tests where these have files of their own.
    pub(super) fn take_over(
        &mut self,
        node: Node<'_>,
        depth: usize,
        is_closed: impl FnOnce() -> bool,
    ) -> bool {
        let Some(kept) = self.kept.filter(|_| self.functions_around == 1) else { return false };
        let index = match self.open.get(depth..) {
            Some([Open { kind: OpenKind::Definition { index, .. }, node: opened, .. }])
                if *opened == node.id() && self.definitions[*index].kind == DefinitionKind::Function =>
            {
                *index
            }
            _ => return false,
        };
        if self.in_test() || class_by_name(self.source.path) != PathClass::Production {
            return false;
        }
        let Some(known) = kept.plain(node, &self.definitions[index], self.source.text) else { return false };
        if !is_closed() {
            return false;
        }
        let shift = known.shift;
        let inside = known.inside.iter().cloned();
        self.definitions.extend(inside.map(|one| Definition { span: shift.span(one.span), ..one }));
        for one in known.spoken {
            let (bytes, span) = (shift.range(&one.bytes, 0), shift.span(one.span));
            self.speak(Spoken { bytes, span, ..*one });
        }
        true
    }

    fn innermost_definition(&self) -> Option<usize> {
        self.definitions_around.last().copied()
    }

    /// A stretch of source, never more than the first `limit` bytes of it: assertions can be nested.
    fn stretch(&self, bytes: Range<usize>, limit: usize) -> std::borrow::Cow<'a, str> {
        let end = bytes.end.min(bytes.start.saturating_add(limit));
        String::from_utf8_lossy(self.source.text.get(bytes.start..end).unwrap_or_default())
    }

    /// Whether a test is open around the current point.
    pub fn in_test(&self) -> bool {
        !self.tests_around.is_empty()
    }

    /// Whether the current point is inside a function: a test, a definition of a function, a closure.
    pub fn in_function(&self) -> bool {
        self.functions_around > 0
    }

    /// Whether a suite is open around the current point.
    pub fn in_suite(&self) -> bool {
        self.suite.is_some()
    }

    /// The tests around the current point, innermost first.
    fn enclosing_tests(&self) -> impl Iterator<Item = usize> + '_ {
        self.tests_around.iter().rev().copied().take(MAX_NESTING)
    }

    /// The definition of the outermost function around the current point.
    fn outermost_function(&self) -> Option<usize> {
        let is_function = |index: &usize| self.definitions[*index].kind == DefinitionKind::Function;
        self.definitions_around.iter().copied().find(is_function)
    }

    fn suite_path(&self) -> Vec<String> {
        let mut path: Vec<String> = self.suite_chain(self.suite).map(|suite| suite.name.clone()).collect();
        path.reverse();
        path
    }

    /// The suite and those around it, innermost first.
    fn suite_chain(&self, suite: Option<usize>) -> impl Iterator<Item = &Suite> {
        let chain = std::iter::successors(suite, |&index| self.suites[index].parent);
        chain.take(MAX_NESTING).map(|index| &self.suites[index])
    }
}

pub fn line_of(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

pub fn span_of(node: Node<'_>) -> Span {
    let end = node.end_position();
    // A node that ends at column 0 ends with the line before.
    let last = if end.column == 0 && end.row > node.start_position().row { end.row } else { end.row + 1 };
    Span { start: line_of(node), end: last as u32 }
}

pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(TEXT_LIMIT + 4));
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > TEXT_LIMIT {
            let cut = (0..=TEXT_LIMIT).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
            line.truncate(cut);
            line.push('…');
            break;
        }
    }
    line
}
