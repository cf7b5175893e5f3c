//! The command line, as users meet it: real git, temporary repositories, a scrubbed environment.

mod audit;
mod audit_page;
mod commits;
mod completions;
mod config;
mod formats;
mod hooks_run;
mod install;
mod left_code;
mod memory;
mod memory_files;
mod memory_runs;
mod merges;
mod output;
mod patches;
mod patterns;
mod proof;
mod readme;
mod repo;
mod shared_tests;
mod staged;
mod status;
mod suite;
mod suites;
mod tests_command;
mod waivers;
