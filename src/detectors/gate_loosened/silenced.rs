//! Lines of the ground that run no more, or whose failure is let pass, told by the text alone.
//!
//! Nobody knows all programs and all servers: a line that was code and is a comment now, a command that has `|| true`
//! behind it now or an option that says what it leaves undone, and a script of checks that is left at once are known
//! without that. Where something is known about the file, that is told in its place.

use super::ID;
use super::checks::{line_of, symbol};
use super::refusals;
use super::undone::{is_off, is_on, leaves_undone, leaves_undone_by_name, makes_a_check, negates, switch_of};
use crate::collections::HashMap;
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::detectors::report::Draft;
use crate::facts::Ground;
use crate::finding::{Finding, Severity, Side};
use crate::project::{ProjectLine, code_lines, is_runner_settings, says_check};
use crate::text::{clipped, contains, one_line};

/// Larger files take their time.
const MAX_BYTES: usize = 128 * 1024;

/// More lines are put into a comment for another reason than a check that fails.
const MOST: usize = 60;

/// What a line has in it that is a comment, hides a failure, or tells to leave something out.
const HINTS: &[&str] =
    &["#", "//", "/*", "--", "<!", "||", "exit", "return", "true", "false", "set ", " -", ";"];

/// What a line has in it that ends a script badly.
const REFUSES: &[&str] = &["exit", "return", "false", "die", "fail"];

pub fn detect(pairs: &[GroundPair<'_>], told: &[Finding]) -> Vec<Finding> {
    let is_told = |path: &str| told.iter().any(|one| one.path == path && one.severity > Severity::Low);
    let mut findings = Vec::new();
    for pair in pairs {
        let (Some(before), Some(after)) = (pair.before, pair.after) else { continue };
        let is_small = before.file.text.len().max(after.file.text.len()) <= MAX_BYTES;
        if !is_small || before.file.text == after.file.text || after.facts.ground == Ground::Policy {
            continue;
        }
        let (fresh, gone) = (after.file.lines_unlike(before.file), before.file.lines_unlike(after.file));
        let has = |text: &[u8], hints: &[&str]| hints.iter().any(|hint| contains(text, hint.as_bytes()));
        if !has(fresh, HINTS) && !has(gone, REFUSES) {
            continue;
        }
        if is_told(&after.file.path) || is_told(&before.file.path) {
            continue;
        }
        let sides = Sides { after, old: lines(&before), new: lines(&after) };
        let found = sides.commented_out().or_else(|| sides.masked()).or_else(|| sides.optional());
        let found = found.or_else(|| sides.left_at_once()).or_else(|| sides.turned());
        findings.extend(found.or_else(|| sides.speaks_only()));
    }
    findings
}

/// An entry of a list or an object, or a call that adds one; not a bracket or a name alone.
fn is_setting(comment: &str) -> bool {
    let is_quoted = comment.starts_with(['\'', '"', '{']);
    let is_pair = comment.contains(": ") || comment.contains("] = ") || comment.contains("('");
    comment.chars().filter(|c| c.is_alphanumeric()).count() > 3 && (is_quoted || is_pair)
}

fn lines(side: &GroundSide<'_>) -> Vec<ProjectLine> {
    code_lines(&side.file.path, &String::from_utf8_lossy(&side.file.text))
}

struct Sides<'c> {
    after: GroundSide<'c>,
    old: Vec<ProjectLine>,
    new: Vec<ProjectLine>,
}

/// A line without what lists and ends of lines add to it.
pub fn plain(text: &str) -> &str {
    text.trim_start_matches(['-', ' ', '*']).trim_end_matches([',', ' '])
}

/// A command without the key that it is the value of: `run: make test`.
fn without_key(text: &str) -> &str {
    let value =
        text.split_once(": ").filter(|(key, _)| !key.is_empty() && !key.contains([' ', '"', '\'', '/']));
    value.map_or(text, |(_, command)| command.trim())
}

fn counts(lines: &[ProjectLine], of: fn(&ProjectLine) -> &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for text in lines.iter().map(of).map(plain).filter(|text| text.len() > 1) {
        *counts.entry(text).or_default() += 1;
    }
    counts
}

