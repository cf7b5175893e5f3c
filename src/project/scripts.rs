//! Make and just targets, shell files, Jenkins pipelines, sessions of nox, git hooks.

use super::command;
use super::document::Document;
use super::masking::Shell;
use super::pipeline;
use super::words::class_of_name;
use super::{filters, lists};
use crate::facts::{
    About, Check, CheckClass, Circumstances, Force, Ground, Mark, ProjectFacts, Setting, SettingValue,
};

/// Targets of a Makefile or justfile. A leading `-` lets a failure pass.
pub fn make(text: &str) -> ProjectFacts {
    let mut checks = Vec::new();
    let mut target = String::new();
    // `.SHELLFLAGS = -eu -o pipefail -c`
    let shell = if text.contains("pipefail") { Shell::STRICT } else { Shell::PLAIN };
    let mut settings = Vec::new();
    let lines = joined(text);
    let variables = Variables::of(&lines);
    for (index, line) in lines {
        let is_recipe = line.starts_with(['\t', ' ']);
        if !is_recipe {
            if let Some((name, needed)) = line.split_once(':').filter(|(_, rest)| !rest.starts_with('=')) {
                target =
                    name.split_whitespace().next().unwrap_or_default().trim_start_matches('@').to_owned();
                checks.extend(prerequisites(name, needed, index));
            }
            settings.extend(filters::of_variable(&line, index));
            continue;
        }
        let recipe = line.trim_start().trim_start_matches(['@', '+']);
        let (command, lenient) = match recipe.strip_prefix('-') {
            Some(rest) => (rest.trim_start_matches('@'), true),
            None => (recipe, false),
        };
        let (command, unknown) = as_words(&variables.expanded(command));
        for mut check in command::read_in(shell, &command, index, &target).checks {
            let shown = unknown.iter().fold(check.text.clone(), |text, name| {
                text.replace(&format!("${{{name}}}"), &format!("$({name})"))
            });
            check.shown = Some(shown).filter(|shown| *shown != check.text);
            if lenient && check.force == Force::Blocks {
                check.force = Force::Ignored(Mark { text: line.trim().to_owned(), line: index });
            }
            checks.push(check);
        }
    }
    ProjectFacts {
        checks,
        settings,
        commented: pipeline::commented(&Document::default(), text),
        ..ProjectFacts::default()
    }
}

/// A command in which the variables of make that nobody knows are words, as in `${FLAGS}`, and their names. To a shell,
/// `$(FLAGS)` would be another command.
fn as_words(command: &str) -> (String, Vec<String>) {
    let (mut text, mut names) = (String::with_capacity(command.len()), Vec::new());
    let mut rest = command;
    while let Some((before, after)) = rest.split_once("$(") {
        text.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        let (name, behind) = after.split_at(end);
        match behind.strip_prefix(')').filter(|_| !name.is_empty() && !before.ends_with('$')) {
            Some(behind) => {
                text.push_str(&format!("${{{name}}}"));
                names.push(name.to_owned());
                rest = behind;
            }
            None => {
                text.push_str("$(");
                rest = after;
            }
        }
    }
    text.push_str(rest);
    (text, names)
}

/// `check: test lint` runs what it waits for.
fn prerequisites(target: &str, needed: &str, line: u32) -> Vec<Check> {
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let target = target.trim();
    if target.starts_with('.') || !is_word(target) {
        return Vec::new();
    }
    let needed = needed.split(['#', ';']).next().unwrap_or_default();
    let names = needed.split_whitespace().filter(|name| is_word(name) && !name.starts_with('.'));
    let checks = names.filter_map(|name| Some((name, class_of_name(name)?)));
    let check = |(name, class): (&str, CheckClass)| Check {
        class,
        signature: format!("make {name}"),
        place: target.to_owned(),
        text: format!("{target}: {name}"),
        line,
        force: Force::Blocks,
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    };
    checks.map(check).collect()
}

/// What the variables of a Makefile stand for in its recipes.
struct Variables(Vec<(String, String)>);

/// Longer values are lists of files.
const LONGEST_VALUE: usize = 200;
/// So many variables are looked at.
const MOST_VARIABLES: usize = 100;
/// A command gets no longer than this by what is put in.
const LONGEST_COMMAND: usize = 4096;

