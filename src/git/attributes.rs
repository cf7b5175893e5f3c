//! placeholder
use super::*;
pub struct Attributes;
impl Attributes {
    pub fn read(_: &Repository, _: Option<&ObjectId>, _: &[RepoPath]) -> anyhow::Result<Self> {
        Ok(Self)
    }
}
