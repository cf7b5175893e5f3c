//! The walk: keeps track of what is open, and notes how each function leaves, catches and lets go.

mod annotations;
mod context;
mod enter;
mod errors;
mod listeners;
mod promises;

use std::ops::Range;

use tree_sitter::Node;

use super::collector::Collector;
use super::dialect::{Dialect, Role};
use super::kinds;
use super::shape::head;
use crate::facts::{Function, Span};
use crate::languages::builder::one_line;
use crate::languages::kept::Kept;
use crate::languages::walk::{Descend, Reader};
use crate::languages::{Kinds, Language, Source, span_of};

/// Nobody nests deeper. Further out, what is open is not looked at any more: it would cost the square of the depth.
const MAX_DEPTH: usize = 64;

/// Functions in so many others get no comments and no names of those around them.
const MAX_FUNCTIONS: usize = 16;

/// As much of a condition is kept before it is cut for reading.
const TEXT: usize = 640;

/// Something that is open at the current point of the walk.
struct Frame {
    node: usize,
    kind: FrameKind,
    /// What a handler does, and which one it is.
    handler: Option<(Collector, usize)>,
}

enum FrameKind {
    Scope {
        name: String,
        /// Where what is in it begins.
        body: usize,
        annotations: Vec<Range<usize>>,
    },
    Function(usize),
    /// A function without a name of its own, and where it ends.
    Closure(usize),
    /// The node that gives a name and the node that gets it.
    Naming {
        named: Range<usize>,
        value: usize,
    },
    If {
        condition: Range<usize>,
        then: Range<usize>,
        span: Span,
    },
    Case {
        pattern: Range<usize>,
        span: Span,
    },
    Match {
        value: Range<usize>,
        /// Whether an arm for errors was seen.
        asked: bool,
    },
    Try {
        body: Range<usize>,
    },
    Catch,
}

/// Reads the functions of a file.
pub(in crate::languages) struct Walker<'a> {
    source: Source<'a>,
    dialect: &'static Dialect,
    kinds: &'static Kinds<Role>,
    frames: Vec<Frame>,
    /// The functions that are open, innermost last; the first one is the file itself.
    open: Vec<usize>,
    functions: Vec<Function>,
    comments: Vec<Range<usize>>,
    /// Annotations that wait for what they stand on.
    annotations: Vec<Range<usize>>,
    /// The error variable that was set last, with the call that set it.
    pending: Option<Pending>,
    /// Variables that hold what a call gave back, the latest last.
    held: Vec<Pending>,
    /// A function node that is the handler of a promise, and which one.
    callback: Option<(usize, usize)>,
    /// The last expression that is a whole statement.
    statement: Option<usize>,
    /// The last value that a variable was set to.
    assigned: Option<usize>,
    /// A node that is understood as a whole.
    settled: Option<usize>,
    /// The current point of the walk.
    at: usize,
    /// What is known from another version of the file.
    kept: Option<&'a Kept<'a>>,
}

struct Pending {
    variable: String,
    callee: String,
    call: Range<usize>,
}

impl<'t> Reader<'t> for Walker<'_> {
    fn enter(&mut self, node: Node<'t>) -> Descend {
        if self.note(node) { Descend::Into } else { Descend::Over }
    }

    fn leave(&mut self, node: Node<'t>) {
        while self.frames.last().is_some_and(|frame| frame.node == node.id()) {
            let Some(frame) = self.frames.pop() else { return };
            self.close(frame);
        }
    }
}

impl<'a> Walker<'a> {
    pub fn new(language: &Language, source: Source<'a>, root: Node<'_>, kept: Option<&'a Kept<'a>>) -> Self {
        let whole = 0..source.text.len();
        let file = Function {
            span: span_of(root),
            line: 1,
            whole: whole.clone(),
            body: whole,
            ..Function::default()
        };
        Self {
            source,
            dialect: language.dialect,
            kinds: kinds(language),
            frames: Vec::new(),
            open: vec![0],
            functions: vec![file],
            comments: Vec::new(),
            annotations: Vec::new(),
            pending: None,
            held: Vec::new(),
            callback: None,
            statement: None,
            assigned: None,
            settled: None,
            at: 0,
            kept,
        }
    }

    fn push(&mut self, node: Node<'_>, kind: FrameKind) {
        self.frames.push(Frame { node: node.id(), kind, handler: None });
    }

    fn close(&mut self, frame: Frame) {
        if let Some((collector, index)) = frame.handler {
            let handlers = &mut self.functions[*self.open.last().unwrap_or(&0)].handlers;
            if let Some(handler) = handlers.get_mut(index) {
                handler.action = collector.action();
            }
            self.check_by_call(index);
        }
        if let FrameKind::Function(index) = frame.kind {
            self.open.pop();
            self.keep_comments(index);
            self.forget();
        }
    }

    /// What a function has at hand is not known outside of it.
    fn forget(&mut self) {
        self.pending = None;
        self.held.clear();
    }

    /// Takes over what is known of a function that stands as it stood, with those inside of it. Whether it could.
    fn take_over(&mut self, node: Node<'_>, name: &str, annotations: &[Range<usize>]) -> bool {
        let Some(kept) = self.kept.filter(|_| self.is_bare()) else { return false };
        let Some((known, shift)) = kept.function(node, name) else { return false };
        if !known[0].bare {
            return false;
        }
        let whole = &known[0].whole;
        // Those that stand before it may have changed.
        let own = known[0].annotations.iter().filter(|range| range.start >= whole.start);
        let own = own.map(|range| shift.range(range, 0)).collect::<Vec<_>>();
        self.comments.extend(kept.comments(whole).iter().map(|one| shift.range(one, 0)));
        let first = self.functions.len();
        self.functions.extend(known.iter().map(|function| function.shifted(shift)));
        let inherited = self.inherited();
        let function = &mut self.functions[first];
        function.annotations = annotations.iter().cloned().chain(own).collect();
        function.inherited = inherited;
        self.settled = Some(node.id());
        self.forget();
        true
    }

    /// Whether nothing but types and names is around the current point.
    fn is_bare(&self) -> bool {
        let is_bare = |frame: &Frame| {
            matches!(frame.kind, FrameKind::Scope { .. } | FrameKind::Naming { .. })
                && frame.handler.is_none()
        };
        self.open.len() == 1 && self.frames.iter().all(is_bare)
    }

    fn keep_comments(&mut self, index: usize) {
        if self.open.len() <= MAX_FUNCTIONS {
            let whole = self.functions[index].whole.clone();
            let first = self.comments.partition_point(|comment| comment.start < whole.start);
            self.functions[index].comments = self.comments[first..].to_vec();
        }
    }

    /// The functions in the order in which they start; the first one is what stands outside of all others.
    pub fn finish(mut self) -> Vec<Function> {
        self.open.clear();
        self.keep_comments(0);
        self.functions
    }

    fn function(&mut self) -> &mut Function {
        let index = self.open.last().copied().unwrap_or_default();
        &mut self.functions[index]
    }

    /// A stretch of source on one line, cut to a readable length.
    fn line_of_text(&self, range: Range<usize>) -> String {
        one_line(&head(&self.source, range, TEXT))
    }
}
