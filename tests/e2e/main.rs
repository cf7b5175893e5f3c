//! The command line, as users meet it: real git, temporary repositories, a scrubbed environment.

mod config;
mod install;
mod readme;
mod repo;
mod shared_tests;
