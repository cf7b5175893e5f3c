//! What each rule says about before/after pairs of real-looking files, in every language.
//!
//! `tests/fixtures/<rule>/<language>/<fires_...|quiet_...>/{before,after}` are the two sides. A firing case has an
//! `expected.txt` with one line for each finding of its rule, and may have an `also.txt` for those of other rules
//! that block or warn. A quiet case must neither block nor warn; its `logged.txt` lists findings that must be logged.

mod case;
mod completeness;
mod properties;
mod readme;
mod rules;
mod trees;
