//! What must be known of a file before its first test: imports, types and their bases, annotations and
//! flags of its own, providers of parameter rows.

use std::ops::Range;

use tree_sitter::Node;

use super::annotations::{Modifiers, last_segment};
use super::cases;
use super::constants;
use super::grammar::{self, Field, Kind, field, kind};
use super::names::{self, TestKind};
use super::skips;
use crate::facts::SkipKind;
use crate::languages::Builder;

#[derive(Default)]
pub struct Outline {
    pub imports: Imports,
    /// Stands where tests stand, or is called like one.
    pub in_test_path: bool,
    /// Constants that are plainly true or false.
    pub flags: Vec<(String, bool)>,
    types: Vec<TypeOutline>,
    annotations: Vec<OwnAnnotation>,
    providers: Vec<Provider>,
}

#[derive(Default)]
pub struct Imports {
    /// A `@Test` annotation of any framework: tests are not found by name.
    pub test_annotation: bool,
    pub jupiter: bool,
    /// jqwik or junit-quickcheck.
    pub properties: bool,
    /// Anything that brings parameters; else nobody asks for providers.
    rows: bool,
}

struct TypeOutline {
    name: String,
    base: Option<String>,
    /// TestNG's `@Test` on the class.
    is_test: bool,
}

/// An annotation declared in the file, with what it is composed of.
struct OwnAnnotation {
    name: String,
    test: Option<TestKind>,
    skip: Option<SkipKind>,
}

/// A method that returns parameter rows which can be counted.
struct Provider {
    class: String,
    name: String,
    /// The `name` of a TestNG `@DataProvider`.
    alias: Option<String>,
    /// JUnit 4's `@Parameters`.
    for_class: bool,
    rows: u32,
    /// Where the rows stand.
    places: Vec<Range<usize>>,
}

impl Outline {
    pub fn of(program: Node<'_>, facts: &Builder<'_>) -> Self {
        let source = facts.source();
        let by_name = names::is_test_class(source.stem());
        let mut outline =
            Self { in_test_path: by_name || source.folders().any(names::is_test_folder), ..Self::default() };
        let mut todo = grammar::children(program);
        for &child in &todo {
            if kind(child) == Kind::Import {
                outline.imports.add(facts.text(child));
            }
        }
        while let Some(node) = todo.pop() {
            if kind(node).is_type() {
                outline.add_type(node, &mut todo, facts);
            }
        }
        outline
    }

