//! Messages of the production code that a test quotes and the change takes out: what said them is gone.

use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::Test;
use crate::paths::PathClass;
use crate::text::contains;

/// So many words in a row are a message, and no coincidence.
const WORDS: usize = 4;
/// So many in a short one.
const FEWEST: usize = 3;
/// So many letters they have.
const LETTERS: usize = 16;

/// Words in a row that a test quotes, that production code said before, and that nothing in the change says after.
pub fn removed_message(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    let files = || comparison.files.iter().filter(|file| file.class == PathClass::Production);
    let before: Vec<&FileSide> = files().filter_map(|file| file.before.as_ref()).collect();
    let after: Vec<&FileSide> = comparison.files.iter().filter_map(|file| file.after.as_ref()).collect();
    let says =
        |sides: &[&FileSide], words: &str| sides.iter().any(|side| contains(&side.text, words.as_bytes()));
    let is_gone = |words: &String| says(&before, words) && !says(&after, words);
    file.lines(test.span).find_map(|line| quoted(&line).flat_map(in_a_row).find(is_gone))
}

/// Numbers of so many digits are no coincidence.
const DIGITS: usize = 4;

/// A number in a test that production code knew before, and that leaves the change without another in its place.
pub fn removed_number(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    let production = || comparison.files.iter().filter(|file| file.class == PathClass::Production);
    let read = |side: &&FileSide| !side.facts.language.is_empty();
    let is_gone = |number: &&str| {
        let known = |side: &FileSide| contains(&side.text, number.as_bytes());
        let mut before = production().filter_map(|file| file.before.as_ref()).filter(read);
        let mut after = comparison.files.iter().filter_map(|file| file.after.as_ref());
        before.any(known) && !after.any(known) && !production().any(|file| is_replaced(file, number))
    };
    file.lines(test.span).find_map(|line| numbers(&line).find(is_gone).map(str::to_owned))
}

/// Whether a line with the number is there as before but for a number.
fn is_replaced(file: &FileComparison, number: &str) -> bool {
    let masked = |line: &str| line.trim().split(|c: char| c.is_ascii_digit()).collect::<String>();
    let lines = |side: &Option<FileSide>| -> Vec<String> {
        let text = side.as_ref().map(|side| String::from_utf8_lossy(&side.text).into_owned());
        text.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
    };
    let old: Vec<String> =
        lines(&file.before).iter().filter(|line| line.contains(number)).map(|line| masked(line)).collect();
    !old.is_empty() && lines(&file.after).iter().any(|line| old.contains(&masked(line)))
}

/// The long whole numbers of a line.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    words.filter(|word| word.len() >= DIGITS && word.chars().all(|c| c.is_ascii_digit()))
}

/// What stands between quotes on a line, or between the slashes of a pattern.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    ['"', '\'', '`', '/'].into_iter().flat_map(|quote| line.split(quote).skip(1).step_by(2))
}

/// Each few words in a row of a text, or of what a pattern says between its signs. A short text is one row.
fn in_a_row(text: &str) -> impl Iterator<Item = String> {
    let stretches = text.split(['*', '\\', '(', ')', '[', ']', '{', '}', '|', '^', '$', '+']);
    let whole = text.contains(['(', '[', '{', '|', '*', '\\', '+', '$', '^']).then_some(text);
    let stretches = stretches.chain(whole);
    let mut rows: Vec<String> = Vec::new();
    for stretch in stretches {
        let words: Vec<&str> = stretch.split(' ').filter(|word| !word.is_empty()).collect();
        match words.len() {
            0..FEWEST => {}
            FEWEST..WORDS => rows.push(words.join(" ")),
            _ => rows.extend(words.windows(WORDS).map(|row| row.join(" "))),
        }
    }
    rows.into_iter().filter(|row| row.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_several_words_in_quotes() {
        let line = "match=\"The argument to File is deprecated\", 'short', \"a b c d\"";
        let found: Vec<String> = quoted(line).flat_map(in_a_row).collect();
        assert_eq!(found, ["The argument to File", "argument to File is", "to File is deprecated"]);
    }
}
