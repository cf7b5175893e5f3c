//! Reads command lines as a POSIX shell splits them: words, and the operators between them.
//!
//! Tells what a command says, never what it does: nothing is expanded, substituted or run.

use crate::text::shell_quote;

/// The longer ones first.
const OPERATORS: [&str; 20] = [
    "&>>", "<<<", "&&", "||", "&>", "|&", ">>", ">&", ">|", "<<", "<&", "<>", ";", "&", "|", "<", ">", "(",
    ")", "\n",
];

/// The words of each simple command. Redirections are left out.
pub fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut command = Vec::new();
    let mut redirects = false;
    for (words, operator) in parts(text) {
        command.extend(words.into_iter().map(|word| word.value).skip(usize::from(redirects)));
        redirects = is_redirection(operator);
        if !redirects {
            commands.push(std::mem::take(&mut command));
        }
    }
    commands.retain(|words| !words.is_empty());
    commands
}

/// The words of each simple command, and the operator behind it. Redirections are left out.
pub fn list(text: &str) -> Vec<(Vec<String>, &'static str)> {
    let mut list = Vec::new();
    let mut command = Vec::new();
    let mut redirects = false;
    for (words, operator) in parts(text) {
        command.extend(words.into_iter().map(|word| word.value).skip(usize::from(redirects)));
        redirects = is_redirection(operator);
        if !redirects {
            list.push((std::mem::take(&mut command), operator));
        }
    }
    list
}

/// The operators between commands, `;` also for a line break that ends one.
pub fn operators(text: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut before = "";
    for (words, operator) in parts(text) {
        // `a &&`, a line break, `b` is one list of two.
        let ends = operator != "\n" || !words.is_empty() || before == ")";
        if ends && !is_redirection(operator) {
            found.push(if operator == "\n" { ";" } else { operator });
        }
        before = operator;
    }
    found.pop_if(|last| last.is_empty());
    found
}

/// The words up to each operator, and the operator; it is empty behind the last words.
fn parts(text: &str) -> Vec<(Vec<Word>, &'static str)> {
    let mut reader = Reader::new(text);
    let mut parts = Vec::new();
    loop {
        let words = reader.part();
        let Some(operator) = reader.operator() else {
            parts.push((words, ""));
            return parts;
        };
        parts.push((words, operator));
    }
}

fn is_redirection(operator: &str) -> bool {
    operator.contains(['<', '>'])
}

fn is_operator(c: char) -> bool {
    matches!(c, ';' | '&' | '|' | '<' | '>' | '(' | ')' | '\n')
}

#[derive(Clone, Debug)]
pub struct Word {
    /// Quotes and backslashes taken away; variables stay as they are written.
    pub value: String,
    /// As written for a shell.
    pub raw: String,
    /// What stands between it and the word before it.
    pub before: String,
}

impl Word {
    pub fn new(value: &str) -> Self {
        Self { value: value.to_owned(), raw: shell_quote(value), before: " ".to_owned() }
    }
}

pub struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Something was met that only a shell can evaluate, or that does not end.
    pub is_odd: bool,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text: text.trim_end(), at: 0, is_odd: false }
    }

    pub fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The operator that ends a part; `None` at the end.
    fn operator(&mut self) -> Option<&'static str> {
        let rest = &self.text[self.at..];
        let operator = *OPERATORS.iter().find(|operator| rest.starts_with(**operator))?;
        self.at += operator.len();
        Some(operator)
    }

    /// The words up to an operator or the end.
    pub fn part(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        let mut end = self.at;
        while let Some(c) = self.peek() {
            match c {
                _ if is_operator(c) => break,
                _ if c.is_whitespace() => {
                    self.next();
                }
                '\\' if self.text[self.at..].starts_with("\\\n") => self.at += 2,
                '#' => {
                    self.is_odd = true;
                    self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
                }
                _ => {
                    let start = self.at;
                    let value = self.word();
                    let before = self.text[end..start].to_owned();
                    end = self.at;
                    words.push(Word { value, raw: self.text[start..end].to_owned(), before });
                }
            }
        }
        words
    }

    fn word(&mut self) -> String {
        let mut value = String::new();
        while let Some(c) = self.peek().filter(|&c| !is_operator(c) && !c.is_whitespace()) {
            self.next();
            match c {
                '\'' => self.single_quoted(&mut value),
                '"' => self.double_quoted(&mut value),
                '\\' => match self.next() {
                    Some(next) => value.extend(Some(next).filter(|&next| next != '\n')),
                    None => self.is_odd = true,
                },
                _ => self.unquoted(c, &mut value),
            }
        }
        value
    }

    fn unquoted(&mut self, c: char, value: &mut String) {
        let substitutes = c == '`' || (c == '$' && matches!(self.peek(), Some('(' | '\'' | '"')));
        self.is_odd |= substitutes;
        value.push(c);
        // What stands between backticks is another command.
        if c == '`' {
            while let Some(c) = self.next() {
                value.push(c);
                match c {
                    '`' => break,
                    '\\' => value.extend(self.next()),
                    _ => {}
                }
            }
        }
    }

    fn single_quoted(&mut self, value: &mut String) {
        match self.text[self.at..].find('\'') {
            Some(length) => {
                value.push_str(&self.text[self.at..self.at + length]);
                self.at += length + 1;
            }
            None => self.cut(value),
        }
    }

    fn double_quoted(&mut self, value: &mut String) {
        loop {
            match self.next() {
                Some('"') => return,
                Some('\\') => match self.next() {
                    Some(c @ ('"' | '\\' | '$' | '`')) => value.push(c),
                    Some('\n') | None => {}
                    Some(c) => value.extend(['\\', c]),
                },
                Some(c) => {
                    self.is_odd |= c == '`' || (c == '$' && self.peek() == Some('('));
                    value.push(c);
                }
                None => return self.cut(value),
            }
        }
    }

    fn cut(&mut self, value: &mut String) {
        value.push_str(&self.text[self.at..]);
        self.at = self.text.len();
        self.is_odd = true;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_commands_of_a_line_are_told_apart() {
        for (text, expected) in [
            ("cd a && X=1 pytest -q | tee log", "cd a/X=1 pytest -q/tee log"),
            ("pytest > log -x 2>&1; true", "pytest -x 2/true"),
            ("pytest &> log & wait", "pytest/wait"),
            ("(a; b)\nc # d; e", "a/b/c"),
            ("echo `a; b` c", "echo `a; b` c"),
            ("", ""),
        ] {
            let commands: Vec<String> = commands(text).iter().map(|words| words.join(" ")).collect();
            assert_eq!(commands.join("/"), expected, "{text}");
        }
    }

    #[test]
    fn operators_are_those_between_commands() {
        for (text, expected) in [
            ("a", ""),
            ("a && b || c | d |& e; f & g", "&& || | |& ; &"),
            ("a\n\nb", ";"),
            ("a &&\n b", "&&"),
            ("a 2>&1 > f &> g >| h < i", ""),
            ("a '&& b' \"; c\" `d; e` \\; # f; g", ""),
        ] {
            assert_eq!(operators(text).join(" "), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a $'"\\`#;&|<>()\n\t=é-]{0,40}"#) {
            commands(&text);
            operators(&text);
        }
    }
}
