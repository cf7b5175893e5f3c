//! The command line, as users meet it: real git, temporary repositories, a scrubbed environment.

mod commits;
mod config;
mod formats;
mod install;
mod merges;
mod patches;
mod repo;
mod shared_tests;
mod staged;
mod suite;
