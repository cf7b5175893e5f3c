//! The words of a first line, and where a clause begins.

/// A word of a message.
#[derive(Debug)]
pub struct Word {
    /// In lower case, without the marks around it.
    pub text: String,
    /// What a name is put together from, in lower case: `ArchUnitTests`, `test_total`.
    parts: Vec<String>,
    /// Whether a clause begins with it.
    pub begins: bool,
}

impl Word {
    /// Whether the word or a part of it stands in a list.
    pub fn is_one_of(&self, list: &str) -> bool {
        list.split('|').any(|word| self.text == word || self.parts.iter().any(|part| part == word))
    }
}

/// So much of a first line is read; nobody writes longer ones.
const LONGEST: usize = 400;

/// Words with which another deed begins.
const JOINS: &[&str] = &["and", "&", "+", "then", "but"];

/// The words of a line, what stands in square brackets left out: numbers of issues, and what is told to build servers.
pub fn read(line: &str) -> Vec<Word> {
    let line = &line[..line.floor_char_boundary(LONGEST.min(line.len()))];
    let mut words = Vec::new();
    let (mut begins, mut depth, mut quoted) = (true, 0usize, false);
    for raw in line.split(|c: char| c.is_whitespace()) {
        let opened = raw.matches('[').count();
        let aside = depth > 0 || raw.starts_with('[');
        depth = (depth + opened).saturating_sub(raw.matches(']').count());
        if aside {
            continue;
        }
        // What is quoted is no deed of the author's.
        let is_quoted = quoted || raw.starts_with(['`', '"']);
        quoted ^= raw.matches(['`', '"']).count() % 2 == 1;
        let bare = raw.trim_matches(|c: char| !c.is_alphanumeric());
        // A bullet or a dash stands between clauses, and so does `and`.
        if bare.is_empty() || JOINS.contains(&bare) || is_bullet(bare, &words) {
            begins = !quoted;
            continue;
        }
        begins = (begins || raw.starts_with('(')) && !is_quoted;
        words.push(Word { text: bare.to_lowercase(), parts: parts(bare), begins });
        begins = raw.ends_with([':', ';', '.', ',', '!', ')']) && !quoted;
    }
    words
}

/// `o Disabled the test`, as some projects begin their messages.
fn is_bullet(word: &str, before: &[Word]) -> bool {
    before.is_empty() && word == "o"
}

/// The parts of a name in lower case.
fn parts(name: &str) -> Vec<String> {
    // Integration tests of Java are called `CartIT`; `it` is anything.
    let subject = name.strip_suffix("ITs").or_else(|| name.strip_suffix("IT"));
    if let Some(subject) = subject.filter(|subject| !subject.ends_with(char::is_uppercase)) {
        let mut all = parts(subject);
        all.push("tests".to_owned());
        return all;
    }
    let mut parts = vec![String::new()];
    let mut last = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && !last.is_uppercase() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
        last = c;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// How many words of the phrase some words begin with; the first phrase that fits counts.
pub fn begins_with(words: &[Word], phrases: &str) -> Option<usize> {
    phrases.split('|').find_map(|phrase| {
        let wanted = || phrase.split(' ');
        let length = wanted().count();
        let fits = words.len() >= length && wanted().zip(words).all(|(wanted, word)| word.text == wanted);
        fits.then_some(length)
    })
}

/// Whether a phrase stands anywhere in some words.
pub fn has_phrase(words: &[Word], phrases: &str) -> bool {
    (0..words.len()).any(|at| begins_with(&words[at..], phrases).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_begin_after_marks_and_joining_words() {
        let begin: Vec<String> = read("fix(ci): drop X, skip Y and mute Z (for now) [skip ci]")
            .into_iter()
            .filter(|word| word.begins)
            .map(|word| word.text)
            .collect();
        assert_eq!(begin, ["fix(ci", "drop", "skip", "mute", "for"]);
    }

    #[test]
    fn no_clause_begins_within_quotes() {
        let begin = |line| read(line).into_iter().filter(|word| word.begins).count();
        assert_eq!(begin("Allow `# fmt: skip` on match"), 1);
        assert_eq!(begin("Allow \"a, skip b\" here, now"), 2);
    }

    #[test]
    fn names_come_apart() {
        assert_eq!(parts("ArchUnitTests"), ["arch", "unit", "tests"]);
        assert_eq!(parts("test_total()"), ["test", "total"]);
        assert_eq!(parts("CartIT"), ["cart", "tests"]);
        assert_eq!(parts("ITs"), ["tests"]);
        assert_eq!(parts("it"), ["it"]);
        assert_eq!(parts("SIGQUIT"), ["sigquit"]);
    }
}