    fn add_type<'t>(&mut self, node: Node<'t>, todo: &mut Vec<Node<'t>>, facts: &Builder<'_>) {
        let Some(name) = field(node, Field::Name).map(|name| facts.text(name)) else { return };
        let modifiers = Modifiers::of(node, facts.source());
        if kind(node) == Kind::AnnotationType {
            let test = modifiers.annotations.iter().find_map(|annotation| names::test_kind(annotation.name));
            let skip = skips::of_declaration(&modifiers, self, facts).map(|skip| skip.kind);
            return self.annotations.push(OwnAnnotation { name: name.to_owned(), test, skip });
        }
        let base = base_of(node, facts).map(str::to_owned);
        let is_test = modifiers.annotation("Test").is_some();
        self.types.push(TypeOutline { name: name.to_owned(), base, is_test });
        for member in grammar::members(node) {
            match kind(member) {
                Kind::Field | Kind::InterfaceConstant => self.add_flag(member, facts),
                Kind::Method if self.imports.rows => self.add_provider(name, member, facts),
                kind if kind.is_type() => todo.push(member),
                _ => {}
            }
        }
    }

    fn add_flag(&mut self, member: Node<'_>, facts: &Builder<'_>) {
        let source = facts.source();
        let Some(declarator) = field(member, Field::Declarator) else { return };
        let Some(value) = field(declarator, Field::Value) else { return };
        if !matches!(kind(value), Kind::True | Kind::False)
            || kind(member) == Kind::Field && !Modifiers::of(member, source).is_final
        {
            return;
        }
        if let Some(name) = field(declarator, Field::Name) {
            self.flags.push((facts.text(name).to_owned(), kind(value) == Kind::True));
        }
    }

    fn add_provider(&mut self, class: &str, method: Node<'_>, facts: &Builder<'_>) {
        let source = facts.source();
        let Some(rows) = cases::rows_returned(method, source) else { return };
        let Some(name) = field(method, Field::Name) else { return };
        let modifiers = Modifiers::of(method, source);
        let alias = modifiers
            .annotation("DataProvider")
            .and_then(|provider| constants::string(provider.argument("name", source)?, source));
        self.providers.push(Provider {
            class: class.to_owned(),
            name: facts.text(name).to_owned(),
            alias,
            for_class: modifiers.annotation("Parameters").is_some(),
            rows,
            places: cases::row_places(method),
        });
    }

    /// How the annotation makes a method a test, if it does.
    pub fn test_kind(&self, annotation: &str) -> Option<TestKind> {
        let own = || self.own(annotation)?.test;
        let property = || self.imports.properties.then(|| names::property_kind(annotation)).flatten();
        names::test_kind(annotation).or_else(own).or_else(property)
    }

    pub fn own_skip(&self, annotation: &str) -> Option<SkipKind> {
        self.own(annotation)?.skip
    }

    pub fn declares_annotation(&self, annotation: &str) -> bool {
        self.own(annotation).is_some()
    }

    fn own(&self, annotation: &str) -> Option<&OwnAnnotation> {
        self.annotations.iter().find(|own| own.name == annotation)
    }

    /// Whether another type of the file extends this one.
    pub fn is_extended(&self, name: &str) -> bool {
        self.types.iter().any(|other| other.base.as_deref() == Some(name))
    }

    /// Whether the type or a base of it in this file satisfies `is`; told the base's name, and whether a base
    /// of the file is a TestNG class.
    pub fn inherits(&self, base: &str, is: impl Fn(&str, bool) -> bool) -> bool {
        let mut base = base;
        // As many steps as there are types: a cycle of bases ends.
        for _ in 0..=self.types.len() {
            let known = self.types.iter().find(|known| known.name == base);
            if is(base, known.is_some_and(|known| known.is_test)) {
                return true;
            }
            match known.and_then(|known| known.base.as_deref()) {
                Some(next) => base = next,
                None => return false,
            }
        }
        false
    }

    pub fn declares_type(&self, name: &str) -> bool {
        self.types.iter().any(|known| known.name == name)
    }

    /// Rows of a provider method or data provider of this file.
    pub fn provider_rows(&self, name: &str) -> Option<u32> {
        let named = |provider: &&Provider| provider.alias.as_deref().unwrap_or(&provider.name) == name;
        self.providers.iter().find(named).map(|provider| provider.rows)
    }

    /// Where those rows stand.
    pub fn provider_places(&self, name: &str) -> &[Range<usize>] {
        let named = |provider: &&Provider| provider.alias.as_deref().unwrap_or(&provider.name) == name;
        self.providers.iter().find(named).map_or(&[], |provider| &provider.places)
    }

    /// Rows of JUnit 4's `@Parameters` in this class.
    pub fn class_rows(&self, class: &str) -> Option<u32> {
        let rows = self.providers.iter().find(|provider| provider.for_class && provider.class == class);
        rows.map(|provider| provider.rows)
    }
}

impl Imports {
    fn add(&mut self, import: &str) {
        let name = import.trim_start_matches("import").trim_end_matches(';').trim();
        let annotations = ["org.junit.", "org.junit.jupiter.api.", "org.testng.annotations."];
        let is_test = |package: &&str| matches!(name.strip_prefix(*package), Some("Test" | "*"));
        self.test_annotation |= annotations.iter().any(is_test);
        self.jupiter |= name.contains("org.junit.jupiter.");
        self.properties |= name.starts_with("net.jqwik.") || name.starts_with("com.pholser.junit.");
        self.rows |= ["params", "Parameterized", "testng"].iter().any(|word| name.contains(word));
    }
}

/// The name of the class that a class extends, without package and type arguments.
pub fn base_of<'s>(class: Node<'_>, facts: &Builder<'s>) -> Option<&'s str> {
    let clause = field(class, Field::Superclass)?;
    let base = facts.text(*grammar::children(clause).first()?);
    Some(last_segment(base.split('<').next().unwrap_or(base)))
}
