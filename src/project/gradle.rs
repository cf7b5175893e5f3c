//! Build files of Gradle, told by their blocks: what a `test` block leaves out, and what JaCoCo demands.
//!
//! A statement ends with its line, a semicolon or a brace, so that a block reads the same on one line and on many.

use super::document::Entry;
use super::scripts::strings;
use super::settings::number;
use super::words::class_of_name;
use super::{strictness, vocabulary};
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Blocks inside each other, more than which no person writes.
const MAX_BLOCKS: usize = 64;

/// What opens a block and is longer says nothing.
const MAX_HEAD: usize = 1024;

/// What opens a block, and what that says about all in it.
#[derive(Default)]
struct Block {
    head: String,
    is_condition: bool,
    is_test: bool,
    measures: bool,
}

impl Block {
    fn of(head: &str) -> Self {
        if head.len() > MAX_HEAD {
            return Self::default();
        }
        let head = head.to_lowercase();
        Self {
            is_condition: head.starts_with("if") || head.starts_with("else"),
            is_test: is_test(&head),
            measures: ["jacoco", "kover", "cobertura"].iter().any(|tool| head.contains(tool)),
            head,
        }
    }
}

pub fn read(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Runner, ..ProjectFacts::default() };
    let mut blocks: Vec<Block> = Vec::new();
    let mut statement = String::new();
    let mut line = 1;
    for (c, quoted) in code(text) {
        let ends = !quoted && matches!(c, '{' | '}' | ';' | '\n');
        if !ends {
            statement.push(c);
        } else {
            let said = std::mem::take(&mut statement);
            match c {
                '{' => blocks.push(Block::of(said.trim())),
                _ => facts.settings.extend(settings(said.trim(), &blocks, line)),
            }
            if c == '}' {
                blocks.pop();
            }
        }
        line += u32::from(c == '\n');
        if blocks.len() > MAX_BLOCKS {
            break;
        }
    }
    facts.settings.extend(settings(statement.trim(), &blocks, line));
    facts
}

/// The characters without comments, each with whether it stands in quotes.
fn code(text: &str) -> Vec<(char, bool)> {
    let mut found = Vec::with_capacity(text.len());
    let mut quote: Option<char> = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (None, '/') if rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            (None, '/') if rest.peek() == Some(&'*') => {
                let mut before = ' ';
                for c in rest.by_ref() {
                    found.extend((c == '\n').then_some((c, false)));
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                found.push((c, true));
            }
            (Some(open), _) => {
                // A string in plain quotes ends with its line at the latest.
                if c == open || c == '\n' {
                    quote = None;
                }
                found.push((c, c != '\n'));
            }
            _ => found.push((c, false)),
        }
    }
    found
}

