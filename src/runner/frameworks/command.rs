//! What a command line runs, and words that are added to it.
//!
//! Refuses to change what it does not fully understand: a command of several parts, with a redirection or a substitution, is
//! never changed. What it does change keeps every other byte, so variables and wildcards mean what they meant.

use crate::runner::suite::CommandLine;
use crate::shell::{self, Reader, Word};

/// One program with its arguments, to which words can be added.
#[derive(Clone, Debug)]
pub struct Simple {
    is_shell: bool,
    words: Vec<Word>,
}

impl Simple {
    /// `None` for anything but one program with arguments; variables set in front of it are fine.
    pub fn read(command: &CommandLine) -> Option<Self> {
        match command {
            CommandLine::Words(words) => {
                let words: Vec<Word> = words.iter().map(|word| Word::new(word)).collect();
                (!words.is_empty()).then_some(Self { is_shell: false, words })
            }
            CommandLine::Shell(text) => {
                let mut reader = Reader::new(text);
                let mut words = reader.part();
                if reader.is_odd || !reader.at_end() {
                    return None;
                }
                let program = words.iter().position(|word| !is_assignment(&word.value))?;
                let assignments: String =
                    words.drain(..program).map(|word| word.before + &word.raw).collect();
                words[0].before.insert_str(0, &assignments);
                (!KEYWORDS.contains(&words[0].value.as_str())).then_some(Self { is_shell: true, words })
            }
        }
    }

    /// The program and its arguments.
    pub fn words(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.value.as_str()).collect()
    }

    /// Adds words in front of the word at `index`, never in front of the program, or at the end if there is none.
    #[must_use]
    pub fn insert(mut self, index: usize, added: &[&str]) -> Self {
        let index = index.clamp(1, self.words.len());
        self.words.splice(index..index, added.iter().map(|word| Word::new(word)));
        self
    }

    /// Adds words at the end.
    #[must_use]
    pub fn append(self, added: &[&str]) -> Self {
        self.insert(usize::MAX, added)
    }

    pub fn into_command(self) -> CommandLine {
        let words = self.words.into_iter();
        if self.is_shell {
            CommandLine::Shell(words.map(|word| word.before + &word.raw).collect())
        } else {
            CommandLine::Words(words.map(|word| word.value).collect())
        }
    }
}

/// The words of each part of a command, be it simple or not; for telling what a command runs, never for changing it.
pub fn parts(command: &CommandLine) -> Vec<Vec<String>> {
    match command {
        CommandLine::Words(words) => vec![words.clone()],
        CommandLine::Shell(text) => shell::commands(text),
    }
}

/// Where in the words of a part the real program stands, behind variables and programs that only start another:
/// `env A=1 uv run python -m pytest` runs pytest.
pub fn program(words: &[&str]) -> Option<usize> {
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        if is_assignment(word) {
            at += 1;
            continue;
        }
        match started_by(base_name(word), &words[at + 1..]) {
            Some(skipped) => at += 1 + skipped,
            None => return Some(at),
        }
    }
    None
}

