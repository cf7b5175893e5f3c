//! Build files of Gradle, told by their blocks: what a `test` block leaves out, and what JaCoCo demands.

use super::scripts::strings;
use super::settings::number;
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

pub fn read(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Runner, ..ProjectFacts::default() };
    let mut blocks: Vec<String> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default().trim();
        let opens = code.matches('{').count();
        let closes = code.matches('}').count();
        // `} else {` closes before it opens.
        if code.starts_with('}') {
            blocks.truncate(blocks.len().saturating_sub(1));
        }
        let inner = code.rsplit('{').next().filter(|_| opens > 0 && closes > 0).unwrap_or(code);
        let name = code.split('{').next().unwrap_or_default().trim().to_lowercase();
        let scope = if opens > 0 && closes > 0 { Some(name.clone()) } else { None };
        let within: Vec<&str> = blocks.iter().chain(&scope).map(String::as_str).collect();
        facts.settings.extend(settings(inner, &within, index as u32 + 1));
        let closing = closes.saturating_sub(usize::from(code.starts_with('}')));
        for _ in closing..opens {
            blocks.push(name.clone());
            if blocks.len() > 64 {
                return facts;
            }
        }
        blocks.truncate(blocks.len().saturating_sub(closing.saturating_sub(opens)));
    }
    facts
}

fn settings(code: &str, blocks: &[&str], line: u32) -> Vec<Setting> {
    let in_test = blocks.iter().any(|block| is_test(block));
    let measures = blocks.iter().any(|block| block.contains("jacoco"));
    let key = |name: &str| format!("{} {name}", blocks.last().copied().unwrap_or_default());
    let (name, value) = match code.split_once('=') {
        Some((name, value)) => (name.trim(), value.trim()),
        None => code.split_once(' ').unwrap_or((code, "")),
    };
    let of = |about, value| vec![Setting { about, key: key(name), line, value }];
    match name {
        "ignoreFailures" | "isIgnoreFailures" if in_test => {
            of(About::Tests, SettingValue::Loose(value == "true"))
        }
        "enabled" | "isEnabled" if in_test => of(About::Tests, SettingValue::Loose(value == "false")),
        "failOnNoMatchingTests" | "isFailOnNoMatchingTests" => {
            of(About::Tests, SettingValue::Loose(value == "false"))
        }
        "minimum" => {
            let digits = value.trim_matches(|c: char| !c.is_ascii_digit() && c != '.');
            let digits = digits.trim_end_matches(".toBigDecimal()");
            number(digits)
                .map(|number| of(About::Coverage, SettingValue::Demands(number)))
                .unwrap_or_default()
        }
        _ if in_test || measures => {
            let about = if in_test { About::Tests } else { About::Coverage };
            let is_list = ["exclude ", "exclude(", "excludeTags ", "excludeTags(", "excludeTestsMatching"]
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

fn is_test(block: &str) -> bool {
    let words = super::words::words_of(block);
    words.iter().any(|word| word == "test")
        && !words.iter().any(|word| matches!(word.as_str(), "sourcesets" | "dependencies" | "jacoco" | "jar"))
}
