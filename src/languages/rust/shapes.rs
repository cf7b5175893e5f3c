//! Macros that make tests: which tests one invocation stands for, and what they are called.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::items::{Part, items, split_marks, tokens};
use super::kinds::{Kind, is_name, kind};
use super::patterns::Pattern;
use crate::facts::{Skip, Span};
use crate::languages::fields::Fields;
use crate::languages::{Source, span_of};
use crate::text::occurrences;

/// The macros of a file by name.
pub type Shapes = BTreeMap<String, Shape>;

/// The rules of one `macro_rules!` that have to do with tests.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub pattern: Pattern,
    pub templates: Vec<Template>,
}

/// One test that a rule expands to.
#[derive(Clone, Debug)]
pub struct Template {
    pub name: Name,
    /// Modules that the rule puts around the test.
    pub suites: Vec<Name>,
    /// The macro whose invocation inside the rule makes the test; none where the rule has the function itself.
    pub via: Option<String>,
    pub skip: Option<Skip>,
    pub cases: Option<u32>,
    /// The lines of the body that the rule has for it.
    pub body: Option<Span>,
}

/// A name in an expansion: `sum`, `$name`, or `[<sum_ $name>]` in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// With its `$`.
    Variable(String),
}

/// The names that stand behind `macro_rules!` in a text, without a look at what stands around them; none where no macro
/// of the text can make a test.
pub fn macros_defined(text: &[u8]) -> Vec<String> {
    const MARK: &[u8] = b"macro_rules!";
    let first = occurrences(text, MARK).next();
    if first.is_none_or(|first| !may_mark_tests(&text[first..])) {
        return Vec::new();
    }
    let name = |at: usize| {
        let rest = text[at + MARK.len()..].trim_ascii_start();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let end = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    };
    let names = occurrences(text, MARK).map(name);
    names.filter(|name| !name.is_empty()).collect()
}

/// Whether any attribute in a text can make a function a test, as far as bytes tell: `cfg(test)` cannot.
fn may_mark_tests(text: &[u8]) -> bool {
    const PARTS: &[&[u8]] = &[b"test]", b"test(", b"[test_", b"::test_"];
    const NAMES: &[&[u8]] = &[b"quickcheck", b"proptest", b"bench", b"apply", b"parameterized"];
    PARTS.iter().chain(NAMES).any(|part| crate::text::contains(text, part))
}

impl Shape {
    /// `known` helps to see which argument of a call names the test.
    pub fn read(definition: Node<'_>, known: &Shapes, source: &Source<'_>) -> Self {
        let mut cursor = definition.walk();
        let rules = definition.children(&mut cursor).filter(|&node| kind(node) == Kind::MacroRule);
        let rules = rules.filter_map(|rule| Rule::read(rule, known, source));
        Self { rules: rules.filter(|rule| !rule.templates.is_empty()).collect() }
    }

    pub fn calls(&self, name: &str) -> bool {
        let mut templates = self.rules.iter().flat_map(|rule| &rule.templates);
        templates.any(|template| template.via.as_deref() == Some(name))
    }

    /// The token of an invocation that names its first test.
    fn naming_token<'t>(&self, invocation: &[Node<'t>], source: &Source<'_>) -> Option<Node<'t>> {
        let rule = self.rule_for(invocation, source)?;
        let variable = rule.templates.first()?.name.variables().next()?;
        let elements = rule.pattern.elements(invocation, source);
        let element = elements.first().map_or(&[][..], Vec::as_slice);
        rule.pattern.lookup(variable, invocation, element, source)
    }

    /// Whether it makes tests, given what is known of the macros it calls.
    pub fn makes_tests(&self, is_test_macro: impl Fn(&str) -> bool) -> bool {
        let mut templates = self.rules.iter().flat_map(|rule| &rule.templates);
        templates.any(|template| template.via.as_deref().is_none_or(&is_test_macro))
    }

    /// The rule that an invocation with these tokens most likely means.
    pub fn rule_for(&self, invocation: &[Node<'_>], source: &Source<'_>) -> Option<&Rule> {
        let is_internal = invocation.first().is_some_and(|first| first.kind() == "@");
        let mut rules = self.rules.iter().filter(|rule| rule.pattern.is_internal() == is_internal);
        let fitting = rules.clone().find(|rule| rule.pattern.fits(invocation, source));
        fitting.or_else(|| rules.next()).or_else(|| self.rules.first())
    }
}

