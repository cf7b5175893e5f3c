//! A whole session out of a tree: in the shape of a session, wrapped in `debug_memory`, or as a feedback workflow.

use chrono::{DateTime, Utc};

use super::fields::{Fields, flat, keep};
use super::node::Node;
use super::{execution, words};
use crate::memory::format::{
    Execution, Foreign, Learnings, Metadata, Pattern, RecurringFailure, Session, Status,
};

/// `stem` is the file's name, which tells the id where the file does not.
pub fn read(node: Node, stem: &str, changed: DateTime<Utc>) -> Option<Session> {
    let mut foreign = Vec::new();
    let mut fields = unwrapped(node, &mut foreign)?;
    let mut loop_state = fields.map(&["loop_state"]);
    let known = ["executions", "attempts", "session_id"].iter().any(|name| fields.has(name));
    if !known && loop_state.is_none() {
        return None;
    }
    let mut artifact = fields.map(&["code_artifact"]);
    let created_at = take_time(&mut fields, &["created_at", "started_at"]);
    let updated_at = take_time(&mut fields, &["updated_at", "last_updated", "completed_at"]);
    let hash = artifact.as_mut().and_then(|artifact| artifact.text(&["content_hash"]));
    let framework = fields.map(&["execution_config"]).and_then(|mut config| {
        let framework = config.text(&["test_framework"]);
        config.finish(&mut foreign);
        framework
    });
    let defaults = execution::Defaults {
        time: created_at.or(updated_at).unwrap_or(changed),
        hash: hash.unwrap_or_default(),
        framework,
    };
    let mut executions = read_executions(&mut fields, &defaults, &mut foreign);
    if let Some(state) = &mut loop_state {
        executions.extend(read_executions(state, &defaults, &mut foreign));
    }
    let status = |from: &mut Fields| from.parsed(&["status"], words::status);
    let status = status(&mut fields).or_else(|| status(loop_state.as_mut()?));
    let file_path = fields.text(&["file_path", "file"]).or_else(|| artifact.as_mut()?.text(&["path"]));
    let session = Session {
        session_id: fields.text(&["session_id", "workflow_id", "id"]).unwrap_or_else(|| id_of(stem)),
        file_path: file_path.unwrap_or_default(),
        created_at,
        updated_at,
        status: status.unwrap_or_else(|| status_of(&executions)),
        executions,
        learnings: fields.map(&["learnings"]).map(|learnings| read_learnings(learnings, &mut foreign)),
        metadata: read_metadata(&mut fields, &mut foreign),
        foreign: Vec::new(),
    };
    for rest in [Some(fields), loop_state, artifact].into_iter().flatten() {
        rest.finish(&mut foreign);
    }
    Some(Session { foreign, ..session })
}

/// The mapping that holds the session.
fn unwrapped(node: Node, foreign: &mut Vec<Foreign>) -> Option<Fields> {
    let mut fields = Fields::of("", node).ok()?;
    let Some(Node::Map(inner)) = fields.take(&["debug_memory"]) else { return Some(fields) };
    fields.finish(foreign);
    Fields::of("", Node::Map(inner)).ok()
}

fn take_time(fields: &mut Fields, names: &[&str]) -> Option<DateTime<Utc>> {
    let direct = names.iter().find_map(|name| fields.parsed(&[name], words::time));
    direct.or_else(|| {
        let mut times = fields.map(&["timestamps"])?;
        let time = names.iter().find_map(|name| times.parsed(&[name], words::time));
        // The next one to ask finds the rest where it was.
        let rest = times.rest();
        fields.put("timestamps", Node::Map(rest));
        time
    })
}

fn read_executions(
    fields: &mut Fields,
    defaults: &execution::Defaults,
    foreign: &mut Vec<Foreign>,
) -> Vec<Execution> {
    let mut executions = Vec::new();
    let place = fields.place("executions");
    for (position, node) in fields.list(&["executions", "attempts"]).into_iter().enumerate() {
        let place = format!("{place}[{position}]");
        match Fields::of(&place, node) {
            Ok(fields) => {
                let attempt = u32::try_from(executions.len() + 1).unwrap_or(u32::MAX);
                executions.push(execution::read(fields, attempt, defaults, foreign));
            }
            Err(node) => keep(place, &node, foreign),
        }
    }
    executions
}

