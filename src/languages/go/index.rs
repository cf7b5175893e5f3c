//! What the top level of a file tells before the walk: imports, suite types, tables, helpers that skip.

use tree_sitter::Node;

use super::super::{Builder, Source};
use super::cases::{Table, declared};
use super::checks::compares;
use super::kinds::{Kind, kind_of};
use super::names::{FIXTURES, is_skip_helper};
use super::scope::Scope;
use super::signature::{Role, collects, role_of, type_name};
use super::skips::{HelperSkip, search};
use super::syntax::{Call, named_children, statement_call, statements, text_literal};
use crate::collections::{HashMap, HashSet};
use crate::facts::Skip;
use crate::languages::fields::Fields;
use crate::text::contains;

#[derive(Default)]
pub(super) struct Index {
    /// Whether `go test` takes tests from this file.
    pub collects: bool,
    /// Whether calls are worth a look: tests or helpers of tests may be here.
    pub active: bool,
    /// Whether testify's mocks are imported.
    pub mocks: bool,
    check_packages: Vec<String>,
    ginkgo_dot: bool,
    ginkgo_packages: Vec<String>,
    suite_packages: Vec<String>,
    suites: HashMap<String, Option<Skip>>,
    tables: HashMap<String, Table>,
    helpers: HashMap<String, Option<HelperSkip>>,
    /// Functions of this file that compare something and fail the test they are given.
    checkers: HashSet<String>,
}

impl Index {
    pub fn read(file: Node<'_>, facts: &Builder<'_>) -> Self {
        let collects = collects(&facts.source());
        let mut index = Self { collects, active: collects, ..Self::default() };
        index.check_packages.extend(["assert", "require"].map(str::to_owned));
        for node in named_children(file) {
            match kind_of(node) {
                Kind::Import => index.imports(node, facts.source()),
                Kind::TypeDeclaration => index.types(node, facts.source()),
                Kind::VarDeclaration if index.active => index.variables(node, facts),
                Kind::Function | Kind::Method if index.active => index.function(node, facts),
                _ => {}
            }
        }
        index
    }

    fn imports(&mut self, declaration: Node<'_>, source: Source<'_>) {
        for child in named_children(declaration) {
            match kind_of(child) {
                Kind::ImportSpec => self.import(child, source),
                Kind::ImportList => named_children(child).for_each(|spec| self.import(spec, source)),
                _ => {}
            }
        }
    }

    fn import(&mut self, spec: Node<'_>, source: Source<'_>) {
        let path = spec.field("path").and_then(|path| text_literal(path, source));
        let Some(path) = path else { return };
        let package = package_name(path);
        let name = spec.field("name").map_or(package, |name| source.text_of(name));
        match package {
            "assert" | "require" | "must" => self.check_packages.push(name.to_owned()),
            "mock" => self.mocks = true,
            "suite" => self.suite_packages.push(name.to_owned()),
            "ginkgo" if name == "." => self.ginkgo_dot = true,
            "ginkgo" => self.ginkgo_packages.push(name.to_owned()),
            "testing" | "gomega" | "quicktest" | "qt" | "check" | "convey" => {}
            _ => return,
        }
        self.active = true;
    }

