//! Learned patterns out of a tree.

use chrono::{DateTime, Utc};

use super::fields::Fields;
use super::node::Node;
use super::words;
use crate::digest;
use crate::memory::learned::{LearnedPattern, LearnedPatterns};

/// `None` where there is no list of patterns. Entries that say no pattern are passed over.
pub fn read(node: Node, changed: DateTime<Utc>) -> Option<LearnedPatterns> {
    if node == Node::Null {
        return Some(LearnedPatterns::default());
    }
    let nodes = match node {
        Node::List(nodes) => nodes,
        node => match Fields::of("", node).ok()?.take(&["patterns", "learned_patterns"])? {
            Node::List(nodes) => nodes,
            _ => return None,
        },
    };
    let patterns = nodes.into_iter().filter_map(|node| pattern(Fields::of("", node).ok()?, changed));
    Some(LearnedPatterns { patterns: patterns.collect() })
}

fn pattern(mut fields: Fields, changed: DateTime<Utc>) -> Option<LearnedPattern> {
    let error_pattern = fields.text(&["error_pattern", "pattern"])?;
    let fix_template = fields.text(&["fix_template", "fix"]).unwrap_or_default();
    let id = fields.text(&["pattern_id", "id"]);
    Some(LearnedPattern {
        pattern_id: id.unwrap_or_else(|| digest::hex(&error_pattern)[..12].to_owned()),
        error_type: fields.parsed(&["error_type"], words::error_type).unwrap_or_default(),
        fix_template,
        occurrences: fields.whole(&["occurrences", "frequency"]).unwrap_or(1),
        success_rate: fields.within(&["success_rate", "effectiveness"], 0.0, 1.0).unwrap_or(0.0),
        last_seen: fields.parsed(&["last_seen"], words::time).unwrap_or(changed),
        error_pattern,
    })
}