impl Variables {
    /// Those that are set outside of recipes. `$(GO) test` says what it runs by the name of the variable.
    fn of(lines: &[(u32, String)]) -> Self {
        let mut known: Vec<(String, String)> = Vec::new();
        for (_, line) in lines {
            let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with(['\t', ' ', '#']))
            else {
                continue;
            };
            let adds = name.ends_with('+');
            let name = name.trim_end_matches(['?', ':', '+', ' ', '\t']);
            let name = name.strip_prefix("export ").unwrap_or(name);
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let value = value.split(" #").next().unwrap_or_default().trim();
            let is_plain = value.len() <= LONGEST_VALUE && !value.contains('`') && !value.contains("$(shell");
            if !is_name || !is_plain || known.len() == MOST_VARIABLES {
                continue;
            }
            match known.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) if adds => *known = format!("{known} {value}"),
                Some((_, known)) => value.clone_into(known),
                None => known.push((name.to_owned(), value.to_owned())),
            }
        }
        for (name, program) in [
            ("GO", "go"),
            ("CARGO", "cargo"),
            ("PYTHON", "python"),
            ("PYTEST", "pytest"),
            ("MAKE", "make"),
            ("NPM", "npm"),
            ("MVN", "mvn"),
        ] {
            known.retain(|(known, _)| known != name);
            known.push((name.to_owned(), program.to_owned()));
        }
        Self(known)
    }

    /// A command with what its variables stand for; not with what stands in those.
    fn expanded(&self, command: &str) -> String {
        let mut text = command.to_owned();
        for (name, value) in &self.0 {
            for form in [format!("$({name})"), format!("${{{name}}}")] {
                if text.contains(&form) && text.len() + value.len() <= LONGEST_COMMAND {
                    text = text.replace(&form, value);
                }
            }
        }
        text.truncate(text.floor_char_boundary(LONGEST_COMMAND.max(command.len())));
        text
    }
}

/// Lines with those joined that end in a backslash, each with its number.
fn joined(text: &str) -> Vec<(u32, String)> {
    let mut lines: Vec<(u32, String)> = Vec::new();
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        if open && line.trim().is_empty() {
            continue;
        }
        let content = line.trim_end();
        let part = content.trim_end_matches('\\');
        match lines.last_mut().filter(|_| open) {
            Some((_, last)) => {
                last.push(' ');
                last.push_str(part.trim_start());
            }
            None => lines.push((index as u32 + 1, part.to_owned())),
        }
        open = content.ends_with('\\');
    }
    lines
}

pub fn shell_file(text: &str) -> ProjectFacts {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let words: Vec<String> = first.split_whitespace().map(str::to_owned).collect();
    let told = words.iter().skip(1).filter(|_| first.starts_with("#!")).cloned();
    let shell = Shell::PLAIN.told(&std::iter::once("set".to_owned()).chain(told).collect::<Vec<_>>());
    let mut found = command::read_in(shell, text, 1, "");
    found.settings.extend(lists::settings(text, 1, ""));
    let stops = |line, loose| Setting {
        about: About::Shell,
        key: "set -e".to_owned(),
        line,
        value: SettingValue::Loose(loose),
    };
    match found.unguarded {
        Some(line) => found.settings.push(stops(line, true)),
        None if found.guarded => found.settings.push(stops(1, false)),
        None => {}
    }
    ProjectFacts {
        checks: found.checks,
        settings: found.settings,
        commented: pipeline::commented(&Document::default(), text),
        ..ProjectFacts::default()
    }
}

/// A script that git runs before a commit or push.
pub fn hook(text: &str) -> ProjectFacts {
    ProjectFacts { ground: Ground::Hooks, ..shell_file(text) }
}

/// `sh 'make test'` in the steps of a Jenkins pipeline.
pub fn jenkins(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Pipeline, ..ProjectFacts::default() };
    let mut stage = String::new();
    let mut lenient: Option<Mark> = None;
    for (index, line) in text.lines().enumerate() {
        let (content, number) = (line.trim(), index as u32 + 1);
        let (target, content) = match content.strip_prefix("//") {
            Some(comment) => (&mut facts.commented, comment.trim()),
            None => (&mut facts.checks, content),
        };
        if let Some((_, name)) = content.split_once("stage(") {
            stage = quoted(name).unwrap_or_default().to_owned();
            lenient = None;
        }
        if let Some((_, condition)) = content.split_once("when {").filter(|_| class_of_name(&stage).is_some())
        {
            let next = text.lines().nth(index + 1).unwrap_or_default();
            let condition = if condition.trim().is_empty() { next } else { condition };
            facts.settings.push(Setting {
                about: About::Checkers,
                key: format!("the stage {stage}"),
                line: number,
                value: SettingValue::LeavesOut(format!(
                    "what is not {}",
                    condition.trim().trim_end_matches(['}', ' '])
                )),
            });
        }
        if content.starts_with("catchError") && content.contains("SUCCESS") {
            lenient = Some(Mark { text: content.to_owned(), line: number });
        }
        // A whole stage may stand in one line.
        let starts = content.strip_prefix("sh ").or_else(|| content.strip_prefix("bat "));
        let inside =
            || content.split_once("{ sh ").or_else(|| content.split_once("{ bat ")).map(|(_, rest)| rest);
        let Some(command) = starts.or_else(inside) else { continue };
        let found = command::read(quoted(command).unwrap_or(command), number, &stage).checks;
        target.extend(found.into_iter().map(|check| match &lenient {
            Some(mark) => Check { force: Force::Ignored(mark.clone()), ..check },
            None => check,
        }));
    }
    facts
}

