//! A proof out of a tree: of a record of ours to which somebody added something.

use serde_json::{Map, Value};

use super::fields::Fields;
use super::node::Node;
use crate::memory::format::Proof;

const NUMBERS: [&str; 2] = ["exit_code", "known"];
const FLAGS: [&str; 2] = ["own_command", "named"];

/// Takes the proof if it is whole; a part of one is no proof, and stays.
pub fn read(fields: &mut Fields) -> Option<Proof> {
    let node = fields.take(&["proof"])?;
    let proof = serde_json::from_value(value("", &node)).ok();
    if proof.is_none() {
        fields.put("proof", node);
    }
    proof
}

fn value(name: &str, node: &Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Text(text) if NUMBERS.contains(&name) => text.parse::<i64>().map_or(Value::Null, Value::from),
        Node::Text(text) if FLAGS.contains(&name) => text.parse::<bool>().map_or(Value::Null, Value::from),
        Node::Text(text) => Value::from(text.as_str()),
        Node::List(nodes) => nodes.iter().map(|node| value("", node)).collect(),
        Node::Map(entries) => {
            let entries = entries.iter().map(|(key, node)| (key.clone(), value(key, node)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}
