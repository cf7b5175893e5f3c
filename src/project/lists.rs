//! Lists that shell text goes through: `for file in a b c`, and arrays written over several lines.
//!
//! What a script of checks goes through is what it checks, whatever the commands are.

use crate::facts::{About, Setting, SettingValue};

/// Endings of files that hold nothing but entries.
const ENTRIES: &[&str] =
    &["txt", "list", "lst", "json", "yml", "yaml", "csv", "cfg", "toml", "ignore", "status"];

/// Whether a file is a list of tests, or of what they look at, that are passed over: `tests/skip.txt`.
pub fn is_list_of_left_out(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.split_once('.').unwrap_or((name, "txt"));
    let ending = ending.rsplit('.').next().unwrap_or(ending);
    if stem.is_empty() || !ENTRIES.contains(&ending) {
        return false;
    }
    let words = super::words::words_of(stem);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let passed = has(&[
        "skip",
        "skips",
        "skipped",
        "skiplist",
        "xfail",
        "xfails",
        "flaky",
        "quarantine",
        "quarantined",
        "blacklist",
        "blocklist",
        "denylist",
        "disabled",
        "exclusions",
        "excludes",
        "excluded",
        "exclude",
        "ignored",
        "ignores",
    ]) || has(&["known", "expected", "allowed"])
        && has(&["failures", "failing", "fails", "broken"]);
    let is_test = |word: &String| word.starts_with("test") || word == "spec" || word == "ci" || word == "e2e";
    let of_tests = words.iter().chain(&super::words::words_of(folder)).any(is_test);
    // Suites that others write come with the results that are expected of them: `test/wpt/status/url.json`.
    let own = super::words::words_of(folder.rsplit('/').next().unwrap_or_default());
    let of_status = ending == "status"
        || own.iter().any(|word| matches!(word.as_str(), "status" | "expectations"))
        || words.iter().any(|word| word == "expectations")
        || own.iter().any(|word| matches!(word.as_str(), "known" | "expected"))
            && own.iter().any(|word| matches!(word.as_str(), "failures" | "failing"));
    (passed || of_status)
        && of_tests
        && !path.starts_with(".github")
        && !path.contains("fixture")
        && !path.contains("testdata")
}

/// Such a list is compared entry by entry, and says nothing else about the project.
pub fn left_out(_text: &str) -> crate::facts::ProjectFacts {
    crate::facts::ProjectFacts { ground: crate::facts::Ground::Runner, ..Default::default() }
}

/// Longer lists are data.
const MAX_LIST: usize = 200;

/// The entries of all lists in a text whose first line is `line`, each under `<place> <name>`.
pub fn settings(script: &str, line: u32, place: &str) -> Vec<Setting> {
    let mut found = Vec::new();
    let mut array: Option<String> = None;
    for (index, text) in script.lines().enumerate() {
        let (text, number) = (text.trim(), line + index as u32);
        let mut add = |name: &str, words: &[String]| {
            let entry = |word: &String| {
                let value = value(word);
                let about = match value {
                    SettingValue::LeavesOut(_) => About::Checkers,
                    _ => About::Rows,
                };
                Setting { about, key: format!("{place} {name}").trim().to_owned(), line: number, value }
            };
            found.extend(words.iter().filter(|word| !word.is_empty()).take(MAX_LIST).map(entry));
        };
        if text.starts_with('#') {
            continue;
        }
        if let Some(name) = array.clone() {
            let (inside, ends) = text.split_once(')').map_or((text, false), |(inside, _)| (inside, true));
            add(&name, &words_of(inside));
            array = array.filter(|_| !ends);
        } else if let Some((name, list)) = loop_of(text) {
            add(name, &words_of(list));
        } else if let Some((name, list)) = array_of(text) {
            let (inside, ends) = list.split_once(')').map_or((list, false), |(inside, _)| (inside, true));
            add(name, &words_of(inside));
            array = (!ends).then(|| name.to_owned());
        }
    }
    found
}

/// `-//third_party:all` and `!docs` take something out of what stands before them.
fn value(word: &str) -> SettingValue {
    let out = word.strip_prefix('!').or_else(|| word.strip_prefix('-').filter(|rest| rest.starts_with("//")));
    match out.filter(|out| !out.is_empty()) {
        Some(out) => SettingValue::LeavesOut(out.to_owned()),
        None => SettingValue::Selects(word.to_owned()),
    }
}

/// `for name in list; do`
fn loop_of(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix("for ")?.trim_start().split_once(" in ")?;
    let list = rest.split(';').next()?;
    is_name(name).then_some((name, list))
}

/// `NAME=(`
fn array_of(text: &str) -> Option<(&str, &str)> {
    let text = ["declare -a ", "local -a ", "readonly ", "local "]
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .unwrap_or(text);
    let (name, list) = text.split_once("=(")?;
    is_name(name).then_some((name, list))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Plain words; a comment at the end is none of them, and what only a run can tell opens the list.
fn words_of(text: &str) -> Vec<String> {
    let text = text.split(" #").next().unwrap_or_default();
    text.split_whitespace().map(|word| word.trim_matches(['"', '\'', '\\']).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_arrays_are_read() {
        let script = "for f in a.sh b.sh; do\n  run $f\ndone\n# for f in a b c; do\nTARGETS=(\n  unit\n  #e2e\n  \"api\" # slow\n)\nX=(one -//two -x)\n";
        let found = settings(script, 1, "test");
        let shown: Vec<String> = found
            .iter()
            .map(|setting| match &setting.value {
                SettingValue::Selects(what) => format!("{}={what}@{}", setting.key, setting.line),
                SettingValue::LeavesOut(what) => format!("{}-={what}@{}", setting.key, setting.line),
                _ => String::new(),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "test f=a.sh@1",
                "test f=b.sh@1",
                "test TARGETS=unit@6",
                "test TARGETS=api@8",
                "test X=one@10",
                "test X-=//two@10",
                "test X=-x@10"
            ]
        );
    }
}