fn quoted(text: &str) -> Option<&str> {
    let quote = text.find(['\'', '"'])?;
    let mark = &text[quote..=quote];
    let inner = text[quote..].trim_start_matches(mark);
    inner.split(mark).next()
}

/// `session.run("pytest", ...)` in the sessions of nox.
pub fn nox(text: &str) -> ProjectFacts {
    let mut checks = Vec::new();
    let (mut session, mut sessions) = (String::new(), Vec::new());
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let content = line.trim();
        if let Some(name) = content.strip_prefix("def ") {
            session = name.split('(').next().unwrap_or_default().to_owned();
        }
        if let Some((_, list)) = content.split_once("nox.options.sessions") {
            sessions.extend(strings(list).into_iter().map(|name| Setting {
                about: About::Checkers,
                key: "nox.options.sessions".to_owned(),
                line: index as u32 + 1,
                value: SettingValue::Selects(name),
            }));
        }
        checks.extend(called_session(content, &session, index as u32 + 1));
        let Some((_, call)) = content.split_once("session.run(").filter(|_| !content.starts_with('#')) else {
            continue;
        };
        let (mut words, mut named) = arguments(call);
        let mut codes = success_codes(call).map(|text| (text, index as u32 + 1));
        // The rest of a call that is written over several lines.
        let mut at = index + 1;
        while !closes(call) && at < lines.len() && at < index + 40 {
            // Behind the first keyword, strings are no words of the command.
            let (more, ends) = arguments(lines[at]);
            words.extend(more.into_iter().filter(|_| !named));
            named |= ends;
            codes = codes.or_else(|| success_codes(lines[at]).map(|text| (text, at as u32 + 1)));
            if lines[at].trim_start().starts_with(')') {
                break;
            }
            at += 1;
        }
        let command: Vec<String> = words.iter().map(|word| crate::text::shell_quote(word)).collect();
        let found = command::read(&command.join(" "), index as u32 + 1, &session).checks;
        checks.extend(found.into_iter().map(|check| match codes.clone() {
            Some((text, line)) => Check { force: Force::Ignored(Mark { text, line }), ..check },
            None => check,
        }));
    }
    ProjectFacts { checks, settings: sessions, ..ProjectFacts::default() }
}

/// `mypy(session)` and `session.notify("mypy")` run another session.
fn called_session(line: &str, place: &str, number: u32) -> Option<Check> {
    let notified = line.strip_prefix("session.notify(").and_then(quoted);
    let name = notified.or_else(|| line.strip_suffix("(session)"))?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let command = format!("nox -s {name}");
    command::read(&command, number, place).checks.into_iter().next().filter(|_| is_name)
}

/// The strings of a line up to the first keyword argument, and whether there is one.
fn arguments(line: &str) -> (Vec<String>, bool) {
    const KEYWORDS: &[&str] =
        &["env=", "success_codes=", "external=", "silent=", "log=", "stdout=", "stderr="];
    let is_argument = |at: usize| line[..at].chars().next_back().is_none_or(|c| " \t,(".contains(c));
    let places = KEYWORDS.iter().filter_map(|keyword| line.find(keyword)).filter(|at| is_argument(*at));
    match places.min() {
        Some(at) => (strings(&line[..at]), true),
        None => (strings(line), false),
    }
}

/// `success_codes=[0, 1]` lets a failure pass; `[0]` and `[0, 5]` do not, as 5 means that there are no tests.
fn success_codes(line: &str) -> Option<String> {
    let (_, codes) = line.split_once("success_codes")?;
    let list = codes.split_once('[').map_or(codes, |(_, list)| list).split(']').next()?;
    let fails = list.split(',').any(|code| !matches!(code.trim(), "0" | "5" | ""));
    fails.then(|| format!("success_codes=[{}]", list.trim()))
}

fn closes(call: &str) -> bool {
    call.trim_end().ends_with(')')
}

/// The string literals of a line.
pub fn strings(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'']) {
        let mark = &rest[at..=at];
        let inner = &rest[at + 1..];
        let Some(end) = inner.find(mark) else { break };
        found.push(inner[..end].to_owned());
        rest = &inner[end + 1..];
    }
    found
}
