//! What a function of the code does when something is wrong: how it refuses, what it catches, what it lets go.

use std::ops::Range;

use super::Span;

/// One function or method, or what a file does outside of any: then the name is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// With the names around it: `Cart.total`.
    pub name: String,
    pub span: Span,
    /// Where the name stands.
    pub line: u32,
    /// Its bytes, from name to end. Fingerprints are taken only of what a change touches.
    pub whole: Range<usize>,
    pub body: Range<usize>,
    /// Comments inside, as bytes, in order.
    pub comments: Vec<Range<usize>>,
    /// The parameters as written, white space collapsed.
    pub parameters: String,
    /// Decorators, annotations and attributes on it and on its parameters, as bytes.
    pub annotations: Vec<Range<usize>>,
    /// Those on the types around it.
    pub inherited: Vec<Range<usize>>,
    /// Ways out that refuse, give up or pass over.
    pub exits: Vec<Exit>,
    pub handlers: Vec<Handler>,
    pub errors: Vec<ErrorUse>,
    pub routes: Vec<Route>,
    /// Statements that only write a log.
    pub logs: Vec<Span>,
    /// How many statements the body has, as far as it takes to tell much from little.
    pub statements: usize,
    /// Set where the body does nothing yet.
    pub stub: Option<Stub>,
    /// The line of a statement that always leaves, with others after it that are never reached.
    pub cut: Option<u32>,
    /// Whether nothing around it has a say in it: what is known of it holds wherever its text stands like that.
    pub bare: bool,
}

impl Function {
    /// Whether it leaves, handles errors or routes anything.
    pub fn says_something(&self) -> bool {
        !(self.exits.is_empty()
            && self.handlers.is_empty()
            && self.errors.is_empty()
            && self.routes.is_empty())
    }

    /// The last part of the name.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

/// How far a stretch of text stands from where it stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    pub bytes: isize,
    pub lines: i64,
}

impl Shift {
    pub fn line(self, line: u32) -> u32 {
        u32::try_from(i64::from(line) + self.lines).unwrap_or(line)
    }

    pub fn span(self, span: Span) -> Span {
        Span { start: self.line(span.start), end: self.line(span.end) }
    }

    /// Where lines stood that stand here now.
    pub fn back(self, span: Span) -> Span {
        Self { bytes: -self.bytes, lines: -self.lines }.span(span)
    }

    /// Bytes that begin before `from` stand for nothing, and stay.
    pub fn range(self, range: &Range<usize>, from: usize) -> Range<usize> {
        if *range == (0..0) {
            return 0..0;
        }
        let at = |byte: usize| if byte < from { byte } else { byte.saturating_add_signed(self.bytes) };
        at(range.start)..at(range.end)
    }
}

impl Function {
    /// The same function where its text has moved to.
    pub fn shifted(&self, shift: Shift) -> Self {
        let from = self.whole.start;
        let range = |range: &Range<usize>| shift.range(range, from);
        let ranges = |list: &[Range<usize>]| list.iter().map(range).collect::<Vec<_>>();
        let mut moved = self.clone();
        moved.span = shift.span(self.span);
        moved.line = shift.line(self.line);
        moved.whole = range(&self.whole);
        moved.body = range(&self.body);
        moved.comments = ranges(&self.comments);
        moved.annotations = self.annotations.iter().map(|one| shift.range(one, 0)).collect();
        moved.inherited = self.inherited.iter().map(|one| shift.range(one, 0)).collect();
        moved.cut = self.cut.map(|line| shift.line(line));
        for exit in &mut moved.exits {
            (exit.line, exit.span) = (shift.line(exit.line), shift.span(exit.span));
            for decider in &mut exit.deciders {
                (decider.condition, decider.branch) = (range(&decider.condition), range(&decider.branch));
            }
        }
        for handler in &mut moved.handlers {
            (handler.line, handler.span) = (shift.line(handler.line), shift.span(handler.span));
            handler.protected = range(&handler.protected);
        }
        moved.errors.iter_mut().for_each(|one| one.line = shift.line(one.line));
        moved.routes.iter_mut().for_each(|one| one.line = shift.line(one.line));
        moved.logs.iter_mut().for_each(|span| *span = shift.span(*span));
        moved
    }
}

