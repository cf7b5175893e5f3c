//! Conditions of GitHub's jobs and steps: whether they can hold at all, and on which changes.
//!
//! A condition is tried on a push to each of the usual main branches, on a pull request to each and in the queue of
//! each. What only a run can tell stays open, and an open condition may hold.

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
    /// On no push to a main branch, on no pull request and in no queue.
    NeverOnChanges,
    Never,
}

/// Events that stand for a change.
const EVENTS: [&str; 4] = ["push", "pull_request", "pull_request_target", "merge_group"];

pub fn holds(text: &str) -> Holds {
    let inner = text.trim().trim_start_matches("${{").trim_end_matches("}}").trim();
    let tokens = tokens(inner);
    if tokens.len() > MAX_TOKENS {
        return Holds::Maybe;
    }
    let answer = |setting: Option<(&str, &str)>| {
        let mut reader = Reader { tokens: &tokens, at: 0, setting, depth: 0 };
        let value = reader.any();
        if reader.at == tokens.len() { truth(&value) } else { None }
    };
    if answer(None) == Some(false) {
        return Holds::Never;
    }
    let settings = MAIN.iter().flat_map(|branch| EVENTS.map(|event| (event, *branch)));
    match settings.map(Some).all(|setting| answer(setting) == Some(false)) {
        true => Holds::NeverOnChanges,
        false => Holds::Maybe,
    }
}

/// Whether a condition leaves out systems or rows of the matrix by name: `runner.os != 'Windows'`.
pub fn leaves_out_rows(text: &str) -> bool {
    let is_row = |name: &str| name.starts_with("runner.") || name.starts_with("matrix.");
    let tokens = tokens(text.trim().trim_start_matches("${{").trim_end_matches("}}").trim());
    let negated = |three: &[Token]| match three {
        [Token::Word(name), Token::Mark("!="), Token::Text(_)] => is_row(name),
        _ => false,
    };
    let without = |four: &[Token]| match four {
        [Token::Mark("!"), Token::Word(call), Token::Mark("("), Token::Word(name)] => {
            is_row(name) && matches!(call.to_lowercase().as_str(), "contains" | "startswith" | "endswith")
        }
        _ => false,
    };
    // With another way to hold, nothing is left out for sure.
    let mut depth = 0_i64;
    let has_other_way = tokens.iter().any(|token| {
        depth += i64::from(*token == Token::Mark("(")) - i64::from(*token == Token::Mark(")"));
        *token == Token::Mark("||") && depth == 0
    });
    !has_other_way && (tokens.windows(3).any(negated) || tokens.windows(4).any(without))
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

/// So do those with more inside each other.
const MAX_DEPTH: usize = 40;

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
        if self.depth >= MAX_DEPTH {
            // Behind the end, so that whoever reads on stops and the whole condition stays open.
            self.at = self.tokens.len() + 1;
            return Value::Open;
        }
        self.depth += 1;
        let value = self.operand();
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
            ("always", []) => Value::Bool(true),
            // How the steps before end is part of the setting.
            ("success", []) if self.setting.is_some() => Value::Bool(true),
            ("failure" | "cancelled", []) if self.setting.is_some() => Value::Bool(false),
            (name, [Value::Text(text), Value::Text(part)]) => {
                let (text, part) = (text.to_lowercase(), part.to_lowercase());
                match name {
                    "startswith" => Value::Bool(text.starts_with(&part)),
                    "endswith" => Value::Bool(text.ends_with(&part)),
                    "contains" => Value::Bool(text.contains(&part)),
                    _ => Value::Open,
                }
            }
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
        // The branch it runs on; a pull request has none of its own.
        let on = match event {
            "push" | "pull_request_target" => Some(branch.to_owned()),
            "merge_group" => Some(format!("gh-readonly-queue/{branch}/pr-1")),
            _ => None,
        };
        let is_pull = event.starts_with("pull_request");
        let text = match (name, on) {
            ("github.event_name", _) => event.to_owned(),
            ("github.ref_type", _) => "branch".to_owned(),
            ("github.ref", Some(on)) => format!("refs/heads/{on}"),
            ("github.ref_name", Some(on)) => on,
            ("github.ref", None) => "refs/pull/1/merge".to_owned(),
            ("github.base_ref", _) if is_pull => branch.to_owned(),
            ("github.base_ref" | "github.head_ref", _) if !is_pull => String::new(),
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
            ("!success()", Holds::NeverOnChanges),
            ("success()", Holds::Maybe),
            ("contains('ABC', 'b')", Holds::Maybe),
            ("!contains('ABC', 'b') || !startsWith('Ab', 'aB') || !endsWith('Ab', 'B')", Holds::Never),
            ("github.event_name == 'merge_group'", Holds::Maybe),
            ("github.event_name == 'pull_request_target' && github.base_ref == 'main'", Holds::Maybe),
            ("github.event_name == 'merge_group' && github.base_ref == 'main'", Holds::NeverOnChanges),
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

    #[test]
    fn rows_that_a_condition_leaves_out_are_told() {
        for (text, expected) in [
            ("runner.os != 'Windows'", true),
            ("${{ matrix.os != 'windows-latest' && github.ref == 'x' }}", true),
            ("(steps.a.outputs.b == 'true' || steps.c.outputs.d) && runner.os != 'Windows'", true),
            ("!contains(matrix.os, 'windows')", true),
            ("runner.os == 'Linux'", false),
            ("runner.os != 'Windows' || matrix.all", false),
            ("steps.changes.outputs.src != 'false'", false),
            ("", false),
        ] {
            assert_eq!(leaves_out_rows(text), expected, "{text}");
        }
    }

    #[test]
    fn conditions_that_go_too_deep_stay_open() {
        for depth in [38, 39, 40, 60, 150] {
            for end in ["f(x)", "f(x, y) && false", "(f(x)"] {
                let text = format!("${{{{ {}{end} }}}}", "!".repeat(depth));
                let expected = if depth < 39 && end.ends_with("false") { Holds::Never } else { Holds::Maybe };
                assert_eq!(holds(&text), expected, "{text}");
            }
            assert_eq!(holds(&format!("{}f(x){}", "f(".repeat(depth), ")".repeat(depth))), Holds::Maybe);
        }
        assert_eq!(holds(&format!("false{}", " && a".repeat(200))), Holds::Maybe);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r"[a !=&|()',.<>é$-]{0,40}") {
            holds(&text);
        }
    }
}
