//! The walk over a Java file.

use tree_sitter::Node;

use super::annotations::Modifiers;
use super::assertions::Chain;
use super::cases;
use super::constants::truth;
use super::doubles;
use super::flow::Flow;
use super::grammar::{self, Field, Kind, field, kind};
use super::names;
use super::outline::Outline;
use super::roles::{self, Role, Style};
use super::skips;
use crate::facts::{Claim, DefinitionKind, Skip, SkipKind};
use crate::languages::predicate::tautology;
use crate::languages::stretches::excerpt;
use crate::languages::{Builder, Descend, Pack, Source, TestHead, line_of};

pub fn pack(_: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Java::default())
}

/// Where the walk stands. Ends and starts are byte offsets.
#[derive(Default)]
struct Java {
    outline: Outline,
    /// The types around the current point, outermost first.
    classes: Vec<Class>,
    /// The end of the set-up method that was entered last.
    set_up_end: usize,
    /// The end of the outermost branch or closure that was entered last.
    branch_end: usize,
    /// The start of the call chain that was read last: all its calls start there.
    chain_start: Option<usize>,
    /// The end of the assertion that was met last: what is inside it is part of it.
    assertion_end: usize,
    flow: Flow,
}

struct Class {
    body: usize,
    end: usize,
    style: Style,
    /// Rows that the class puts on each of its tests.
    rows: Option<u32>,
    /// Has no name, or stands in a function: no runner looks into it.
    is_hidden: bool,
    is_interface: bool,
}

impl Pack for Java {
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend {
        self.flow.enter(node, facts);
        match kind(node) {
            Kind::Other => {}
            Kind::Program => self.outline = Outline::of(node, facts),
            Kind::Comment => facts.comment(node),
            Kind::Class | Kind::Interface | Kind::Enum | Kind::Record | Kind::AnnotationType => {
                self.declared_type(node, facts);
            }
            Kind::ClassBody => self.body(node),
            Kind::Method => self.method(node, facts),
            Kind::Constructor => facts.open_closure(node),
            Kind::Field | Kind::InterfaceConstant => constant(node, facts),
            Kind::EnumConstant => enum_constant(node, facts),
            Kind::Lambda => {
                self.branch_end = self.branch_end.max(node.end_byte());
                self.assertion_end = 0;
                facts.open_closure(node);
            }
            Kind::If => {
                let condition = field(node, Field::Condition);
                let constant = condition.and_then(|node| truth(node, facts.source(), &self.outline.flags));
                if constant != Some(true) {
                    self.branch(node, facts);
                }
                if constant == Some(false) {
                    self.flow.never(field(node, Field::Consequence));
                }
            }
            Kind::Block => self.flow.block(node, &self.outline.flags, facts),
            Kind::Local => self.flow.local(node, facts),
            Kind::Branch => {
                self.branch(node, facts);
                self.flow.repeated(node, facts);
            }
            Kind::CatchClause => self.branch(node, facts),
            Kind::Try if grammar::children(node).iter().any(|&part| kind(part) == Kind::CatchClause) => {
                self.branch(node, facts);
                self.flow.guarded(node, facts);
            }
            Kind::Call => self.call(node, facts),
            Kind::Assert => facts.assertion(node),
            Kind::Throw => {
                if let Some(skip) = skips::of_throw(node, facts) {
                    self.skip(node, skip, facts);
                }
            }
            Kind::Text | Kind::Import | Kind::Leaf => return Descend::Over,
            _ => {}
        }
        Descend::Into
    }

    /// What is skipped while tests are set up is skipped for all of them.
    fn is_closed(&self, node: Node<'_>, _: Source<'_>) -> bool {
        node.start_byte() >= self.set_up_end
    }
}

impl Java {
    fn declared_type(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.leave_classes(node);
        let (Some(name), Some(body)) = (field(node, Field::Name), field(node, Field::Body)) else { return };
        // A local class is part of its function; its body is met as a hidden one.
        if facts.in_function() {
            return;
        }
        let name = facts.text(name);
        let source = facts.source();
        let modifiers = Modifiers::of(node, source);
        let style = roles::style_of(node, name, &modifiers, &self.outline, facts);
        let mut skip = skips::of_declaration(&modifiers, &self.outline, facts);
        if roles::holds_tests(node, style, &self.outline, facts) {
            if modifiers.is_abstract && !self.outline.is_extended(name) {
                facts.abstract_type(name, line_of(node));
            }
            let is_inner = self.classes.last().is_some_and(|outer| !outer.is_interface);
            if is_inner {
                skip = Skip::stronger(skip, roles::lost_inner_class(node, name, &modifiers, &self.outline));
            }
        } else {
            facts.open_definition(node, name, DefinitionKind::Type, None);
        }
        facts.open_suite(node, name, skip, false);
        self.classes.push(Class {
            body: body.start_byte(),
            end: node.end_byte(),
            style,
            rows: cases::of_class(name, &modifiers, &self.outline, source),
            is_hidden: false,
            is_interface: kind(node) == Kind::Interface,
        });
    }

    /// A body that belongs to no declared type is that of an anonymous or local class.
    fn body(&mut self, node: Node<'_>) {
        self.leave_classes(node);
        if self.classes.last().is_some_and(|class| class.body == node.start_byte()) {
            return;
        }
        self.assertion_end = 0;
        self.classes.push(Class {
            body: node.start_byte(),
            end: node.end_byte(),
            style: Style::Annotated,
            rows: Some(1),
            is_hidden: true,
            is_interface: false,
        });
    }

    fn leave_classes(&mut self, node: Node<'_>) {
        while self.classes.last().is_some_and(|class| class.end <= node.start_byte()) {
            self.classes.pop();
        }
    }

