//! `go test`: its events where the command can be given `-json`, its text otherwise.
//!
//! Started by something else, such as make, it still hears `GOFLAGS`. Only `-v` is safe there: other commands of go
//! that a script may run take `-json` too, and then print something else than the script expects.

use std::path::Path;

use super::command::{self, Simple, base_name};
use super::settle::settle;
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Failure, Location, Results, go_json};
use crate::runner::suite::CommandLine;

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::GoTest,
    recognizes: |words| is_go_test(words),
    plan,
    read,
    ended_in: go_json::ended_in,
    show: Some(go_json::show),
};

fn is_go_test(words: &[&str]) -> bool {
    words.first().is_some_and(|word| base_name(word) == "go") && words.get(1) == Some(&"test")
}

fn plan(request: &Request<'_>) -> Plan {
    if let Some(command) = with_events(request) {
        return Plan { command, environment: Vec::new(), report: None };
    }
    let mut flags = (request.variable)("GOFLAGS").unwrap_or_default();
    let mut environment = Vec::new();
    if !flags.split_whitespace().any(|flag| matches!(flag, "-v" | "-json")) {
        flags = format!("{flags} -v").trim_start().to_owned();
        environment.push(("GOFLAGS".to_owned(), flags));
    }
    Plan { command: request.command.clone(), environment, report: None }
}

fn with_events(request: &Request<'_>) -> Option<CommandLine> {
    let simple = Simple::read(request.command)?;
    let words = simple.words();
    let program = command::program(&words)?;
    if !is_go_test(&words[program..]) {
        return None;
    }
    let own: Vec<&str> =
        words[program + 2..].iter().copied().take_while(|word| !is_flag(word, "args")).collect();
    let has = |name: &str| own.iter().any(|word| is_flag(word, name));
    let mut added = Vec::new();
    if !has("json") {
        added.push("-json");
    }
    if request.fail_fast && !has("failfast") {
        added.push("-failfast");
    }
    // `-C folder` must stay the first flag.
    let folder = match own.first() {
        Some(&("-C" | "--C")) => 2,
        Some(word) if is_flag(word, "C") => 1,
        _ => 0,
    };
    Some(simple.insert(program + 2 + folder, &added).into_command())
}

fn is_flag(word: &str, name: &str) -> bool {
    let flag = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
    flag.is_some_and(|flag| flag == name || flag.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    let mut results = go_json::read(report.output)?;
    if let Some((module, folder)) = module(report.directory, report.root) {
        for test in &mut results.tests {
            let package = test.id.suite.first().map_or("", String::as_str);
            if let Some(location) = test.failure.as_mut().and_then(place) {
                locate(location, package, &module, folder);
            }
        }
    }
    Ok(settle(results, report))
}

fn place(failure: &mut Failure) -> Option<&mut Location> {
    failure.location.as_mut()
}

/// Checks name the file alone; its folder is that of the package.
fn locate(location: &mut Location, package: &str, module: &str, folder: &Path) {
    let below = package.strip_prefix(module).map(|rest| rest.trim_start_matches('/'));
    if let Some(below) = below.filter(|_| !location.file.contains('/')) {
        location.file = folder.join(below).join(&location.file).to_string_lossy().into_owned();
    }
}

/// The module that the folder belongs to, and where it is.
fn module<'p>(directory: &'p Path, root: &Path) -> Option<(String, &'p Path)> {
    directory.ancestors().take_while(|folder| folder.starts_with(root)).find_map(|folder| {
        let text = std::fs::read_to_string(folder.join("go.mod")).ok()?;
        let name = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
        Some((name.split("//").next()?.trim().trim_matches('"').to_owned(), folder))
    })
}

#[cfg(test)]
mod tests {
    use super::super::table::request_for_tests;
    use super::*;

    fn planned(text: &str, flags: Option<&str>) -> (String, Vec<(String, String)>) {
        let command = CommandLine::Shell(text.to_owned());
        let flags = |_: &str| flags.map(str::to_owned);
        let plan = plan(&Request { variable: &flags, ..request_for_tests(&command) });
        match plan.command {
            CommandLine::Shell(text) => (text, plan.environment),
            CommandLine::Words(words) => (words.join(" "), plan.environment),
        }
    }

    #[test]
    fn events_are_asked_for_once() {
        for (text, expected) in [
            ("go test ./...", "go test -json ./..."),
            ("CGO_ENABLED=0 go test", "CGO_ENABLED=0 go test -json"),
            ("go test -json ./...", "go test -json ./..."),
            ("go test -C sub ./...", "go test -C sub -json ./..."),
            ("go test -C=sub ./...", "go test -C=sub -json ./..."),
            ("go test ./... -args -json", "go test -json ./... -args -json"),
        ] {
            assert_eq!(planned(text, None), (expected.to_owned(), Vec::new()));
        }
    }

    #[test]
    fn what_starts_go_hears_a_variable() {
        let variable = |value: &str| vec![("GOFLAGS".to_owned(), value.to_owned())];
        assert_eq!(planned("make test", None), ("make test".to_owned(), variable("-v")));
        assert_eq!(planned("make test", Some("-mod=mod")).1, variable("-mod=mod -v"));
        assert_eq!(planned("make test", Some("-v")).1, Vec::new());
        assert_eq!(planned("go vet && go test ./...", None).0, "go vet && go test ./...");
    }

    #[test]
    fn a_place_is_below_the_folder_of_its_package() {
        let mut place = Location { file: "a_test.go".into(), line: Some(1), function: None };
        locate(&mut place, "example.com/cart/sub", "example.com/cart", Path::new("/project"));
        assert_eq!(place.file, "/project/sub/a_test.go");
    }
}
