//! What makes the failure of a command look like success: operators behind it, pipes, conditions around it, and how
//! the shell itself goes on.

use crate::facts::Mark;
use crate::shell;
use crate::text::{clipped, one_line};

/// How much of a mark is told.
const SHOWN: usize = 120;

/// How the shell that runs a text goes on after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shell {
    /// It stops at the first command that fails.
    pub stops: bool,
    /// A pipe fails with any of its commands, not only with the last one.
    pub pipes_fail: bool,
}

impl Shell {
    pub const STRICT: Self = Self { stops: true, pipes_fail: true };
    /// `sh -c`, as package managers and make call it.
    pub const PLAIN: Self = Self { stops: false, pipes_fail: false };

    /// What `set -euo pipefail` and the like make of it; other commands change nothing.
    pub fn told(mut self, words: &[String]) -> Self {
        let Some((_, options)) = words.split_first().filter(|(first, _)| *first == "set") else {
            return self;
        };
        let mut long = None;
        for word in options {
            let on = word.starts_with('-');
            match (long.take(), word.strip_prefix(['-', '+'])) {
                (Some(on), _) if word == "pipefail" => self.pipes_fail = on,
                (Some(on), _) if word == "errexit" => self.stops = on,
                (_, Some(letters)) => {
                    if letters.contains('e') {
                        self.stops = on;
                    }
                    long = letters.contains('o').then_some(on);
                }
                _ => {}
            }
        }
        self
    }
}

/// Commands that end well whatever is piped into them.
const PASS_ON: &[&str] =
    &["tee", "cat", "head", "tail", "sed", "awk", "tr", "ts", "sort", "cut", "grep", "less", "nl"];

