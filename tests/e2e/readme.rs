//! README.md is true: its example is what the program prints, its commands exist.

use std::process::Stdio;
use std::time::Duration;

use crate::install::stage::script_at;
use crate::repo::{GATE, Repo, outcome};

const README: &str = include_str!("../../README.md");

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if line == format!("```{language}") {
            found.push(
                lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect(),
            );
        }
    }
    found
}

#[test]
fn the_demo_prints_the_examples_word_for_word() {
    let printed = without_times(&Repo::new().gate(&["demo"]).passes().stdout);
    let examples = blocks("text");
    assert!(examples.len() >= 2, "only {} examples were found", examples.len());
    for example in examples {
        let example = without_times(&example);
        assert!(printed.contains(&example), "{example}\nis not in\n{printed}");
    }
}

/// The text without the day and the time of runs.
fn without_times(text: &str) -> String {
    let line = |line: &str| match (line.find("run, of "), line.find(" UTC")) {
        (Some(from), Some(to)) => format!("{}{}\n", &line[..from], &line[to..]),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn the_demo_counts_what_the_readme_says() {
    let outcome = Repo::new().gate(&["demo"]).passes();
    outcome.says("5 tampering commits and 2 that nobody ran blocked, 5 honest commits passed.");
    assert!(
        README.contains("five tampering commits and two that nobody ran are blocked, five honest ones pass")
    );
}

#[test]
fn the_demo_goes_without_python_and_says_so() {
    let repo = Repo::new();
    let bin = repo.root().join("bin");
    script_at(&bin.join("python3"), "#!/bin/sh\nexit 127\n");
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&usual))).expect("a path");
    outcome(repo.command(GATE).arg("demo").env("PATH", path))
        .passes()
        .says("There is no Python 3 with unittest here")
        .says("5 tampering commits blocked, 4 honest commits passed.")
        .never_says("$ aiwg-gate run")
        .never_says("proof");
}

/// The words of a command; what stands in double quotes is one.
fn words(command: &str) -> Vec<&str> {
    let part =
        |(number, part)| if number % 2 == 1 { vec![part] } else { str::split_whitespace(part).collect() };
    command.split('"').enumerate().flat_map(part).collect()
}

#[test]
fn every_command_of_the_readme_exists() {
    let repo = Repo::new();
    let mut seen = 0;
    for line in blocks("sh").iter().flat_map(|block| block.lines()) {
        let command = line.split('#').next().unwrap_or_default();
        let Some((_, arguments)) = command.split_once("aiwg-gate ") else { continue };
        // What stands behind `--` is a command of its own.
        let words: Vec<&str> = words(arguments).into_iter().take_while(|word| *word != "--").collect();
        repo.gate(&[&words[..], &["--help"]].concat()).passes();
        seen += 1;
    }
    assert!(seen >= 10, "only {seen} commands were found");
}

#[test]
fn the_policy_of_the_readme_is_valid() {
    let repo = Repo::new();
    repo.write("aiwg-gate.yaml", blocks("yaml").remove(0));
    repo.gate(&["config", "get", "rules.test-skipped"]).passes().says("warn");
    repo.add();
    repo.gate(&["check"]).passes();
}

#[test]
fn the_table_of_rules_is_complete() {
    let listed = Repo::new().gate(&["explain"]).passes().stdout;
    for line in listed.lines().skip(1) {
        let mut words = line.split_whitespace();
        let (id, name) = (words.next().expect("an id"), words.next().expect("a name"));
        assert!(README.contains(&format!("| `{name}` | {id} |")), "{name} is missing");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_demo_leaves_nothing_behind() {
    let repo = Repo::new();
    let place = repo.root().join("temporary");
    std::fs::create_dir(&place).expect("a folder");
    let mut demo = repo.command(GATE);
    let demo = demo.arg("demo").env("TMPDIR", &place).stdout(Stdio::piped()).stderr(Stdio::piped());
    let demo = demo.spawn().expect("a process");
    let files = || std::fs::read_dir(&place).expect("a folder").flatten().count();
    for _ in 0..600 {
        if files() > 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(files() > 0, "the demo did not begin");
    outcome(repo.command("kill").args(["-INT", &demo.id().to_string()])).passes();
    assert_eq!(demo.wait_with_output().expect("an end").status.code(), Some(130));
    assert_eq!(files(), 0);
}