/// How often each switch is on, and off.
fn switches(lines: &[ProjectLine]) -> HashMap<(&str, bool), usize> {
    let mut counts = HashMap::new();
    for (name, value) in lines.iter().filter_map(|line| switch_of(&line.code)) {
        *counts.entry((name, is_on(value))).or_default() += 1;
    }
    counts
}

impl Sides<'_> {
    /// Lines that were code and stand in comments alone now.
    fn commented_out(&self) -> Option<Finding> {
        let (code, left) = (counts(&self.old, |line| &line.code), counts(&self.new, |line| &line.code));
        let known = counts(&self.old, |line| &line.comment);
        let fewer = |text: &str| code.get(text).copied().unwrap_or(0) > left.get(text).copied().unwrap_or(0);
        let is_hit = |line: &&ProjectLine| {
            let text = plain(&line.comment);
            text.len() > 1 && fewer(text) && !known.contains_key(text)
        };
        let hits: Vec<&ProjectLine> = self.new.iter().filter(is_hit).collect();
        let telling: Vec<&&ProjectLine> = hits.iter().filter(|line| self.is_of_checks(line)).collect();
        let first = *telling.first()?;
        if hits.len() > MOST || self.is_replaced(&hits) {
            return None;
        }
        let more = if hits.len() > 1 { format!(" and {} more", hits.len() - 1) } else { String::new() };
        let text = clipped(&one_line(plain(&first.comment)), 80);
        let message = format!("`{text}`{more} is commented out in {}", self.after.file.path);
        let mut finding = self.finding(message, first.number, "put it back");
        finding.after = line_of(self.after.file, first.number, "now it is a comment");
        finding.lower(Severity::Medium, "what it did is told by its words alone");
        Some(finding)
    }

    /// Whether a line has to do with checks, by its words or by where it stands.
    fn is_of_checks(&self, line: &ProjectLine) -> bool {
        let name = self.after.file.path.rsplit('/').next().unwrap_or_default();
        let of_linter =
            ["golangci", "eslint", "pylint", "flake8", "ruff", "checkstyle", "pmd", "pre-commit", "tslint"]
                .iter()
                .any(|tool| name.contains(tool));
        // What keeps checks from running is not missed.
        let lower = line.comment.to_lowercase();
        if ["skip", "ignore", "exclude", "allow", "continue-on", "disable", "if:", "cov", "bench"]
            .iter()
            .any(|word| lower.contains(word))
        {
            return false;
        }
        // What stands in the settings of a runner is what it runs, and where.
        if is_runner_settings(&self.after.file.path) && is_setting(&line.comment) {
            return true;
        }
        let is_entry = line.comment.starts_with("- ");
        // In a script of code only what is called does something.
        let is_code = [".js", ".ts", ".mjs", ".cjs"].iter().any(|end| name.ends_with(end));
        let is_call = |at: usize| {
            says_check(line.comment[..at].rsplit([' ', '(', '.', '"']).next().unwrap_or_default())
        };
        let speaks = match is_code {
            true => line.comment.match_indices('(').any(|(at, _)| is_call(at)),
            false => line.comment.split_whitespace().any(says_check),
        };
        of_linter
            || speaks
            || is_entry && self.after.facts.ground == Ground::Pipeline && is_row(&line.comment)
    }

    /// Whether as much code of the same kind came in its place.
    fn is_replaced(&self, hits: &[&ProjectLine]) -> bool {
        let known = counts(&self.old, |line| &line.code);
        let came: Vec<&str> = self
            .new
            .iter()
            .map(|line| plain(&line.code))
            .filter(|text| text.len() > 1 && !known.contains_key(text))
            .collect();
        let head = |text: &str| text.split([' ', ':', '=', '(']).next().unwrap_or_default().to_owned();
        let taken = hits.iter().filter(|hit| {
            let own = head(plain(&hit.comment));
            came.iter().any(|text| head(text) == own)
        });
        taken.count() * 2 > hits.len()
    }

    /// A command of before that ends well now whatever it finds.
    fn masked(&self) -> Option<Finding> {
        let known = counts(&self.old, |line| &line.code);
        let left = counts(&self.new, |line| &line.code);
        let is_gone = |text: &str| known.contains_key(text) && !left.contains_key(text);
        let hit = self.new.iter().find(|line| {
            let text = plain(&line.code);
            let masked = without_mask(text).or_else(|| self.without_pipe(text));
            masked.is_some_and(|command| is_gone(command) && counts_for_something(command))
        })?;
        let text = clipped(&one_line(without_key(plain(&hit.code))), 100);
        let mut finding = self.finding(
            format!("`{text}` no longer fails, whatever happens"),
            hit.number,
            "let its failure count",
        );
        finding.after = line_of(self.after.file, hit.number, "it ends well whatever happens");
        finding.lower(Severity::Medium, "what it does is told by its words alone");
        Some(finding)
    }

    /// The command in front of a pipe whose end is all that the shell asks for: `npm publish | tee log`.
    fn without_pipe<'t>(&self, text: &'t str) -> Option<&'t str> {
        // What other servers start their shells with hands the failure on.
        let is_plain = self.after.file.path.contains("workflows/")
            && !["pipefail", "shell: bash", "PIPESTATUS"]
                .iter()
                .any(|word| contains(&self.after.file.text, word.as_bytes()));
        let (command, rest) = text.split_once(" | ").filter(|_| is_plain)?;
        let swallows = ["tee ", "cat", "tail", "head"].iter().any(|end| rest.trim().starts_with(end));
        swallows.then(|| command.trim().trim_end_matches("2>&1").trim_end())
    }

    /// A branch that ended the script badly, and only says something now.
    fn speaks_only(&self) -> Option<Finding> {
        let is_shell = matches!(self.after.facts.ground, Ground::Pipeline | Ground::Scripts | Ground::Hooks);
        let (line, asked) = is_shell.then(|| refusals::given_up(&self.old, &self.new)).flatten()?;
        let text = clipped(&one_line(&asked), 80);
        let message = format!("what `{text}` finds no longer fails the run");
        let mut finding = self.finding(message, line, "let the script fail again");
        finding.after = line_of(self.after.file, line, "it only says so now");
        finding.lower(Severity::Medium, "what it asks for is told by its words alone");
        Some(finding)
    }

    /// A switch that says by its name that a check is left undone, and is on now, or that a check is made, and is off.
    fn turned(&self) -> Option<Finding> {
        let (was, is) = (switches(&self.old), switches(&self.new));
        let count = |of: &HashMap<(&str, bool), usize>, name, on| of.get(&(name, on)).copied().unwrap_or(0);
        let hit = self.new.iter().find(|line| {
            let Some((name, value)) = switch_of(&line.code) else { return false };
            // Many sections have a switch of the same name.
            let grows = |on| count(&is, name, on) > count(&was, name, on);
            let is_loose = leaves_undone_by_name(name) && is_on(value) && grows(true);
            let is_lax = makes_a_check(name) && is_off(value) && grows(false) && count(&was, name, true) > 0;
            is_loose || is_lax
        })?;
        let text = clipped(&one_line(plain(&hit.code)), 100);
        let mut finding =
            self.finding(format!("`{text}` leaves a check undone"), hit.number, "turn the switch back");
        finding.after = line_of(self.after.file, hit.number, "here");
        finding.lower(Severity::Medium, "what it does is told by its words alone");
        Some(finding)
    }

    /// A command of before with an option that says what is left undone now.
    fn optional(&self) -> Option<Finding> {
        let known = counts(&self.old, |line| &line.code);
        let left = counts(&self.new, |line| &line.code);
        for line in self.new.iter().filter(|line| !known.contains_key(plain(&line.code))) {
            let words: Vec<&str> = plain(&line.code).split_whitespace().collect();
            let Some(at) = words.iter().position(|word| leaves_undone(word) || negates(word)) else {
                continue;
            };
            let option = words[at].trim_matches(['"', '\'', ',']);
            let mut rest = words.clone();
            rest.remove(at);
            let was = match option.strip_prefix("--no-") {
                // `--frozen-lockfile` may have become its opposite.
                Some(positive) if !leaves_undone(option) => {
                    let mut words = words.clone();
                    let positive = format!("--{positive}");
                    words[at] = &positive;
                    words.join(" ")
                }
                _ => rest.join(" "),
            };
            let same = |text: &&&str| text.split_whitespace().eq(was.split_whitespace());
            let is_known = known.keys().filter(|text| !left.contains_key(**text)).any(|text| same(&text));
            if !is_known {
                continue;
            }
            let text = clipped(&one_line(without_key(&was)), 80);
            let mut finding = self.finding(
                format!("`{text}` is now run with {option}"),
                line.number,
                "take the option out",
            );
            finding.after = line_of(self.after.file, line.number, "this is new");
            finding.lower(Severity::Medium, "what it leaves undone is told by its name alone");
            return Some(finding);
        }
        None
    }

    /// A script of checks that newly ends well before they are through.
    fn left_at_once(&self) -> Option<Finding> {
        let path = &self.after.file.path;
        let stem = path.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
        let is_script = match self.after.facts.ground {
            Ground::Hooks => true,
            Ground::Scripts => {
                path.ends_with(".sh") || !path.rsplit('/').next().unwrap_or_default().contains('.')
            }
            _ => false,
        };
        let checks = is_script && (says_check(stem) || self.after.facts.ground == Ground::Hooks);
        let ends = |lines: &[ProjectLine]| lines.iter().filter(|line| is_exit(&line.code)).count();
        if !checks || ends(&self.new) <= ends(&self.old) {
            return None;
        }
        let known = counts(&self.old, |line| &line.code);
        let mut at = self.new.iter().enumerate().filter(|(_, line)| is_exit(&line.code));
        let (_, line) = at.find(|(at, _)| {
            let above = self.new[..*at].iter().rev().map(|line| plain(&line.code)).take(4);
            let mut above = above.filter(|code| !code.is_empty());
            let helps = |code: &str| {
                ["help", "usage", "--version"].iter().any(|word| code.to_lowercase().contains(word))
            };
            let (news, help) = above.clone().fold((false, false), |(news, help), code| {
                (news || !known.contains_key(code), help || helps(code))
            });
            above.next().is_some() && news && !help
        })?;
        let mut finding = self.finding(
            format!("{path} now ends well before its checks are through"),
            line.number,
            "let the checks run, or fail",
        );
        finding.after = line_of(self.after.file, line.number, "what comes below may not run");
        finding.lower(Severity::Medium, "it may depend on where it runs");
        Some(finding)
    }

    fn finding(&self, message: String, line: u32, help: &str) -> Finding {
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.8,
            message,
            help: format!("{help} at {}:{line}", self.after.file.path),
        };
        draft.on(Side::After, self.after.file, line, symbol(self.after.file, ""))
    }
}

