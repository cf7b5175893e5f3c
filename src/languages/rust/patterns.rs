//! Where a macro's pattern puts the names it binds, so that they can be read from an invocation.

use tree_sitter::Node;

use super::items::{is_tree, split_marks, tokens};
use super::kinds::{Kind, is_name, kind};
use crate::languages::Source;

/// The left side of one macro rule, as far as names of tests need it.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    bindings: Vec<Binding>,
    /// The token that an invocation must begin with, if it is a fixed one.
    first: Option<String>,
    commas: usize,
    repetition: Option<Repetition>,
}

/// `$name:ident` and its place.
#[derive(Clone, Debug)]
struct Binding {
    name: String,
    is_identifier: bool,
    repeated: bool,
    /// How many commas or semicolons stand before it, and how many tokens since the last of them.
    chunk: usize,
    offset: usize,
}

/// `$( ... ),*` at the top of a pattern.
#[derive(Clone, Debug)]
struct Repetition {
    /// Commas or semicolons before it.
    chunk: usize,
    separator: Option<String>,
    /// How many stretches between separators one element takes.
    stretches: usize,
}

/// One element of a repetition, or the whole invocation.
pub type Tokens<'t> = Vec<Node<'t>>;

impl Pattern {
    pub fn read(left: Node<'_>, source: &Source<'_>) -> Self {
        let mut pattern = Self::default();
        let nodes = tokens(left);
        let is_fixed = |node: &&Node<'_>| kind(**node) == Kind::Identifier || node.kind() == "@";
        pattern.first = nodes.first().filter(is_fixed).map(|&first| source.text_of(first).to_owned());
        let (mut chunk, mut offset) = (0, 0);
        for &node in &nodes {
            match kind(node) {
                Kind::RepetitionPattern => pattern.read_repetition(node, chunk, source),
                Kind::Binding => {
                    pattern.bind(node, false, chunk, offset, source);
                    offset += 1;
                }
                _ if is_separator(node) => (chunk, offset) = (chunk + 1, 0),
                _ => offset += 1,
            }
        }
        // A comma at the very end is one that invocations may leave out.
        let trailing = nodes.last().is_some_and(|&last| is_separator(last));
        pattern.commas = chunk - usize::from(trailing);
        pattern
    }

    fn read_repetition(&mut self, node: Node<'_>, chunk: usize, source: &Source<'_>) {
        let inner = inside(node);
        // What follows the bracket is one token for the grammar, operator and separator alike.
        let tail = source.text_of(node).rsplit_once(')').map_or("", |(_, tail)| tail);
        let tail = tail.trim_end_matches(['*', '+', '?']).trim();
        let separator = match tail {
            "" => inner.last().filter(|&&last| is_separator(last)).map(|&last| source.text_of(last)),
            tail => Some(tail),
        };
        let bound = self.bindings.len();
        let (mut at, mut offset) = (0, 0);
        for (index, &token) in inner.iter().enumerate() {
            if kind(token) == Kind::Binding {
                self.bind(token, true, at, offset, source);
            }
            let is_last = index + 1 == inner.len();
            match separator {
                Some(separator) if source.text_of(token) == separator && !is_last => {
                    (at, offset) = (at + 1, 0)
                }
                _ if kind(token) != Kind::RepetitionPattern => offset += 1,
                _ => {}
            }
        }
        if self.bindings.len() > bound {
            let separator = separator.map(str::to_owned);
            self.repetition = Some(Repetition { chunk, separator, stretches: at + 1 });
        }
    }

    fn bind(&mut self, node: Node<'_>, repeated: bool, chunk: usize, offset: usize, source: &Source<'_>) {
        let (name, fragment) = source.text_of(node).split_once(':').unwrap_or_default();
        let name = name.trim().to_owned();
        self.bindings.push(Binding {
            name,
            is_identifier: fragment.trim() == "ident",
            repeated,
            chunk,
            offset,
        });
    }

    pub fn is_repeated(&self, name: &str) -> bool {
        self.bindings.iter().any(|binding| binding.name == name && binding.repeated)
    }

    pub fn binds_identifier(&self, name: &str) -> bool {
        self.bindings.iter().any(|binding| binding.name == name && binding.is_identifier)
    }

