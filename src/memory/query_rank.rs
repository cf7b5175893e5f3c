//! Free text ranked by relevance: rare words count more, and more where they say what was wrong or what helped.

use std::collections::{BTreeMap, BTreeSet};

use super::index::Summary;

/// The words of one session, each with its weight.
struct Document {
    weights: BTreeMap<String, f64>,
    length: f64,
}

/// All sessions, ready for a question.
pub struct Ranking {
    documents: Vec<Document>,
    average: f64,
}

/// How fast repetitions stop counting, and how much long sessions are held against them.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// Causes and fixes say most; then messages; then names.
const NOTES: f64 = 2.0;
const MESSAGES: f64 = 1.5;
const NAMES: f64 = 1.0;

impl Ranking {
    pub fn of(summaries: &[Summary]) -> Self {
        let documents: Vec<Document> = summaries.iter().map(Document::of).collect();
        let total: f64 = documents.iter().map(|document| document.length).sum();
        Self { average: (total / documents.len().max(1) as f64).max(1.0), documents }
    }

    /// One score for each session, 0 where no word is in it.
    pub fn scores(&self, text: &str) -> Vec<f64> {
        let asked: BTreeSet<String> = words(text).collect();
        let mut scores = vec![0.0; self.documents.len()];
        for word in &asked {
            let with = self.documents.iter().filter(|document| document.weights.contains_key(word)).count();
            let rarity = (1.0 + (self.documents.len() as f64 - with as f64 + 0.5) / (with as f64 + 0.5)).ln();
            for (score, document) in scores.iter_mut().zip(&self.documents) {
                *score += rarity * document.strength(word, self.average);
            }
        }
        scores
    }
}

impl Document {
    fn of(summary: &Summary) -> Self {
        let mut document = Self { weights: BTreeMap::new(), length: 0.0 };
        document.add(&summary.file_path, NAMES);
        summary.files_changed.iter().for_each(|file| document.add(file, NAMES));
        summary.notes.iter().for_each(|note| document.add(note, NOTES));
        for failure in &summary.failures {
            document.add(&failure.test, NAMES);
            document.add(failure.error_type.name(), NAMES);
            document.add(&failure.message, MESSAGES);
        }
        document
    }

    fn add(&mut self, text: &str, weight: f64) {
        for word in words(text) {
            *self.weights.entry(word).or_default() += weight;
            self.length += 1.0;
        }
    }

    fn strength(&self, word: &str, average: f64) -> f64 {
        let Some(weight) = self.weights.get(word) else { return 0.0 };
        let long = 1.0 - LENGTH + LENGTH * self.length / average;
        weight * (SATURATION + 1.0) / (weight + SATURATION * long)
    }
}

/// Words in lower case; names are taken apart at `_`, at other signs and where a capital letter begins a word.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(humps).filter(|word| word.chars().count() > 1)
}

fn humps(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        if c.is_uppercase() && lower_before {
            parts.push(String::new());
        }
        lower_before = c.is_lowercase() || c.is_numeric();
        if let Some(part) = parts.last_mut() {
            part.extend(c.to_lowercase());
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let found: Vec<String> = words("test_cart::parseTotal(x) HTTPError größe").collect();
        assert_eq!(found, ["test", "cart", "parse", "total", "httperror", "größe"]);
    }
}
