//! Has anyone run exactly this? Each situation with its message, on a real project whose tests really run.

mod commits;
mod content;
mod durable;
mod forms;
mod policy;
pub mod project;
mod tricks;
mod tricks_content;
mod tricks_results;
mod weak;
