//! Files about which nothing can be said: "could not tell" is never "fine".
//!
//! Where nothing can be lost there is nothing to tell either: in a new file of a language that nobody reads, in a change
//! of comments, and in what tests only take as their input.

use crate::comparison::{FileComparison, FileSide, is_generated};
use crate::facts::Health;
use crate::git::ChangeKind;
use crate::paths::{self, PathClass};
use crate::project::is_project;
use crate::text::line_breaks;
use crate::verdict::Inconclusive;

/// A test file about which nothing can be said, with the reason.
pub fn unknown(file: &FileComparison, kind: ChangeKind) -> Option<Inconclusive> {
    // What was not read cannot be missed where it is gone.
    let is_unread = |side: &&FileSide| matches!(side.facts.health, Health::TooLarge | Health::TooDeep);
    let unread = file.before.as_ref().filter(is_unread);
    let side = unread.or(file.after.as_ref()).or(file.before.as_ref())?;
    let has_tests = !side.facts.tests.is_empty() || file.class == PathClass::Test && !is_input(file);
    let reason = match side.facts.health {
        Health::Partial
            if kind != ChangeKind::Patch && (has_tests || is_edited_code(file)) && breaks_anew(file) =>
        {
            "it has syntax errors, so only parts of it were compared"
        }
        Health::TooLarge if has_tests || grew_too_large(file) || is_edited_by_hand(file) => {
            "it is too large to be read"
        }
        // A few brackets are enough for that: production code must not hide behind them either.
        Health::TooDeep if has_tests || file.class == PathClass::Production => {
            "it is nested too deeply to be read"
        }
        Health::Unsupported
            if side.facts.project.is_none() && is_project(&side.path) && !side.text.is_empty() =>
        {
            "it is configuration that is too large or no text, so what it lets pass is unknown"
        }
        Health::Unsupported if has_tests && paths::may_hold_tests(&side.path) && can_lose(file) => {
            "tests in this language are not understood yet"
        }
        _ if side.facts.packed && is_edited_code(file) && got_packed(file) => {
            "its code is packed too densely to be compared"
        }
        _ => return None,
    };
    Some(Inconclusive { path: side.path.clone(), reason: reason.to_owned() })
}

/// Production code that is there on both sides: in a new file nothing was guarded before.
fn is_edited_code(file: &FileComparison) -> bool {
    file.class == PathClass::Production && file.before.is_some() && file.after.is_some()
}

/// Production code that was too large before already, and that people write.
fn is_edited_by_hand(file: &FileComparison) -> bool {
    let is_written = |side: &FileSide| !is_generated(&side.text) && !is_packed(&side.text);
    is_edited_code(file) && file.after.as_ref().is_some_and(is_written)
}

/// Whether lines are longer than people write them: a bundle, or data.
fn is_packed(text: &[u8]) -> bool {
    text.len() > LONG_LINE * (1 + line_breaks(text).count())
}

/// So long are lines on the whole that no person wrote.
const LONG_LINE: usize = 200;

/// Production code that was read before: it must not hide by growing either.
fn grew_too_large(file: &FileComparison) -> bool {
    let was_read = |side: &FileSide| matches!(side.facts.health, Health::Clean | Health::Partial);
    file.class == PathClass::Production && file.before.as_ref().is_some_and(was_read)
}

/// Production code that a person could read before: it must not hide in one long line either.
fn got_packed(file: &FileComparison) -> bool {
    file.before.as_ref().is_some_and(|side| !side.facts.packed)
}

/// Whether some place cannot be understood that could be, or was not there, before the change: what both sides have
/// alike hides nothing of what changed.
fn breaks_anew(file: &FileComparison) -> bool {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return true };
    let mut known = before.facts.broken.iter();
    // Both are sorted, so one pass tells whether each place has a partner.
    after.facts.broken.iter().any(|place| !known.by_ref().any(|known| known == place))
}

