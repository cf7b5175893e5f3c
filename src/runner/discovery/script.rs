//! What a script of a `package.json` runs, as far as its words tell.

use serde_json::Value;

use crate::policy::Framework;
use crate::shell::commands;

/// How many scripts are followed that run one another.
const DEPTH: usize = 4;

/// Programs that do nothing by themselves. A test script of these alone runs no tests.
const IDLE: &[&str] = &["echo", "true", ":", "exit", "printf", "sleep", "false"];

/// Tools of other ecosystems, which have suites of their own.
const FOREIGN: &[&str] =
    &["cargo", "pytest", "python", "python3", "tox", "go", "mvn", "./mvnw", "gradle", "./gradlew"];

/// Words before the program that is meant.
const WRAPPERS: &[&str] =
    &["npx", "cross-env", "cross-env-shell", "env", "nyc", "c8", "dotenv", "time", "exec", "run", "--"];

const MANAGERS: &[&str] = &["npm", "pnpm", "yarn", "bun", "run-s", "run-p", "npm-run-all"];

/// Whether a test script runs anything that could be tests, which npm's placeholder does not.
pub fn runs_tests(script: &str) -> bool {
    let commands = commands(script);
    let mut programs = commands.iter().filter_map(|words| program(words)).peekable();
    programs.peek().is_some()
        && !programs.all(|program| IDLE.contains(&program) || FOREIGN.contains(&program))
}

/// The framework whose results the script leaves; `Other` where its words do not tell.
pub fn framework(package: &Value, script: &str) -> Framework {
    follow(package, script, DEPTH).unwrap_or(Framework::Other)
}

fn follow(package: &Value, script: &str, depth: usize) -> Option<Framework> {
    commands(script).iter().find_map(|words| {
        let direct = words.iter().find_map(|word| by_word(word, words));
        direct.or_else(|| {
            let scripts = package.get("scripts")?;
            let called = || words.iter().skip(1).filter_map(|word| scripts.get(word)?.as_str());
            let calls = depth > 0 && MANAGERS.contains(&program_name(words.first()?));
            calls.then(called)?.find_map(|script| follow(package, script, depth - 1))
        })
    })
}

fn by_word(word: &str, words: &[String]) -> Option<Framework> {
    match program_name(word) {
        "jest" | "react-scripts" | "react-app-rewired" | "craco" | "tsdx" => Some(Framework::Jest),
        "vitest" => Some(Framework::Vitest),
        "mocha" | "_mocha" => Some(Framework::Mocha),
        "node" | "tsx" => words.iter().any(|word| word == "--test").then_some(Framework::NodeTest),
        _ => None,
    }
}

/// The program of a command, past assignments and wrappers.
fn program(words: &[String]) -> Option<&str> {
    let passed = |word: &&str| word.contains('=') || WRAPPERS.contains(word);
    words.iter().map(String::as_str).find(|word| !passed(word))
}

/// `./node_modules/.bin/jest` and `node_modules/jest/bin/jest.js` are jest.
fn program_name(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or(word);
    name.trim_end_matches(".js").trim_end_matches(".cjs").trim_end_matches(".mjs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fires_on_scripts_that_run_something() {
        for script in
            ["jest", "CI=1 vitest", "echo start && mocha", "npm run lint", "node test.js", "make test"]
        {
            assert!(runs_tests(script), "{script}");
        }
    }

    #[test]
    fn quiet_on_scripts_that_run_nothing() {
        let placeholder = "echo \"Error: no test specified\" && exit 1";
        for script in [
            "",
            " ",
            placeholder,
            "true",
            "exit 0",
            ":",
            "echo 'a && b'; true",
            "cross-env CI=1 echo ok",
            "cargo test",
        ] {
            assert!(!runs_tests(script), "{script}");
        }
    }

    #[test]
    fn the_framework_is_told_by_words_and_by_scripts_that_are_called() {
        let package = serde_json::json!({"scripts": {
            "unit": "vitest run", "all": "pnpm lint && pnpm unit", "lint": "eslint .", "loop": "npm run loop"
        }});
        for (script, expected) in [
            ("jest --ci", Framework::Jest),
            ("npm run unit", Framework::Vitest),
            ("npm run all", Framework::Vitest),
            ("npm run loop", Framework::Other),
            ("nyc mocha --recursive", Framework::Mocha),
            ("node --test", Framework::NodeTest),
            ("node --import tsx --test 'test/*.ts'", Framework::NodeTest),
            ("node node_modules/jest/bin/jest.js", Framework::Jest),
            ("node scripts/test.js", Framework::Other),
            ("ava", Framework::Other),
        ] {
            assert_eq!(framework(&package, script), expected, "{script}");
        }
    }
}