/// The name of a program without its folders and without what Windows adds to it.
pub fn base_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    [".exe", ".cmd", ".bat"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// Whether the program is a Python of any version.
pub fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    name == "py" || version.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// How many of the words behind a program that starts another one belong to itself; `None` for any other program.
fn started_by(name: &str, rest: &[&str]) -> Option<usize> {
    let options = |rest: &[&str]| rest.iter().take_while(|word| word.starts_with('-')).count();
    match name {
        "env" | "time" | "exec" | "command" | "nice" | "nohup" | "npx" | "bunx" => Some(options(rest)),
        "uv" | "poetry" | "pipenv" | "pdm" | "hatch" | "rye" => runs(rest, &["run"]),
        "pnpm" | "yarn" | "npm" | "bun" => runs(rest, &["exec", "dlx", "x"]),
        "coverage" => module(runs(rest, &["run"])?, rest),
        _ if is_python(name) => module(0, rest),
        _ => None,
    }
}

/// `run` and its options.
fn runs(rest: &[&str], commands: &[&str]) -> Option<usize> {
    rest.first().filter(|word| commands.contains(word))?;
    Some(1 + rest[1..].iter().take_while(|word| word.starts_with('-')).count())
}

/// The words of Python up to and with its `-m`.
fn module(from: usize, rest: &[&str]) -> Option<usize> {
    let mut at = if from > 0 { 1 } else { 0 };
    while let Some(&word) = rest.get(at) {
        match word {
            "-m" => return Some(at + 1),
            "-W" | "-X" => at += 2,
            _ if word.starts_with('-') && word != "-c" => at += 1,
            _ => return None,
        }
    }
    None
}

/// Words that begin something other than one program.
const KEYWORDS: [&str; 12] =
    ["!", "{", "[[", "if", "for", "while", "until", "case", "function", "select", "coproc", "eval"];

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shell(text: &str) -> CommandLine {
        CommandLine::Shell(text.to_owned())
    }

    fn words(text: &str) -> Option<Vec<String>> {
        Simple::read(&shell(text)).map(|simple| simple.words().into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn a_simple_command_is_split_as_a_shell_does() {
        let split = words(r#"A=1 B='x y' pytest -k "a or \"b\"" it\'s 'c d'e"#).unwrap();
        assert_eq!(split, ["pytest", "-k", "a or \"b\"", "it's", "c de"]);
        assert_eq!(words("go \\\n test ./...").unwrap(), ["go", "test", "./..."]);
        assert_eq!(words("pytest $DIR/*.py").unwrap(), ["pytest", "$DIR/*.py"]);
    }

    #[test]
    fn anything_that_is_not_one_program_is_refused() {
        for text in [
            "a && b",
            "a; b",
            "a | b",
            "a || true",
            "a > f",
            "a 2>&1",
            "a &",
            "(a)",
            "a\nb",
            "a $(b)",
            "a `b`",
            "a \"$(b)\"",
            "a # b",
            "a 'b",
            "a \"b",
            "! a",
            "if a",
            "A=1",
            "",
            "  ",
            "a $'b'",
        ] {
            assert_eq!(words(text), None, "{text}");
        }
    }

    #[test]
    fn words_are_added_where_they_belong() {
        let add = |text: &str, at: usize, added: &[&str]| {
            Simple::read(&shell(text)).unwrap().insert(at, added).into_command()
        };
        assert_eq!(add("A=1 go test $X ./...", 2, &["-json"]), shell("A=1 go test -json $X ./..."));
        assert_eq!(add("mocha 'a b'  ", 9, &["--out", "x y"]), shell("mocha 'a b' --out 'x y'"));
        let listed = CommandLine::Words(vec!["go".into(), "test".into(), "a;b".into()]);
        let added = Simple::read(&listed).unwrap().insert(2, &["-json"]).append(&["x y"]).into_command();
        assert_eq!(
            added,
            CommandLine::Words(["go", "test", "-json", "a;b", "x y"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn added_words_count_in_what_is_added_next() {
        let simple = Simple::read(&shell("go test ./...")).unwrap().insert(2, &["-json"]).insert(3, &["-v"]);
        assert_eq!(simple.words(), ["go", "test", "-json", "-v", "./..."]);
    }

    #[test]
    fn the_parts_of_a_longer_command_are_told_apart() {
        assert_eq!(
            parts(&shell("cd a && X=1 pytest -q | tee log")),
            [vec!["cd", "a"], vec!["X=1", "pytest", "-q"], vec!["tee", "log"]]
        );
    }

    #[test]
    fn the_program_stands_behind_what_starts_it() {
        for (text, expected) in [
            ("pytest -x", Some("pytest")),
            ("A=1 env B=2 /usr/bin/pytest", Some("/usr/bin/pytest")),
            ("uv run --frozen python3.12 -X dev -m pytest", Some("pytest")),
            ("poetry run pytest", Some("pytest")),
            ("coverage run --branch -m unittest", Some("unittest")),
            ("npx --yes jest", Some("jest")),
            ("python setup.py test", Some("python")),
            ("python -c pytest", Some("python")),
            ("npm test", Some("npm")),
            ("A=1", None),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(program(&words).map(|at| words[at]), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a $'"\\`#;&|<>()\n\t=é-]{0,40}"#, at in 1usize..6) {
            parts(&shell(&text));
            if let Some(simple) = Simple::read(&shell(&text)) {
                let before = simple.words().len();
                let after = Simple::read(&simple.insert(at, &["x y"]).into_command()).unwrap();
                prop_assert_eq!(after.words().len(), before + 1);
            }
        }

        #[test]
        fn added_words_come_back_as_they_were(word in ".{0,20}") {
            let command = Simple::read(&shell("a b")).unwrap().insert(1, &[&word]).into_command();
            let simple = Simple::read(&command).unwrap();
            prop_assert_eq!(simple.words(), ["a", &word, "b"]);
        }
    }
}