    fn method(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.leave_classes(node);
        if facts.in_function() {
            self.branch_end = self.branch_end.max(node.end_byte());
            return facts.open_closure(node);
        }
        let Some(name) = field(node, Field::Name) else { return };
        let modifiers = Modifiers::of(node, facts.source());
        let (style, hidden) =
            self.classes.last().map_or((Style::Annotated, false), |class| (class.style, class.is_hidden));
        let role = roles::role_of(node, &modifiers, style, &self.outline, facts);
        if role.is_none()
            && !hidden
            && self.outline.in_test_path
            && let Some(skip) = skips::of_override(node, &modifiers, &self.outline, facts)
        {
            let head = TestHead::new(facts.text(name), name, field(node, Field::Body).unwrap_or(node));
            return facts.open_test(node, TestHead { skip: Some(skip), overrides: true, ..head });
        }
        match role.filter(|_| !hidden) {
            Some(role) => self.test(node, name, &modifiers, &role, facts),
            None => {
                let text = facts.text(name);
                let junit3 = text == "setUp" && matches!(style, Style::Named | Style::NamedByGuess);
                if junit3 || modifiers.has(names::is_set_up) {
                    self.set_up_end = node.end_byte();
                    self.branch_end = node.start_byte();
                }
                facts.open_definition(node, text, DefinitionKind::Function, field(node, Field::Body));
            }
        }
    }

    fn test(
        &mut self,
        node: Node<'_>,
        name: Node<'_>,
        modifiers: &Modifiers<'_, '_>,
        role: &Role<'_>,
        facts: &mut Builder<'_>,
    ) {
        let (text, source, outline) = (facts.text(name), facts.source(), &self.outline);
        let body = field(node, Field::Body);
        let class_rows = self.classes.last().map_or(Some(1), |class| class.rows);
        let rows = cases::of_method(role.kind, text, modifiers, outline, source);
        let early = body.and_then(|body| skips::early_return(body, outline, facts));
        let mut head = TestHead::new(text, name, body.unwrap_or(node));
        head.cases = rows.zip(class_rows).and_then(|(rows, times)| rows.checked_mul(times));
        let refused = skips::of_shape(node, modifiers, role.annotation, facts);
        let annotated = skips::of_declaration(modifiers, outline, facts);
        head.skip = Skip::stronger(Skip::stronger(annotated, early), refused);
        facts.open_test(node, head);
        self.flow.method(node);
        cases::written_rows(text, modifiers, &self.outline, source).iter().for_each(|row| facts.row(row));
        if let Some(test) = modifiers.annotation("Test") {
            let expected = ["expected", "expectedExceptions"];
            if let Some(expected) = expected.iter().find_map(|key| test.argument_node(key, source)) {
                facts.assertion(expected);
            }
        }
    }

    fn branch(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.branch_end = self.branch_end.max(node.end_byte());
        facts.open_branch(node);
    }

    fn call(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        if self.chain_start.replace(node.start_byte()) == Some(node.start_byte()) {
            return;
        }
        let chain = Chain::of(node, facts);
        if chain.is_check() && node.start_byte() >= self.assertion_end {
            self.assertion_end = node.end_byte();
            match self.flow.expected_error(node, facts).or_else(|| asks_nothing(node, facts)) {
                Some(claim) => facts.claim_at(line_of(node), node.byte_range(), claim),
                None => facts.assertion(node),
            }
        } else if let Some(target) = doubles::target(node, facts) {
            facts.double(line_of(node), &target);
        }
        if let Some(call) = chain.assumption
            && let Some(name) = field(call, Field::Name).map(|name| facts.text(name))
            && let Some(skip) = skips::of_call(call, name, &self.outline, facts)
        {
            self.skip(node, skip, facts);
        }
    }

    /// A skip in a set-up method stands for all tests of the class.
    fn skip(&self, node: Node<'_>, skip: Skip, facts: &mut Builder<'_>) {
        let at = node.start_byte();
        if at >= self.set_up_end {
            return facts.skip_here(skip);
        }
        let kind = if at < self.branch_end { SkipKind::Conditional } else { skip.kind };
        facts.skip_suite(Skip { kind, ..skip });
    }
}

/// `static final` fields, and all fields of an interface.
fn constant(node: Node<'_>, facts: &mut Builder<'_>) {
    if facts.in_function() {
        return;
    }
    let Some(declarator) = field(node, Field::Declarator) else { return };
    let Some(name) = field(declarator, Field::Name) else { return };
    if kind(node) == Kind::Field {
        let modifiers = Modifiers::of(node, facts.source());
        if modifiers.static_.is_none() || !modifiers.is_final {
            return;
        }
    }
    let name = facts.text(name);
    let value = field(declarator, Field::Value);
    facts.open_definition(node, name, DefinitionKind::Constant, value);
    if let Some(value) = value {
        facts.value(&excerpt(facts.source(), value.byte_range()));
    }
}

fn enum_constant(node: Node<'_>, facts: &mut Builder<'_>) {
    if facts.in_function() {
        return;
    }
    if let Some(name) = field(node, Field::Name) {
        let name = facts.text(name);
        facts.open_definition(node, name, DefinitionKind::Constant, None);
    }
}

/// `assertThat(x);` is the start of a question that nobody ends.
fn asks_nothing(call: Node<'_>, facts: &Builder<'_>) -> Option<Claim> {
    let is_statement = call.parent().is_some_and(|parent| parent.kind() == "expression_statement");
    let name = field(call, Field::Name).filter(|_| is_statement)?;
    let arguments = grammar::children(field(call, Field::Arguments)?);
    let ([subject], "assertThat") = (arguments.as_slice(), facts.text(name)) else { return None };
    Some(tautology(&excerpt(facts.source(), subject.byte_range())))
}
