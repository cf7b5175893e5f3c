//! Text for people. What comes from the repository is made safe to print: names are data, never terminal commands.

mod escapes;
mod names;

use std::borrow::Cow;

use chrono::{DateTime, Utc};

pub use escapes::{only_colours, plain};
pub use names::name_words;

/// Replaces control characters, except line breaks and tabs, and characters that reorder text.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) && !COMMANDS.iter().any(|command| text.contains(command)) {
        return Cow::Borrowed(text);
    }
    let safe: String = text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect();
    Cow::Owned(without_commands(safe))
}

/// The same for text that must stay on one line.
pub fn one_line(text: &str) -> String {
    let flat = |c: char| if is_unsafe(c) || c == '\n' || c == '\t' { ' ' } else { c };
    without_commands(text.chars().map(flat).collect())
}

/// The same for text that a line begins with: `::` there is a command to GitHub Actions.
pub fn line_start(text: &str) -> String {
    let line = one_line(text);
    if line.trim_start().starts_with("::") { format!("./{line}") } else { line }
}

/// The same for text of several lines, none of which may begin with a command.
pub fn safe_lines(text: &str) -> String {
    let safe = printable(text);
    let starts = |line: &str| line.trim_start().starts_with("::");
    let lines = safe
        .split_inclusive('\n')
        .map(|line| if starts(line) { format!("./{line}") } else { line.to_owned() });
    lines.collect()
}

/// What build servers take for a command wherever it stands in a line.
const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];

fn without_commands(text: String) -> String {
    let broken = |text: String, command: &&str| text.replace(command, &format!("# {}", &command[1..]));
    COMMANDS.iter().fold(text, broken)
}

/// The beginning of a text, at most so many characters; where something is left out, it ends with three dots.
pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(3)).chain("...".chars()).collect(),
    }
}

/// A moment for people: `2026-01-05 12:00:00 UTC`.
pub fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// `1 test`, `3 tests`
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Whether bytes stand somewhere in a text.
pub fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

/// Bytes as text; nearly all are, and to see that at once is faster than to look for what is not.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The text in lower case; most names are that already.
pub fn lowered(text: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if text.bytes().all(is_lower) { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) }
}

/// Where the line breaks of a text stand.
pub fn line_breaks(text: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
    memchr::memchr_iter(b'\n', text)
}

/// Long stretches of texts are compared at once.
const STRETCH: usize = 64;

/// How many bytes two texts have in common at their beginning.
pub fn common_start(one: &[u8], other: &[u8]) -> usize {
    let stretches = one.chunks_exact(STRETCH).zip(other.chunks_exact(STRETCH));
    let at = STRETCH * stretches.take_while(|(one, other)| one == other).count();
    at + one[at..].iter().zip(&other[at..]).take_while(|(one, other)| one == other).count()
}

/// How many bytes two texts have in common at their end.
pub fn common_end(one: &[u8], other: &[u8]) -> usize {
    let stretches = one.rchunks_exact(STRETCH).zip(other.rchunks_exact(STRETCH));
    let at = STRETCH * stretches.take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - at], &other[..other.len() - at]);
    at + one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}

/// Where a part starts in a text, each time.
pub fn occurrences(text: &[u8], part: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memmem::find_iter(text, part)
}

fn is_unsafe(c: char) -> bool {
    let control = c.is_control() && c != '\n' && c != '\t';
    // Bidirectional overrides can make a name read as another one.
    let reorders =
        matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    control || reorders
}

/// JSON with escapes in place of characters that terminals obey or that reorder text; they only stand in its strings.
pub fn plain_json(json: &str) -> Cow<'_, str> {
    let is_odd = |c: char| is_unsafe(c) || matches!(c, '\u{2028}' | '\u{2029}');
    if !json.chars().any(is_odd) {
        return Cow::Borrowed(json);
    }
    let mut plain = String::with_capacity(json.len());
    for c in json.chars() {
        if is_odd(c) {
            plain.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            plain.push(c);
        }
    }
    Cow::Owned(plain)
}

/// A word as a POSIX shell reads it back, quoted only where it must be.
pub fn shell_quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A path of the repository as git takes it in any of its folders, and for nothing but itself.
pub fn from_root(path: &str) -> String {
    // Behind `:/`, punctuation would be read as further magic.
    let starts_plainly = path.starts_with(|c: char| c.is_alphanumeric() || c == '.' || !c.is_ascii());
    let plain = starts_plainly && !path.contains(['*', '?', '[', '\\']);
    if plain { format!(":/{path}") } else { format!(":(top,literal){path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_obeys_no_terminal() {
        assert_eq!(
            plain_json("{\"a\":\"\u{9b}31m\u{202e}\u{2028}\"}\n"),
            "{\"a\":\"\\u009b31m\\u202e\\u2028\"}\n"
        );
        assert_eq!(plain_json("{\"a\": \"é\"}"), "{\"a\": \"é\"}");
    }

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(printable("a\x1b[31mb"), "a\u{fffd}[31mb");
        assert_eq!(printable("plain\tname\n"), "plain\tname\n");
    }

    #[test]
    fn nothing_is_a_command_to_a_build_server() {
        assert_eq!(line_start("::error::x/test_a.py"), "./::error::x/test_a.py");
        assert_eq!(line_start("a::b"), "a::b");
        assert_eq!(one_line("a ##[error]b"), "a # #[error]b");
        assert_eq!(safe_lines("a\n::error::b\n  ::c\nd::e\n"), "a\n./::error::b\n./  ::c\nd::e\n");
        assert_eq!(safe_lines("x\n##[error]"), "x\n# #[error]");
        assert_eq!(printable("##vso[task.complete]"), "# #vso[task.complete]");
        assert_eq!(printable("## [link]"), "## [link]");
    }

    #[test]
    fn a_clipped_text_says_so_and_stays_within_its_limit() {
        assert_eq!(clipped("ééééé", 5), "ééééé");
        assert_eq!(clipped("éééééé", 5), "éé...");
    }

    #[test]
    fn paths_count_from_the_root_and_are_no_patterns() {
        assert_eq!(from_root("tests/test_a.py"), ":/tests/test_a.py");
        assert_eq!(from_root(".github/a.yml"), ":/.github/a.yml");
        for odd in ["_a.py", "!a", "-a", "a*", "a[0]", "(a)", ":a"] {
            assert_eq!(from_root(odd), format!(":(top,literal){odd}"));
        }
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_quote("tests/test_a.py"), "tests/test_a.py");
        assert_eq!(shell_quote("it's; rm"), r"'it'\''s; rm'");
    }
}
