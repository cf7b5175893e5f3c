//! What the walk reads in each language.