fn settings(code: &str, blocks: &[Block], line: u32) -> Vec<Setting> {
    // What holds only sometimes has a reason.
    if code.is_empty() || blocks.iter().any(|block| block.is_condition) {
        return Vec::new();
    }
    // `test.ignoreFailures = true` is a block of one statement.
    let head = code.split([' ', '=', '(']).next().unwrap_or_default();
    let (code, owner) = match head.rsplit_once('.').filter(|(owner, _)| is_test(owner)) {
        Some((owner, _)) => (&code[owner.len() + 1..], Some(Block::of(owner))),
        None => (code, None),
    };
    let within = || blocks.iter().chain(&owner);
    let in_test = within().any(|block| block.is_test);
    let measures = within().any(|block| block.measures);
    let last = within().last().map_or("", |block| &block.head);
    let key = |name: &str| format!("{last} {name}");
    let (name, value) = match code.split_once('=') {
        Some((name, value)) => (name.trim(), value.trim()),
        None => code.split_once([' ', '(']).unwrap_or((code, "")),
    };
    let value = value.trim_end_matches(')').trim();
    let of = |about, value| vec![Setting { about, key: key(name), line, value }];
    let loose = |at: &str| of(About::Tests, SettingValue::Loose(value == at));
    match name {
        "ignoreFailures" | "isIgnoreFailures" | "setIgnoreFailures" if in_test => loose("true"),
        "enabled" | "isEnabled" | "setEnabled" if in_test => loose("false"),
        // `checkstyle { ignoreFailures = true }`
        "ignoreFailures" | "isIgnoreFailures" | "setIgnoreFailures" if strictness::is_checker(last) => {
            vec![Setting {
                about: About::Lint,
                key: format!("gradle {last} {name}"),
                line,
                value: SettingValue::Loose(value == "true"),
            }]
        }
        "failOnNoMatchingTests" | "isFailOnNoMatchingTests" => loose("false"),
        _ if code.contains("-Werror") => vec![Setting {
            about: About::Lint,
            key: "-Werror".to_owned(),
            line,
            value: SettingValue::Insists("-Werror".to_owned()),
        }],
        _ if code.contains("errorprone.disable(") || code.contains("errorprone.error(") => {
            let is_off = code.contains(".disable(");
            let value =
                |name| if is_off { SettingValue::LeavesOut(name) } else { SettingValue::Selects(name) };
            let key = if is_off { "errorprone.disable" } else { "errorprone.error" };
            let named = strings(code).into_iter().map(value);
            named.map(|value| Setting { about: About::Checkers, key: key.to_owned(), line, value }).collect()
        }
        _ if !in_test && !measures && strictness::is_checker(last) && !last.contains("excl") => {
            let path = vec![last.to_owned(), name.to_owned()];
            vocabulary::of_entry(&Entry { path, value: value.trim_matches(['"', '\'']).to_owned(), line })
        }
        // `onlyIf { false }`
        "false" if in_test && last.trim_end_matches("()") == "onlyif" => {
            of(About::Tests, SettingValue::Loose(true))
        }
        _ if last == "plugins" || code.starts_with("apply plugin") => applied(code, line),
        _ if measures && (code.contains("exclude:") || code.contains("excludes:")) => {
            let (_, list) = code.split_once("exclude").unwrap_or_default();
            let patterns = strings(list.split(']').next().unwrap_or_default()).into_iter();
            let left_out = patterns.map(|pattern| Setting {
                about: About::Coverage,
                key: key("exclude"),
                line,
                value: SettingValue::LeavesOut(pattern),
            });
            left_out.collect()
        }
        _ if code.contains("dependsOn") => needed(code, line),
        "minimum" | "minBound" | "minValue" => {
            // `0.8`, `"0.8".toBigDecimal()`, `0.8.toBigDecimal()`
            let is_other = |c: char| !c.is_ascii_digit() && c != '.';
            let digits = value.trim_start_matches(is_other).split(is_other).next().unwrap_or_default();
            number(digits.trim_end_matches('.'))
                .map(|number| of(About::Coverage, SettingValue::Demands(number)))
                .unwrap_or_default()
        }
        // Tasks of their own are there to run some of the tests.
        "includeTestsMatching" | "includeTags" if within().any(|block| block.head == "test") => {
            let selected = strings(code).into_iter().map(SettingValue::Selects);
            let setting = |value| Setting { about: About::Tests, key: key("includes"), line, value };
            selected.map(setting).collect()
        }
        _ if in_test || measures => {
            let about = if in_test { About::Tests } else { About::Coverage };
            let is_list = [
                "exclude ",
                "exclude(",
                "excludes ",
                "excludes(",
                "excludes=",
                "coverageExcludes ",
                "coverageExcludes=",
                "exclude:",
                "classes(",
                "excludeTags ",
                "excludeTags(",
                "excludeTestsMatching",
            ]
            .iter()
            .any(|start| code.starts_with(start));
            let excluded = || {
                strings(code).into_iter().map(|pattern| Setting {
                    about,
                    key: key("exclude"),
                    line,
                    value: SettingValue::LeavesOut(pattern),
                })
            };
            if is_list { excluded().collect() } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// `check.dependsOn jacocoTestCoverageVerification`: what a build fails with because it is written there.
fn needed(code: &str, line: u32) -> Vec<Setting> {
    let Some((_, tasks)) = code.split_once("dependsOn") else { return Vec::new() };
    let names = tasks.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
    let found = names.filter_map(|name| {
        let lower = name.to_lowercase();
        let measures = lower.contains("coverageverification") || lower == "koververify";
        let about = if measures { About::Coverage } else { About::Lint };
        // `check` runs the tests of units by itself.
        let of_check = code.contains("check") && class_of_name(name).is_some() && name != "test";
        (measures || of_check || strictness::is_checker(name)).then(|| Setting {
            about,
            key: format!("dependsOn {name}"),
            line,
            value: SettingValue::Insists(name.to_owned()),
        })
    });
    found.collect()
}

fn is_test(block: &str) -> bool {
    let words = super::words::words_of(block);
    // A module for tests has other tasks, too.
    !block.starts_with("project(")
        && words.iter().any(|word| word == "test")
        && !words.iter().any(|word| matches!(word.as_str(), "sourcesets" | "dependencies" | "jacoco" | "jar"))
}

/// A plugin that checks the code in each build; one that is not applied is there for others.
fn applied(code: &str, line: u32) -> Vec<Setting> {
    let Some(tool) = strictness::checker_in(code).filter(|_| !code.contains("apply false")) else {
        return Vec::new();
    };
    let what = format!("plugin {tool}");
    vec![Setting { about: About::Lint, key: what.clone(), line, value: SettingValue::Insists(what) }]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let show = |setting: &Setting| format!("{}@{}={:?}", setting.key, setting.line, setting.value);
        read(text).settings.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn blocks_read_the_same_on_one_line_and_on_many() {
        for (text, expected) in [
            ("test { ignoreFailures = true }", "test ignoreFailures@1=Loose(true)"),
            ("test {\n  ignoreFailures = true // no\n}\n", "test ignoreFailures@2=Loose(true)"),
            ("tasks.named('test') { enabled = false; }", "tasks.named('test') enabled@1=Loose(true)"),
            ("test.enabled = false", "test enabled@1=Loose(true)"),
            ("tasks.test.ignoreFailures = true", "tasks.test ignoreFailures@1=Loose(true)"),
            ("test {\n onlyIf { false }\n}", "onlyif false@2=Loose(true)"),
            ("test { setIgnoreFailures(true) }", "test setIgnoreFailures@1=Loose(true)"),
            ("test { exclude '**/Foo{a}*' }", "test exclude@1=LeavesOut(\"**/Foo{a}*\")"),
            ("test {\n if (fast) { enabled = false }\n}", ""),
            ("rule { limit { minimum = 0.8 } }", "limit minimum@1=Demands(0.8)"),
            ("limit { minimum = \"0.8\".toBigDecimal() }", "limit minimum@1=Demands(0.8)"),
            ("limit { minimum = 0.8.toBigDecimal() }", "limit minimum@1=Demands(0.8)"),
            ("limit { minimum = new BigDecimal('0.8') }", "limit minimum@1=Demands(0.8)"),
            ("limit { minimum = libs.v2.least }", ""),
            ("/* test { enabled = false }\n*/\njar { enabled = false }", ""),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a test{}='"/*;().\né]{0,60}"#) {
            read(&text);
        }
    }
}
