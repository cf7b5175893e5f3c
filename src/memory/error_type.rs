//! From what tools call an error to the closed list of the schema.

use super::ErrorType;

/// Simple class names, in lower case, and what they are. What is not here is `Other`.
const NAMES: &[(&str, ErrorType)] = &[
    ("assertionerror", ErrorType::AssertionError),
    ("jestassertionerror", ErrorType::AssertionError),
    ("assertionfailederror", ErrorType::AssertionError),
    ("assertionfailed", ErrorType::AssertionError),
    ("comparisonfailure", ErrorType::AssertionError),
    ("multiplefailureserror", ErrorType::AssertionError),
    ("err_assertion", ErrorType::AssertionError),
    ("assertion", ErrorType::AssertionError),
    ("failed", ErrorType::AssertionError),
    ("typeerror", ErrorType::TypeError),
    ("classcastexception", ErrorType::TypeError),
    ("referenceerror", ErrorType::ReferenceError),
    ("nameerror", ErrorType::ReferenceError),
    ("unboundlocalerror", ErrorType::ReferenceError),
    ("syntaxerror", ErrorType::SyntaxError),
    ("indentationerror", ErrorType::SyntaxError),
    ("taberror", ErrorType::SyntaxError),
    ("compileerror", ErrorType::SyntaxError),
    ("compilationerror", ErrorType::SyntaxError),
    ("runtimeerror", ErrorType::RuntimeError),
    ("runtimeexception", ErrorType::RuntimeError),
    ("recursionerror", ErrorType::RuntimeError),
    ("rangeerror", ErrorType::RuntimeError),
    ("panic", ErrorType::RuntimeError),
    ("timeouterror", ErrorType::TimeoutError),
    ("timeoutexception", ErrorType::TimeoutError),
    ("timeout", ErrorType::TimeoutError),
    ("networkerror", ErrorType::NetworkError),
    ("connectionerror", ErrorType::NetworkError),
    ("connectionrefusederror", ErrorType::NetworkError),
    ("connectionreseterror", ErrorType::NetworkError),
    ("gaierror", ErrorType::NetworkError),
    ("connectexception", ErrorType::NetworkError),
    ("socketexception", ErrorType::NetworkError),
    ("unknownhostexception", ErrorType::NetworkError),
    ("validationerror", ErrorType::ValidationError),
    ("validationexception", ErrorType::ValidationError),
];

impl ErrorType {
    /// The type of an error by its class, however a tool spells it (`builtins.TypeError`, `java.lang.X`), or by the
    /// words of a panic.
    pub fn of(kind: &str, message: &str) -> Self {
        let simple = kind.rsplit(['.', ':', '$']).next().unwrap_or(kind).trim().to_ascii_lowercase();
        let known = NAMES.iter().find(|(name, _)| *name == simple).map(|(_, kind)| *kind);
        let asserted = || message.trim_start().starts_with("assertion") && message.contains("failed");
        match known {
            Some(Self::RuntimeError) | None if asserted() => Self::AssertionError,
            Some(kind) => kind,
            None => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_all_languages_find_their_type() {
        for (kind, message, expected) in [
            ("AssertionError", "", ErrorType::AssertionError),
            ("org.opentest4j.AssertionFailedError", "", ErrorType::AssertionError),
            ("builtins.TypeError", "", ErrorType::TypeError),
            ("panic", "assertion `left == right` failed", ErrorType::AssertionError),
            ("panic", "index out of bounds", ErrorType::RuntimeError),
            ("ValueError", "bad", ErrorType::Other),
            ("", "assertion failed: a", ErrorType::AssertionError),
            ("", "", ErrorType::Other),
        ] {
            assert_eq!(ErrorType::of(kind, message), expected, "{kind}: {message}");
        }
    }
}
