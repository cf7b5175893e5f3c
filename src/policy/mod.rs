//! placeholder
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Profile {
    #[default]
    Standard,
    Strict,
    Advisory,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleAction {
    Block,
    Warn,
    Log,
    Off,
}
#[derive(Clone, Debug, Default)]
pub struct Policy {
    pub profile: Profile,
    pub rules: std::collections::BTreeMap<String, RuleAction>,
}
impl Policy {
    pub fn parse(_: &str, _: &[&str]) -> Result<Self, String> {
        Ok(Self::default())
    }
}
