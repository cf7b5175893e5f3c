//! The JSON of `memory`, version 1. Fields may be added, never renamed or dropped.
//!
//! A whole session is printed in its own file format, which has a schema of its own.

use serde::Serialize;

use crate::memory::{
    AVERAGE_ATTEMPTS_BELOW, Advice, Answer, ESCALATION_BELOW, FIRST_ATTEMPT_ABOVE, Hit, LearnedPatterns,
    MEMORY_REUSE_ABOVE, Noted, Pruned, Session, Share, Stats, Unreadable,
};

#[derive(Serialize)]
struct QueryDocument<'a> {
    version: u32,
    matched: usize,
    sessions: Vec<HitJson<'a>>,
    /// Null unless a file was asked about.
    advice: Option<AdviceJson<'a>>,
    unreadable: Vec<UnreadableJson<'a>>,
}

#[derive(Serialize)]
struct HitJson<'a> {
    session_id: &'a str,
    file: &'a str,
    status: &'static str,
    updated_at: Option<String>,
    attempts: u32,
    tests: &'a [String],
    error_types: Vec<&'static str>,
    message: Option<&'a str>,
    root_cause: Option<&'a str>,
    fix_strategy: Option<&'a str>,
    fix: Option<&'a str>,
    verification: Option<&'static str>,
    score: f64,
}

#[derive(Serialize)]
struct AdviceJson<'a> {
    file: &'a str,
    module: &'a str,
    past_sessions: usize,
    past_sessions_of_module: usize,
    common_patterns: Vec<CommonJson<'a>>,
    recommended_preemptive_actions: &'a [String],
}

#[derive(Serialize)]
struct CommonJson<'a> {
    pattern: &'a str,
    frequency: u32,
    fix_template: Option<&'a str>,
    effectiveness: Option<f64>,
}

#[derive(Serialize)]
struct UnreadableJson<'a> {
    path: String,
    reason: &'a str,
}

pub fn query(answer: &Answer) -> serde_json::Result<String> {
    print(&QueryDocument {
        version: 1,
        matched: answer.matched,
        sessions: answer.hits.iter().map(hit).collect(),
        advice: answer.advice.as_ref().map(advice),
        unreadable: unreadable(&answer.unreadable),
    })
}

fn hit(hit: &Hit) -> HitJson<'_> {
    HitJson {
        session_id: &hit.session_id,
        file: &hit.file,
        status: hit.status.name(),
        updated_at: hit.updated_at.map(|time| time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)),
        attempts: hit.attempts,
        tests: &hit.tests,
        error_types: hit.error_types.iter().map(|kind| kind.name()).collect(),
        message: hit.message.as_deref(),
        root_cause: hit.root_cause.as_deref(),
        fix_strategy: hit.strategy.as_deref(),
        fix: hit.fix.as_deref(),
        verification: hit.verification.map(|verification| verification.name()),
        score: hit.score,
    }
}

fn advice(advice: &Advice) -> AdviceJson<'_> {
    let common = advice.common_patterns.iter().map(|common| CommonJson {
        pattern: &common.pattern,
        frequency: common.frequency,
        fix_template: common.fix_template.as_deref(),
        effectiveness: common.effectiveness,
    });
    AdviceJson {
        file: &advice.file,
        module: &advice.module,
        past_sessions: advice.sessions_of_file,
        past_sessions_of_module: advice.sessions_of_module,
        common_patterns: common.collect(),
        recommended_preemptive_actions: &advice.actions,
    }
}

fn unreadable(files: &[Unreadable]) -> Vec<UnreadableJson<'_>> {
    let path = |file: &Unreadable| file.path.display().to_string();
    files.iter().map(|one| UnreadableJson { path: path(one), reason: &one.reason }).collect()
}

#[derive(Serialize)]
struct SessionDocument<'a> {
    version: u32,
    session: &'a Session,
}

pub fn session(session: &Session) -> serde_json::Result<String> {
    print(&SessionDocument { version: 1, session })
}

#[derive(Serialize)]
struct NotedDocument<'a> {
    version: u32,
    session_id: &'a str,
    attempt: u32,
    replaced: bool,
    analysis: Option<&'a crate::memory::Analysis>,
    fix_applied: Option<&'a crate::memory::FixApplied>,
}

pub fn noted(noted: &Noted) -> serde_json::Result<String> {
    let execution = noted.execution();
    print(&NotedDocument {
        version: 1,
        session_id: &noted.session.session_id,
        attempt: execution.attempt,
        replaced: noted.replaced,
        analysis: execution.analysis.as_ref(),
        fix_applied: execution.fix_applied.as_ref(),
    })
}

#[derive(Serialize)]
struct PatternsDocument<'a> {
    version: u32,
    patterns: Vec<PatternJson<'a>>,
}