impl Rule {
    fn read(rule: Node<'_>, known: &Shapes, source: &Source<'_>) -> Option<Self> {
        let pattern = Pattern::read(rule.field("left")?, source);
        let mut templates = Vec::new();
        let mut open = vec![(rule.field("right")?, Vec::new())];
        while let Some((container, suites)) = open.pop() {
            for item in items(container, source) {
                match item.part {
                    Part::Function { name, body } if item.marks.is_test() => {
                        let (name, cases) = (Name::read(name, source), item.marks.cases());
                        let (suites, skip, body) =
                            (suites.clone(), item.marks.into_skip(), Some(span_of(body)));
                        templates.push(Template { name, suites, via: None, skip, cases, body });
                    }
                    Part::Module { name, body } => {
                        let name = Name::read(name, source);
                        open.push((body, suites.iter().cloned().chain([name]).collect()));
                    }
                    Part::Call { name, tree } => {
                        let via = source.text_of(name);
                        let Some(name) = passed_name(tree, known.get(via), &pattern, source) else {
                            open.push((tree, suites.clone()));
                            continue;
                        };
                        let (via, skip) = (Some(via.to_owned()), item.marks.into_skip());
                        let suites = suites.clone();
                        templates.push(Template { name, suites, via, skip, cases: Some(1), body: None });
                    }
                    Part::Block(block) => open.push((block, suites.clone())),
                    Part::Function { .. } => {}
                }
            }
        }
        Some(Self { pattern, templates })
    }
}

/// The name that a call inside a rule passes on, if its arguments have one.
fn passed_name(
    tree: Node<'_>,
    callee: Option<&Shape>,
    pattern: &Pattern,
    source: &Source<'_>,
) -> Option<Name> {
    let tokens = tokens(tree);
    if let Some(token) = callee.and_then(|callee| callee.naming_token(&tokens, source)) {
        return Name::of_argument(token, source);
    }
    let (_, arguments) = split_marks(&tokens, source);
    let first = *arguments.first()?;
    if !matches!(kind(first), Kind::Metavariable | Kind::Repetition) && !is_name(first) && first.kind() != "@"
        || arguments.get(1).is_some_and(|next| matches!(next.kind(), "!" | "::"))
    {
        return None;
    }
    let is_passed = |node: &&Node<'_>| match kind(**node) {
        Kind::Metavariable => pattern.binds_identifier(source.text_of(**node)),
        Kind::Repetition => true,
        _ => false,
    };
    // A fixed name could be used only once, so a name that is passed on comes first.
    arguments.iter().find(is_passed).or(Some(&first)).and_then(|&node| Name::of_argument(node, source))
}

impl Name {
    fn of_argument(node: Node<'_>, source: &Source<'_>) -> Option<Self> {
        match kind(node) {
            Kind::Metavariable => Some(Self::read(node, source)),
            _ if is_name(node) => Some(Self::read(node, source)),
            // `$($tokens)*`: the name is somewhere in there.
            Kind::Repetition => Some(Self(vec![Piece::Variable(source.text_of(node).to_owned())])),
            _ => None,
        }
    }

    fn read(node: Node<'_>, source: &Source<'_>) -> Self {
        let piece = |node: Node<'_>| match kind(node) {
            Kind::Metavariable => Piece::Variable(source.text_of(node).to_owned()),
            _ => Piece::Text(source.text_of(node).to_owned()),
        };
        if kind(node) != Kind::Tree {
            return Self(vec![piece(node)]);
        }
        // `[<a $b:lower>]`: what follows a colon says how to change the case.
        let mut pieces = Vec::new();
        let mut after_colon = false;
        for token in tokens(node) {
            if !after_colon && matches!(kind(token), Kind::Metavariable | Kind::Identifier | Kind::Literal) {
                pieces.push(piece(token));
            }
            after_colon = token.kind() == ":";
        }
        Self(pieces)
    }

    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}
