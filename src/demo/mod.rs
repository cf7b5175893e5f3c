//! `demo`: a temporary repository in which tampering commits are blocked and honest ones pass, for real.

mod scenes;
mod shop;
mod stage;

pub use scenes::{Expected, SCENES, Scene};
pub use stage::Stage;
