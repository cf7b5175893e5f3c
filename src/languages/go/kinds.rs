//! The node kinds of the Go grammar that mean something here.

use std::sync::OnceLock;

use tree_sitter::Node;

use super::super::Kinds;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Other,
    File,
    Comment,
    String,
    Import,
    ImportList,
    ImportSpec,
    Package,
    Function,
    Method,
    FuncLiteral,
    TypeDeclaration,
    TypeSpec,
    StructType,
    PointerType,
    GenericType,
    QualifiedType,
    VarDeclaration,
    VarList,
    VarSpec,
    ConstSpec,
    Parameter,
    Block,
    Statements,
    ExpressionStatement,
    ShortVar,
    Assignment,
    Return,
    If,
    Loop,
    RangeClause,
    Switch,
    Call,
    Selector,
    Identifier,
    Integer,
    Composite,
    LiteralValue,
    KeyedElement,
    LiteralElement,
    Unary,
    Binary,
    Parenthesized,
    True,
    False,
}

/// Compared by number: each node is looked up once.
pub(super) fn kind_of(node: Node<'_>) -> Kind {
    static KINDS: OnceLock<Kinds<Kind>> = OnceLock::new();
    KINDS.get_or_init(|| Kinds::new(&tree_sitter_go::LANGUAGE.into(), Kind::Other, named)).of(node)
}

fn named(name: &str) -> Option<Kind> {
    Some(match name {
        "source_file" => Kind::File,
        "comment" => Kind::Comment,
        "interpreted_string_literal" | "raw_string_literal" => Kind::String,
        "import_declaration" => Kind::Import,
        "import_spec_list" => Kind::ImportList,
        "import_spec" => Kind::ImportSpec,
        "package_clause" => Kind::Package,
        "function_declaration" => Kind::Function,
        "method_declaration" => Kind::Method,
        "func_literal" => Kind::FuncLiteral,
        "type_declaration" => Kind::TypeDeclaration,
        "type_spec" | "type_alias" => Kind::TypeSpec,
        "struct_type" => Kind::StructType,
        "pointer_type" => Kind::PointerType,
        "generic_type" => Kind::GenericType,
        "qualified_type" => Kind::QualifiedType,
        "var_declaration" => Kind::VarDeclaration,
        "var_spec_list" => Kind::VarList,
        "var_spec" => Kind::VarSpec,
        "const_spec" => Kind::ConstSpec,
        "parameter_declaration" => Kind::Parameter,
        "block" => Kind::Block,
        "statement_list" => Kind::Statements,
        "expression_statement" => Kind::ExpressionStatement,
        "short_var_declaration" => Kind::ShortVar,
        "assignment_statement" => Kind::Assignment,
        "return_statement" => Kind::Return,
        "if_statement" => Kind::If,
        "for_statement" => Kind::Loop,
        "range_clause" => Kind::RangeClause,
        "expression_switch_statement" | "type_switch_statement" | "select_statement" => Kind::Switch,
        "call_expression" => Kind::Call,
        "selector_expression" => Kind::Selector,
        "identifier" => Kind::Identifier,
        "int_literal" => Kind::Integer,
        "composite_literal" => Kind::Composite,
        "literal_value" => Kind::LiteralValue,
        "keyed_element" => Kind::KeyedElement,
        "literal_element" => Kind::LiteralElement,
        "unary_expression" => Kind::Unary,
        "binary_expression" => Kind::Binary,
        "parenthesized_expression" => Kind::Parenthesized,
        "true" => Kind::True,
        "false" => Kind::False,
        _ => return None,
    })
}
