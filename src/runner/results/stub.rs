use super::Results;
use crate::facts::Test;
pub struct KnownTest(String);
impl KnownTest { pub fn of(path: &str, test: &Test) -> Self { Self(format!("{path}::{}", test.qualified_name())) } pub fn id(&self) -> String { self.0.clone() } }
pub fn unexecuted(known: &[KnownTest], results: &Results) -> Vec<usize> { let ids: Vec<String> = results.tests.iter().map(|t| t.id.to_string()).collect(); (0..known.len()).filter(|i| !ids.iter().any(|id| id.ends_with(&known[*i].0))).collect() }
