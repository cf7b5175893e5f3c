//! Node kinds and fields of the Java grammar, by number.

use std::sync::OnceLock;

use tree_sitter::Node;

use crate::languages::Kinds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Annotation,
    AnnotationType,
    Argument,
    ArrayCreation,
    Assert,
    Binary,
    Block,
    Branch,
    Call,
    Class,
    ClassBody,
    Comment,
    Constructor,
    Creation,
    Enum,
    EnumConstant,
    EnumMembers,
    False,
    Field,
    FieldAccess,
    If,
    Import,
    Initializer,
    Integer,
    InterfaceConstant,
    Interface,
    Lambda,
    Leaf,
    /// A variable of a method.
    Local,
    Method,
    Modifiers,
    Other,
    Parenthesized,
    Program,
    Record,
    Return,
    Text,
    Throw,
    True,
    Try,
    CatchClause,
    Unary,
    VoidType,
}

impl Kind {
    /// Something with a name and members.
    pub fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Interface | Self::Enum | Self::Record | Self::AnnotationType)
    }
}

fn kind_named(name: &str) -> Option<Kind> {
    Some(match name {
        "annotation" | "marker_annotation" => Kind::Annotation,
        "annotation_type_declaration" => Kind::AnnotationType,
        "element_value_pair" => Kind::Argument,
        "array_creation_expression" => Kind::ArrayCreation,
        "assert_statement" => Kind::Assert,
        "binary_expression" => Kind::Binary,
        "block" => Kind::Block,
        "for_statement"
        | "enhanced_for_statement"
        | "while_statement"
        | "do_statement"
        | "switch_expression"
        | "ternary_expression" => Kind::Branch,
        "catch_clause" => Kind::CatchClause,
        "method_invocation" => Kind::Call,
        "class_declaration" => Kind::Class,
        "class_body" => Kind::ClassBody,
        "line_comment" | "block_comment" => Kind::Comment,
        "constructor_declaration" | "compact_constructor_declaration" => Kind::Constructor,
        "object_creation_expression" => Kind::Creation,
        "enum_declaration" => Kind::Enum,
        "enum_constant" => Kind::EnumConstant,
        "enum_body_declarations" => Kind::EnumMembers,
        "false" => Kind::False,
        "field_declaration" => Kind::Field,
        "field_access" => Kind::FieldAccess,
        "if_statement" => Kind::If,
        "import_declaration" => Kind::Import,
        "array_initializer" | "element_value_array_initializer" => Kind::Initializer,
        "decimal_integer_literal" => Kind::Integer,
        "interface_declaration" => Kind::Interface,
        "constant_declaration" => Kind::InterfaceConstant,
        "lambda_expression" => Kind::Lambda,
        "local_variable_declaration" => Kind::Local,
        "package_declaration" => Kind::Leaf,
        "method_declaration" => Kind::Method,
        "modifiers" => Kind::Modifiers,
        "parenthesized_expression" => Kind::Parenthesized,
        "program" => Kind::Program,
        "record_declaration" => Kind::Record,
        "return_statement" => Kind::Return,
        "string_literal" => Kind::Text,
        "throw_statement" => Kind::Throw,
        "true" => Kind::True,
        "try_statement" | "try_with_resources_statement" => Kind::Try,
        "unary_expression" => Kind::Unary,
        "void_type" => Kind::VoidType,
        _ => return None,
    })
}

/// The fields that are looked up while walking.
#[derive(Clone, Copy)]
pub enum Field {
    Arguments,
    Body,
    Condition,
    Consequence,
    Declarator,
    Key,
    Left,
    Name,
    Object,
    Operand,
    Operator,
    Parameters,
    Right,
    Superclass,
    Type,
    Value,
}

const FIELDS: &[(Field, &str)] = &[
    (Field::Arguments, "arguments"),
    (Field::Body, "body"),
    (Field::Condition, "condition"),
    (Field::Consequence, "consequence"),
    (Field::Declarator, "declarator"),
    (Field::Key, "key"),
    (Field::Left, "left"),
    (Field::Name, "name"),
    (Field::Object, "object"),
    (Field::Operand, "operand"),
    (Field::Operator, "operator"),
    (Field::Parameters, "parameters"),
    (Field::Right, "right"),
    (Field::Superclass, "superclass"),
    (Field::Type, "type"),
    (Field::Value, "value"),
];

struct Grammar {
    kinds: Kinds<Kind>,
    /// Field numbers in the order of [`Field`]; 0 is no field.
    fields: [u16; FIELDS.len()],
}

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let language: tree_sitter::Language = tree_sitter_java::LANGUAGE.into();
        let mut fields = [0; FIELDS.len()];
        for &(field, name) in FIELDS {
            fields[field as usize] = language.field_id_for_name(name).map_or(0, |id| id.get());
        }
        Grammar { kinds: Kinds::new(&language, Kind::Other, kind_named), fields }
    })
}

pub fn kind(node: Node<'_>) -> Kind {
    grammar().kinds.of(node)
}

pub fn field(node: Node<'_>, field: Field) -> Option<Node<'_>> {
    node.child_by_field_id(grammar().fields[field as usize])
}

/// The named children that are not comments.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|&child| kind(child) != Kind::Comment).collect()
}

/// The members of a type, those of an enum behind its constants included.
pub fn members(declaration: Node<'_>) -> Vec<Node<'_>> {
    let Some(body) = field(declaration, Field::Body) else { return Vec::new() };
    let direct = children(body);
    match direct.last() {
        Some(&last) if kind(last) == Kind::EnumMembers => children(last),
        _ => direct,
    }
}

/// The modifiers of a declaration: its first child, if it has any.
pub fn modifiers(declaration: Node<'_>) -> Option<Node<'_>> {
    declaration.named_child(0).filter(|&first| kind(first) == Kind::Modifiers)
}