#[derive(Serialize)]
struct PatternJson<'a> {
    pattern_id: &'a str,
    error_type: &'static str,
    error_pattern: &'a str,
    fix_template: &'a str,
    occurrences: u32,
    success_rate: f64,
    last_seen: String,
}

pub fn patterns(learned: &LearnedPatterns) -> serde_json::Result<String> {
    let patterns = learned.patterns.iter().map(|pattern| PatternJson {
        pattern_id: &pattern.pattern_id,
        error_type: pattern.error_type.name(),
        error_pattern: &pattern.error_pattern,
        fix_template: &pattern.fix_template,
        occurrences: pattern.occurrences,
        success_rate: pattern.success_rate,
        last_seen: pattern.last_seen.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
    });
    print(&PatternsDocument { version: 1, patterns: patterns.collect() })
}

#[derive(Serialize)]
struct StatsDocument<'a> {
    version: u32,
    sessions: SessionsJson,
    attempts: usize,
    metrics: MetricsJson,
    error_types: Vec<ErrorTypeJson>,
    files: Vec<FileJson<'a>>,
    unreadable: Vec<UnreadableJson<'a>>,
}

#[derive(Serialize)]
struct SessionsJson {
    total: usize,
    in_progress: usize,
    passed: usize,
    failed: usize,
    escalated: usize,
    base_runs: usize,
}

#[derive(Serialize)]
struct MetricsJson {
    first_attempt_pass_rate: Metric,
    average_attempts: Metric,
    escalation_rate: Metric,
    memory_reuse: Metric,
}

/// Values are null where there is nothing to count yet.
#[derive(Serialize)]
struct Metric {
    value: Option<f64>,
    target: Target,
    met: Option<bool>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Target {
    Above(f64),
    Below(f64),
}

impl Metric {
    fn new(value: Option<f64>, target: Target) -> Self {
        let met = |value: f64| match target {
            Target::Above(limit) => value > limit,
            Target::Below(limit) => value < limit,
        };
        let rounded = value.map(|value| (value * 10_000.0).round() / 10_000.0);
        Self { value: rounded, target, met: value.map(met) }
    }

    fn share(share: Share, target: Target) -> Self {
        Self::new(share.ratio(), target)
    }
}

#[derive(Serialize)]
struct ErrorTypeJson {
    error_type: &'static str,
    failures: usize,
}

#[derive(Serialize)]
struct FileJson<'a> {
    file: &'a str,
    sessions: usize,
    failed_attempts: usize,
}

pub fn stats(stats: &Stats, files: &[Unreadable]) -> serde_json::Result<String> {
    let kinds = stats.error_types.iter();
    let kinds = kinds.map(|(kind, failures)| ErrorTypeJson { error_type: kind.name(), failures: *failures });
    let of_file = stats.files.iter().map(|file| FileJson {
        file: &file.file,
        sessions: file.sessions,
        failed_attempts: file.failed_attempts,
    });
    print(&StatsDocument {
        version: 1,
        sessions: SessionsJson {
            total: stats.sessions,
            in_progress: stats.in_progress,
            passed: stats.passed,
            failed: stats.failed,
            escalated: stats.escalated,
            base_runs: stats.base_runs,
        },
        attempts: stats.attempts,
        metrics: MetricsJson {
            first_attempt_pass_rate: Metric::share(
                stats.first_attempt_passed,
                Target::Above(FIRST_ATTEMPT_ABOVE),
            ),
            average_attempts: Metric::new(stats.average_attempts, Target::Below(AVERAGE_ATTEMPTS_BELOW)),
            escalation_rate: Metric::share(stats.escalation, Target::Below(ESCALATION_BELOW)),
            memory_reuse: Metric::share(stats.memory_reuse, Target::Above(MEMORY_REUSE_ABOVE)),
        },
        error_types: kinds.collect(),
        files: of_file.collect(),
        unreadable: unreadable(files),
    })
}

#[derive(Serialize)]
struct PrunedDocument<'a> {
    version: u32,
    dry_run: bool,
    sessions: Vec<PrunedJson<'a>>,
    files: Vec<String>,
    /// Old enough, but with a proof that is still needed.
    kept: &'a [String],
    unreadable: Vec<UnreadableJson<'a>>,
}

#[derive(Serialize)]
struct PrunedJson<'a> {
    session_id: &'a str,
    updated_at: String,
}

pub fn pruned(pruned: &Pruned, dry_run: bool) -> serde_json::Result<String> {
    let sessions = pruned.sessions.iter().map(|session| PrunedJson {
        session_id: &session.session_id,
        updated_at: session.updated_at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
    });
    print(&PrunedDocument {
        version: 1,
        dry_run,
        sessions: sessions.collect(),
        files: pruned.files.iter().map(|file| file.display().to_string()).collect(),
        kept: &pruned.needed,
        unreadable: unreadable(&pruned.unreadable),
    })
}

fn print(document: &impl Serialize) -> serde_json::Result<String> {
    super::json::pretty(document)
}
