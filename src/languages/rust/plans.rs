//! Macros of a file: what their definitions make, and what to open when the walk reaches the tokens of a call.

use tree_sitter::Node;

use super::functions::early_return_token;
use super::invocations::{Made, by_look, by_shape};
use super::items::{Item, Part, is_tree, items, tokens};
use super::kinds::{Kind, kind};
use super::marks::Marks;
use super::names::is_known_test_macro;
use super::shapes::{Shape, Shapes};
use crate::facts::{DefinitionKind, Skip, Span};
use crate::languages::{Builder, TestHead, line_of, span_of};

/// How far macros that call macros are followed.
const MAX_CALLS: usize = 8;

#[derive(Default)]
pub struct Plans {
    /// The macros defined so far.
    shapes: Shapes,
    /// What to do at coming nodes, the nearest last.
    plans: Vec<Plan>,
}

struct Plan {
    /// Where the node starts.
    at: usize,
    step: Step,
}

enum Step {
    Invocation(Invocation),
    Made(Made),
    Function { invocation: String, name: String, line: u32, start: u32, marks: Marks },
    Module { invocation: String, name: String, marks: Marks },
    Block { invocation: String },
}

/// A call at the level of items, whose tokens come next.
struct Invocation {
    macro_name: String,
    marks: Marks,
    line: u32,
}

impl Plans {
    pub fn define(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let name = facts.text(name);
        let shape = Shape::read(node, &self.shapes, &facts.source());
        let calls_itself = shape.calls(name);
        self.shapes.insert(name.to_owned(), shape);
        if calls_itself {
            let shape = Shape::read(node, &self.shapes, &facts.source());
            self.shapes.insert(name.to_owned(), shape);
        }
        facts.open_definition(node, name, DefinitionKind::Function, Some(node));
    }

    /// Tells which macros of the file make tests, be it by way of other macros of the file.
    pub fn report_test_macros(&self, facts: &mut Builder<'_>) {
        let mut known: Vec<&str> = Vec::new();
        for _ in 0..MAX_CALLS {
            let before = known.len();
            for (name, shape) in &self.shapes {
                let is_known = |name: &str| is_known_test_macro(name) || known.contains(&name);
                if !is_known(name) && shape.makes_tests(is_known) {
                    known.push(name);
                }
            }
            if known.len() == before {
                break;
            }
        }
        known.into_iter().for_each(|name| facts.test_macro(name));
    }

    pub fn expect_invocation(&mut self, node: Node<'_>, macro_name: &[u8], marks: Marks) {
        let mut cursor = node.walk();
        let Some(tree) = node.children(&mut cursor).find(|&child| kind(child) == Kind::Tree) else { return };
        let line = marks.line.unwrap_or_else(|| line_of(node));
        let macro_name = String::from_utf8_lossy(macro_name).into_owned();
        let step = Step::Invocation(Invocation { macro_name, marks, line });
        self.plans.push(Plan { at: tree.start_byte(), step });
    }

    /// Does what was planned for this node.
    pub fn reach(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        while self.plans.last().is_some_and(|plan| plan.at <= node.start_byte()) {
            let Some(plan) = self.plans.pop() else { return };
            if plan.at == node.start_byte() {
                self.take(plan.step, node, facts);
            }
        }
    }

    fn take(&mut self, step: Step, node: Node<'_>, facts: &mut Builder<'_>) {
        match step {
            Step::Invocation(invocation) => self.invocation(invocation, node, facts),
            Step::Made(made) => {
                made.suites.iter().for_each(|suite| facts.open_suite(node, suite, None, false));
                open_made(made, node, facts);
            }
            Step::Block { invocation } => self.plan_items(items(node, &facts.source()), &invocation, facts),
            Step::Module { invocation, name, marks } => {
                facts.open_suite(node, name, marks.into_skip(), false);
                self.plan_items(items(node, &facts.source()), &invocation, facts);
            }
            Step::Function { invocation, name, line, start, marks } => {
                let whole = marks.start.unwrap_or_else(|| node.start_byte())..node.end_byte();
                open_function(node, &invocation, name, marks, facts);
                facts.relocate(Span { start, end: span_of(node).end }, line, node.byte_range(), whole);
            }
        }
    }