/// Whether a file is what tests work on, and holds none itself.
fn is_input(file: &FileComparison) -> bool {
    let mut sides = file.before.iter().chain(&file.after);
    sides.all(|side| side.facts.tests.is_empty() && paths::is_input_of_tests(&side.path))
}

/// Whether a file was there before, and more than its comments changed.
fn can_lose(file: &FileComparison) -> bool {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return file.before.is_some() };
    // What was not read may be anything.
    let unread = before.text.is_empty() && after.text.is_empty();
    unread || code_of(before) != code_of(after)
}

/// The lines of a text that are no comments, as far as its name tells how they are written.
fn code_of(side: &FileSide) -> Vec<String> {
    let ending = side.path.rsplit('.').next().unwrap_or_default();
    let marks: &[&str] = match ending {
        "rb" | "sh" | "bash" | "bats" | "zsh" | "pl" | "pm" | "r" | "jl" | "ex" | "exs" | "ps1" | "nim"
        | "coffee" => &["#"],
        "sql" | "hs" | "lua" => &["--"],
        "clj" | "cljs" => &[";"],
        "erl" => &["%"],
        _ => &["//"],
    };
    let has_blocks = marks == ["//"];
    let text = String::from_utf8_lossy(&side.text);
    let (mut code, mut in_block) = (Vec::new(), false);
    for line in text.lines().map(str::trim) {
        in_block |= has_blocks && line.starts_with("/*");
        let is_comment = in_block || marks.iter().any(|mark| line.starts_with(mark));
        if in_block && let Some((_, rest)) = line.split_once("*/") {
            in_block = false;
            code.extend(Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty()));
        }
        code.extend((!is_comment && !line.is_empty()).then(|| line.to_owned()));
    }
    code
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::facts::FileFacts;

    fn file(path: &str, before: Option<&str>, after: Option<&str>) -> FileComparison {
        let side = |text: &str| {
            let facts = FileFacts { health: Health::Unsupported, ..FileFacts::default() };
            FileSide::new(path.to_owned(), facts, Arc::from(text.as_bytes()))
        };
        FileComparison::new(before.map(side), after.map(side), PathClass::Test)
    }

    #[test]
    fn what_can_lose_nothing_is_not_told() {
        let code = "class CartTest {\n    fun total() = check(1 == 1)\n}\n";
        let header = format!("/*\n * Licence\n */\n// Tests of the cart\n{code}");
        for (path, before, after, told) in [
            ("src/test/kotlin/CartTest.kt", Some(code), Some("class CartTest {}\n"), true),
            ("src/test/kotlin/CartTest.kt", Some(code), None, true),
            ("src/test/kotlin/CartTest.kt", None, Some(code), false),
            ("src/test/kotlin/CartTest.kt", Some(code), Some(header.as_str()), false),
            ("tests/cart_test.rb", Some("# a\nassert 1\n"), Some("# b\n\nassert 1\n"), false),
            ("tests/cart_test.rb", Some("assert 1\n"), Some("# assert 1\n"), true),
            ("tests/data/cases/a_test.kt", Some(code), Some("x\n"), false),
        ] {
            let listed = unknown(&file(path, before, after), ChangeKind::Commit);
            assert_eq!(listed.is_some(), told, "{path} {before:?} {after:?}");
        }
    }

    #[test]
    fn code_that_gets_packed_is_told_once() {
        let file = |was: bool, is: bool| {
            let side = |packed: bool| {
                let facts = FileFacts { packed, language: "javascript", ..FileFacts::default() };
                FileSide::new("src/a.js".to_owned(), facts, Arc::from(&b"f()"[..]))
            };
            FileComparison::new(Some(side(was)), Some(side(is)), PathClass::Production)
        };
        let told = |was, is| unknown(&file(was, is), ChangeKind::Commit).is_some();
        assert!(told(false, true));
        assert!(!told(true, true) && !told(true, false) && !told(false, false));
    }
}
