//! The walk: tells the builder what each node is.

use tree_sitter::Node;

use super::conditions::constant;
use super::marks::{self, Reading};
use super::outline::{Outline, Role};
use super::place::{self, Place};
use super::syntax::{Kind, docstring, dotted, field, is_string_statement, items, kind, last_name};
use super::{cases, names, reach, scan, stand_ins, statements, unpacking};
use crate::facts::{DefinitionKind, Reach, Skip, SkipKind};
use crate::languages::expression::canonical;
use crate::languages::mutes::{Mutes, Names};
use crate::languages::{Builder, Descend, Pack, Source, TestHead, line_of, strengthen};

pub fn pack(source: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Python { place: Place::of(source), ..Python::default() })
}

/// The ends are byte offsets: a node that starts before one is inside what it belongs to.
#[derive(Default)]
struct Python {
    place: Place,
    outline: Option<Outline>,
    /// The definition whose decorators were read already.
    decorated: usize,
    docstring: usize,
    decorator_end: usize,
    check_end: usize,
    class_end: usize,
    setup_end: usize,
    /// The end of the branches inside the current set-up function.
    setup_branch_end: usize,
    /// The end of a branch that never runs.
    dead_end: usize,
    /// The end of the class inside a function that was met last.
    local_class_end: usize,
    mutes: Mutes,
    names: Names,
    /// Where classes around the current point end, and their parameter rows.
    class_rows: Vec<(usize, Option<u32>)>,
}

impl Pack for Python {
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend {
        if self.outline.is_none() {
            self.outline = Some(scan::outline(node, facts.source(), self.place));
            self.docstring = docstring(node).map_or(0, |node| node.id());
            if let Some(folder) = place::hidden_folder(facts.source().path) {
                facts.unseen(format!("and pytest does not enter {folder}"));
            }
        }
        if let Some(why) = self.mutes.take(node) {
            facts.open_muted(node, why);
        }
        match kind(node) {
            Kind::Comment => facts.comment(node),
            Kind::String => return Descend::Over,
            Kind::Block => reach::block(&mut self.mutes, node),
            Kind::With => reach::with(&mut self.mutes, node, facts.source()),
            Kind::ExpressionStatement => return self.statement(node, facts),
            Kind::Decorated => {
                if let Some(inner) = field(node, "definition") {
                    self.decorated = inner.id();
                    self.define(node, inner, facts);
                }
            }
            Kind::Decorator => self.decorator(node, facts),
            Kind::Function | Kind::Class if node.id() != self.decorated => self.define(node, node, facts),
            Kind::Lambda => facts.open_closure(node),
            Kind::If => self.condition(node, facts),
            Kind::Loop => self.repeat(node, facts),
            Kind::Try => self.attempt(node, facts),
            Kind::Match | Kind::ConditionalExpression | Kind::BooleanOperator => self.branch(node, facts),
            Kind::Assert => {
                self.check(node, &[], facts);
                return inside(node);
            }
            Kind::Import | Kind::ImportFrom => return inside(node),
            Kind::Attribute if is_plain(node) => return inside(node),
            Kind::Call => self.call(node, facts),
            Kind::Raise => {
                let reading = self
                    .outline()
                    .and_then(|outline| statements::of_raise(node, &outline.aliases, facts.source()));
                self.skip(node, reading, facts);
            }
            Kind::Assignment | Kind::AugmentedAssignment => self.assignment(node, facts),
            _ => {}
        }
        Descend::Into
    }

    /// What is skipped while tests are set up is skipped for all of them.
    fn is_closed(&self, node: Node<'_>, _: Source<'_>) -> bool {
        node.start_byte() >= self.setup_end
    }
}

/// What fits on one line holds no comment; where nothing else of interest can be inside either, it is passed over.
fn inside(node: Node<'_>) -> Descend {
    if node.start_position().row == node.end_position().row { Descend::Over } else { Descend::Into }
}

/// Names and nothing else: `a.b.c`, not `a().b.c`.
fn is_plain(attribute: Node<'_>) -> bool {
    let mut object = field(attribute, "object");
    while let Some(node) = object.filter(|&node| kind(node) == Kind::Attribute) {
        object = field(node, "object");
    }
    object.is_some_and(|node| kind(node) == Kind::Identifier)
}

