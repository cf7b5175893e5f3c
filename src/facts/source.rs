//! What stands in the source beside tests: switches, marks for tools, probes for the test run, public names.

use std::ops::Range;

use super::{Shift, Span};

/// Everything that the rules about production code read off one side of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Every comment, in the order of the file.
    pub remarks: Vec<Remark>,
    pub directives: Vec<Directive>,
    pub todos: Vec<Todo>,
    pub switches: Vec<Switch>,
    pub dead: Vec<DeadCondition>,
    pub probes: Vec<Probe>,
    pub cases: Vec<SpecialCase>,
    pub exports: Vec<Export>,
    pub imports: Vec<Import>,
    /// Code that is built for tests only, such as a module under `#[cfg(test)]`.
    pub test_code: Vec<Span>,
}

impl Signals {
    /// Whether each list is in the order of lines, and none longer than `most`: so what stands on some lines is found.
    pub fn are_in_order(&self, most: usize) -> bool {
        fn are<T>(list: &[T], most: usize, line: impl Fn(&T) -> u32) -> bool {
            list.len() <= most && list.is_sorted_by_key(line)
        }
        self.remarks.is_sorted_by_key(|one| one.start)
            && are(&self.directives, most, |one| one.line)
            && are(&self.todos, most, |one| one.line)
            && are(&self.switches, most, |one| one.line)
            && are(&self.dead, most, |one| one.line)
            && are(&self.probes, most, |one| one.line)
            && are(&self.cases, most, |one| one.line)
            && are(&self.imports, most, |one| one.line)
            && are(&self.test_code, most, |one| one.start)
    }

    /// Takes over what another version says inside of a function that moved from some lines and bytes to here, where
    /// the lists are in order; `scope` is that of the function. `false`, and nothing is taken, where things had another
    /// scope.
    pub fn take_over(
        &mut self,
        from: &Self,
        lines: Span,
        bytes: &Range<usize>,
        scope: &str,
        shift: Shift,
    ) -> bool {
        let switches = on(&from.switches, lines, |one| one.line);
        let dead = on(&from.dead, lines, |one| one.line);
        let probes = on(&from.probes, lines, |one| one.line);
        let cases = on(&from.cases, lines, |one| one.line);
        let scopes = switches.iter().map(|one| &one.scope).chain(dead.iter().map(|one| &one.scope));
        let scopes = scopes.chain(probes.iter().map(|one| &one.scope));
        let mut scopes = scopes.chain(cases.iter().map(|one| &one.scope));
        let is_inside = |other: &String| {
            other.strip_prefix(scope).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if !scopes.all(is_inside) {
            return false;
        }
        let line = |line: u32| shift.line(line);
        let byte = |byte: u32| (byte as usize).saturating_add_signed(shift.bytes) as u32;
        let range = Span { start: bytes.start as u32, end: (bytes.end as u32).saturating_sub(1) };
        let remarks = on(&from.remarks, range, |one| one.start).iter();
        self.remarks.extend(remarks.map(|one| Remark { start: byte(one.start), end: byte(one.end), ..*one }));
        let directives = on(&from.directives, lines, |one| one.line).iter().cloned();
        self.directives.extend(directives.map(|one| Directive {
            line: line(one.line),
            start: byte(one.start),
            end: byte(one.end),
            ..one
        }));
        let todos = on(&from.todos, lines, |one| one.line).iter().cloned();
        self.todos.extend(todos.map(|one| Todo { line: line(one.line), ..one }));
        self.switches.extend(switches.iter().cloned().map(|one| Switch { line: line(one.line), ..one }));
        self.dead.extend(dead.iter().cloned().map(|one| DeadCondition { line: line(one.line), ..one }));
        self.probes.extend(probes.iter().cloned().map(|one| Probe { line: line(one.line), ..one }));
        self.cases.extend(cases.iter().cloned().map(|one| SpecialCase { line: line(one.line), ..one }));
        let imports = on(&from.imports, lines, |one| one.line).iter().cloned();
        self.imports.extend(imports.map(|one| Import { line: line(one.line), ..one }));
        let test_code = on(&from.test_code, lines, |one| one.start);
        self.test_code.extend(test_code.iter().map(|one| shift.span(*one)));
        true
    }
}

/// The part of a list in the order of lines that stands on some of them.
fn on<T>(list: &[T], lines: Span, line: impl Fn(&T) -> u32) -> &[T] {
    let from = &list[list.partition_point(|one| line(one) < lines.start)..];
    &from[..from.partition_point(|one| line(one) <= lines.end)]
}

/// The bytes of one comment, or of a string that serves as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    pub start: u32,
    pub end: u32,
    /// Written for a documentation tool: its code is an example.
    pub documents: bool,
}

/// A mark that tells a tool to look away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    pub kind: DirectiveKind,
    /// The mark as it is known: `eslint-disable-next-line`, `# type: ignore`.
    pub mark: String,
    pub line: u32,
    /// Where it stands in the file, so that what it stands on can be told apart.
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DirectiveKind {
    /// A linter or type checker is told to keep quiet.
    Suppression,
    /// The coverage tool is told not to count.
    Coverage,
}

/// A comment that says something is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo {
    pub line: u32,
    /// White space collapsed, cut to a readable length.
    pub text: String,
}

/// A named place that is set to true or false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub name: String,
    /// Functions, types and keys around it, outermost first, joined by dots.
    pub scope: String,
    pub on: bool,
    pub line: u32,
    pub place: Place,
}

/// What kind of thing a switch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A key of an object, a field of a literal, a named argument, a key of a configuration file.
    Option,
    /// The default of a parameter.
    Default,
    /// A constant or a field with its first value.
    Constant,
    /// The only argument of a call.
    Call,
    /// A variable of a function: state, no setting.
    Variable,
}

/// A condition that holds never, or always, by a literal in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadCondition {
    pub scope: String,
    pub line: u32,
    pub text: String,
}

/// Code that finds out whether a test, or a build server, runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub kind: ProbeKind,
    pub scope: String,
    pub line: u32,
    /// What is asked for: `NODE_ENV`, `cfg!(test)`, `test@example.com`.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProbeKind {
    /// The test run itself.
    TestRun,
    /// A value that only tests use.
    TestValue,
    BuildServer,
}

/// An input compared with a literal, and a literal given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialCase {
    pub scope: String,
    pub line: u32,
    pub input: String,
    pub result: String,
}

/// A name that other files can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    pub name: String,
    /// The types around it, outermost first.
    pub owner: String,
    pub line: u32,
}

/// A name taken from another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub name: String,
    /// Where it is taken from, as written.
    pub module: String,
    pub line: u32,
}
