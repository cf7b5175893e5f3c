//! Code that finds out whether it is being tested.

use tree_sitter::Node;

use super::walk::Reader;
use crate::facts::{Probe, ProbeKind};
use crate::languages::fields::Fields;
use crate::languages::line_of;

/// As many of a file are kept.
pub const LIMIT: usize = 256;

/// Variables that test runners set.
const TEST_VARIABLES: &[&str] = &[
    "JEST_WORKER_ID",
    "VITEST",
    "VITEST_WORKER_ID",
    "VITEST_POOL_ID",
    "MOCHA_COLORS",
    "NODE_TEST_CONTEXT",
    "PYTEST_CURRENT_TEST",
    "PYTEST_VERSION",
    "PYTEST_RUN_CONFIG",
    "TESTING",
    "TEST_MODE",
    "IS_TEST",
    "UNIT_TEST",
    "RUNNING_TESTS",
    "NEXTEST",
    "NEXTEST_RUN_ID",
    "RUST_TEST_THREADS",
];

/// Variables that build servers set.
const SERVER_VARIABLES: &[&str] = &[
    "CI",
    "CONTINUOUS_INTEGRATION",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "TRAVIS",
    "CIRCLECI",
    "BUILDKITE",
    "JENKINS_URL",
];

/// Variables whose value says it, where that is compared with one of the values below.
const MODE_VARIABLES: &[&str] =
    &["NODE_ENV", "APP_ENV", "RAILS_ENV", "GO_ENV", "RUST_ENV", "ENVIRONMENT", "BABEL_ENV"];
const MODES: &[&str] = &["test", "testing"];

/// How the environment is read.
const READERS: &[&str] = &[
    "environ",
    "getenv",
    "Getenv",
    "LookupEnv",
    "env::var",
    "env::var_os",
    "process.env",
    "import.meta.env",
    "getProperty",
];

/// A string: the name of a variable, of a test framework, or an address of tests.
pub fn text(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let text = reader.source.text_of(node);
    if text.len() > 80 {
        return;
    }
    let word = text.trim_start_matches(['b', 'r', 'f', 'u']).trim_matches(['"', '\'', '`']);
    if let Some(kind) = variable_kind(word) {
        if is_read(reader, node) {
            add(reader, node, kind, word);
        }
    } else if is_mode_asked(reader, word) || is_loaded_framework(reader, word) {
        add(reader, node, ProbeKind::TestRun, word);
    } else if is_test_address(word) && is_compared(reader) {
        add(reader, node, ProbeKind::TestValue, word);
    }
}

fn variable_kind(word: &str) -> Option<ProbeKind> {
    if TEST_VARIABLES.contains(&word) {
        return Some(ProbeKind::TestRun);
    }
    SERVER_VARIABLES.contains(&word).then_some(ProbeKind::BuildServer)
}

/// Whether the variable of this name is read: `os.environ["X"]`, `os.getenv("X")`, `"X" in os.environ`.
fn is_read(reader: &Reader<'_, '_>, node: Node<'_>) -> bool {
    let around = (0..3).filter_map(|steps| reader.ancestor(steps));
    let is_set = around.clone().any(|above| is_written(above, node));
    let mut texts =
        around.filter(|above| is_expression(above.kind())).map(|above| reader.one_line(above, 200));
    !is_set && texts.any(|text| READERS.iter().any(|known| text.contains(known)))
}

/// Whether the environment is written here, as test set-up and programs that start others do.
fn is_written(above: Node<'_>, node: Node<'_>) -> bool {
    let left = above.field("left").filter(|_| above.kind().starts_with("assignment"));
    left.is_some_and(|left| left.byte_range().contains(&node.start_byte()))
}

fn is_expression(kind: &str) -> bool {
    matches!(
        kind,
        "call"
            | "call_expression"
            | "method_invocation"
            | "subscript"
            | "subscript_expression"
            | "comparison_operator"
            | "binary_expression"
    )
}

/// `process.env.NODE_ENV === 'test'` and its like, seen from the string.
fn is_mode_asked(reader: &Reader<'_, '_>, word: &str) -> bool {
    if !MODES.contains(&word) {
        return false;
    }
    let compared = (0..3).filter_map(|steps| reader.ancestor(steps)).find(|above| {
        matches!(above.kind(), "binary_expression" | "comparison_operator" | "method_invocation")
    });
    let Some(compared) = compared else { return false };
    let text = reader.one_line(compared, 200);
    MODE_VARIABLES.iter().any(|name| text.contains(name)) && READERS.iter().any(|known| text.contains(known))
}

