//! Maven, Gradle and JUnit's console launcher: the XML that they leave.
//!
//! Only reports that this run wrote count: a build tool that finds everything up to date runs no test, and says
//! nothing about the content.

use std::path::{Path, PathBuf};

use super::command::{Simple, base_name};
use super::java_sources::{Project, fresh_in};
use super::javascript::text;
use super::settle::{report_bytes, settle};
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Failure, Location, Results, TestId, junit, summary};
use crate::text::plain;

pub const ADAPTER: Adapter =
    Adapter { framework: Framework::Junit, recognizes, plan, read, ended_in, show: None };

fn recognizes(words: &[&str]) -> bool {
    let goals = |names: &[&str]| {
        words[1..].iter().any(|word| names.contains(&word.rsplit(':').next().unwrap_or(word)))
    };
    match words.first().map(|word| base_name(word)) {
        Some("mvn" | "mvnw" | "mvnd") => goals(&["test", "verify", "install", "package", "integration-test"]),
        Some("gradle" | "gradlew") => goals(&["test", "check", "build"]),
        Some("java") => is_launcher(words),
        _ => false,
    }
}

fn is_launcher(words: &[&str]) -> bool {
    let named = |word: &str| {
        word == "org.junit.platform.console.ConsoleLauncher"
            || word
                .rsplit('/')
                .next()
                .is_some_and(|file| file.starts_with("junit-platform-console") && file.ends_with(".jar"))
    };
    words.first().is_some_and(|word| base_name(word) == "java") && words.iter().any(|word| named(word))
}

fn plan(request: &Request<'_>) -> Plan {
    let unchanged = |report| Plan { command: request.command.clone(), environment: Vec::new(), report };
    let Some(simple) = Simple::read(request.command).filter(|simple| is_launcher(&simple.words())) else {
        return unchanged(None);
    };
    if let Some(folder) = reports_folder(&simple.words()) {
        return unchanged(Some(request.directory.join(folder)));
    }
    let report = request.scratch.join("junit");
    let command = simple.append(&["--reports-dir", &report.display().to_string()]).into_command();
    Plan { command, environment: Vec::new(), report: Some(report) }
}

fn reports_folder<'w>(words: &[&'w str]) -> Option<&'w str> {
    let at = words.iter().position(|word| *word == "--reports-dir" || word.starts_with("--reports-dir="))?;
    words[at].strip_prefix("--reports-dir=").or_else(|| words.get(at + 1).copied())
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    let project = Project::walk(report.directory);
    let files: Vec<(PathBuf, &Path)> = match &report.plan.report {
        Some(folder) => {
            fresh_in(folder, report.started).into_iter().map(|file| (file, report.directory)).collect()
        }
        None => project.fresh_reports(report.started),
    };
    let mut parts = Vec::new();
    for (file, module) in &files {
        let bytes = report_bytes(file)?.unwrap_or_default();
        let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = junit::read_named(&bytes, |case, id| in_source(case, id, &project, module))
            .map_err(|error| format!("{}: {error}", name(file)))?;
        parts.push(placed(read, &project, module));
    }
    let output = plain(&text(report));
    let mut results = match (files.is_empty(), summary::junit(&output)) {
        (true, Some(counted)) => counted,
        _ => junit::merge(parts),
    };
    let mut problems: Vec<Failure> = crash(&output).into_iter().collect();
    let counts = results.counts();
    if problems.is_empty() && counts.failed + counts.errors == 0 {
        problems.extend(broken_build(&output));
    }
    if let Some(counted) = &mut results.counted {
        counted.total = counted.total.saturating_add(problems.len() as u64);
        counted.errors = counted.errors.saturating_add(problems.len() as u64);
    }
    results.problems.extend(problems);
    if results.counts().total == 0 && !ran_nothing(&output) {
        return Err(no_reports(&output));
    }
    Ok(settle(results, report))
}

/// The test with the file that its class is written in.
fn in_source(case: &junit::Case, id: TestId, project: &Project, module: &Path) -> TestId {
    let file = project.source(&case.class, module).map(|file| file.to_string_lossy().into_owned());
    TestId { file: file.or(id.file), ..id }
}

