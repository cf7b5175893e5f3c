//! Build files of C and C++: warnings that are errors, and the tests that are listed.

use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// What makes errors of warnings.
const AS_ERRORS: &[&str] = &["-Werror", "/WX", "werror=true", "COMPILE_WARNING_AS_ERROR"];

pub fn read(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Runner, ..ProjectFacts::default() };
    for (line, number) in text.lines().zip(1..) {
        let code = line.split('#').next().unwrap_or_default();
        let words = code.split(|c: char| c.is_whitespace() || "()\"';,[]:>".contains(c));
        let found = words.filter(|word| AS_ERRORS.contains(word));
        facts.settings.extend(found.map(|word| Setting {
            about: About::Lint,
            key: word.to_owned(),
            line: number,
            value: SettingValue::Insists(word.to_owned()),
        }));
        facts.settings.extend(test_in(code).map(|name| Setting {
            about: About::Tests,
            key: "add_test".to_owned(),
            line: number,
            value: SettingValue::Selects(name.to_owned()),
        }));
    }
    facts
}

/// `add_test(NAME a COMMAND a)`
fn test_in(code: &str) -> Option<&str> {
    let (_, call) = code.split_once("add_test(")?;
    let mut words = call.split_whitespace().map(|word| word.trim_end_matches(')'));
    let first = words.next()?;
    let name = if first == "NAME" { words.next()? } else { first };
    (!name.contains('$') && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_and_tests_are_read() {
        let text =
            "add_compile_options(-Wall -Werror) # -Werror\nadd_test(NAME a COMMAND a)\nadd_test(b b)\n";
        let keys: Vec<String> = read(text).settings.into_iter().map(|setting| setting.key).collect();
        assert_eq!(keys, ["-Werror", "add_test", "add_test"]);
    }
}
