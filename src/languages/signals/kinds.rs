//! What the nodes of the six grammars are to this walk.

use crate::languages::walk::Tables;
use crate::languages::{Kinds, Language};

/// What a node is, as far as anything here cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Other,
    Comment,
    /// A function or method with a name.
    Function,
    /// A class, an interface, an implementation.
    Type,
    /// A name with a value: a key, a variable, a field.
    Named,
    Boolean,
    Text,
    /// A word that may be the name of a variable of the environment.
    Word,
    If,
    /// Two conditions joined, which may stand outside of any `if`.
    Joined,
    /// An attribute of Rust, an annotation of Java.
    Attribute,
    Macro,
    Import,
    /// A re-export or an export list.
    Export,
    /// A declaration at the top that is no function or class: a constant, a type alias.
    Declaration,
    Statement,
}

fn role(kind: &str) -> Option<Role> {
    Some(match kind {
        "comment" | "line_comment" | "block_comment" | "html_comment" => Role::Comment,
        "function_definition"
        | "function_declaration"
        | "generator_function_declaration"
        | "method_definition"
        | "method_declaration"
        | "constructor_declaration"
        | "function_item" => Role::Function,
        "class_definition"
        | "class_declaration"
        | "abstract_class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration"
        | "impl_item"
        | "trait_item"
        | "mod_item" => Role::Type,
        "pair" | "keyed_element" | "field_initializer" | "variable_declarator" => Role::Named,
        "true" | "false" | "boolean_literal" => Role::Boolean,
        "string" | "string_literal" | "interpreted_string_literal" | "raw_string_literal" => Role::Text,
        "property_identifier" | "field_identifier" => Role::Word,
        "if_statement" | "elif_clause" | "if_expression" | "ternary_expression" => Role::If,
        "binary_expression" | "boolean_operator" => Role::Joined,
        "attribute_item" | "inner_attribute_item" | "annotation" | "marker_annotation" => Role::Attribute,
        "macro_invocation" => Role::Macro,
        "import_statement"
        | "import_from_statement"
        | "import_declaration"
        | "import_spec"
        | "use_declaration" => Role::Import,
        "export_statement" => Role::Export,
        "struct_item" | "enum_item" | "const_item" | "static_item" | "type_item" | "type_spec"
        | "const_spec" | "var_spec" => Role::Declaration,
        "expression_statement" => Role::Statement,
        _ => return None,
    })
}

static TABLES: Tables<Role> = Tables::new();

pub fn table(language: &'static Language) -> &'static Kinds<Role> {
    TABLES.of(language, Role::Other, role)
}
