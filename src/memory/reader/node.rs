//! A foreign file as a tree: mappings, lists and texts, no larger than the file itself.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::scan;

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Null,
    Text(String),
    List(Vec<Node>),
    /// In the order of the file; a key may stand there twice.
    Map(Vec<(String, Node)>),
}

pub fn from_yaml(text: &str) -> Result<Node, String> {
    let text = scan::prepare(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let budget = Budget::of(&text);
    let read = Tree(&budget).deserialize(serde_yaml::Deserializer::from_str(&text));
    read.map_err(|error| format!("it is not valid YAML: {error}"))
}

pub fn from_json(text: &str) -> Result<Node, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let budget = Budget::of(text);
    let mut json = serde_json::Deserializer::from_str(text);
    let read = Tree(&budget).deserialize(&mut json).and_then(|node| json.end().map(|()| node));
    read.map_err(|error| format!("it is not valid JSON: {error}"))
}

/// Whatever a parser does with a file, no more comes out of it than went in.
struct Budget {
    values: Cell<usize>,
    bytes: Cell<usize>,
}

impl Budget {
    fn of(text: &str) -> Self {
        Self { values: Cell::new(scan::MAX_VALUES), bytes: Cell::new(2 * text.len() + 64) }
    }

    fn spend<E: de::Error>(&self, bytes: usize) -> Result<(), E> {
        let left = (self.values.get().checked_sub(1), self.bytes.get().checked_sub(bytes));
        let (Some(values), Some(bytes)) = left else { return Err(E::custom("it has too many values")) };
        self.values.set(values);
        self.bytes.set(bytes);
        Ok(())
    }
}

struct Tree<'b>(&'b Budget);

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Tree<'_> {
    fn scalar<E: de::Error>(self, text: impl Into<String>) -> Result<Node, E> {
        let text = text.into();
        self.0.spend(text.len())?;
        Ok(Node::Text(text))
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        self.0.spend(0)?;
        Ok(Node::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Node, E> {
        self.visit_unit()
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Node, E> {
        self.scalar(value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Node, E> {
        self.scalar(value.to_string())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Node, E> {
        self.scalar(value.to_string())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Node, E> {
        self.scalar(value.to_string())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Node, E> {
        self.scalar(text)
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Node, E> {
        self.scalar(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        self.0.spend(0)?;
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element_seed(Tree(self.0))? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        self.0.spend(0)?;
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(Tree(self.0))? {
            let key = match key {
                Node::Text(key) => key,
                Node::Null => "null".to_owned(),
                _ => return Err(de::Error::custom("a key is a list or a mapping")),
            };
            entries.push((key, map.next_value_seed(Tree(self.0))?));
        }
        Ok(Node::Map(entries))
    }

    /// A value with a YAML tag, which says nothing to us.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Node, A::Error> {
        let (_tag, value) = tagged.variant_seed(Tree(self.0))?;
        value.newtype_variant_seed(Tree(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_give_the_same_tree() {
        let yaml = from_yaml("a: [1, yes, ~, '']\nb: !tag {c: 1.50}\n").unwrap();
        let list = ["1", "yes"].map(|text| Node::Text(text.into())).to_vec();
        let list = [list, vec![Node::Null, Node::Text(String::new())]].concat();
        let inner = Node::Map(vec![("c".into(), Node::Text("1.50".into()))]);
        assert_eq!(yaml, Node::Map(vec![("a".into(), Node::List(list)), ("b".into(), inner)]));
        let json = from_json(r#"{"a": [1, null], "a": "x"}"#).unwrap();
        let list = Node::List(vec![Node::Text("1".into()), Node::Null]);
        assert_eq!(json, Node::Map(vec![("a".into(), list), ("a".into(), Node::Text("x".into()))]));
    }

    #[test]
    fn broken_and_deep_files_are_errors() {
        for text in ["a: [", "\"", "a: b: c", &"- ".repeat(5000), "a: 1\n---\nb: 2"] {
            assert!(from_yaml(text).is_err(), "{text:.40}");
        }
        for text in ["{", "", "[1] 2", &"[".repeat(5000)] {
            assert!(from_json(text).is_err(), "{text:.40}");
        }
    }
}