fn placed(mut results: Results, project: &Project, module: &Path) -> Results {
    let failures = results.tests.iter_mut().filter_map(|test| test.failure.as_mut());
    for location in failures.chain(&mut results.problems).filter_map(|failure| failure.location.as_mut()) {
        if let Some(file) = project.frame_source(&location.file, module) {
            location.file = file.to_string_lossy().into_owned();
        }
    }
    results
}

/// Surefire runs tests in a process of its own, and tells when that one died.
fn crash(output: &str) -> Option<Failure> {
    let signs = ["The forked VM terminated without", "There was an error in the forked process"];
    let line = output.lines().find(|line| signs.iter().any(|sign| line.contains(sign)))?;
    Some(Failure { kind: "crash".to_owned(), message: told(line), ..Failure::default() })
}

/// A build that failed before or beside its tests.
fn broken_build(output: &str) -> Option<Failure> {
    let compiled = output.contains("COMPILATION ERROR") || output.contains("Compilation failed");
    if !compiled && !output.contains("BUILD FAILURE") && !output.contains("BUILD FAILED") {
        return None;
    }
    let is_reason = |line: &&str| {
        let line = line.trim();
        (line.starts_with("[ERROR]") && line.len() > 8 && !line.contains("COMPILATION ERROR"))
            || line.contains(": error: ")
            || line.starts_with("Execution failed for task")
    };
    let message = output.lines().find(is_reason).map_or("the build failed".to_owned(), told);
    let kind = if compiled { "compilation" } else { "build" };
    let (location, message) = match compiler_place(&message) {
        Some((location, rest)) => (Some(location), rest.to_owned()),
        None => (None, message),
    };
    Some(Failure { kind: kind.to_owned(), message, location, ..Failure::default() })
}

/// `/project/src/A.java:[3,5] cannot find symbol` of Maven, `/project/src/A.java:3: error: cannot find symbol` of javac.
fn compiler_place(message: &str) -> Option<(Location, &str)> {
    let (file, line, rest) = match message.split_once(":[") {
        Some((file, rest)) => {
            let (place, rest) = rest.split_once(']')?;
            (file, place.split(',').next()?, rest)
        }
        None => {
            let (place, rest) = message.split_once(": error: ")?;
            let (file, line) = place.rsplit_once(':')?;
            (file, line, rest)
        }
    };
    let line = Some(line.trim().parse().ok()?);
    Some((Location { file: file.to_owned(), line, function: None }, rest.trim()))
}

fn told(line: &str) -> String {
    line.trim().trim_start_matches("[ERROR]").trim().to_owned()
}

/// Whether the tool says itself that there was nothing to run.
fn ran_nothing(output: &str) -> bool {
    ["No tests to run", "No tests found", "NO-SOURCE", "0 tests found"]
        .iter()
        .any(|words| output.contains(words))
        || output.contains("Tests run: 0,")
}

fn no_reports(output: &str) -> String {
    if output.contains("UP-TO-DATE") || output.contains("FROM-CACHE") {
        return "Gradle ran no test, because it found them up to date: add --rerun-tasks".to_owned();
    }
    "no test report was written, and the output has no summary: the run did not get to its tests".to_owned()
}

/// `Tests run: 3, ... Time elapsed` of a class.
fn ended_in(line: &str) -> u64 {
    let count = || line.split_once("Tests run: ")?.1.split_once(',')?.0.parse().ok();
    if line.contains("Time elapsed") { count().unwrap_or(0) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_says_where() {
        let maven = "[ERROR] COMPILATION ERROR : \n[INFO] ---\n[ERROR] /p/src/main/java/A.java:[3,5] cannot find symbol\n[INFO] BUILD FAILURE\n";
        let javac = "/p/src/main/java/A.java:3: error: cannot find symbol\nCompilation failed; see the compiler\nBUILD FAILED\n";
        for output in [maven, javac] {
            let failure = broken_build(output).unwrap();
            assert_eq!(
                (failure.kind.as_str(), failure.message.as_str()),
                ("compilation", "cannot find symbol")
            );
            let place = failure.location.unwrap();
            assert_eq!((place.file.as_str(), place.line), ("/p/src/main/java/A.java", Some(3)));
        }
        let other = broken_build("[ERROR] Failed to execute goal x: [1,2]\n[INFO] BUILD FAILURE\n").unwrap();
        assert_eq!((other.kind.as_str(), other.location), ("build", None));
    }
}
