//! Conditions of GitHub's jobs and steps: whether they can hold at all, and on which changes.
//!
//! A condition is tried on a push to each of the usual main branches and on a pull request to each. What only a run
//! can tell stays open, and an open condition may hold.

/// Names that projects give the branch everything goes to.
pub const MAIN: &[&str] = &[
    "main",
    "master",
    "develop",
    "development",
    "dev",
    "devel",
    "trunk",
    "default",
    "next",
    "canary",
    "stable",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    Maybe,
    /// On no push to a main branch and on no pull request.
    NeverOnChanges,
    Never,
}

pub fn holds(text: &str) -> Holds {
    let inner = text.trim().trim_start_matches("${{").trim_end_matches("}}").trim();
    let tokens = tokens(inner);
    let answer = |setting: Option<(&str, &str)>| {
        let mut reader = Reader { tokens: &tokens, at: 0, setting, depth: 0 };
        let value = reader.any();
        if reader.at == tokens.len() { truth(&value) } else { None }
    };
    if answer(None) == Some(false) {
        return Holds::Never;
    }
    let settings = MAIN.iter().flat_map(|branch| [("push", *branch), ("pull_request", *branch)]);
    match settings.map(Some).all(|setting| answer(setting) == Some(false)) {
        true => Holds::NeverOnChanges,
        false => Holds::Maybe,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Text(String),
    Bool(bool),
    Open,
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Text(text) => Some(!text.is_empty() && text != "0"),
        Value::Bool(value) => Some(*value),
        Value::Open => None,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Mark(&'static str),
    Text(String),
    Word(String),
}

const MARKS: [&str; 12] = ["&&", "||", "==", "!=", "<=", ">=", "!", "(", ")", ",", "<", ">"];

/// Longer conditions stay open.
const MAX_TOKENS: usize = 200;

fn tokens(text: &str) -> Vec<Token> {
    let mut rest = text.trim_start();
    let mut found = Vec::new();
    while !rest.is_empty() && found.len() <= MAX_TOKENS {
        let length = if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            found.push(Token::Mark(mark));
            mark.len()
        } else if let Some(inner) = rest.strip_prefix('\'') {
            let end = inner.find('\'').unwrap_or(inner.len());
            found.push(Token::Text(inner[..end].to_owned()));
            (end + 2).min(rest.len())
        } else {
            let ends = |c: char| c.is_whitespace() || "&|=!()<>,'".contains(c);
            let end = rest.find(ends).filter(|end| *end > 0).unwrap_or_else(|| {
                // A mark that is none of those known.
                rest.char_indices().nth(1).filter(|_| rest.starts_with(ends)).map_or(rest.len(), |(at, _)| at)
            });
            found.push(Token::Word(rest[..end].to_owned()));
            end
        };
        rest = rest[length..].trim_start();
    }
    found
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    /// The event and the main branch; none where the condition has to hold by itself.
    setting: Option<(&'t str, &'t str)>,
    depth: usize,
}

impl Reader<'_> {
    fn next_is(&mut self, mark: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Mark(found)) if *found == mark);
        self.at += usize::from(is);
        is
    }

    fn any(&mut self) -> Value {
        let mut value = self.all();
        while self.next_is("||") {
            let other = self.all();
            value = match (truth(&value), truth(&other)) {
                (Some(true), _) | (_, Some(true)) => Value::Bool(true),
                (Some(false), Some(false)) => Value::Bool(false),
                _ => Value::Open,
            };
        }
        value
    }

    fn all(&mut self) -> Value {
        let mut value = self.compared();
        while self.next_is("&&") {
            let other = self.compared();
            value = match (truth(&value), truth(&other)) {
                (Some(false), _) | (_, Some(false)) => Value::Bool(false),
                (Some(true), Some(true)) => Value::Bool(true),
                _ => Value::Open,
            };
        }
        value
    }

    fn compared(&mut self) -> Value {
        let value = self.single();
        for (mark, wanted) in [("==", true), ("!=", false)] {
            if self.next_is(mark) {
                return match (value, self.single()) {
                    (Value::Open, _) | (_, Value::Open) => Value::Open,
                    (Value::Text(a), Value::Text(b)) => Value::Bool(a.eq_ignore_ascii_case(&b) == wanted),
                    (a, b) => Value::Bool((truth(&a) == truth(&b)) == wanted),
                };
            }
        }
        value
    }

    fn single(&mut self) -> Value {
        self.depth += 1;
        let value = if self.depth > 40 { Value::Open } else { self.operand() };
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Value {
        if self.next_is("!") {
            let value = self.single();
            return truth(&value).map_or(Value::Open, |value| Value::Bool(!value));
        }
        if self.next_is("(") {
            let value = self.any();
            return if self.next_is(")") { value } else { Value::Open };
        }
        let Some(token) = self.tokens.get(self.at).cloned() else { return Value::Open };
        self.at += 1;
        match token {
            Token::Text(text) => Value::Text(text),
            Token::Word(name) if self.next_is("(") => self.call(&name),
            Token::Word(name) => self.named(&name),
            Token::Mark(_) => Value::Open,
        }
    }

    fn call(&mut self, name: &str) -> Value {
        let mut given = Vec::new();
        while !self.next_is(")") {
            if self.at >= self.tokens.len() {
                return Value::Open;
            }
            given.push(self.any());
            self.next_is(",");
        }
        match (name.to_lowercase().as_str(), &given[..]) {
            ("always" | "success", []) => Value::Bool(true),
            ("failure" | "cancelled", []) if self.setting.is_some() => Value::Bool(false),
            ("startswith", [Value::Text(text), Value::Text(start)]) => {
                Value::Bool(text.starts_with(start.as_str()))
            }
            ("endswith", [Value::Text(text), Value::Text(end)]) => Value::Bool(text.ends_with(end.as_str())),
            ("contains", [Value::Text(text), Value::Text(part)]) => Value::Bool(text.contains(part.as_str())),
            _ => Value::Open,
        }
    }

    fn named(&self, name: &str) -> Value {
        match name {
            "true" => return Value::Bool(true),
            "false" => return Value::Bool(false),
            _ if name.chars().all(|c| c.is_ascii_digit()) => return Value::Text(name.to_owned()),
            _ => {}
        }
        let Some((event, branch)) = self.setting else { return Value::Open };
        let is_push = event == "push";
        let text = match name {
            "github.event_name" => event.to_owned(),
            "github.ref_type" => "branch".to_owned(),
            "github.ref" if is_push => format!("refs/heads/{branch}"),
            "github.ref_name" if is_push => branch.to_owned(),
            "github.ref" => "refs/pull/1/merge".to_owned(),
            "github.base_ref" if !is_push => branch.to_owned(),
            "github.base_ref" | "github.head_ref" if is_push => String::new(),
            _ => return Value::Open,
        };
        Value::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn conditions_that_cannot_hold_are_told() {
        for (text, expected) in [
            ("false", Holds::Never),
            ("${{ false && github.ref == 'x' }}", Holds::Never),
            ("'a' == 'b'", Holds::Never),
            ("1 == 2", Holds::Never),
            ("github.ref == 'refs/heads/never'", Holds::NeverOnChanges),
            ("github.event_name == 'schedule'", Holds::NeverOnChanges),
            ("startsWith(github.ref, 'refs/tags/') && matrix.a", Holds::NeverOnChanges),
            ("failure()", Holds::NeverOnChanges),
            ("github.ref == 'refs/heads/main'", Holds::Maybe),
            ("github.ref == 'refs/heads/master' || vars.ALL", Holds::Maybe),
            ("github.event_name != 'pull_request'", Holds::Maybe),
            ("github.repository == 'a/b'", Holds::Maybe),
            ("!cancelled() && needs.changes.outputs.code == 'true'", Holds::Maybe),
            ("always()", Holds::Maybe),
            ("", Holds::Maybe),
            ("never", Holds::Maybe),
        ] {
            assert_eq!(holds(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r"[a !=&|()',.<>é$-]{0,40}") {
            holds(&text);
        }
    }
}
