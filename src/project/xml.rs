//! Reads XML: the text of each element, its way from the root, its line.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::document::{Document, MAX_DEPTH};

/// What a file says, up to its first error. Elements that can repeat with other settings inside get a number, as in
/// `plugin#2`.
pub fn read(text: &str) -> Document {
    let mut document = Document::default();
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut lines = Lines::of(text);
    let (mut path, mut value, mut opened) = (Vec::<String>::new(), String::new(), 0);
    let mut count = 0;
    while let Ok(event) = reader.read_event() {
        let line = lines.up_to(reader.buffer_position() as usize);
        match event {
            Event::Start(start) => {
                let name = start.local_name().as_ref().to_owned();
                count += 1;
                path.push(if NUMBERED.contains(&name.as_str()) { format!("{name}#{count}") } else { name });
                value.clear();
                opened = line;
                if path.len() > MAX_DEPTH {
                    break;
                }
            }
            Event::Text(text) => value.push_str(&text),
            Event::End(_) => {
                let text = value.trim().to_owned();
                value.clear();
                if !text.is_empty() && !document.push(path.clone(), text, opened) {
                    break;
                }
                path.pop();
            }
            Event::Comment(comment) => document.remark(&comment, line),
            Event::Eof => break,
            _ => {}
        }
    }
    document
}

/// Elements of which there are many, each with a life of its own.
const NUMBERED: [&str; 4] = ["plugin", "execution", "profile", "limit"];

/// Counts lines while a text is gone through once.
pub struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    pub fn up_to(&mut self, at: usize) -> u32 {
        let passed = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.at = at.max(self.at);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_ways_and_lines() {
        let document = read("<p>\n <a>1</a>\n <plugin><x>\n2</x></plugin>\n <!-- c -->\n</p>");
        let shown: Vec<String> = document
            .entries
            .iter()
            .map(|entry| format!("{}={}@{}", entry.path.join("."), entry.value, entry.line))
            .collect();
        assert_eq!(shown, ["p.a=1@2", "p.plugin#3.x=2@3"]);
        assert_eq!(document.remarks.len(), 1);
    }
}
