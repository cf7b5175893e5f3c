//! placeholder
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathClass {
    Test,
    Production,
    Documentation,
    Ignored,
    Vendored,
}
pub struct Classifier;
impl Classifier {
    pub fn new(_: &crate::policy::Policy, _: crate::git::Attributes) -> anyhow::Result<Self> {
        Ok(Self)
    }
    pub fn class_of(&self, p: &str) -> PathClass {
        if p.contains("test") || p.contains("spec") {
            PathClass::Test
        } else if p.ends_with(".md") {
            PathClass::Documentation
        } else if p.contains("vendor/") {
            PathClass::Vendored
        } else {
            PathClass::Production
        }
    }
}
