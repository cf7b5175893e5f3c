//! What a test case of a report is called in its source.
//!
//! The format leaves names to the tools, so each tool's habit is read here: the class of Python and Java, the nesting
//! of `node:test`, the binary of nextest. Rows of tables go to [`TestId::case`].

use super::reader::Case;
use crate::runner::results::model::TestId;

/// Who wrote the report, as far as names are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    Pytest,
    Node,
    Nextest,
    Class,
    Titles,
}

pub fn test_id(case: &Case) -> TestId {
    match habit(case) {
        Habit::Pytest => pytest(case),
        Habit::Node => TestId { suite: case.suites.clone(), ..titled(case) },
        Habit::Nextest => nextest(case),
        Habit::Class => java(case),
        Habit::Titles => titled(case),
    }
}

/// Whether pytest reports a module that it could not collect, not a test.
pub fn is_module(case: &Case) -> bool {
    habit(case) == Habit::Pytest && case.class.is_empty()
}

pub fn is_pytest(case: &Case) -> bool {
    habit(case) == Habit::Pytest
}

fn habit(case: &Case) -> Habit {
    let outermost = case.suites.first().map_or("", String::as_str);
    let file = case.file.as_deref().unwrap_or("");
    if file.ends_with(".py") || outermost == "pytest" {
        Habit::Pytest
    } else if case.class == "test" || case.class == "suite" {
        Habit::Node
    } else if case.suites.len() == 1 && outermost == case.class && !is_java_class(&case.class) {
        Habit::Nextest
    } else if is_java_class(&case.class) {
        Habit::Class
    } else {
        Habit::Titles
    }
}

/// `com.acme.CartTest$Inner`: identifiers with dots, of which the last begins with a capital letter.
fn is_java_class(class: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    let last = class.rsplit('.').next().unwrap_or("");
    class.split('.').all(part) && last.trim_start_matches(['_', '$']).starts_with(char::is_uppercase)
}

/// The class name of pytest is the module with dots for slashes, followed by the classes.
fn pytest(case: &Case) -> TestId {
    let full = if case.class.is_empty() { &case.name } else { &case.class };
    let module =
        case.file.as_deref().map(|file| file.strip_suffix(".py").unwrap_or(file).replace(['/', '\\'], "."));
    let classes = match &module {
        Some(module) => full.strip_prefix(module.as_str()).unwrap_or(""),
        None => &full[module_length(full)..],
    };
    let suite: Vec<String> =
        classes.split('.').filter(|class| !class.is_empty()).map(str::to_owned).collect();
    let guessed = || full[..module_length(full)].trim_end_matches('.').replace('.', "/") + ".py";
    let file = case.file.as_ref().map(|file| file.replace('\\', "/")).unwrap_or_else(guessed);
    let (name, row) = split_row(&case.name);
    TestId { file: Some(file), suite, name, case: row }
}

/// Where the classes begin: modules have small letters.
fn module_length(class: &str) -> usize {
    let mut at = 0;
    for part in class.split('.') {
        if at > 0 && part.trim_start_matches('_').starts_with(char::is_uppercase) {
            return at;
        }
        at += part.len() + 1;
    }
    class.len()
}

/// `test_total[3-eur]`
fn split_row(name: &str) -> (String, Option<String>) {
    match name.split_once('[').filter(|(before, after)| !before.is_empty() && after.ends_with(']')) {
        Some((before, after)) => (before.to_owned(), Some(after[..after.len() - 1].to_owned())),
        None => (name.to_owned(), None),
    }
}

/// The class names the binary, and the name has the path of modules in it.
fn nextest(case: &Case) -> TestId {
    let mut modules: Vec<String> = case.name.split("::").map(str::to_owned).collect();
    let name = modules.pop().unwrap_or_default();
    let suite = std::iter::once(case.class.clone()).chain(modules).collect();
    TestId { file: None, suite, name, case: None }
}

