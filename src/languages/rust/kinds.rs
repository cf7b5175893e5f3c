//! The node kinds of the Rust grammar that matter here.

use std::sync::OnceLock;

use tree_sitter::Node;

use crate::languages::Kinds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Comment,
    Attribute,
    InnerAttribute,
    ExpressionStatement,
    Function,
    Module,
    MacroDefinition,
    MacroRule,
    MacroInvocation,
    Type,
    Constant,
    Call,
    Let,
    Block,
    If,
    /// A loop or a `match`.
    Branch,
    Identifier,
    Literal,
    /// `$name` in a macro.
    Metavariable,
    /// A group of tokens with its brackets.
    Tree,
    /// `$( ... )*` in a macro's expansion.
    Repetition,
    /// `$( ... )*` in a macro's pattern.
    RepetitionPattern,
    /// `$name:ident` in a macro's pattern.
    Binding,
    Other,
}

pub fn kind(node: Node<'_>) -> Kind {
    static KINDS: OnceLock<Kinds<Kind>> = OnceLock::new();
    let kinds = KINDS.get_or_init(|| Kinds::new(&tree_sitter_rust::LANGUAGE.into(), Kind::Other, named));
    kinds.of(node)
}

/// Whether a token can be a name: an identifier, or a word that is a keyword only in some places.
pub fn is_name(node: Node<'_>) -> bool {
    kind(node) == Kind::Identifier || matches!(node.kind(), "default" | "union" | "gen")
}

fn named(name: &str) -> Option<Kind> {
    Some(match name {
        "line_comment" | "block_comment" => Kind::Comment,
        "attribute_item" => Kind::Attribute,
        "inner_attribute_item" => Kind::InnerAttribute,
        "expression_statement" => Kind::ExpressionStatement,
        "function_item" | "function_signature_item" => Kind::Function,
        "mod_item" => Kind::Module,
        "macro_definition" => Kind::MacroDefinition,
        "macro_rule" => Kind::MacroRule,
        "macro_invocation" => Kind::MacroInvocation,
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" => Kind::Type,
        "const_item" | "static_item" => Kind::Constant,
        "call_expression" => Kind::Call,
        "let_declaration" => Kind::Let,
        "block" => Kind::Block,
        "if_expression" => Kind::If,
        "match_expression" | "for_expression" | "while_expression" | "loop_expression" => Kind::Branch,
        "identifier" => Kind::Identifier,
        "string_literal" | "raw_string_literal" | "char_literal" | "integer_literal" | "float_literal" => {
            Kind::Literal
        }
        "metavariable" => Kind::Metavariable,
        "token_tree" => Kind::Tree,
        "token_repetition" => Kind::Repetition,
        "token_repetition_pattern" => Kind::RepetitionPattern,
        "token_binding_pattern" => Kind::Binding,
        _ => return None,
    })
}
