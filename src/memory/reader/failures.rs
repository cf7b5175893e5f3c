//! Failures and their analysis out of a tree: some tools keep causes with each failure, some once for the attempt.

use super::fields::{Fields, flat};
use super::words;
use crate::memory::format::{Analysis, ErrorType, Failure, Foreign, SimilarIssue, SourceLocation};

/// What failures say about their causes.
#[derive(Default)]
pub struct Causes {
    causes: Vec<(String, String)>,
    strategies: Vec<(String, String)>,
    category: Option<crate::memory::format::RootCauseCategory>,
    confidence: Option<f64>,
}

pub fn read(
    fields: &mut Fields,
    names: &[&str],
    causes: &mut Causes,
    foreign: &mut Vec<Foreign>,
) -> Vec<Failure> {
    let place = fields.place(names[0]);
    let nodes = fields.list(names).into_iter().enumerate();
    let read = nodes.map(|(position, node)| match Fields::of(format!("{place}[{position}]"), node) {
        Ok(fields) => failure(fields, causes, foreign),
        Err(node) => Failure { test_name: flat(&node), ..Failure::default() },
    });
    read.collect()
}

fn failure(mut fields: Fields, causes: &mut Causes, foreign: &mut Vec<Foreign>) -> Failure {
    let test_name = fields.text(&["test_name", "test", "name"]).unwrap_or_default();
    if let Some(cause) = fields.text(&["root_cause"]) {
        causes.causes.push((test_name.clone(), cause));
    }
    if let Some(strategy) = fields.text(&["fix_strategy"]) {
        causes.strategies.push((test_name.clone(), strategy));
    }
    if causes.confidence.is_none() {
        causes.confidence = fields.within(&["confidence"], 0.0, 1.0);
    }
    if causes.category.is_none() {
        causes.category = fields.parsed(&["root_cause_category"], words::category);
    }
    let (error_type, error_message) = error(&mut fields);
    let location = fields.map(&["source_location", "location"]).map(|location| source(location, foreign));
    let failure = Failure {
        test_name,
        test_file: fields.text(&["test_file"]),
        test_line: fields.whole(&["test_line", "line_number", "line"]),
        error_type,
        error_message,
        stack_trace: fields.text(&["stack_trace", "stack_trace_snippet", "stack"]),
        expected: fields.text(&["expected"]),
        actual: fields.text(&["actual"]),
        source_location: location,
    };
    fields.finish(foreign);
    failure
}

/// A type that is not in the list of the schema stays in the message.
fn error(fields: &mut Fields) -> (ErrorType, String) {
    let kind = fields.text(&["error_type", "type"]);
    let message = fields.text(&["error_message", "error", "message"]).unwrap_or_default();
    let Some(kind) = kind else {
        return (words::error_type_of_message(&message).unwrap_or_default(), message);
    };
    match words::error_type(&kind) {
        Some(known) => (known, message),
        None if message.contains(&kind) => (ErrorType::Other, message),
        None if message.is_empty() => (ErrorType::Other, kind),
        None => (ErrorType::Other, format!("{kind}: {message}")),
    }
}

fn source(mut fields: Fields, foreign: &mut Vec<Foreign>) -> SourceLocation {
    let location = SourceLocation {
        file: fields.text(&["file", "path"]).unwrap_or_default(),
        line: fields.whole(&["line", "line_number"]),
        function: fields.text(&["function"]),
    };
    fields.finish(foreign);
    location
}

/// Adds what a second list says about a failure to what the first said, or the failure itself.
pub fn join(failures: &mut Vec<Failure>, more: Failure) {
    let same = |known: &Failure| known.test_name == more.test_name && agrees(known, &more);
    let Some(known) = failures.iter_mut().find(|known| same(known)) else { return failures.push(more) };
    if known.error_type == ErrorType::Other && known.error_message.is_empty() {
        known.error_type = more.error_type;
    }
    if known.error_message.is_empty() {
        known.error_message = more.error_message;
    }
    known.stack_trace = known.stack_trace.take().or(more.stack_trace);
}

/// Whether nothing of the second would be lost in the first.
fn agrees(known: &Failure, more: &Failure) -> bool {
    let message = known.error_message.is_empty()
        || more.error_message.is_empty()
        || known.error_message == more.error_message;
    let stack =
        known.stack_trace.is_none() || more.stack_trace.is_none() || known.stack_trace == more.stack_trace;
    let plain = more.test_file.is_none() && more.expected.is_none() && more.source_location.is_none();
    message && stack && plain && more.actual.is_none() && more.test_line.is_none()
}

/// The analysis of an attempt, with what its failures say.
pub fn read_analysis(fields: &mut Fields, causes: Causes, foreign: &mut Vec<Foreign>) -> Option<Analysis> {
    let mut analysis = match fields.map(&["analysis"]) {
        Some(from) => whole(from, foreign),
        None => Analysis {
            root_cause: fields.take(&["analysis"]).map(|node| flat(&node)).unwrap_or_default(),
            ..Analysis::default()
        },
    };
    extend(&mut analysis.root_cause, &causes.causes);
    extend(&mut analysis.fix_strategy, &causes.strategies);
    analysis.root_cause_category = analysis.root_cause_category.or(causes.category);
    analysis.confidence = analysis.confidence.or(causes.confidence);
    (analysis != Analysis::default()).then_some(analysis)
}

fn whole(mut from: Fields, foreign: &mut Vec<Foreign>) -> Analysis {
    let issues = from.list(&["similar_past_issues"]).into_iter().enumerate();
    let issues =
        issues.map(|(at, node)| match Fields::of(format!("analysis.similar_past_issues[{at}]"), node) {
            Ok(mut fields) => {
                let issue = SimilarIssue {
                    session_id: fields.text(&["session_id", "session"]).unwrap_or_default(),
                    file: fields.text(&["file", "file_path"]),
                    resolution: fields.text(&["resolution"]),
                };
                fields.finish(foreign);
                issue
            }
            Err(node) => SimilarIssue { session_id: flat(&node), ..SimilarIssue::default() },
        });
    let similar_past_issues = issues.collect();
    let analysis = Analysis {
        root_cause: from.text(&["root_cause"]).unwrap_or_default(),
        root_cause_category: from.parsed(&["root_cause_category", "category"], words::category),
        fix_strategy: from.text(&["fix_strategy"]).unwrap_or_default(),
        confidence: from.within(&["confidence"], 0.0, 1.0),
        related_failures: from.texts(&["related_failures"]),
        similar_past_issues,
        patterns_matched: from.texts(&["patterns_matched"]),
    };
    from.finish(foreign);
    analysis
}

/// One cause stands as it is; several stand with their tests, one on a line.
fn extend(text: &mut String, said: &[(String, String)]) {
    let mut distinct: Vec<&str> = said.iter().map(|(_, words)| words.as_str()).collect();
    distinct.dedup();
    if let ([only], true) = (distinct.as_slice(), text.is_empty()) {
        *text = (*only).to_owned();
        return;
    }
    let before = text.clone();
    for (test, words) in said.iter().filter(|(_, words)| *words != before) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&if test.is_empty() { words.clone() } else { format!("{test}: {words}") });
    }
}