/// The names of the classes, from the outermost.
pub fn java_classes(class: &str) -> Vec<String> {
    let class = class.rsplit('.').next().unwrap_or(class);
    class.split('$').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn java(case: &Case) -> TestId {
    let (name, row) = java_method(&case.name);
    TestId { file: case.file.clone(), suite: java_classes(&case.class), name, case: row }
}

/// `adds`, `adds()`, `adds(TestInfo)`, `adds(int)[2]`, `adds{int}[2]`, `adds[0]`. Display names stay as they are.
fn java_method(name: &str) -> (String, Option<String>) {
    let end = name.find(['(', '{', '[']).unwrap_or(name.len());
    let (method, mut rest) = name.split_at(end);
    let identifier = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    if method.is_empty() || !method.chars().all(identifier) {
        return (name.to_owned(), None);
    }
    if rest.starts_with(['(', '{']) {
        rest = rest.find([')', '}']).map_or("", |at| &rest[at + 1..]).trim();
    }
    let row = rest.strip_prefix('[').and_then(|row| row.strip_suffix(']')).unwrap_or(rest);
    (method.to_owned(), (!row.is_empty()).then(|| row.to_owned()))
}

/// Titles as they stand. A class that repeats the suite or the name says nothing more.
fn titled(case: &Case) -> TestId {
    let mut suite: Vec<String> = case.suites.iter().filter(|suite| !suite.is_empty()).cloned().collect();
    if !case.class.is_empty() && case.class != case.name && !suite.contains(&case.class) {
        suite.push(case.class.clone());
    }
    TestId { file: case.file.clone(), suite, name: case.name.clone(), case: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(suites: &[&str], class: &str, name: &str, file: Option<&str>) -> String {
        let suites = suites.iter().map(|&suite| suite.to_owned()).collect();
        let file = file.map(str::to_owned);
        test_id(&Case { suites, class: class.into(), name: name.into(), file, ..Case::default() }).to_string()
    }

    #[test]
    fn pytest_classes_follow_the_module() {
        let with_file = |class, test| name(&["pytest"], class, test, Some("tests/test_cart.py"));
        assert_eq!(
            with_file("tests.test_cart.TestCart", "test_a[1-x]"),
            "tests/test_cart.py::TestCart::test_a[1-x]"
        );
        assert_eq!(with_file("tests.test_cart", "test_a"), "tests/test_cart.py::test_a");
        let without = |class, test| name(&["pytest"], class, test, None);
        assert_eq!(
            without("tests.test_cart.TestA.TestB", "test_a"),
            "tests/test_cart.py::TestA::TestB::test_a"
        );
        assert_eq!(without("test_cart", "test_a[[0]]"), "test_cart.py::test_a[[0]]");
        assert_eq!(without("Tests.test_cart", "test_a"), "Tests/test_cart.py::test_a");
    }

    #[test]
    fn java_methods_lose_their_parameters_and_keep_their_row() {
        let java = |class, test| name(&[class], class, test, None);
        assert_eq!(java("com.acme.CartTest", "adds()"), "CartTest::adds");
        assert_eq!(java("com.acme.CartTest$Inner", "adds(TestInfo)"), "CartTest::Inner::adds");
        assert_eq!(java("com.acme.CartTest", "adds(int, int)[2]"), "CartTest::adds[2]");
        assert_eq!(java("CartTest", "adds{int}[1]"), "CartTest::adds[1]");
        assert_eq!(java("CartTest", "adds[0: a]"), "CartTest::adds[0: a]");
        assert_eq!(java("CartTest", "a title (with words)"), "CartTest::a title (with words)");
    }

    #[test]
    fn nesting_of_node_and_binaries_of_nextest_are_suites() {
        assert_eq!(name(&["cart", "total"], "test", "adds", None), "cart::total::adds");
        assert_eq!(name(&["acme::cart"], "acme::cart", "tests::adds", None), "acme::cart::tests::adds");
        assert_eq!(name(&["cart"], "cart adds", "cart adds", None), "cart::cart adds");
    }
}
