//! Small readers of Python's syntax tree: kinds, names, arguments, literals.

use std::sync::OnceLock;

use tree_sitter::Node;

use crate::languages::fields::Fields;
use crate::languages::{Kinds, Source};

/// The kinds of node the pack looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Assert,
    Assignment,
    Attribute,
    AugmentedAssignment,
    BinaryOperator,
    Block,
    BooleanOperator,
    Break,
    Call,
    Class,
    Comment,
    Comparison,
    ConditionalExpression,
    Continue,
    Decorated,
    Decorator,
    Delete,
    Dictionary,
    Elif,
    Else,
    Except,
    ExpressionStatement,
    False,
    Finally,
    Function,
    Identifier,
    If,
    Import,
    ImportFrom,
    Integer,
    KeywordArgument,
    Lambda,
    List,
    Loop,
    Match,
    None,
    Not,
    Other,
    Parenthesized,
    Pass,
    Raise,
    Return,
    Set,
    Splat,
    String,
    StringChain,
    Subscript,
    True,
    Try,
    Tuple,
    With,
}

pub fn kind(node: Node<'_>) -> Kind {
    static KINDS: OnceLock<Kinds<Kind>> = OnceLock::new();
    KINDS.get_or_init(|| Kinds::new(&tree_sitter_python::LANGUAGE.into(), Kind::Other, kind_named)).of(node)
}

fn kind_named(name: &str) -> Option<Kind> {
    Some(match name {
        "assert_statement" => Kind::Assert,
        "assignment" => Kind::Assignment,
        "attribute" => Kind::Attribute,
        "augmented_assignment" => Kind::AugmentedAssignment,
        "binary_operator" => Kind::BinaryOperator,
        "block" => Kind::Block,
        "boolean_operator" => Kind::BooleanOperator,
        "break_statement" => Kind::Break,
        "call" => Kind::Call,
        "class_definition" => Kind::Class,
        "comment" => Kind::Comment,
        "comparison_operator" => Kind::Comparison,
        "conditional_expression" => Kind::ConditionalExpression,
        "continue_statement" => Kind::Continue,
        "decorated_definition" => Kind::Decorated,
        "decorator" => Kind::Decorator,
        "delete_statement" => Kind::Delete,
        "dictionary" => Kind::Dictionary,
        "elif_clause" => Kind::Elif,
        "else_clause" => Kind::Else,
        "except_clause" => Kind::Except,
        "expression_statement" => Kind::ExpressionStatement,
        "false" => Kind::False,
        "finally_clause" => Kind::Finally,
        "function_definition" => Kind::Function,
        "identifier" => Kind::Identifier,
        "if_statement" => Kind::If,
        "import_statement" => Kind::Import,
        "import_from_statement" => Kind::ImportFrom,
        "integer" => Kind::Integer,
        "keyword_argument" => Kind::KeywordArgument,
        "lambda" => Kind::Lambda,
        "list" => Kind::List,
        "for_statement" | "while_statement" => Kind::Loop,
        "match_statement" => Kind::Match,
        "none" => Kind::None,
        "not_operator" => Kind::Not,
        "parenthesized_expression" => Kind::Parenthesized,
        "pass_statement" => Kind::Pass,
        "raise_statement" => Kind::Raise,
        "return_statement" => Kind::Return,
        "set" => Kind::Set,
        "list_splat" | "dictionary_splat" => Kind::Splat,
        "string" => Kind::String,
        "concatenated_string" => Kind::StringChain,
        "subscript" => Kind::Subscript,
        "true" => Kind::True,
        "try_statement" => Kind::Try,
        "tuple" => Kind::Tuple,
        "with_statement" => Kind::With,
        _ => return None,
    })
}

/// The named children that are no comments.
pub fn items<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| kind(*child) != Kind::Comment).collect()
}

pub fn field<'t>(node: Node<'t>, name: &'static str) -> Option<Node<'t>> {
    node.field(name)
}

/// The expression inside any number of parentheses.
pub fn bare(mut node: Node<'_>) -> Node<'_> {
    while kind(node) == Kind::Parenthesized {
        let Some(inner) = items(node).first().copied() else { break };
        node = inner;
    }
    node
}

/// The first statement of a body, where it is a string: the docstring.
pub fn docstring(body: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = body.walk();
    let first = body.named_children(&mut cursor).find(|child| kind(*child) != Kind::Comment)?;
    is_string_statement(first).then_some(first)
}

/// Whether the node is a statement that is nothing but a string.
pub fn is_string_statement(node: Node<'_>) -> bool {
    kind(node) == Kind::ExpressionStatement
        && node.child_count() == 1
        && node.child(0).is_some_and(|child| kind(child) == Kind::String)
}

/// The last name of `a`, `b.a`, `c().a`.
pub fn last_name<'a>(node: Node<'_>, source: Source<'a>) -> Option<&'a str> {
    match kind(node) {
        Kind::Identifier => Some(source.text_of(node)),
        Kind::Attribute => Some(source.text_of(node.child(node.child_count().checked_sub(1)?)?)),
        _ => None,
    }
}

/// The text of `a` or `a.b.c`; nothing where anything but names is in it.
pub fn dotted<'a>(node: Node<'_>, source: Source<'a>) -> Option<&'a str> {
    if !matches!(kind(node), Kind::Identifier | Kind::Attribute) {
        return None;
    }
    let text = source.text_of(node);
    let named = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80;
    (!text.is_empty() && text.bytes().all(named)).then_some(text)
}

/// The content of a string literal, or of several in a row.
pub fn string_value(node: Node<'_>, source: Source<'_>) -> Option<String> {
    let node = bare(node);
    match kind(node) {
        Kind::String => {
            let (first, last) = (node.child(0)?, node.child(node.child_count().checked_sub(1)?)?);
            let content = source.text.get(first.end_byte()..last.start_byte())?;
            Some(String::from_utf8_lossy(content).into_owned())
        }
        Kind::StringChain => items(node).into_iter().map(|part| string_value(part, source)).collect(),
        _ => None,
    }
}

/// The arguments of a call; none where it is no call.
#[derive(Default)]
pub struct Arguments<'a, 't> {
    pub positional: Vec<Node<'t>>,
    keywords: Vec<(&'a str, Node<'t>)>,
    /// `*rows` or `**options` may stand for more.
    pub open_ended: bool,
}

impl<'a, 't> Arguments<'a, 't> {
    pub fn of(call: Node<'t>, source: Source<'a>) -> Self {
        let mut arguments = Self::default();
        let Some(list) = field(call, "arguments") else { return arguments };
        if list.kind() != "argument_list" {
            arguments.positional.push(list);
            return arguments;
        }
        for item in items(list) {
            match kind(item) {
                Kind::Splat => arguments.open_ended = true,
                Kind::KeywordArgument => {
                    if let (Some(name), Some(value)) = (field(item, "name"), field(item, "value")) {
                        arguments.keywords.push((source.text_of(name), value));
                    }
                }
                _ => arguments.positional.push(item),
            }
        }
        arguments
    }

    pub fn keyword(&self, name: &str) -> Option<Node<'t>> {
        self.keywords.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// The argument at a place, or by its name.
    pub fn get(&self, place: usize, name: &str) -> Option<Node<'t>> {
        self.positional.get(place).copied().or_else(|| self.keyword(name))
    }
}