    /// Rules that only the macro itself uses begin with `@`.
    pub fn is_internal(&self) -> bool {
        self.first.as_deref() == Some("@")
    }

    /// Whether an invocation with these tokens may be meant.
    pub fn fits(&self, invocation: &[Node<'_>], source: &Source<'_>) -> bool {
        if let Some(first) = &self.first
            && invocation.first().is_none_or(|&token| source.text_of(token) != first)
        {
            return false;
        }
        let trailing = invocation.last().is_some_and(|&last| is_separator(last));
        let commas = invocation.iter().filter(|&&token| is_separator(token)).count() - usize::from(trailing);
        self.repetition.is_some() || commas == self.commas
    }

    /// The elements of the repetition in an invocation.
    pub fn elements<'t>(&self, invocation: &[Node<'t>], source: &Source<'_>) -> Vec<Tokens<'t>> {
        let Some(repetition) = &self.repetition else { return Vec::new() };
        let repeated = after_chunks(invocation, repetition.chunk);
        let Some(separator) = &repetition.separator else { return by_followers(repeated, source) };
        let stretches: Vec<&[Node<'t>]> = repeated
            .split(|&token| source.text_of(token) == separator)
            .filter(|stretch| !stretch.is_empty())
            .collect();
        stretches.chunks(repetition.stretches).map(|element| element.concat()).collect()
    }

    /// The token that `name` stands for, in an element if it is repeated, else in the invocation.
    pub fn lookup<'t>(
        &self,
        name: &str,
        invocation: &[Node<'t>],
        element: &[Node<'t>],
        source: &Source<'_>,
    ) -> Option<Node<'t>> {
        let binding = self.bindings.iter().find(|binding| binding.name == name)?;
        let tokens = if binding.repeated { element } else { after_chunks(invocation, binding.chunk) };
        // Elements were joined without their separators: only names before the first are found.
        if binding.repeated && binding.chunk > 0 {
            return None;
        }
        let (_, tokens) = split_marks(tokens, source);
        tokens.get(binding.offset).copied()
    }
}

/// What a repetition repeats: `$`, brackets, separator and operator taken off.
fn inside(repetition: Node<'_>) -> Tokens<'_> {
    let mut cursor = repetition.walk();
    let all: Tokens<'_> =
        repetition.children(&mut cursor).filter(|&node| kind(node) != Kind::Comment).collect();
    let open = all.iter().position(|node| node.kind() == "(").map_or(0, |at| at + 1);
    let close = all.iter().rposition(|node| node.kind() == ")").unwrap_or(all.len());
    all.get(open..close).unwrap_or_default().to_vec()
}

pub fn is_separator(node: Node<'_>) -> bool {
    matches!(node.kind(), "," | ";")
}

fn after_chunks<'n, 't>(tokens: &'n [Node<'t>], chunks: usize) -> &'n [Node<'t>] {
    if chunks == 0 {
        return tokens;
    }
    let separators = tokens.iter().enumerate().filter(|(_, token)| is_separator(**token));
    let after = separators.map(|(at, _)| at + 1).nth(chunks - 1);
    after.and_then(|after| tokens.get(after..)).unwrap_or_default()
}

/// Elements of a list without a known separator: each begins with an identifier that is followed by the same
/// token (`:`, `=>`, brackets) as the first one is.
pub fn by_followers<'t>(tokens: &[Node<'t>], source: &Source<'_>) -> Vec<Tokens<'t>> {
    let follower = |tokens: &[Node<'t>]| {
        let (_, tokens) = split_marks(tokens, source);
        let &[name, next, ..] = tokens else { return None };
        let bracket = source.text.get(next.start_byte()).copied().filter(|_| kind(next) == Kind::Tree);
        is_name(name).then_some((next.kind(), bracket))
    };
    let Some(first) = follower(tokens) else { return Vec::new() };
    let mut elements: Vec<Tokens<'t>> = Vec::new();
    let mut at_start = true;
    for (at, &token) in tokens.iter().enumerate() {
        if at_start && follower(&tokens[at..]) == Some(first) {
            elements.push(Vec::new());
        }
        at_start = is_separator(token) || first.1.is_some_and(|bracket| is_tree(token, bracket, source));
        if !is_separator(token)
            && let Some(element) = elements.last_mut()
        {
            element.push(token);
        }
    }
    elements
}
