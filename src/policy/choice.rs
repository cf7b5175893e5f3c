//! Settings that are one of a few words: how a word is read, and what is said about another one.

use super::suggest;

/// The value that `text` names; `what` says what it would be, as in "profile".
pub fn read<T: Copy>(text: &str, what: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    if let Some(value) = all.iter().find(|value| name(**value) == text) {
        return Ok(*value);
    }
    let names: Vec<&str> = all.iter().map(|value| name(*value)).collect();
    let instead = match suggest::nearest(text, &names) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("write {}", or(&names)),
    };
    let text: String = text.chars().take(80).collect();
    Err(format!("`{text}` is no {what}: {instead}"))
}

/// `a`, `a or b`, `a, b or c`
pub fn or(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_number(text: &str) -> Result<usize, String> {
        read(text, "number", &[0, 1, 2], |at| ["none", "one", "several"][at])
    }

    #[test]
    fn only_the_exact_word_counts() {
        assert_eq!(read_number("several"), Ok(2));
        assert_eq!(read_number("Several").unwrap_err(), "`Several` is no number: did you mean `several`?");
        assert_eq!(read_number("x7z").unwrap_err(), "`x7z` is no number: write none, one or several");
        assert!(read_number(&"y".repeat(5000)).unwrap_err().len() < 200);
    }
}
