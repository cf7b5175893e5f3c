//! What memory advises before a file is touched: what went wrong there, and what to do from the start.

use std::collections::BTreeMap;

use anyhow::Result;

use super::format::Session;
use super::index::Summary;
use super::learned::LearnedPatterns;
use super::patterns::{self, MIN_EFFECTIVENESS, is_derived};
use super::patterns_normal::error_pattern;
use super::query::{LOOK_BACK, nearness};
use super::similar::{self, folder};
use super::store::Store;

#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    pub file: String,
    /// A glob of the folder of the file.
    pub module: String,
    pub sessions_of_file: usize,
    /// Those of the file included.
    pub sessions_of_module: usize,
    /// Most frequent first.
    pub common_patterns: Vec<Common>,
    /// Fixes that have proved themselves.
    pub actions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    pub pattern: String,
    /// In how many hunts that have ended, of any file, where it was learned from them; else in how many sessions here.
    pub frequency: u32,
    pub fix_template: Option<String>,
    pub effectiveness: Option<f64>,
}

const SHOWN: usize = 10;

impl Advice {
    pub fn of(store: &Store, summaries: &[Summary], file: &str) -> Result<Self> {
        let of_file = summaries.iter().filter(|summary| nearness(summary, file) >= 3.0).count();
        let of_module: Vec<&Summary> =
            summaries.iter().filter(|summary| nearness(summary, file) >= 2.0).collect();
        let newest = of_module.iter().take(LOOK_BACK).map(|summary| summary.session_id.as_str());
        let sessions = similar::load(store, newest)?;
        let mut common = BTreeMap::new();
        let learned = store.read_patterns().unwrap_or_default();
        of_module.iter().for_each(|summary| count_failures(&mut common, summary, &learned));
        sessions.values().for_each(|session| count_lessons(&mut common, session));
        let mut common_patterns: Vec<Common> = common.into_values().collect();
        common_patterns.sort_by_key(|common| std::cmp::Reverse(common.frequency));
        common_patterns.truncate(SHOWN);
        let module = folder(file);
        Ok(Self {
            file: file.to_owned(),
            module: if module.is_empty() { "*".to_owned() } else { format!("{module}/*") },
            sessions_of_file: of_file,
            sessions_of_module: of_module.len(),
            actions: actions(&common_patterns),
            common_patterns,
        })
    }
}

/// Each pattern once for each session that met it.
fn count_failures(common: &mut BTreeMap<String, Common>, summary: &Summary, learned: &LearnedPatterns) {
    let mut here: Vec<String> = Vec::new();
    for failure in &summary.failures {
        let pattern = error_pattern(&failure.message);
        let text = failure.error_type.before(&pattern);
        if pattern.is_empty() || here.contains(&text) || here.len() >= SHOWN {
            continue;
        }
        let id = patterns::id_of(failure.error_type, &pattern);
        let known = learned.patterns.iter().find(|learned| learned.pattern_id == id);
        let entry = common.entry(text.clone()).or_insert_with(|| Common {
            pattern: text.clone(),
            frequency: known.map_or(0, |known| known.occurrences),
            fix_template: known.map(|known| known.fix_template.clone()),
            effectiveness: known.map(|known| known.success_rate),
        });
        if known.is_none() {
            entry.frequency += 1;
        }
        here.push(text);
    }
}

/// Lessons in the words of whoever wrote the session; those that follow from failures are counted already.
fn count_lessons(common: &mut BTreeMap<String, Common>, session: &Session) {
    let lessons = session.learnings.iter().flat_map(|learnings| &learnings.patterns_identified);
    for lesson in lessons {
        match common.get_mut(&lesson.pattern) {
            Some(entry) if entry.fix_template.is_none() => {
                entry.fix_template = lesson.fix_template.clone();
                entry.effectiveness = lesson.effectiveness;
            }
            Some(_) => {}
            None => {
                let new = Common {
                    pattern: lesson.pattern.clone(),
                    frequency: lesson.frequency.unwrap_or(1),
                    fix_template: lesson.fix_template.clone(),
                    effectiveness: lesson.effectiveness,
                };
                common.insert(lesson.pattern.clone(), new);
            }
        }
    }
}

fn actions(common: &[Common]) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    for common in common {
        let proved = common.effectiveness.is_some_and(|effectiveness| effectiveness > MIN_EFFECTIVENESS);
        if let Some(template) = common.fix_template.as_ref().filter(|text| proved && !is_derived(text))
            && !actions.contains(template)
        {
            actions.push(template.clone());
        }
    }
    actions
}
