//! What the names of a file stand for: imports, aliases of runners, functions that give runners.

use tree_sitter::Node;

use super::grammar::{Kind, Reader, unquote};
use super::names::{self, Curry, Role};
use super::runner::{Resolver, Runner};
use crate::collections::HashMap;
use crate::facts::SkipKind;

#[derive(Clone)]
pub enum Binding {
    Runner(Runner),
    /// A function that checks something, or an object of such functions.
    Assert,
    Expect,
    /// A function of this file that hides a runner's name.
    Local,
}

pub type Bindings = HashMap<String, Binding>;

/// One imported name: what it is called there and here.
pub struct Imported<'s> {
    /// None for a default import or the whole module.
    pub name: Option<&'s str>,
    pub local: &'s str,
}

/// The module and names of an import statement.
pub fn imports<'s>(read: &Reader<'s>, node: Node<'_>) -> Option<(&'s str, Vec<Imported<'s>>)> {
    let module = unquote(read.text(node.child_by_field_id(read.fields().source)?));
    let mut found = Vec::new();
    for clause in read.children(node) {
        if read.kind(clause) != Kind::ImportClause {
            continue;
        }
        for part in read.children(clause) {
            match read.kind(part) {
                Kind::Identifier => found.push(Imported { name: None, local: read.text(part) }),
                Kind::NamespaceImport => {
                    let local = read.first_child(part).map_or("", |name| read.text(name));
                    found.push(Imported { name: None, local });
                }
                Kind::NamedImports => {
                    found.extend(read.children(part).into_iter().filter_map(|node| specifier(read, node)));
                }
                _ => {}
            }
        }
    }
    Some((module, found))
}

fn specifier<'s>(read: &Reader<'s>, node: Node<'_>) -> Option<Imported<'s>> {
    if read.kind(node) != Kind::ImportSpecifier {
        return None;
    }
    let name = read.text(node.child_by_field_id(read.fields().name)?);
    let local = node.child_by_field_id(read.fields().alias).map_or(name, |alias| read.text(alias));
    Some(Imported { name: (name != "default").then_some(name), local })
}

/// The module of `require('...')`, `await import('...')` and `import.meta.vitest`.
pub fn required_module<'s>(read: &Reader<'s>, value: Node<'_>) -> Option<&'s str> {
    let mut call = read.unwrap(value);
    if read.kind(call) == Kind::Await {
        call = read.first_child(call)?;
    }
    if read.kind(call) == Kind::Member {
        return (read.text(call) == "import.meta.vitest").then_some("vitest");
    }
    if read.kind(call) != Kind::Call {
        return None;
    }
    let callee = call.child_by_field_id(read.fields().function)?;
    if !matches!(read.text(callee), "require" | "import") {
        return None;
    }
    read.arguments(call).first().and_then(|&module| read.literal(module))
}

/// The names that `const x = ...` or `const { a, b: c } = ...` takes from a module.
pub fn required_names<'s>(read: &Reader<'s>, pattern: Node<'_>) -> Vec<Imported<'s>> {
    match read.kind(pattern) {
        Kind::Identifier => vec![Imported { name: None, local: read.text(pattern) }],
        Kind::ObjectPattern => {
            read.children(pattern).into_iter().filter_map(|node| pattern_name(read, node)).collect()
        }
        _ => Vec::new(),
    }
}

fn pattern_name<'s>(read: &Reader<'s>, node: Node<'_>) -> Option<Imported<'s>> {
    match read.kind(node) {
        Kind::ShorthandPattern => Some(Imported { name: Some(read.text(node)), local: read.text(node) }),
        Kind::PairPattern => {
            let key = node.child_by_field_id(read.fields().key)?;
            let value = node.child_by_field_id(read.fields().value)?;
            Some(Imported { name: Some(read.text(key)), local: read.text(value) })
        }
        _ => None,
    }
}

