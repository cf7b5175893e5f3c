//! Expressions of build servers, read and tried out: what they come to on a push, on a pull request, in a queue.
//!
//! GitHub's operators and Azure's functions are known. What only a run can tell stays open.

/// A condition that can be tried out.
pub struct Condition {
    pub tokens: Vec<Token>,
}

impl Condition {
    pub fn of(text: &str) -> Self {
        let inner = text.trim().trim_start_matches("${{").trim_end_matches("}}").trim();
        Self { tokens: tokens(inner) }
    }

    pub fn answer(&self, setting: Option<(&str, &str)>) -> Option<bool> {
        if self.tokens.len() > MAX_TOKENS {
            return None;
        }
        let mut reader = Reader { tokens: &self.tokens, at: 0, setting, depth: 0 };
        let value = reader.any();
        if reader.at == self.tokens.len() { truth(&value) } else { None }
    }

    /// Whether it holds on an event for none of the main branches.
    pub fn is_never_on(&self, event: &str) -> bool {
        super::condition::MAIN.iter().all(|branch| self.answer(Some((event, branch))) == Some(false))
    }
}

/// Names of repositories, which no text in a condition is equal to for sure.
const OWN: &str = "\0own";
const OTHER: &str = "\0other";

/// A pull request from a copy of the repository that somebody else owns.
pub const FORK: &str = "fork";

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

fn compared(one: &Value, other: &Value, wanted: bool) -> Value {
    match (one, other) {
        (Value::Open, _) | (_, Value::Open) => Value::Open,
        (Value::Text(a), Value::Text(b)) if a.starts_with('\0') != b.starts_with('\0') => Value::Open,
        (Value::Text(a), Value::Text(b)) => Value::Bool(a.eq_ignore_ascii_case(b) == wanted),
        (a, b) => Value::Bool((truth(a) == truth(b)) == wanted),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Mark(&'static str),
    Text(String),
    Word(String),
}

const MARKS: [&str; 12] = ["&&", "||", "==", "!=", "<=", ">=", "!", "(", ")", ",", "<", ">"];

/// Longer conditions stay open.
const MAX_TOKENS: usize = 200;

/// So do those with more inside each other.
const MAX_DEPTH: usize = 40;

pub fn tokens(text: &str) -> Vec<Token> {
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
                return compared(&value, &self.single(), wanted);
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
            ("succeeded", _) if self.setting.is_some() => Value::Bool(true),
            // Azure writes its operators as functions.
            ("eq", [one, other]) => compared(one, other, true),
            ("ne", [one, other]) => compared(one, other, false),
            ("not", [one]) => truth(one).map_or(Value::Open, |value| Value::Bool(!value)),
            ("and", all) if all.iter().any(|one| truth(one) == Some(false)) => Value::Bool(false),
            ("or", all) if all.iter().all(|one| truth(one) == Some(false)) => Value::Bool(false),
            ("or", all) if all.iter().any(|one| truth(one) == Some(true)) => Value::Bool(true),
            // How the steps before end is part of the setting.
            ("success", []) if self.setting.is_some() => Value::Bool(true),
            ("failure" | "cancelled", []) if self.setting.is_some() => Value::Bool(false),
            (name, [Value::Text(text), Value::Text(part)]) if !text.starts_with('\0') => {
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
        let is_pull = event.starts_with("pull_request") || event == FORK;
        let head = if event == FORK { OTHER } else { OWN };
        let text = match (name, on) {
            ("github.event_name", _) if event == FORK => "pull_request".to_owned(),
            ("github.event_name", _) => event.to_owned(),
            // Azure's names for the same, and Travis's.
            ("variables.Build.Reason", _) if is_pull => "PullRequest".to_owned(),
            ("variables.Build.Reason", _) => "IndividualCI".to_owned(),
            ("variables.Build.SourceBranch", Some(on)) => format!("refs/heads/{on}"),
            ("variables.Build.SourceBranch", None) => "refs/pull/1/merge".to_owned(),
            ("variables.Build.SourceBranchName", Some(on)) => on,
            ("variables.Build.SourceBranchName", None) => "merge".to_owned(),
            ("type", _) if is_pull => "pull_request".to_owned(),
            ("type", _) => "push".to_owned(),
            ("github.repository", _) => OWN.to_owned(),
            ("github.event.pull_request.head.repo.full_name", _) if is_pull => head.to_owned(),
            ("github.event.pull_request.base.repo.full_name", _) if is_pull => OWN.to_owned(),
            ("github.event.pull_request.head.repo.fork", _) if is_pull => {
                return Value::Bool(event == FORK);
            }
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
