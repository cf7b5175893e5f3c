//! What each adapter makes of a command, over the table.

use std::path::Path;

use super::table::{Plan, Request, adapter, recognize, request_for_tests};
use crate::policy::Framework;
use crate::runner::suite::CommandLine;

fn plan(framework: Framework, text: &str, scratch: &Path) -> Plan {
    let command = CommandLine::Shell(text.to_owned());
    let request = Request {
        scratch,
        variable: &|name| (name == "NODE_OPTIONS").then(|| "-x".to_owned()),
        ..request_for_tests(&command)
    };
    (adapter(framework).unwrap().plan)(&request)
}

/// The command with `S` for the scratch folder.
fn planned(framework: Framework, text: &str) -> String {
    let scratch = tempfile::tempdir().unwrap();
    match plan(framework, text, scratch.path()).command {
        CommandLine::Shell(text) => text.replace(&scratch.path().display().to_string(), "S"),
        CommandLine::Words(words) => words.join(" "),
    }
}

#[test]
fn reporters_are_added_beside_what_people_see() {
    for (framework, text, expected) in [
        (
            Framework::Jest,
            "npx jest src",
            "npx jest src --json --outputFile=S/jest.json --testLocationInResults",
        ),
        (
            Framework::Vitest,
            "vitest",
            "vitest --run --reporter=default --reporter=json --outputFile.json=S/vitest.json",
        ),
        (
            Framework::Vitest,
            "vitest run --reporter=dot",
            "vitest run --reporter=dot --reporter=json --outputFile.json=S/vitest.json",
        ),
        (Framework::Mocha, "mocha test", "mocha test --reporter S/aiwg-gate-mocha.cjs"),
        (
            Framework::NodeTest,
            "node --import tsx --test test/",
            "node --import tsx --test --test-reporter=spec --test-reporter-destination=stdout \
             --test-reporter=S/aiwg-gate-node-test.mjs --test-reporter-destination=stderr test/",
        ),
        (
            Framework::Junit,
            "java -jar lib/junit-platform-console-standalone-1.9.1.jar -cp out",
            "java -jar lib/junit-platform-console-standalone-1.9.1.jar -cp out --reports-dir S/junit",
        ),
    ] {
        assert_eq!(planned(framework, text), expected);
    }
}

#[test]
fn what_a_command_says_itself_stays() {
    for (framework, text) in [
        (Framework::Jest, "jest --json --outputFile=out.json"),
        (Framework::Jest, "jest | tee log"),
        (Framework::Vitest, "vitest run --outputFile=out.json"),
        (Framework::Mocha, "mocha -R dot"),
        (Framework::Mocha, "mocha --reporter=dot"),
        (Framework::NodeTest, "node --test --test-reporter=tap"),
        (Framework::Junit, "mvn -q test"),
        (Framework::Junit, "java -jar junit-platform-console.jar --reports-dir=out"),
    ] {
        assert_eq!(planned(framework, text), text);
    }
}

#[test]
fn reports_that_a_command_asks_for_are_read_where_it_writes_them() {
    let report = |framework, text: &str| plan(framework, text, Path::new("/scratch")).report;
    let jest = report(Framework::Jest, "jest --json --outputFile=out.json");
    assert_eq!(jest.as_deref(), Some(Path::new("/project/out.json")));
    let junit = report(Framework::Junit, "java -jar junit-platform-console.jar --reports-dir out");
    assert_eq!(junit.as_deref(), Some(Path::new("/project/out")));
}

#[test]
fn options_of_node_that_were_there_stay_and_are_given_back_to_children() {
    let scratch = tempfile::tempdir().unwrap();
    let plan = plan(Framework::NodeTest, "npm test", scratch.path());
    let variable =
        |name: &str| plan.environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    assert!(variable("NODE_OPTIONS").unwrap().starts_with("-x --test-reporter=spec "));
    assert_eq!(variable("AIWG_GATE_NODE_OPTIONS"), Some("-x"));
    assert_eq!(plan.command, CommandLine::Shell("npm test".to_owned()));
}

#[test]
fn commands_are_recognized_by_their_words() {
    for (text, expected) in [
        ("npx jest", Some(Framework::Jest)),
        ("yarn vitest run", Some(Framework::Vitest)),
        ("nyc mocha", Some(Framework::Mocha)),
        ("node --test", Some(Framework::NodeTest)),
        ("./mvnw -q verify", Some(Framework::Junit)),
        ("./gradlew :app:test", Some(Framework::Junit)),
        ("java -jar junit-platform-console-standalone.jar", Some(Framework::Junit)),
        ("node build.js --test", None),
        ("mvn clean", None),
        ("npm test", None),
        ("java -jar app.jar", None),
    ] {
        assert_eq!(recognize(&CommandLine::Shell(text.to_owned())), expected, "{text}");
    }
}