/// An entry of a list that can be a row of what is gone through: a plain word, or keys with their values.
fn is_row(text: &str) -> bool {
    let text = plain(text);
    let words = text.split_whitespace().count();
    words == 1 || text.split_once(':').is_some_and(|(key, _)| !key.contains(' '))
}

/// Whether somebody waits for what a command does, by its words: a check, or what is handed to others.
fn counts_for_something(command: &str) -> bool {
    const HANDS_ON: &[&str] = &["publish", "deploy", "release", "sign", "migrate"];
    let hands_on = |word: &str| HANDS_ON.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()));
    command.split_whitespace().any(|word| says_check(word) || hands_on(word))
}

/// The command in front of what makes it pass: `make test || true`.
fn without_mask(text: &str) -> Option<&str> {
    let text = text.trim_end_matches(['"', '\'']);
    let (command, rest) = text.rsplit_once("||").or_else(|| text.rsplit_once(';'))?;
    let rest = rest.trim().trim_start_matches(['(', '{', ' ']);
    let passes = ["true", ":", "echo", "printf", "exit 0", "/bin/true"]
        .iter()
        .any(|word| rest == *word || rest.starts_with(&format!("{word} ")));
    let fails = rest.contains("exit 1") || rest.contains("false");
    let command = command.trim().trim_end_matches("2>/dev/null").trim();
    (passes && !fails).then_some(command)
}

fn is_exit(code: &str) -> bool {
    let code = plain(code).trim_end_matches([';', '}', ' ']);
    code == "exit 0" || code.ends_with("; exit 0") || code.ends_with("&& exit 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_taken_off() {
        for (text, command) in [
            ("make e2e || true", Some("make e2e")),
            ("./run.sh make test-cmd || echo \"failed, going on\"", Some("./run.sh make test-cmd")),
            ("make e2e || exit 1", None),
            ("make e2e || (echo bad; exit 1)", None),
        ] {
            assert_eq!(without_mask(text), command, "{text}");
        }
    }
}
