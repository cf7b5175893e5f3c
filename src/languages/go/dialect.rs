//! How Go spells guards, handlers and failure.

use tree_sitter::Node;

use crate::facts::{ExitKind, Stub};
use crate::languages::Source;
use crate::languages::expression::split;
use crate::languages::functions::{
    Asked, Dialect, Role, child, is_default, is_error_name, is_number, says_unfinished, text,
};

pub static DIALECT: Dialect = Dialect {
    roles,
    name,
    caught: |_, _| Vec::new(),
    broad: &[],
    failing: &[
        "panic",
        "os.Exit",
        "Fatal",
        "Fatalf",
        "Fatalln",
        "Fatalw",
        "Panic",
        "Panicf",
        "Panicln",
        "Panicw",
        "FailNow",
        "t.Error",
        "t.Errorf",
        "tb.Error",
        "tb.Errorf",
    ],
    returned,
    asks_for_error: asks,
    stub,
    discards: true,
    blocks_have_values: false,
};

fn roles(kind: &str) -> Option<Role> {
    Some(match kind {
        "comment" => Role::Comment,
        "function_declaration" | "method_declaration" => Role::Function,
        "func_literal" => Role::Closure,
        "if_statement" => Role::If,
        "expression_case" | "default_case" | "type_case" | "communication_case" => Role::Case,
        "return_statement" => Role::Return,
        "continue_statement" => Role::Continue,
        "call_expression" => Role::Call,
        "short_var_declaration" | "assignment_statement" | "var_spec" => Role::Assign,
        "expression_statement" => Role::Statement,
        _ => return None,
    })
}

/// `Type.Method`, or the name alone.
fn name(source: &Source<'_>, node: Node<'_>) -> String {
    let name = child(node, "name").map_or_else(String::new, |name| text(source, name).into_owned());
    let Some(receiver) = child(node, "receiver") else { return name };
    let receiver = text(source, receiver);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let plain = receiver.split('[').next().unwrap_or("");
    let kind = plain.split(|c: char| !is_part(c)).rfind(|part| !part.is_empty()).unwrap_or("");
    format!("{kind}.{name}")
}

/// The last value decides: by custom it is the error.
fn returned(values: &str) -> Option<ExitKind> {
    let last = *split(values).last()?;
    let name = last.split('(').next().unwrap_or(last).trim_start_matches(['&', '*']);
    let made = [
        "errors.New",
        "fmt.Errorf",
        "errors.Wrap",
        "errors.Wrapf",
        "errors.Errorf",
        "status.Errorf",
        "status.Error",
    ];
    let short = name.rsplit('.').next().unwrap_or(name).split('{').next().unwrap_or("");
    let is_call = last.contains('(') || last.contains('{');
    let fails = made.contains(&name)
        || (!is_call && is_error_name(short))
        || (!is_call && is_sentinel(short))
        || (is_call && !last.contains(").") && makes_error(short));
    fails.then_some(ExitKind::Fails)
}

/// `ErrNotFound`, `errNotFound`: an error that is always the same.
fn is_sentinel(name: &str) -> bool {
    let rest = name.strip_prefix("err").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    rest || name.starts_with("Err")
}

/// Whether a function or type of this name stands for an error.
fn makes_error(name: &str) -> bool {
    let ends = name.ends_with("Error")
        || name.ends_with("Err")
        || name.ends_with("Errorf")
        || name.ends_with("Errors");
    ends || name.starts_with("Err")
        || name.starts_with("err")
        || (name.starts_with("New") && name.contains("Err"))
}

/// `err != nil`, alone or with more conditions.
fn asks(condition: &str) -> Option<Asked> {
    let (variable, rest) = condition.split_once("!= nil")?;
    let variable = variable.trim();
    let is_name = variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let known = is_error_name(variable) || variable == "r" || variable == "rec" || variable == "p";
    (is_name && known).then(|| Asked { variable: variable.to_owned(), all: rest.trim().is_empty() })
}

fn stub(statement: &str) -> Option<Stub> {
    if statement.starts_with("panic(") && says_unfinished(statement) {
        return Some(Stub::Unfinished);
    }
    let value = statement.strip_prefix("return")?;
    if says_unfinished(value) && returned(value.trim()).is_some() {
        return Some(Stub::Unfinished);
    }
    (is_default(value) || is_number(value)).then_some(Stub::Constant)
}
