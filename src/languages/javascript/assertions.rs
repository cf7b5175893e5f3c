//! Chains of calls and members, seen from their outermost node: what they start from, whether they check something.

use tree_sitter::Node;

use super::bindings::{Binding, Bindings};
use super::grammar::{Kind, Reader};
use super::names;

/// What a chain starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Expect,
    Assert,
    /// The object a test function is given, as `t` in `t.is(a, b)`.
    Context,
    This,
    /// A name, or a choice in parentheses, that may be a runner.
    Runner,
    Other,
}

/// `a.b(c).d` and what leads up to it.
pub struct Chain<'t> {
    /// The expression the chain starts from.
    pub head: Node<'t>,
    /// The links next to the head, innermost first.
    first: Option<Node<'t>>,
    second: Option<Node<'t>>,
    /// Whether a `.should` is followed by more.
    should: bool,
}

impl<'t> Chain<'t> {
    pub fn of(read: &Reader<'_>, outermost: Node<'t>) -> Self {
        let fields = read.fields();
        let mut chain = Self { head: outermost, first: None, second: None, should: false };
        loop {
            let node = chain.head;
            let inner = match read.kind(node) {
                Kind::Call => node.child_by_field_id(fields.function),
                Kind::Member => {
                    let above = chain.first.map(|above| read.kind(above));
                    chain.should |= above == Some(Kind::Member) && read.property(node) == Some("should");
                    node.child_by_field_id(fields.object)
                }
                Kind::Subscript => node.child_by_field_id(fields.object),
                Kind::Cast => read.first_child(node),
                _ => None,
            };
            let Some(inner) = inner else { return chain };
            chain.second = chain.first.replace(node);
            chain.head = inner;
        }
    }

    /// What the head is, given the names of the file and of the test functions' first parameters.
    pub fn root(&self, read: &Reader<'_>, bindings: &Bindings, is_context: impl Fn(&str) -> bool) -> Root {
        match read.kind(self.head) {
            Kind::This => return Root::This,
            Kind::Parenthesized => return Root::Runner,
            Kind::Identifier => {}
            _ => return Root::Other,
        }
        let name = read.text(self.head);
        match name {
            "expect" => return Root::Expect,
            "assert" | "should" => return Root::Assert,
            _ => {}
        }
        if is_context(name) {
            return self.member_root(read).unwrap_or(Root::Context);
        }
        match bindings.get(name) {
            Some(Binding::Runner(_)) => return Root::Runner,
            Some(Binding::Expect) => return Root::Expect,
            Some(Binding::Assert) => return Root::Assert,
            _ => {}
        }
        match name {
            "chai" | "sinon" => self.member_root(read).unwrap_or(Root::Other),
            _ if names::root(name).is_some() => Root::Runner,
            _ if names::starts_with_word(name, "expect") || names::starts_with_word(name, "assert") => {
                Root::Assert
            }
            _ => Root::Other,
        }
    }

    /// `chai.expect`, `sinon.assert`, `t.assert`.
    fn member_root(&self, read: &Reader<'_>) -> Option<Root> {
        match read.property(self.first?)? {
            "expect" => Some(Root::Expect),
            "assert" => Some(Root::Assert),
            _ => None,
        }
    }

    /// Whether the compiler makes the check: `expectTypeOf(a)`, `assertType<A>(b)`.
    pub fn is_type_check(&self, read: &Reader<'_>) -> bool {
        let is_name = read.kind(self.head) == Kind::Identifier;
        is_name && (read.text(self.head).starts_with("expectType") || read.text(self.head) == "assertType")
    }

    /// Whether the chain, taken as a whole, is one check.
    pub fn is_check(&self, read: &Reader<'_>, outermost: Node<'_>, root: Root) -> bool {
        let is_call = read.kind(outermost) == Kind::Call;
        let first = self.first.map(|link| (read.kind(link), read.property(link)));
        match (root, first) {
            // Called on a library: `chai.expect(x).to.be.true`; the member itself is the first link.
            (Root::Expect, Some((Kind::Member, Some("expect")))) => {
                self.second.is_some_and(|link| read.kind(link) == Kind::Call && link.id() != outermost.id())
            }
            (Root::Expect, Some((Kind::Call, _))) => match self.second {
                Some(_) => is_call || !read.property(outermost).is_some_and(names::is_only_called),
                None => is_spelled_out(read, outermost),
            },
            (Root::Expect, Some((Kind::Member, Some(member)))) => is_call && names::is_expect_check(member),
            (Root::Assert, Some((Kind::Member, Some(member)))) => is_call && !names::is_assert_setup(member),
            (Root::Assert, Some((Kind::Call, _))) => true,
            (Root::Context, Some((Kind::Member, Some(member)))) => is_call && names::is_context_check(member),
            _ => self.should,
        }
    }
}

/// unexpected's `expect(total, 'to be', 2)`; with a subject alone nothing is checked.
fn is_spelled_out(read: &Reader<'_>, call: Node<'_>) -> bool {
    read.arguments(call).get(1).is_some_and(|&second| read.literal(second).is_some())
}

/// The name of a check that is called on what a chain gave so far: supertest's `.expect(200)`, cypress's `.should`.
pub fn chained_check<'t>(read: &Reader<'_>, call: Node<'t>, root: Root) -> Option<Node<'t>> {
    if matches!(root, Root::Expect | Root::Assert | Root::Context | Root::This) {
        return None;
    }
    let callee = call.child_by_field_id(read.fields().function)?;
    let property = callee.child_by_field_id(read.fields().property)?;
    matches!(read.text(property), "expect" | "should").then_some(property)
}
