//! Node kinds and fields of the three grammars, and how nodes are read with them.

use std::sync::OnceLock;

use tree_sitter::{Language, Node};

use super::super::{Kinds, Source};

/// What the pack calls the grammars' node kinds; kinds that are treated alike share a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Other,
    Program,
    Comment,
    String,
    Template,
    Substitution,
    Regex,
    Number,
    True,
    False,
    /// `null` and `undefined`.
    Nothing,
    Identifier,
    This,
    Import,
    ImportClause,
    NamespaceImport,
    NamedImports,
    ImportSpecifier,
    Call,
    Member,
    Subscript,
    Parenthesized,
    /// Type casts, which change nothing at run time.
    Cast,
    Ternary,
    Binary,
    Unary,
    Await,
    Array,
    Object,
    ObjectPattern,
    ShorthandPattern,
    PairPattern,
    Pair,
    /// `name` alone as an entry of an object.
    Shorthand,
    Spread,
    /// A function without a declaration of its own.
    Function,
    FunctionDeclaration,
    Method,
    ClassDeclaration,
    ClassExpression,
    Field,
    /// `const`, `let` or `var` with its declarators.
    Variables,
    Declarator,
    Assignment,
    /// Interfaces, type aliases, enums.
    TypeDeclaration,
    Export,
    ExportClause,
    ExportSpecifier,
    If,
    Loop,
    ForIn,
    Try,
    /// Other statements whose parts may not run.
    Branch,
    Return,
    Throw,
    /// `break` and `continue`.
    Leave,
    Block,
    ExpressionStatement,
    EmptyStatement,
    Parameter,
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "program" => Kind::Program,
        "comment" | "html_comment" => Kind::Comment,
        "string" => Kind::String,
        "template_string" => Kind::Template,
        "template_substitution" => Kind::Substitution,
        "regex" => Kind::Regex,
        "number" => Kind::Number,
        "true" => Kind::True,
        "false" => Kind::False,
        "null" | "undefined" => Kind::Nothing,
        "identifier" => Kind::Identifier,
        "this" => Kind::This,
        "import_statement" => Kind::Import,
        "import_clause" => Kind::ImportClause,
        "namespace_import" => Kind::NamespaceImport,
        "named_imports" => Kind::NamedImports,
        "import_specifier" => Kind::ImportSpecifier,
        "call_expression" => Kind::Call,
        "member_expression" => Kind::Member,
        "subscript_expression" => Kind::Subscript,
        "parenthesized_expression" => Kind::Parenthesized,
        "as_expression" | "satisfies_expression" | "non_null_expression" => Kind::Cast,
        "ternary_expression" => Kind::Ternary,
        "binary_expression" => Kind::Binary,
        "unary_expression" => Kind::Unary,
        "await_expression" => Kind::Await,
        "array" => Kind::Array,
        "object" => Kind::Object,
        "object_pattern" => Kind::ObjectPattern,
        "shorthand_property_identifier_pattern" => Kind::ShorthandPattern,
        "pair_pattern" => Kind::PairPattern,
        "pair" => Kind::Pair,
        "shorthand_property_identifier" => Kind::Shorthand,
        "spread_element" => Kind::Spread,
        "arrow_function" | "function_expression" | "generator_function" => Kind::Function,
        "function_declaration" | "generator_function_declaration" | "function_signature" => {
            Kind::FunctionDeclaration
        }
        "method_definition" => Kind::Method,
        "class_declaration" | "abstract_class_declaration" => Kind::ClassDeclaration,
        "class" => Kind::ClassExpression,
        "field_definition" | "public_field_definition" => Kind::Field,
        "lexical_declaration" | "variable_declaration" => Kind::Variables,
        "variable_declarator" => Kind::Declarator,
        "assignment_expression" => Kind::Assignment,
        "interface_declaration" | "type_alias_declaration" | "enum_declaration" => Kind::TypeDeclaration,
        "export_statement" => Kind::Export,
        "export_clause" => Kind::ExportClause,
        "export_specifier" => Kind::ExportSpecifier,
        "if_statement" => Kind::If,
        "for_statement" | "while_statement" | "do_statement" => Kind::Loop,
        "for_in_statement" => Kind::ForIn,
        "try_statement" => Kind::Try,
        "switch_statement" => Kind::Branch,
        "return_statement" => Kind::Return,
        "throw_statement" => Kind::Throw,
        "break_statement" | "continue_statement" => Kind::Leave,
        "statement_block" => Kind::Block,
        "expression_statement" => Kind::ExpressionStatement,
        "empty_statement" => Kind::EmptyStatement,
        "required_parameter" | "optional_parameter" => Kind::Parameter,
        _ => return None,
    })
}

