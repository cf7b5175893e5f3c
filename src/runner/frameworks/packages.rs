//! Commands of JavaScript projects: which tool one runs in the end, and how words are added that reach it.
//!
//! `npm test` runs what the `package.json` beside it says, so that file is read; nothing is ever executed. Words are
//! only ever added at the end, where the last program of a line takes them; lines with pipes, redirections or
//! substitutions are left alone.

use std::path::Path;

use serde_json::Value;

use super::command::{base_name, parts, program};
use crate::runner::suite::CommandLine;
use crate::text::shell_quote;

const LARGEST: u64 = 1024 * 1024;
/// Scripts that call scripts.
const DEEPEST: usize = 5;

/// A command that ends in a tool.
#[derive(Debug, PartialEq, Eq)]
pub struct Reached {
    /// The arguments that the tool gets, as far as they are known.
    pub arguments: Vec<String>,
    /// How many times npm must be told that what follows is for the script: once for each script on the way.
    dashes: usize,
}

impl Reached {
    /// Whether the tool gets an option, alone or with `=`.
    pub fn has(&self, options: &[&str]) -> bool {
        self.value(options).is_some()
    }

    /// The value of an option that it gets; empty where it has none.
    pub fn value(&self, options: &[&str]) -> Option<&str> {
        let at =
            self.arguments.iter().position(|word| options.contains(&word.split('=').next().unwrap_or("")))?;
        let next = || self.arguments.get(at + 1).filter(|word| !word.starts_with('-')).map(String::as_str);
        let value = self.arguments[at].split_once('=').map(|(_, value)| value);
        Some(value.or_else(next).unwrap_or(""))
    }

    pub fn append(&self, command: &CommandLine, added: &[&str]) -> CommandLine {
        let dashes = std::iter::repeat_n(&"--", self.dashes);
        let added = dashes.chain(added);
        match command {
            CommandLine::Words(words) => {
                let added = added.map(|&word| word.to_owned());
                CommandLine::Words(words.iter().cloned().chain(added).collect())
            }
            CommandLine::Shell(text) => {
                let added: String = added.map(|word| format!(" {}", shell_quote(word))).collect();
                CommandLine::Shell(text.trim_end().to_owned() + &added)
            }
        }
    }
}

/// The tool that the command runs last, such that words at its end reach the tool. `None` where that is not sure.
pub fn reach(command: &CommandLine, directory: &Path, tool: &str) -> Option<Reached> {
    reach_in(command, directory, tool, DEEPEST)
}

fn reach_in(command: &CommandLine, directory: &Path, tool: &str, depth: usize) -> Option<Reached> {
    let words = last_words(command)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(at) = tool_at(&words, tool) {
        let arguments: Vec<String> = words[at + 1..].iter().map(|&word| word.to_owned()).collect();
        // Behind two dashes there are only names of files.
        let open = !arguments.iter().any(|word| word == "--");
        return open.then_some(Reached { arguments, dashes: 0 });
    }
    let call = script_call(&words)?;
    let script = CommandLine::Shell(script(directory, call.name)?);
    let mut reached = reach_in(&script, directory, tool, depth.checked_sub(1)?)?;
    reached.arguments.extend(call.arguments.iter().map(|&word| word.to_owned()));
    // Other managers treat dashes each in a way of its own.
    (call.is_npm || reached.dashes == 0).then_some(())?;
    reached.dashes += usize::from(call.needs_dashes);
    Some(reached)
}

/// Whether the words of a command name the tool, without looking at any file.
pub fn names_tool(words: &[&str], tool: &str) -> bool {
    tool_at(words, tool).is_some()
}

/// The words of the last program of a line, where nothing stands in the way of adding to it.
pub fn last_words(command: &CommandLine) -> Option<Vec<String>> {
    if let CommandLine::Shell(text) = command {
        let text = text.trim_end();
        let only_and = !text.replace("&&", "").contains('&');
        let odd = text.contains(['|', '<', '>', '(', ')', '`', '#', '\n', '{', '}']) || text.contains("$'");
        let closed = text.matches('\'').count() % 2 == 0 && text.matches('"').count() % 2 == 0;
        if odd || !only_and || !closed || text.ends_with(['&', ';', '\\']) {
            return None;
        }
    }
    parts(command).pop()
}

/// Where the tool stands: as a program, behind `npx` and the like, or as a file that node runs.
fn tool_at(words: &[&str], tool: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + program(&words[from..])?;
        let rest = &words[at + 1..];
        match base_name(words[at]) {
            name if is_tool(name, tool) => return Some(at),
            "cross-env" | "cross-env-shell" | "dotenv" | "c8" | "nyc" => {
                from = at + 1 + rest.iter().take_while(|word| word.starts_with('-')).count();
            }
            "node" | "nodejs" => {
                let file = at + 1 + node_options(rest);
                let is_path = words.get(file)?.contains(['/', '\\']);
                return (is_path && is_tool(base_name(words[file]), tool)).then_some(file);
            }
            "yarn" | "pnpm" | "bunx" => return rest.first().filter(|word| **word == tool).map(|_| at + 1),
            _ => return None,
        }
    }
}

fn is_tool(name: &str, tool: &str) -> bool {
    let name = [".js", ".mjs", ".cjs"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    name == tool || name.strip_prefix('_') == Some(tool)
}

/// How many words belong to node itself.
pub fn node_options(words: &[&str]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at +=
            if matches!(*word, "-r" | "--require" | "--import" | "--loader" | "--env-file") { 2 } else { 1 };
    }
    at
}

