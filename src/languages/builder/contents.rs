//! What else stands in a test or in its file: names, stand-ins, rows, comments, what it shares with other files.

use tree_sitter::Node;

use super::{Builder, Spoken, one_line, span_of};
use crate::facts::{Binding, Definition, DefinitionKind, Double, Named, Takeover, Test};
use crate::languages::shared::Use;

/// As many rows, bindings and stand-ins of a test are kept.
const LIST_LIMIT: usize = 256;

/// As many parameter rows of a file are kept: many tests can share a table.
const ROW_LIMIT: usize = 16_384;

impl Builder<'_> {
    /// Whether names that are given values at the current point are kept: inside tests, and functions that may serve them.
    pub fn keeps_bindings(&self) -> bool {
        self.in_test() || self.serving_function().is_some()
    }

    /// A name given to a value inside a test, or a function that may serve tests.
    pub fn binding(&mut self, line: u32, name: &str, value: &str) {
        let binding = || Binding { line, name: name.to_owned(), value: one_line(value) };
        if self.in_test() {
            return self.innermost_test(|test| &mut test.bindings, binding());
        }
        let Some(index) = self.serving_function() else { return };
        let list = &mut self.definitions[index].bindings;
        if list.len() < LIST_LIMIT {
            list.push(binding());
        }
    }

    /// Names in a function that asserts nothing say nothing about a test.
    pub(super) fn forget_bindings(&mut self, definition: usize) {
        let Definition { assertions, bindings, .. } = &mut self.definitions[definition];
        if assertions.is_empty() {
            *bindings = Vec::new();
        }
    }

    /// The innermost definition, where it is a function that tests may call.
    fn serving_function(&self) -> Option<usize> {
        let serves = self.is_test_file || self.in_suite();
        let is_function = |index: &usize| self.definitions[*index].kind == DefinitionKind::Function;
        self.innermost_definition().filter(is_function).filter(|_| serves)
    }

    /// A stand-in that a test makes.
    pub fn double(&mut self, line: u32, target: &str) {
        self.stand_in(line, target, false);
    }

    /// A stand-in that only listens to the real code.
    pub fn spy(&mut self, line: u32, target: &str) {
        self.stand_in(line, target, true);
    }

    fn stand_in(&mut self, line: u32, target: &str, passes_through: bool) {
        let double = Double { line, target: one_line(target), passes_through };
        if self.in_test() {
            self.innermost_test(|test| &mut test.doubles, double);
        } else if !self.in_function() && self.doubles.len() < LIST_LIMIT {
            self.doubles.push(double);
        }
    }

    /// A parameter row of the test that is open.
    pub fn row(&mut self, row: &str) {
        self.rows += 1;
        if self.rows <= ROW_LIMIT {
            self.innermost_test(|test| &mut test.rows, one_line(row));
        }
    }

    /// Adds to a list of the innermost open test; nobody reads endless lists.
    fn innermost_test<T>(&mut self, list: impl Fn(&mut Test) -> &mut Vec<T>, item: T) {
        let Some(index) = self.enclosing_tests().next() else { return };
        let list = list(&mut self.drafts[index].test);
        if list.len() < LIST_LIMIT {
            list.push(item);
        }
    }

    /// What the constant that is open is set to.
    pub fn value(&mut self, value: &str) {
        if let Some(index) = self.innermost_definition() {
            self.definitions[index].value = Some(one_line(value));
        }
    }

    /// The runner passes a file of this name by, or does so in places.
    pub fn unseen(&mut self, why: impl Into<String>) {
        self.collection.unseen = Some(why.into());
    }

    /// Another file becomes a part of the build here.
    pub fn part(&mut self, name: &str, line: u32) {
        if self.collection.parts.len() < LIST_LIMIT {
            self.collection.parts.push(Named { name: name.to_owned(), line });
        }
    }

    /// A type with tests that can only run through others.
    pub fn abstract_type(&mut self, name: &str, line: u32) {
        if self.collection.abstract_types.len() < LIST_LIMIT {
            self.collection.abstract_types.push(Named { name: name.to_owned(), line });
        }
    }

    /// A function decides how the run ends.
    pub fn takeover(&mut self, function: &str, what: &'static str, line: u32) {
        if self.collection.takeovers.len() < LIST_LIMIT {
            self.collection.takeovers.push(Takeover { function: function.to_owned(), what, line });
        }
    }

    /// A macro of this file expands to tests.
    pub fn test_macro(&mut self, name: &str) {
        self.test_macros.push(name.to_owned());
    }

    /// Other files can import the function that this one calls `local` as `name`.
    pub fn export(&mut self, local: &str, name: &str) {
        self.sharing.export(local, name);
    }

    /// A call, or another use, of a function that may define tests: one of `module`, or of this file.
    pub fn shared_use(&mut self, node: Node<'_>, module: Option<&str>, function: &str) {
        let (module, function) = (module.map(str::to_owned), function.to_owned());
        let (within, suite) = (self.outermost_function(), self.suite);
        self.sharing.use_of(Use {
            module,
            function,
            span: span_of(node),
            path: self.suite_path(),
            suite,
            within,
        });
    }

    /// Words for readers that are no comment: they are no part of what a test does.
    pub fn prose(&mut self, node: Node<'_>) {
        self.speak(Spoken { bytes: node.byte_range(), span: span_of(node), is_comment: false });
    }

    /// A comment; adjacent ones become one block, also over a blank line, as commented-out code has them.
    pub fn comment(&mut self, node: Node<'_>) {
        self.speak(Spoken { bytes: node.byte_range(), span: span_of(node), is_comment: true });
    }

    pub(super) fn speak(&mut self, one: Spoken) {
        let Spoken { bytes: range, span, is_comment } = one.clone();
        self.comment_ranges.push(range.clone());
        self.spoken.push(one);
        if !is_comment {
            return;
        }
        if let Some((last, bytes)) = self.comments.last_mut()
            && span.start <= last.end + 2
            && self.source.text[bytes.end..range.start].iter().all(u8::is_ascii_whitespace)
        {
            last.end = span.end;
            bytes.end = range.end;
            return;
        }
        self.comments.push((span, range));
    }
}
