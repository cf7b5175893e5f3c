//! The code blocks of docs/hook-managers.md.

use crate::repo::Outcome;
use crate::stage::Stage;

const TEXT: &str = include_str!("../../docs/hook-managers.md");
/// The address that stands in the document for wherever the reader clones from.
pub const ADDRESS: &str = "https://git.example.com/aiwg-gate";

pub struct Block {
    pub language: &'static str,
    /// What stands last in quotes before it, often a file.
    pub named: Option<&'static str>,
    pub text: String,
}

/// The blocks below a heading, up to the next one.
pub fn blocks(heading: &str) -> Vec<Block> {
    let (_, section) = TEXT.split_once(&format!("\n{heading}\n")).expect("a heading of the document");
    let mut blocks = Vec::new();
    let mut named = None;
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text =
                lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            blocks.push(Block { language, named: named.take(), text });
        } else if line.starts_with('#') {
            break;
        } else if line.contains('`') {
            named = line.split('`').nth_back(1);
        }
    }
    blocks
}

/// The one configuration below a heading.
pub fn configuration(heading: &str) -> String {
    let mut found = blocks(heading).into_iter().filter(|block| block.language == "yaml");
    let block = found.next().expect("a configuration");
    assert!(found.next().is_none(), "two configurations below {heading}");
    block.text
}

/// Runs the commands below a heading that start with `program`.
#[track_caller]
pub fn run_commands(stage: &Stage, heading: &str, program: &str) -> Outcome {
    let starts = |block: &Block| block.language == "sh" && block.text.starts_with(&format!("{program} "));
    let block = blocks(heading).into_iter().find(starts).expect("commands");
    stage.run("sh", &["-e", "-c", &block.text]).passes()
}
