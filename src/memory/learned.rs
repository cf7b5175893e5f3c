//! `patterns/learned-patterns.yaml`: what sessions taught each other.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::format::ErrorType;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnedPatterns {
    pub patterns: Vec<LearnedPattern>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnedPattern {
    pub pattern_id: String,
    pub error_type: ErrorType,
    /// What the messages have in common.
    pub error_pattern: String,
    pub fix_template: String,
    pub occurrences: u32,
    /// From 0 to 1.
    pub success_rate: f64,
    pub last_seen: DateTime<Utc>,
}