type Part = (Vec<String>, &'static str);

/// What a script asks for somewhere, wherever its commands stand.
#[derive(Clone, Copy)]
pub struct Asks {
    /// How each command of a pipe ended.
    pipestatus: bool,
    /// How what it started in the background ended.
    waits: bool,
}

impl Asks {
    pub fn of(script: &str) -> Self {
        // A plain `wait` ends well; one that is told what to wait for does not.
        const WAITS: [&str; 5] = ["wait $", "wait \"$", "wait -n", "wait %", "wait ${"];
        Self {
            pipestatus: script.to_lowercase().contains("pipestatus"),
            waits: WAITS.iter().any(|wait| script.contains(wait)),
        }
    }
}

/// What stands behind a command and makes its failure look like success.
pub fn behind(list: &[Part], index: usize, line: u32, shell: Shell, asks: Asks) -> Option<Mark> {
    let mark = |text: String| Mark { text: clipped(&one_line(&text), SHOWN), line };
    match list[index].1 {
        "|" | "|&" if !shell.pipes_fail && !asks.pipestatus => {
            if let Some(last) = swallows(&list[index + 1..]) {
                return Some(mark(format!("| {}", last.join(" "))));
            }
        }
        "&" if !asks.waits => return Some(mark("&".to_owned())),
        _ => {}
    }
    after(list, index, shell).map(mark)
}

/// What stands in front of a command and keeps it from running: `true || pytest`, `exit 0; pytest`.
pub fn in_front(list: &[Part], index: usize, line: u32) -> Option<Mark> {
    let (words, operator) = list.get(index.checked_sub(1)?)?;
    let never = match *operator {
        "||" => is_success(words) || is_message(words),
        "&&" => is_failure(words) && words.len() == 1,
        ";" => words.first().is_some_and(|word| word == "exit") && index == 1,
        _ => false,
    };
    never.then(|| Mark { text: clipped(&one_line(&format!("{} {operator}", words.join(" "))), SHOWN), line })
}

/// The last command of a pipe, if it ends well whatever comes in.
fn swallows(rest: &[Part]) -> Option<&[String]> {
    let last = rest.iter().position(|(_, operator)| !matches!(*operator, "|" | "|&"))?;
    let words = &rest[last].0;
    let program = words.first()?.rsplit('/').next()?;
    (PASS_ON.contains(&program) && rest[last].1 != "||").then_some(&words[..])
}

fn after(list: &[Part], index: usize, shell: Shell) -> Option<String> {
    let mut at = index;
    // A pipe or `&&` hands a failure on.
    while matches!(list[at].1, "&&" | "|" | "|&") && at + 1 < list.len() {
        at += 1;
    }
    let operator = list[at].1;
    if !matches!(operator, "||" | ";" | ")") || at + 1 >= list.len() {
        return None;
    }
    if operator == ")" {
        return after(list, at + 1, shell).filter(|_| list[at + 1].0.is_empty());
    }
    let behind: Vec<&[String]> = list[at + 1..].iter().map(|(words, _)| &words[..]).collect();
    let fails = behind.iter().any(|words| is_failure(words));
    let first = behind.iter().find(|words| !words.is_empty())?;
    let last = behind.iter().rfind(|words| !words.is_empty())?;
    let passes = match operator {
        "||" => is_success(first) || is_message(first),
        // Without `set -e`, a list ends as its last command does.
        _ if !shell.stops => is_success(last) || is_message(last),
        _ => is_success(first) && first[0] != "echo",
    };
    let shown = if operator == ";" && !is_success(first) { last } else { first };
    (passes && !fails).then(|| format!("{operator} {}", shown.join(" ")))
}

/// `if` and `!` take a failure as an answer. `following` are the lines behind the command.
pub fn around(words: &[String], text: &str, line: u32, following: &[(String, u32)]) -> Option<Mark> {
    let mark = |text: &str| Some(Mark { text: clipped(&one_line(text), SHOWN), line });
    match words.first()?.as_str() {
        "!" => mark("!"),
        "if" if is_idle_block(text, following) => mark(text),
        _ => None,
    }
}

/// Commands that the conditions of one block have at most.
const MAX_ASKED: usize = 20;

/// Whether nothing in a block of `if` does more than speak.
fn is_idle_block(first: &str, following: &[(String, u32)]) -> bool {
    let mut depth = 0_i64;
    let mut is_condition = true;
    let mut asked = 0;
    let lines = std::iter::once(first).chain(following.iter().map(|(text, _)| text.as_str()));
    for (words, operator) in lines.flat_map(|text| {
        // A line break ends a command.
        let mut list = shell::list(text.trim());
        list.push((Vec::new(), ";"));
        list
    }) {
        let mut words = &words[..];
        while let Some(word) = words.first() {
            match word.as_str() {
                "if" => depth += 1,
                "then" => is_condition = false,
                "elif" => is_condition = true,
                "else" | "!" => {}
                "fi" => depth -= 1,
                _ => break,
            }
            words = &words[1..];
            if depth == 0 {
                return true;
            }
        }
        asked += usize::from(is_condition && !words.is_empty());
        if asked > MAX_ASKED {
            return false;
        }
        let idle = words.is_empty() || is_success(words) || is_message(words);
        if !is_condition && (!idle || operator.contains(['&', '|'])) {
            return false;
        }
    }
    false
}

/// Whether more is run behind a command, and nothing asks how it ended: then it only counts with `set -e`.
pub fn goes_on(text: &str, following: &[(String, u32)]) -> bool {
    const CLOSE: &[&str] = &["fi", "done", "esac", "}", ")", ";;", "else", ""];
    let runs = |text: &str| !text.starts_with('#') && !CLOSE.contains(&text);
    following.iter().any(|(text, _)| runs(text.trim())) && !is_asked(text, following)
}

/// Whether the text behind a command asks how it ended.
pub fn is_asked(text: &str, following: &[(String, u32)]) -> bool {
    let asks = |text: &str| text.contains("$?") || text.to_lowercase().contains("pipestatus");
    asks(text)
        || following.iter().find(|(text, _)| !text.trim().is_empty()).is_some_and(|(text, _)| asks(text))
}

fn is_success(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(words[..], ["true" | ":" | "/bin/true"] | ["exit" | "return", "0"] | ["exit"])
}

fn is_message(words: &[String]) -> bool {
    // `echo $?` keeps the outcome for later, and so does what is written for other steps.
    let is_kept = |word: &String| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        word.contains("$?")
            || (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c)))
    };
    let keeps = words.iter().any(is_kept);
    !keeps && matches!(words.first().map(String::as_str), Some("echo" | "printf" | "warn" | "Write-Host"))
}

fn is_failure(words: &[String]) -> bool {
    match words.first().map(String::as_str) {
        Some("false") => true,
        Some("exit" | "return") => words.get(1).is_some_and(|code| code != "0"),
        _ => false,
    }
}