    /// Structs that embed a suite are suites.
    fn types(&mut self, declaration: Node<'_>, source: Source<'_>) {
        for spec in named_children(declaration) {
            let (Some(name), Some(body)) = (spec.field("name"), spec.field("type")) else {
                continue;
            };
            if kind_of(body) != Kind::StructType {
                continue;
            }
            let mut fields = named_children(body).flat_map(named_children);
            let embeds_suite = |field: Node<'_>| {
                let embedded = field.field("name").is_none();
                let kind = field.field("type").map(|kind| type_name(kind, source));
                embedded && kind.is_some_and(|kind| kind.ends_with("Suite"))
            };
            if fields.any(embeds_suite) {
                self.suites.entry(source.text_of(name).to_owned()).or_default();
            }
        }
    }

    fn variables(&mut self, declaration: Node<'_>, facts: &Builder<'_>) {
        for (name, value) in declared(declaration) {
            self.tables.insert(facts.text(name).to_owned(), Table::read(value, facts));
        }
    }

    fn function(&mut self, function: Node<'_>, facts: &Builder<'_>) {
        let source = facts.source();
        let (Some(name), Some(body)) = (function.field("name"), function.field("body")) else {
            return;
        };
        let name = source.text_of(name);
        if kind_of(function) == Kind::Function && compares(function, body, source) {
            self.checkers.insert(name.to_owned());
        }
        let runs_suite = !self.suite_packages.is_empty();
        let skips = contains(source.text.get(body.byte_range()).unwrap_or_default(), b"kip");
        if !skips && !runs_suite && !is_skip_helper(name) {
            return;
        }
        let mut scope = Scope::default();
        scope.learn_parameters(function, source);
        let found = skips.then(|| search(body, &scope, source)).flatten();
        let mark = found.as_ref().map(|found| facts.mark(found.node, found.kind, found.reason.clone()));
        if kind_of(function) == Kind::Function && role_of(function, name, source) != Role::Plain {
            let suite = statements(body).find_map(|statement| self.suite_run(statement, source));
            if let Some(suite) = suite {
                self.add_suite(suite, mark);
            }
            return;
        }
        if let Some(suite) = receiver_type(function, source).filter(|_| FIXTURES.contains(&name)) {
            self.add_suite(suite, mark);
        } else if found.is_some() || is_skip_helper(name) {
            let helper = found.map(|found| HelperSkip { kind: found.kind, reason: found.reason });
            self.helpers.insert(name.to_owned(), helper);
        }
    }

    /// The type that `suite.Run(t, new(T))` runs.
    fn suite_run<'s>(&self, statement: Node<'_>, source: Source<'s>) -> Option<&'s str> {
        let call = statement_call(statement, source)?;
        let package = call.receiver_name(source)?;
        if call.name != "Run" || !self.suite_packages.iter().any(|known| known == package) {
            return None;
        }
        let suite = call.argument(1)?;
        let made = match kind_of(suite) {
            Kind::Call => Call::read(suite, source).filter(|call| call.name == "new")?.argument(0)?,
            Kind::Unary => suite.field("operand")?.field("type")?,
            Kind::Composite => suite.field("type")?,
            _ => return None,
        };
        Some(type_name(made, source))
    }

    fn add_suite(&mut self, name: &str, skip: Option<Skip>) {
        let slot = self.suites.entry(name.to_owned()).or_default();
        *slot = Skip::stronger(slot.take(), skip);
    }

    pub fn is_suite(&self, type_name: &str) -> bool {
        type_name.to_ascii_lowercase().ends_with("suite") || self.suites.contains_key(type_name)
    }

    /// The skip that a suite's fixture or runner puts on all its tests.
    pub fn suite_skip(&self, type_name: &str) -> Option<Skip> {
        self.suites.get(type_name).cloned().flatten()
    }

    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(name)
    }

    /// A helper of this file that skips, or that looks like it and does not.
    pub fn helper(&self, name: &str) -> Option<&Option<HelperSkip>> {
        self.helpers.get(name)
    }

    pub fn is_checker(&self, name: &str) -> bool {
        self.checkers.contains(name)
    }

    pub fn is_check_package(&self, name: &str) -> bool {
        self.check_packages.iter().any(|known| known == name)
    }

    /// Whether ginkgo's names can be used behind this package name, or bare.
    pub fn is_ginkgo(&self, package: Option<&str>) -> bool {
        match package {
            None => self.ginkgo_dot,
            Some(package) => self.ginkgo_packages.iter().any(|known| known == package),
        }
    }
}

pub(super) fn receiver_type<'s>(method: Node<'_>, source: Source<'s>) -> Option<&'s str> {
    let receiver = named_children(method.field("receiver")?).next()?;
    Some(type_name(receiver.field("type")?, source))
}

/// The last part of an import path, without a version.
fn package_name(path: &str) -> &str {
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let last = path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path);
    match last.rsplit_once('.') {
        Some((name, version)) if is_version(version) => name,
        _ => last,
    }
}