    fn invocation(&mut self, invocation: Invocation, tree: Node<'_>, facts: &mut Builder<'_>) {
        let source = facts.source();
        let Invocation { macro_name, marks, line } = invocation;
        let inside = items(tree, &source);
        let has_functions = inside.iter().any(|item| matches!(item.part, Part::Function { .. }));
        let made = match self.shapes.get(&macro_name) {
            _ if has_functions => Vec::new(),
            Some(shape) => by_shape(shape, &macro_name, tree, &source),
            None => by_look(&macro_name, tree, &source),
        };
        if made.is_empty() {
            let skip = marks.into_skip();
            let inside =
                inside.into_iter().map(|item| Item { marks: item.marks.under(skip.as_ref()), ..item });
            return self.plan_items(inside.collect(), &macro_name, facts);
        }
        let body = tokens(tree).last().copied().filter(|&last| is_tree(last, b'{', &source));
        let idle = body.and_then(|body| early_return_token(body, facts));
        let skip = marks.into_skip();
        let (parts, mut whole): (Vec<Made>, Vec<Made>) =
            made.into_iter().partition(|made| made.opens_at.is_some());
        open_common_suites(&whole, tree, facts);
        for mut test in whole.drain(..) {
            test.span.start = line;
            test.skip = Skip::stronger(Skip::stronger(test.skip, skip.clone()), idle.clone());
            open_made(test, tree, facts);
        }
        let parts = parts.into_iter().map(|mut test| {
            test.skip = Skip::stronger(test.skip, skip.clone());
            Plan { at: test.opens_at.unwrap_or(0), step: Step::Made(test) }
        });
        self.plans.extend(parts.rev());
    }

    fn plan_items(&mut self, items: Vec<Item<'_>>, invocation: &str, facts: &Builder<'_>) {
        let text = |node: Node<'_>| facts.text(node).to_owned();
        let plan = |item: Item<'_>| {
            let (marks, start, invocation) = (item.marks, item.line, invocation.to_owned());
            match item.part {
                Part::Function { name, body } => {
                    let (name, line) = (text(name), line_of(name));
                    Plan {
                        at: body.start_byte(),
                        step: Step::Function { invocation, name, line, start, marks },
                    }
                }
                Part::Module { name, body } => {
                    Plan { at: body.start_byte(), step: Step::Module { invocation, name: text(name), marks } }
                }
                Part::Call { name, tree } => {
                    let call = Invocation { macro_name: text(name), marks, line: start };
                    Plan { at: tree.start_byte(), step: Step::Invocation(call) }
                }
                Part::Block(block) => Plan { at: block.start_byte(), step: Step::Block { invocation } },
            }
        };
        self.plans.extend(items.into_iter().rev().map(plan));
    }
}

/// A function among the tokens of a call: a test by its attributes, or if the macro adds them.
fn open_function(body: Node<'_>, invocation: &str, name: String, mut marks: Marks, facts: &mut Builder<'_>) {
    let (is_test, cases, panics) = (marks.is_test(), marks.cases(), marks.panics.take());
    let rows = std::mem::take(&mut marks.row_texts);
    let skip = Skip::stronger(marks.into_skip(), early_return_token(body, facts));
    let head = TestHead { cases, skip, ..TestHead::new(name, body, body) };
    if is_test || is_known_test_macro(invocation) {
        facts.open_test(body, head);
    } else {
        facts.open_definition(body, &head.name, DefinitionKind::Function, Some(body));
        facts.open_macro_test(body, invocation, head);
    }
    rows.iter().for_each(|row| facts.row(row));
    if let Some((line, bytes)) = panics {
        facts.assertion_at(line, bytes);
    }
}

fn open_made(made: Made, node: Node<'_>, facts: &mut Builder<'_>) {
    let head = TestHead { cases: made.cases, skip: made.skip, ..TestHead::new(made.name, node, node) };
    facts.open_macro_test(node, &made.macro_name, head);
    facts.relocate(made.span, made.line, made.body.clone(), made.body);
    if let Some(lines) = made.written {
        facts.written_on(lines);
    }
}

/// The modules that all tests of an invocation share; scopes on one node cannot differ.
fn open_common_suites(tests: &[Made], tree: Node<'_>, facts: &mut Builder<'_>) {
    let Some((first, rest)) = tests.split_first() else { return };
    let is_common = |at: usize| rest.iter().all(|test| test.suites.get(at) == first.suites.get(at));
    let common = first.suites.iter().enumerate().take_while(|(at, _)| is_common(*at));
    common.for_each(|(_, suite)| facts.open_suite(tree, suite, None, false));
}