/// `"pytest" in sys.modules`, `flag.Lookup("test.v")`, a frame of junit on the stack.
fn is_loaded_framework(reader: &Reader<'_, '_>, word: &str) -> bool {
    let around = || reader.parent().map(|parent| reader.one_line(parent, 200)).unwrap_or_default();
    let call = || reader.ancestor(1).map(|call| reader.one_line(call, 200)).unwrap_or_default();
    match word {
        "pytest" | "unittest" | "nose" => around().contains("sys.modules"),
        "test.v" | "test.run" | "test.timeout" => call().contains("flag.Lookup"),
        ".test" | "_test" => call().contains("os.Args[0]"),
        _ if word.contains("junit") => {
            let text = call();
            text.contains("getClassName") || text.contains("StackTrace")
        }
        _ => false,
    }
}

/// `test@example.com`, `user@test.com`
fn is_test_address(word: &str) -> bool {
    let Some((name, host)) = word.split_once('@') else { return false };
    let named = ["test", "tester", "testuser", "test_user", "test-user"].contains(&name);
    !name.is_empty()
        && host.contains('.')
        && (named || host.starts_with("example.") || host.starts_with("test."))
}

fn is_compared(reader: &Reader<'_, '_>) -> bool {
    let Some(parent) = reader.parent() else { return false };
    match parent.kind() {
        "binary_expression" => {
            let operator = parent.field("operator").map(|operator| operator.kind());
            matches!(operator, Some("==" | "===" | "!=" | "!=="))
        }
        "comparison_operator" => true,
        "argument_list" | "arguments" => {
            let call = reader.ancestor(1).map(|call| reader.one_line(call, 200)).unwrap_or_default();
            [".equals(", ".equalsIgnoreCase(", ".eq("].iter().any(|name| call.contains(name))
        }
        "method_invocation" => reader.one_line(parent, 200).contains(".equals"),
        _ => false,
    }
}

/// A member: `process.env.VITEST`, `import.meta.env.VITEST`, `testing.Testing`.
pub fn word(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let word = reader.source.text_of(node);
    let Some(parent) = reader.parent() else { return };
    let kind = match variable_kind(word) {
        Some(kind) => kind,
        None if word == "Testing" && reader.language == "go" => ProbeKind::TestRun,
        None => return,
    };
    let Some(object) = parent.field("object").or_else(|| parent.field("operand")) else {
        return;
    };
    let object = reader.one_line(object, 40);
    let known = matches!(object.as_str(), "process.env" | "import.meta.env" | "Deno.env")
        || (object == "testing" && word == "Testing");
    let above = reader.ancestor(1);
    if known && !above.is_some_and(|above| is_written(above, node)) {
        add(reader, node, kind, word);
    }
}

/// `cfg!(test)`
pub fn invocation(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let text = reader.one_line(node, 60);
    let Some(arguments) = text.strip_prefix("cfg!") else { return };
    let inside = arguments.trim_matches(['(', ')', '[', ']', ' ']);
    if inside == "test"
        || inside == "not(test"
        || inside.starts_with("any(test")
        || inside.starts_with("all(test")
    {
        add(reader, node, ProbeKind::TestRun, "cfg!(test)");
    }
}

/// `#[cfg(test)]` on a statement inside a function.
pub fn attribute(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let in_body = reader.parent().is_some_and(|parent| parent.kind() == "block");
    if reader.language != "rust" || !in_body {
        return;
    }
    let text = reader.one_line(node, 60);
    let is_mark = text.contains("cfg(test)") || text.contains("cfg(not(test))");
    if !is_mark || reader.signals.probes.len() >= LIMIT {
        return;
    }
    let item = ["function_item", "use_declaration", "mod_item", "struct_item", "impl_item"];
    if node.next_named_sibling().is_some_and(|next| !item.contains(&next.kind())) {
        add(reader, node, ProbeKind::TestRun, "#[cfg(test)]");
    }
}

fn add(reader: &mut Reader<'_, '_>, node: Node<'_>, kind: ProbeKind, what: &str) {
    if reader.signals.probes.len() < LIMIT {
        let probe = Probe { kind, scope: reader.function(), line: line_of(node), what: what.to_owned() };
        reader.signals.probes.push(probe);
    }
}