/// A statement that ends or spoils the normal way through a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    pub line: u32,
    pub kind: ExitKind,
    /// As written, white space collapsed, cut to a readable length.
    pub text: String,
    pub context: Context,
    /// What decides whether it is reached, as written: the condition, the case, the arguments of a check.
    pub condition: String,
    /// The lines of the branch around it.
    pub span: Span,
    /// All that decides whether it is reached, the outermost first.
    pub deciders: Vec<Decider>,
}

/// A condition around a statement, as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decider {
    pub condition: Range<usize>,
    /// Whether it has to hold, or not to hold.
    pub holds: bool,
    /// What runs then.
    pub branch: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// Throws, raises, panics, exits, returns an error.
    Fails,
    /// Notes a failure for later: `failed = true`, `errors.push(...)`.
    Notes,
    /// Says no in a function whose name says that it decides: `return false` in `is_valid`.
    Denies,
    /// Returns nothing, an empty value or a constant.
    Default,
    /// Goes on with the next round of a loop.
    Continue,
}

impl ExitKind {
    /// Whether somebody is told that something is wrong.
    pub fn refuses(self) -> bool {
        matches!(self, Self::Fails | Self::Notes)
    }
}

/// What an exit stands in, as far as it decides whether it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    Branch,
    /// The `else` of a condition.
    Otherwise,
    Case,
    /// A handler of errors, or a branch that asks for one.
    Handler,
    /// A call that checks by itself: `assert x`, `requireNonNull(x)`.
    Check,
    /// A function inside the function, and nothing else.
    Callback,
    /// Nothing: it is reached where nothing before it has left.
    Open,
}

/// Code that runs when something fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    pub kind: HandlerKind,
    pub line: u32,
    pub span: Span,
    /// Its head, as written.
    pub text: String,
    /// The types it is for; none where it takes all.
    pub caught: Vec<String>,
    pub breadth: Breadth,
    pub action: Action,
    /// What may fail, as bytes.
    pub protected: Range<usize>,
    /// The last name of the call that may fail, where a check is for one.
    pub callee: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerKind {
    /// `except`, `catch`, `recover`, `suppress`.
    Clause,
    /// `.catch(...)` of a promise.
    Callback,
    /// `if err != nil`, `if (err)`, `if let Err(e) = ...`.
    Check,
    /// `.on('error', ...)`, `setDefaultUncaughtExceptionHandler(...)`, `sys.excepthook = ...`: told of errors that nobody
    /// else takes.
    Listener,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Breadth {
    /// Some types of errors.
    Narrow,
    /// Whatever goes wrong.
    Broad,
}

/// What a handler does, the most silent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    Swallows,
    LogsOnly,
    /// Gives back or sets nothing, an empty value or a constant.
    Defaults,
    /// Does something of its own.
    Handles,
    /// Throws, or hands an error on.
    Fails,
}

impl Action {
    /// Whether the code around cannot tell that anything went wrong.
    pub fn hides(self) -> bool {
        matches!(self, Self::Swallows | Self::LogsOnly | Self::Defaults)
    }
}

/// What becomes of the error that a call may give back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorUse {
    pub line: u32,
    /// The last name of what is called.
    pub callee: String,
    pub how: Fortune,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fortune {
    /// Handed on, or ends the program: `?`, `unwrap()`.
    Propagated,
    /// Looked at: `if err != nil`.
    Checked,
    /// `let _ =`, `_ =`, `.ok();`
    Discarded,
    /// `unwrap_or_default()`.
    Defaulted,
}

/// A call that says what runs for the requests of a path, or for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub line: u32,
    /// What tells it from others: `router.post '/orders'`.
    pub target: String,
    /// The names of what runs, in order: `requireAuth`, `createOrder`.
    pub steps: Vec<String>,
}

/// How a body does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stub {
    /// `todo!()`, `raise NotImplementedError`, `throw new Error("not implemented")`.
    Unfinished,
    /// `{}`, `pass`.
    Empty,
    /// `return null`, `return true`, `return []`.
    Constant,
}