impl Python {
    fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }

    fn role(&self, node: Node<'_>) -> Option<Role> {
        self.outline().and_then(|outline| outline.role(node.id()))
    }

    /// A long string that is no docstring is how Python comments out a block.
    fn statement(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend {
        if !is_string_statement(node) {
            return Descend::Into;
        }
        let text = facts.text(node).trim_start_matches(|c: char| c.is_ascii_alphabetic());
        if node.id() == self.docstring && facts.in_test() {
            facts.prose(node);
        }
        if node.id() != self.docstring && (text.starts_with("\"\"\"") || text.starts_with("'''")) {
            facts.comment(node);
        }
        Descend::Over
    }

    // ---- definitions ----

    /// `outer` includes the decorators of `inner`.
    fn define(&mut self, outer: Node<'_>, inner: Node<'_>, facts: &mut Builder<'_>) {
        let Some(name) = field(inner, "name") else { return };
        let body = field(inner, "body");
        self.docstring = body.and_then(docstring).map_or(0, |node| node.id());
        match (self.role(inner), kind(inner)) {
            (Some(Role::Test), _) => self.test(outer, inner, name, facts),
            (Some(Role::Suite), _) => self.suite(outer, inner, name, facts),
            (_, Kind::Class) => {
                self.class_end = self.class_end.max(inner.end_byte());
                if !facts.in_function() {
                    facts.open_definition(outer, facts.text(name), DefinitionKind::Type, None);
                } else {
                    self.local_class_end = self.local_class_end.max(inner.end_byte());
                }
            }
            _ if facts.in_function() => {
                facts.open_closure(outer);
                let is_subject =
                    inner.start_byte() < self.local_class_end && reach::is_validator(outer, facts.source());
                if is_subject || self.is_never_called(outer, inner, facts.text(name), facts) {
                    facts.open_muted(outer, Reach::NeverCalled);
                }
                self.setup_branch_end = self.setup_branch_end.max(inner.end_byte());
            }
            (role, _) => {
                facts.open_definition(outer, facts.text(name), DefinitionKind::Function, body);
                let loads_tests = body.filter(|_| facts.text(name) == "load_tests");
                if let Some(end) =
                    loads_tests.and_then(|body| statements::loads_nothing(body, facts.source()))
                {
                    facts.takeover("load_tests", "gives no tests at all", line_of(end));
                }
                if role == Some(Role::Setup) {
                    (self.setup_end, self.setup_branch_end) = (inner.end_byte(), 0);
                }
            }
        }
    }

    /// A function inside a test that nothing else in the test mentions. Decorators and classes may well call what is
    /// in them.
    fn is_never_called(&mut self, outer: Node<'_>, inner: Node<'_>, name: &str, facts: &Builder<'_>) -> bool {
        facts.in_test()
            && outer.id() == inner.id()
            && inner.start_byte() >= self.local_class_end
            && self.names.is_lonely(name, facts.source().text)
    }

    fn test(&mut self, outer: Node<'_>, inner: Node<'_>, name: Node<'_>, facts: &mut Builder<'_>) {
        let body = field(inner, "body").unwrap_or(inner);
        let (mut skip, rows) = self.decorations(outer, facts);
        let elsewhere = self.outline().map(|outline| outline.skips_elsewhere(inner, facts.source()));
        elsewhere.into_iter().flatten().for_each(|other| strengthen(&mut skip, other));
        if let Some(early) = statements::early_return(body) {
            strengthen(&mut skip, facts.mark(early, SkipKind::Unconditional, None));
        }
        let cases = cases::product(self.rows_around(outer), rows);
        facts.open_test(outer, TestHead { skip, cases, ..TestHead::new(facts.text(name), name, body) });
        self.names.of_test(outer.byte_range());
        self.rows(outer, facts);
    }

    /// The parameter rows of the test that was opened, as they are written.
    fn rows(&self, outer: Node<'_>, facts: &mut Builder<'_>) {
        let (Some(outline), Kind::Decorated) = (self.outline(), kind(outer)) else { return };
        let source = facts.source();
        for decorator in items(outer).into_iter().filter(|item| kind(*item) == Kind::Decorator) {
            let Some(mark) = items(decorator).first().copied() else { continue };
            cases::report_rows(cases::written_rows(mark, &outline.aliases, source), facts);
        }
    }

    fn suite(&mut self, outer: Node<'_>, inner: Node<'_>, name: Node<'_>, facts: &mut Builder<'_>) {
        let (mut skip, rows) = self.decorations(outer, facts);
        let elsewhere = self.outline().map(|outline| outline.skips_elsewhere(inner, facts.source()));
        elsewhere.into_iter().flatten().for_each(|other| strengthen(&mut skip, other));
        let rows = cases::product(self.rows_around(outer), rows);
        self.class_rows.push((outer.end_byte(), rows));
        self.class_end = self.class_end.max(outer.end_byte());
        facts.open_suite(outer, facts.text(name), skip, false);
    }

    /// The parameter rows of the classes around a node.
    fn rows_around(&mut self, node: Node<'_>) -> Option<u32> {
        while self.class_rows.last().is_some_and(|(end, _)| *end <= node.start_byte()) {
            self.class_rows.pop();
        }
        self.class_rows.last().map_or(Some(1), |(_, rows)| *rows)
    }

    /// The strongest skip and the product of rows among the decorators.
    fn decorations(&self, outer: Node<'_>, facts: &Builder<'_>) -> (Option<Skip>, Option<u32>) {
        let (mut skip, mut rows) = (None, Some(1));
        let (Some(outline), Kind::Decorated) = (self.outline(), kind(outer)) else { return (skip, rows) };
        let source = facts.source();
        for decorator in items(outer).into_iter().filter(|item| kind(*item) == Kind::Decorator) {
            let Some(mark) = items(decorator).first().copied() else { continue };
            if let Some(own) = cases::of_mark(mark, &outline.aliases, source) {
                rows = cases::product(rows, own);
                if own == Some(0) {
                    // pytest skips a test that has no rows.
                    strengthen(&mut skip, facts.mark(decorator, SkipKind::Unconditional, None));
                }
                if let Some((row, reason)) = marks::skipped_row(mark, &outline.aliases, source) {
                    // The other rows still run.
                    strengthen(&mut skip, facts.mark(row, SkipKind::Conditional, reason));
                }
            } else if let Some(Reading { kind, reason }) = marks::read(mark, &outline.aliases, source) {
                strengthen(&mut skip, facts.mark(decorator, kind, reason));
            }
        }
        (skip, rows)
    }

    /// Checks among a decorator's arguments are data; `@raises(...)` itself is one.
    fn decorator(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.decorator_end = node.end_byte();
        let mark = items(node).first().copied().filter(|mark| kind(*mark) == Kind::Call);
        let callee = mark.and_then(|mark| field(mark, "function"));
        if callee.and_then(|callee| last_name(callee, facts.source())) == Some("raises") {
            facts.assertion(node);
        }
    }

    fn assignment(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
        if kind(left) != Kind::Identifier {
            return unpacking::read(left, right, facts);
        }
        if facts.in_function() {
            if facts.keeps_bindings() && kind(node) == Kind::Assignment && kind(right) != Kind::Lambda {
                facts.binding(line_of(node), facts.text(left), &canonical(&facts.opening(right), "#"));
            }
            return;
        }
        match (facts.text(left), self.role(node)) {
            ("pytestmark", _) => {
                let Some(outline) = self.outline() else { return };
                let reading = marks::read_all(right, &outline.aliases, facts.source());
                self.skip(node, reading, facts);
            }
            (_, Some(Role::Mute)) => facts.skip_suite(facts.mark(node, SkipKind::NotCollected, None)),
            (name, Some(Role::Machine)) => {
                facts.open_suite(node, name, None, false);
                facts.open_test(node, TestHead::new("runTest", left, right));
            }
            (name, _) if kind(node) == Kind::Assignment && self.is_constant(name, node, right, facts) => {
                facts.open_definition(node, name, DefinitionKind::Constant, None);
                facts.value(&canonical(&facts.opening(right), "#"));
            }
            _ => {}
        }
    }

    fn is_constant(&self, name: &str, node: Node<'_>, value: Node<'_>, facts: &Builder<'_>) -> bool {
        let callee = field(value, "function").and_then(|callee| last_name(callee, facts.source()));
        // `numpy = pytest.importorskip("numpy")` is an import.
        node.start_byte() >= self.class_end && !name.starts_with("__") && callee != Some("importorskip")
    }

    // ---- code ----

    fn condition(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let truth = field(node, "condition").and_then(|condition| constant(condition, facts.source()));
        match (truth, field(node, "consequence")) {
            (Some(true), _) => {
                let others =
                    items(node).into_iter().filter(|arm| matches!(kind(*arm), Kind::Elif | Kind::Else));
                others.for_each(|arm| self.mutes.insert(arm, Reach::Dead));
            }
            (Some(false), Some(block)) => {
                self.dead_end = self.dead_end.max(block.end_byte());
                self.mutes.insert(block, Reach::Dead);
            }
            _ => self.branch(node, facts),
        }
    }

    /// A loop over something written down runs, unless there is nothing in it.
    fn repeat(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let (source, Some(outline)) = (facts.source(), self.outline()) else { return };
        let over = field(node, "right");
        let rows = over.and_then(|over| cases::rows(over, &outline.aliases, source));
        // What has a name may have been filled since.
        let rows = rows.filter(|&rows| rows > 0 || over.is_some_and(|over| kind(over) != Kind::Identifier));
        let goes_on = field(node, "condition").and_then(|condition| constant(condition, source));
        match (rows, goes_on, field(node, "body")) {
            (Some(0), _, Some(body)) | (_, Some(false), Some(body)) => self.mutes.insert(body, Reach::Dead),
            (Some(_), ..) => {
                let over = over.filter(|_| facts.in_test());
                let rows = over.map(|over| cases::written(over, &outline.aliases, source));
                cases::report_rows(rows.unwrap_or_default(), facts);
            }
            _ => self.branch(node, facts),
        }
    }

    /// What is tried may not run to its end, if errors are caught.
    fn attempt(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        if items(node).iter().any(|clause| kind(*clause) == Kind::Except) {
            reach::attempt(&mut self.mutes, node, facts.source());
            self.branch(node, facts);
        }
    }

    fn branch(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.setup_branch_end = self.setup_branch_end.max(node.end_byte());
        facts.open_branch(node);
    }

    fn call(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let Some(callee) = node.child(0) else { return };
        let Some(name) = last_name(callee, facts.source()) else { return };
        let owner = match kind(callee) {
            Kind::Attribute => {
                Some(callee.child(0).and_then(|owner| dotted(owner, facts.source())).unwrap_or(""))
            }
            _ => None,
        };
        if names::is_check(name, owner) {
            // What pytest fails with is no `Exception`.
            let despite: &[Reach] = if owner == Some("pytest") { &[Reach::Swallowed] } else { &[] };
            return self.check(node, despite, facts);
        }
        if facts.in_test()
            && let Some(target) = stand_ins::target(node, name, owner, facts.source())
        {
            if stand_ins::passes_through(node, name, facts.source()) {
                facts.spy(line_of(node), &target);
            } else {
                facts.double(line_of(node), &target);
            }
        }
        let Some(outline) = self.outline() else { return };
        let statement = statements::of_call(node, name, &outline.aliases, facts.source());
        let helper = || if facts.in_test() { statements::of_helper(name) } else { None };
        let reading = statement.or_else(helper);
        self.skip(node, reading, facts);
    }

    /// Counts a check, unless it is part of another or of a decorator's arguments.
    fn check(&mut self, node: Node<'_>, despite: &[Reach], facts: &mut Builder<'_>) {
        let start = node.start_byte();
        if start >= self.check_end && start >= self.decorator_end {
            self.check_end = node.end_byte();
            facts.assertion_despite(node, despite);
        }
    }

    /// A skip in running code. What set-up skips, its whole class or module skips.
    fn skip(&mut self, node: Node<'_>, reading: Option<Reading>, facts: &mut Builder<'_>) {
        let start = node.start_byte();
        let Some(Reading { kind, reason }) = reading else { return };
        if start < self.decorator_end || start < self.dead_end {
            return;
        }
        if start >= self.setup_end {
            return facts.skip_here(facts.mark(node, kind, reason));
        }
        let kind = if start < self.setup_branch_end { SkipKind::Conditional } else { kind };
        facts.skip_suite(facts.mark(node, kind, reason));
    }
}