/// Fields by number; 0, which no field has, where a grammar lacks one.
pub struct Fields {
    pub alias: u16,
    pub alternative: u16,
    pub argument: u16,
    pub arguments: u16,
    pub body: u16,
    pub condition: u16,
    pub consequence: u16,
    pub declaration: u16,
    pub function: u16,
    pub handler: u16,
    pub index: u16,
    pub key: u16,
    pub left: u16,
    pub name: u16,
    pub object: u16,
    pub operator: u16,
    pub parameter: u16,
    pub parameters: u16,
    pub pattern: u16,
    pub property: u16,
    pub right: u16,
    pub source: u16,
    pub value: u16,
}

pub struct Grammar {
    kinds: Kinds<Kind>,
    pub fields: Fields,
}

impl Grammar {
    fn new(language: &Language) -> Self {
        let field = |name: &str| language.field_id_for_name(name).map_or(0, |id| id.get());
        let fields = Fields {
            alias: field("alias"),
            alternative: field("alternative"),
            argument: field("argument"),
            arguments: field("arguments"),
            body: field("body"),
            condition: field("condition"),
            consequence: field("consequence"),
            declaration: field("declaration"),
            function: field("function"),
            handler: field("handler"),
            index: field("index"),
            key: field("key"),
            left: field("left"),
            name: field("name"),
            object: field("object"),
            operator: field("operator"),
            parameter: field("parameter"),
            parameters: field("parameters"),
            pattern: field("pattern"),
            property: field("property"),
            right: field("right"),
            source: field("source"),
            value: field("value"),
        };
        Self { kinds: Kinds::new(language, Kind::Other, kind), fields }
    }

    pub fn kind(&self, node: Node<'_>) -> Kind {
        self.kinds.of(node)
    }
}

pub fn javascript() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| Grammar::new(&tree_sitter_javascript::LANGUAGE.into()))
}

pub fn typescript() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| Grammar::new(&tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()))
}

pub fn tsx() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| Grammar::new(&tree_sitter_typescript::LANGUAGE_TSX.into()))
}

/// A grammar and the text that was parsed with it.
#[derive(Clone, Copy)]
pub struct Reader<'s> {
    pub grammar: &'static Grammar,
    pub source: Source<'s>,
}

impl<'s> Reader<'s> {
    pub fn kind(&self, node: Node<'_>) -> Kind {
        self.grammar.kind(node)
    }

    pub fn fields(&self) -> &'static Fields {
        &self.grammar.fields
    }

    pub fn text(&self, node: Node<'_>) -> &'s str {
        self.source.text_of(node)
    }

    /// The children that mean something: named ones, without comments.
    pub fn children<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|&child| self.kind(child) != Kind::Comment).collect()
    }

    pub fn first_child<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|&child| self.kind(child) != Kind::Comment)
    }

    /// The arguments of a call; none where it is a tagged template.
    pub fn arguments<'t>(&self, call: Node<'t>) -> Vec<Node<'t>> {
        match call.child_by_field_id(self.fields().arguments) {
            Some(arguments) if self.kind(arguments) != Kind::Template => self.children(arguments),
            _ => Vec::new(),
        }
    }

    /// The name behind the last dot: `skip` of `it.skip` and of `it['skip']`.
    pub fn property(&self, node: Node<'_>) -> Option<&'s str> {
        match self.kind(node) {
            Kind::Member => Some(self.text(node.child_by_field_id(self.fields().property)?)),
            Kind::Subscript => {
                let index = node.child_by_field_id(self.fields().index)?;
                (self.kind(index) == Kind::String).then(|| unquote(self.text(index)))
            }
            _ => None,
        }
    }

    /// The expression inside parentheses and type casts.
    pub fn unwrap<'t>(&self, node: Node<'t>) -> Node<'t> {
        let mut inner = node;
        while matches!(self.kind(inner), Kind::Parenthesized | Kind::Cast) {
            match self.first_child(inner) {
                Some(child) => inner = child,
                None => break,
            }
        }
        inner
    }

    /// The text of a string or template literal, without its quotes.
    pub fn literal(&self, node: Node<'_>) -> Option<&'s str> {
        matches!(self.kind(node), Kind::String | Kind::Template).then(|| unquote(self.text(node)))
    }
}

pub fn unquote(text: &str) -> &str {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    if text.starts_with(['\'', '"', '`']) { inner } else { text }
}
