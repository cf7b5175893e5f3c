//! Takes known fields out of a mapping under any of their names; what nobody took is kept as foreign.

use std::str::FromStr;

use super::node::Node;
use crate::memory::format::Foreign;

/// One mapping of a foreign file.
pub struct Fields {
    place: String,
    entries: Vec<(String, Node)>,
}

impl Fields {
    /// A mapping; what is none comes back.
    pub fn of(place: impl Into<String>, node: Node) -> Result<Self, Node> {
        match node {
            Node::Map(entries) => Ok(Self { place: place.into(), entries }),
            other => Err(other),
        }
    }

    /// Where a field of this mapping stands.
    pub fn place(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }

    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, _)| spelled(key) == name)
    }

    /// The value under the first of these names that has one.
    pub fn take(&mut self, names: &[&str]) -> Option<Node> {
        self.take_if(names, |node| *node != Node::Null)
    }

    /// Puts back what was taken.
    pub fn put(&mut self, name: &str, node: Node) {
        self.entries.push((name.to_owned(), node));
    }

    fn take_if(&mut self, names: &[&str], fits: impl Fn(&Node) -> bool) -> Option<Node> {
        let position =
            |name: &&str| self.entries.iter().position(|(key, node)| spelled(key) == **name && fits(node));
        let position = names.iter().find_map(position)?;
        Some(self.entries.remove(position).1)
    }

    pub fn map(&mut self, names: &[&str]) -> Option<Self> {
        let place = self.place(names.first()?);
        Self::of(place, self.take_if(names, |node| matches!(node, Node::Map(_)))?).ok()
    }

    /// A list; a single value is a list of one.
    pub fn list(&mut self, names: &[&str]) -> Vec<Node> {
        match self.take(names) {
            Some(Node::List(nodes)) => nodes,
            Some(node) => vec![node],
            None => Vec::new(),
        }
    }

    pub fn text(&mut self, names: &[&str]) -> Option<String> {
        match self.take_if(names, |node| matches!(node, Node::Text(_))) {
            Some(Node::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A text that `read` understands; one that it does not stays where it is.
    pub fn parsed<T>(&mut self, names: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let fits = |node: &Node| matches!(node, Node::Text(text) if read(text.trim()).is_some());
        match self.take_if(names, fits) {
            Some(Node::Text(text)) => read(text.trim()),
            _ => None,
        }
    }

    /// A whole number, also as text or with a fraction.
    pub fn whole<T: TryFrom<u64>>(&mut self, names: &[&str]) -> Option<T> {
        self.parsed(names, |text| T::try_from(whole(text)?).ok())
    }

    /// A number from `low` to `high`, also with a percent sign.
    pub fn within(&mut self, names: &[&str], low: f64, high: f64) -> Option<f64> {
        self.parsed(names, |text| {
            let number = f64::from_str(text.trim_end_matches('%').trim_end()).ok()?;
            (low..=high).contains(&number).then_some(number)
        })
    }

    /// Texts of a list; what is no text becomes one.
    pub fn texts(&mut self, names: &[&str]) -> Vec<String> {
        self.list(names).into_iter().filter(|node| *node != Node::Null).map(|node| flat(&node)).collect()
    }

    pub fn rest(self) -> Vec<(String, Node)> {
        self.entries
    }

    /// Keeps what nobody took.
    pub fn finish(self, foreign: &mut Vec<Foreign>) {
        for (key, node) in self.entries {
            let place = if self.place.is_empty() { key } else { format!("{}.{key}", self.place) };
            keep(place, &node, foreign);
        }
    }
}

/// Keeps every text below a node, with its place.
pub fn keep(place: String, node: &Node, foreign: &mut Vec<Foreign>) {
    match node {
        Node::Null => {}
        Node::Text(value) => foreign.push(Foreign { place, value: value.clone() }),
        Node::List(nodes) => {
            for (position, node) in nodes.iter().enumerate() {
                keep(format!("{place}[{position}]"), node, foreign);
            }
        }
        Node::Map(entries) => {
            for (key, node) in entries {
                keep(format!("{place}.{key}"), node, foreign);
            }
        }
    }
}

/// A node as one text: `key: value; key: value`.
pub fn flat(node: &Node) -> String {
    match node {
        Node::Null => String::new(),
        Node::Text(text) => text.clone(),
        Node::List(nodes) => nodes.iter().map(flat).collect::<Vec<_>>().join(", "),
        Node::Map(entries) => {
            let entry = |(key, node): &(String, Node)| format!("{key}: {}", flat(node));
            entries.iter().map(entry).collect::<Vec<_>>().join("; ")
        }
    }
}

fn whole(text: &str) -> Option<u64> {
    if let Ok(number) = u64::from_str(text) {
        return Some(number);
    }
    let number = f64::from_str(text).ok()?.round();
    (0.0..=9e15).contains(&number).then_some(number as u64)
}

/// `sessionId`, `session-id` and `Session ID` as `session_id`.
pub fn spelled(name: &str) -> String {
    let mut spelled = String::with_capacity(name.len() + 4);
    let mut previous = '_';
    for c in name.trim().chars() {
        let c = if c == '-' || c == ' ' { '_' } else { c };
        if c.is_ascii_uppercase() && (previous.is_ascii_lowercase() || previous.is_ascii_digit()) {
            spelled.push('_');
        }
        spelled.push(c.to_ascii_lowercase());
        previous = c;
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_spelled() {
        for name in ["session_id", "sessionId", "session-id", "Session ID", "SESSION_ID"] {
            assert_eq!(spelled(name), "session_id");
        }
    }

    #[test]
    fn numbers_are_read_from_texts_and_nothing_else() {
        let read = |text: &str| {
            let mut fields =
                Fields { place: String::new(), entries: vec![("n".into(), Node::Text(text.into()))] };
            let number: Option<u32> = fields.whole(&["n"]);
            let mut foreign = Vec::new();
            fields.finish(&mut foreign);
            assert_eq!(foreign.is_empty(), number.is_some(), "what is no number is kept");
            number
        };
        assert_eq!([read("8"), read("1500.4"), read(" 7 ")], [Some(8), Some(1500), Some(7)]);
        assert_eq!([read("-1"), read("many"), read("NaN"), read("1e300"), read("5000000000")], [None; 5]);
    }
}