/// `session-abc123.yaml` holds the session `abc123`.
fn id_of(stem: &str) -> String {
    stem.strip_prefix("session-").unwrap_or(stem).to_owned()
}

fn status_of(executions: &[Execution]) -> Status {
    match executions.last() {
        None => Status::InProgress,
        Some(last) if last.test_results.failed + last.test_results.errors > 0 => Status::Failed,
        Some(_) => Status::Passed,
    }
}

fn read_metadata(fields: &mut Fields, foreign: &mut Vec<Foreign>) -> Option<Metadata> {
    let mut metadata = Metadata::default();
    for mut from in [fields.map(&["metadata"]), fields.map(&["ralph_integration"])].into_iter().flatten() {
        let agent = agent(&mut from, foreign);
        metadata.agent = metadata.agent.take().or(agent);
        metadata.task_id = metadata.task_id.take().or_else(|| from.text(&["task_id", "loop_id"]));
        let iteration = from.whole(&["ralph_iteration", "iteration"]);
        metadata.ralph_iteration = metadata.ralph_iteration.or(iteration);
        metadata.worktree = metadata.worktree.take().or_else(|| from.text(&["worktree"]));
        from.finish(foreign);
    }
    if metadata.agent.is_none() {
        metadata.agent = agent(fields, foreign);
    }
    (metadata != Metadata::default()).then_some(metadata)
}

/// A name, or a mapping with one.
fn agent(fields: &mut Fields, foreign: &mut Vec<Foreign>) -> Option<String> {
    if let Some(mut agent) = fields.map(&["agent"]) {
        let name = agent.text(&["name", "type"]);
        agent.finish(foreign);
        return name;
    }
    fields.text(&["agent"])
}

fn read_learnings(mut fields: Fields, foreign: &mut Vec<Foreign>) -> Learnings {
    let place = |name: &str, position: usize| format!("learnings.{name}[{position}]");
    let patterns = fields.list(&["patterns_identified", "patterns"]).into_iter().enumerate();
    let patterns = patterns.map(|(at, node)| match Fields::of(place("patterns_identified", at), node) {
        Ok(fields) => pattern(fields, foreign),
        Err(node) => Pattern { pattern: flat(&node), ..Pattern::default() },
    });
    let patterns_identified = patterns.collect();
    let recurring = fields.list(&["recurring_failures"]).into_iter().enumerate();
    let recurring = recurring.map(|(at, node)| match Fields::of(place("recurring_failures", at), node) {
        Ok(fields) => recurring_failure(fields, foreign),
        Err(node) => RecurringFailure { test: flat(&node), occurrences: 1, ..RecurringFailure::default() },
    });
    let recurring_failures = recurring.collect();
    let learnings = Learnings {
        patterns_identified,
        recurring_failures,
        code_quality_issues: fields.texts(&["code_quality_issues"]),
        recommendations: fields.texts(&["recommendations"]),
    };
    fields.finish(foreign);
    learnings
}

fn pattern(mut fields: Fields, foreign: &mut Vec<Foreign>) -> Pattern {
    let pattern = Pattern {
        pattern: fields.text(&["pattern", "name", "description"]).unwrap_or_default(),
        frequency: fields.whole(&["frequency", "occurrences"]),
        category: fields.text(&["category"]),
        fix_template: fields.text(&["fix_template"]),
        effectiveness: fields.within(&["effectiveness"], 0.0, 1.0),
    };
    fields.finish(foreign);
    pattern
}

fn recurring_failure(mut fields: Fields, foreign: &mut Vec<Foreign>) -> RecurringFailure {
    let failure = RecurringFailure {
        test: fields.text(&["test", "test_name"]).unwrap_or_default(),
        occurrences: fields.whole(&["occurrences", "frequency", "count"]).unwrap_or(1),
        resolution: fields.text(&["resolution"]),
        notes: fields.text(&["notes"]),
    };
    fields.finish(foreign);
    failure
}