struct Call<'w> {
    name: &'w str,
    arguments: &'w [&'w str],
    is_npm: bool,
    needs_dashes: bool,
}

/// `npm test`, `npm run unit -- -x`, `yarn test`, `pnpm run unit`. Workspaces and other folders are not followed.
fn script_call<'w>(words: &'w [&'w str]) -> Option<Call<'w>> {
    let words = &words[program(words)?..];
    let manager = base_name(words[0]);
    let (name, rest) = match (manager, words.get(1..)?) {
        ("npm", ["test" | "t" | "tst", rest @ ..]) => ("test", rest),
        ("npm", ["run" | "run-script", name, rest @ ..]) => (*name, rest),
        ("yarn" | "pnpm" | "bun", ["run", name, rest @ ..]) => (*name, rest),
        ("yarn" | "pnpm", [name, rest @ ..]) => (*name, rest),
        _ => return None,
    };
    if name.starts_with('-') {
        return None;
    }
    if manager != "npm" {
        return Some(Call { name, arguments: rest, is_npm: false, needs_dashes: false });
    }
    let dashes = rest.iter().position(|word| *word == "--");
    let own = &rest[..dashes.unwrap_or(rest.len())];
    if own.iter().any(|word| word.starts_with('-') && !matches!(*word, "--silent" | "-s")) {
        return None;
    }
    let arguments = dashes.map_or(&rest[..0], |at| &rest[at + 1..]);
    Some(Call { name, arguments, is_npm: true, needs_dashes: dashes.is_none() })
}

/// A script of the `package.json` of a folder.
pub fn script(directory: &Path, name: &str) -> Option<String> {
    let manifest = json(&directory.join("package.json"))?;
    Some(manifest.get("scripts")?.get(name)?.as_str()?.to_owned())
}

/// The major version of an installed package, looked for where node looks.
pub fn installed_major(directory: &Path, package: &str) -> Option<u32> {
    let manifest = directory
        .ancestors()
        .map(|folder| folder.join("node_modules").join(package).join("package.json"))
        .find_map(|file| json(&file))?;
    manifest.get("version")?.as_str()?.split('.').next()?.parse().ok()
}

fn json(file: &Path) -> Option<Value> {
    let small = std::fs::metadata(file).ok().filter(|data| data.is_file() && data.len() <= LARGEST);
    small.and_then(|_| serde_json::from_slice(&std::fs::read(file).ok()?).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str) -> CommandLine {
        CommandLine::Shell(text.to_owned())
    }

    fn added(text: &str, scripts: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("package.json"), format!("{{\"scripts\": {scripts}}}")).unwrap();
        let command = shell(text);
        match reach(&command, folder.path(), "jest")?.append(&command, &["--json"]) {
            CommandLine::Shell(text) => Some(text),
            CommandLine::Words(_) => None,
        }
    }

    #[test]
    fn words_are_added_where_they_reach_the_tool() {
        for (text, expected) in [
            ("jest", "jest --json"),
            ("npx --yes jest src", "npx --yes jest src --json"),
            ("yarn jest", "yarn jest --json"),
            ("pnpm exec jest", "pnpm exec jest --json"),
            ("CI=1 cross-env A=1 jest", "CI=1 cross-env A=1 jest --json"),
            ("node --experimental-vm-modules node_modules/jest/bin/jest.js", ""),
            ("npm run build && jest", "npm run build && jest --json"),
        ] {
            let expected = if expected.is_empty() { format!("{text} --json") } else { expected.to_owned() };
            assert_eq!(added(text, "{}"), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_script_is_followed_to_its_tool() {
        let scripts = r#"{"test": "npm run unit", "unit": "tsc -p . && jest --ci", "lint": "eslint .", "loop": "npm run loop"}"#;
        assert_eq!(added("npm test", scripts).as_deref(), Some("npm test -- -- --json"));
        assert_eq!(added("npm run unit", scripts).as_deref(), Some("npm run unit -- --json"));
        assert_eq!(added("yarn test", scripts), None);
        assert_eq!(added("npm run unit -- -t x", scripts).as_deref(), Some("npm run unit -- -t x --json"));
        assert_eq!(added("yarn unit", scripts).as_deref(), Some("yarn unit --json"));
        assert_eq!(added("pnpm run unit", scripts).as_deref(), Some("pnpm run unit --json"));
        for text in
            ["npm run lint", "npm run loop", "npm run none", "npm test -w packages/a", "npm ci", "npm"]
        {
            assert_eq!(added(text, scripts), None, "{text}");
        }
    }

    #[test]
    fn lines_that_may_mean_something_else_are_left_alone() {
        for text in [
            "jest || true",
            "jest | tee log",
            "jest > log",
            "jest; echo done",
            "jest &",
            "(jest)",
            "jest $(files)",
            "jest -- a",
            "echo jest",
            "node scripts/run.js jest",
            "jest # all",
        ] {
            assert_eq!(added(text, "{}"), None, "{text}");
        }
        let scripts = r#"{"test": "jest | cat"}"#;
        assert_eq!(added("npm test", scripts), None);
    }

    #[test]
    fn options_are_found_with_their_values() {
        let reached =
            reach(&shell("jest --outputFile=a.json --maxWorkers 2 -i"), Path::new("/"), "jest").unwrap();
        assert_eq!(reached.value(&["--outputFile"]), Some("a.json"));
        assert_eq!(reached.value(&["--maxWorkers"]), Some("2"));
        assert_eq!(reached.value(&["-i"]), Some(""));
        assert!(!reached.has(&["--json"]));
    }
}
