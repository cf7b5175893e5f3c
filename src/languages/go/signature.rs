//! What `go test` makes of a file and of a function, by path, name and signature.

use tree_sitter::Node;

use super::super::Source;
use super::kinds::{Kind, kind_of};
use super::names::is_test_name;
use super::syntax::named_children;
use crate::languages::fields::Fields;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// `TestXxx`.
    Test,
    /// A fuzz target or an example with output: runs with the tests, listed apart from them.
    Companion,
    /// `TestMain`, which runs all tests of its package.
    Main,
    Plain,
}

/// Whether `go test ./...` takes tests from a file of this path.
pub(super) fn collects(source: &Source<'_>) -> bool {
    let hidden = |name: &str| name.starts_with(['_', '.']);
    let ignored = |folder: &str| hidden(folder) || folder == "testdata" || folder == "vendor";
    let name = source.file_name();
    name.ends_with("_test.go") && !hidden(name) && !source.folders().any(ignored)
}

pub(super) fn role_of(function: Node<'_>, name: &str, source: Source<'_>) -> Role {
    let takes = |letter| takes_only(function, letter, source);
    if is_test_name(name, "Test") && takes("T") {
        Role::Test
    } else if name == "TestMain" && takes("M") {
        Role::Main
    } else if is_test_name(name, "Fuzz") && takes("F")
        || is_test_name(name, "Example") && runs(function, source)
    {
        Role::Companion
    } else {
        Role::Plain
    }
}

/// Whether a method is one that testify or gocheck would call as a test, or that a test of the package finds by its
/// signature: `func (s) TestTotal(t *testing.T)`, run by a helper that goes through all methods of a value.
pub(super) fn is_suite_test(method: Node<'_>, name: &str, source: Source<'_>) -> bool {
    let Some(parameters) = method.field("parameters") else { return false };
    let bare = named_children(parameters).next().is_none() && method.field("result").is_none();
    name.starts_with("Test")
        && (bare
            || takes_only(method, "C", source)
            || is_test_name(name, "Test") && takes_only(method, "T", source))
}

/// `*T` or `*anything.T` is the one parameter, and there is no result.
fn takes_only(function: Node<'_>, letter: &str, source: Source<'_>) -> bool {
    let unwanted = ["result", "type_parameters"];
    if unwanted.iter().any(|field| function.field(field).is_some()) {
        return false;
    }
    let Some(parameters) = function.field("parameters") else { return false };
    let mut parameters = named_children(parameters);
    let (Some(only), None) = (parameters.next(), parameters.next()) else { return false };
    let Some(kind) = only.field("type") else { return false };
    named_children(only).count() <= 2
        && kind_of(only) == Kind::Parameter
        && kind_of(kind) == Kind::PointerType
        && type_name(kind, source) == letter
}

/// The last part of a type's name, without pointer, package and arguments.
pub(super) fn type_name<'s>(node: Node<'_>, source: Source<'s>) -> &'s str {
    let mut node = node;
    // Each step goes down one level of the type; real ones have no more than three.
    for _ in 0..8 {
        let inner = match kind_of(node) {
            Kind::PointerType => named_children(node).next(),
            Kind::GenericType => node.field("type"),
            Kind::QualifiedType => node.field("name"),
            _ => return source.text_of(node),
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    ""
}

/// An example runs only if its last comment says what it prints.
fn runs(function: Node<'_>, source: Source<'_>) -> bool {
    let Some(body) = function.field("body") else { return false };
    let mut group: Option<(Node<'_>, usize)> = None;
    for comment in comments(body) {
        let row = comment.start_position().row;
        let start = match group {
            Some((start, last)) if row <= last + 1 => start,
            _ => comment,
        };
        group = Some((start, comment.end_position().row));
    }
    group.is_some_and(|(start, _)| {
        let text = source.text_of(start).trim_start_matches(['/', '*']).trim_start().to_ascii_lowercase();
        text.strip_prefix("unordered ").unwrap_or(&text).trim_start().starts_with("output:")
    })
}

/// The comments that stand between the statements of a block or after them.
fn comments<'t>(block: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut all = Vec::new();
    let mut pending = vec![block];
    while let Some(node) = pending.pop() {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match kind_of(child) {
                Kind::Comment => all.push(child),
                Kind::Statements => pending.push(child),
                _ => {}
            }
        }
    }
    all.sort_by_key(Node::start_byte);
    all.into_iter()
}