/// What a name imported from `module` stands for, where that matters.
pub fn imported(
    resolver: &Resolver<'_, '_, '_>,
    node: Node<'_>,
    module: &str,
    import: &Imported<'_>,
) -> Option<Binding> {
    if names::is_runner_module(module) {
        return from_runner(resolver, node, import.name);
    }
    if names::is_assert_module(module) {
        return match import.name {
            Some("expect") => Some(Binding::Expect),
            Some(name) if names::is_assert_plumbing(name) => None,
            // The whole of chai is used as `chai.expect`.
            None if module == "chai" => None,
            _ => Some(Binding::Assert),
        };
    }
    let name = import.name.unwrap_or(import.local);
    if names::root(name).is_some() {
        return (import.local != name).then(|| root_runner(name))?.map(Binding::Runner);
    }
    let role = names::wrapper_role(import.local)?;
    let skip = names::says_skip(import.local).then(|| resolver.facts.mark(node, SkipKind::Conditional, None));
    Some(Binding::Runner(Runner { skip, guessed: true, ..Runner::plain(role) }))
}

fn from_runner(resolver: &Resolver<'_, '_, '_>, node: Node<'_>, name: Option<&str>) -> Option<Binding> {
    let mark = |kind| Some(resolver.facts.mark(node, kind, None));
    let test = Runner::plain(Role::Test);
    let runner = match name {
        // The default export and the module itself both carry the others as members.
        None => test,
        Some("skip" | "todo") => Runner { skip: mark(SkipKind::Unconditional), ..test },
        Some("only") => Runner { focused: true, ..test },
        Some("module") => Runner::plain(Role::Suite),
        Some("expect") => return Some(Binding::Expect),
        Some("assert") => return Some(Binding::Assert),
        Some(name) => root_runner(name)?,
    };
    Some(Binding::Runner(runner))
}

fn root_runner(name: &str) -> Option<Runner> {
    // Renamed imports of names such as `xit` do not occur: runners offer those as globals only.
    names::root(name).map(|(role, _)| Runner::plain(role))
}

/// A function that returns a runner: `cond => (cond ? it : it.skip)`.
pub fn factory(resolver: &Resolver<'_, '_, '_>, function: Node<'_>) -> Option<Runner> {
    let read = &resolver.read;
    let body = function.child_by_field_id(read.fields().body)?;
    let value = match read.kind(body) {
        Kind::Block => {
            let statement = read.first_child(body)?;
            (read.kind(statement) == Kind::Return).then(|| read.first_child(statement))??
        }
        _ => body,
    };
    let runner = resolver.resolve(value)?;
    runner.curry.is_none().then_some(Runner { curry: Some(Curry::Same), ..runner })
}

/// A function that defines a test with what it is given: `(title, body) => tap.test(`${name}: ${title}`, body)`.
pub fn wrapper(resolver: &Resolver<'_, '_, '_>, function: Node<'_>) -> Option<Runner> {
    let read = &resolver.read;
    let body = function.child_by_field_id(read.fields().body)?;
    let call = match read.kind(body) {
        Kind::Block => {
            let statement = read.children(body).into_iter().last()?;
            let inside = matches!(read.kind(statement), Kind::Return | Kind::ExpressionStatement);
            inside.then(|| read.first_child(statement))??
        }
        _ => body,
    };
    if read.kind(call) != Kind::Call {
        return None;
    }
    let given = function.child_by_field_id(read.fields().parameters).map_or("", |node| read.text(node));
    let arguments = read.arguments(call);
    let (title, last) = (arguments.first()?, arguments.last()?);
    let is_given = |node: &Node<'_>| {
        read.kind(*node) == Kind::Identifier && given.split(is_no_word).any(|word| word == read.text(*node))
    };
    let names = |node: &Node<'_>| {
        let words = read.text(*node).split(is_no_word).filter(|word| !word.is_empty());
        words.into_iter().any(|word| given.split(is_no_word).any(|own| own == word))
    };
    let runner = resolver.resolve(call.child_by_field_id(read.fields().function)?)?;
    (arguments.len() > 1 && is_given(last) && names(title) && runner.curry.is_none()).then_some(runner)
}

fn is_no_word(c: char) -> bool {
    !(c.is_alphanumeric() || c == '_' || c == '$')
}
