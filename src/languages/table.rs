//! The one table of languages.

use super::{Pack, Source};

/// One grammar and the pack that reads its trees.
pub struct Language {
    /// The name users see; rows of one language that differ in grammar share it.
    pub name: &'static str,
    pub extensions: &'static [&'static str],
    pub grammar: fn() -> tree_sitter::Language,
    pub pack: fn(&Source<'_>) -> Box<dyn Pack>,
}

pub static LANGUAGES: &[Language] = &[
    Language {
        name: "python",
        extensions: &["py", "pyi"],
        grammar: || tree_sitter_python::LANGUAGE.into(),
        pack: super::python::pack,
    },
    Language {
        name: "javascript",
        extensions: &["js", "jsx", "mjs", "cjs"],
        grammar: || tree_sitter_javascript::LANGUAGE.into(),
        pack: super::javascript::pack,
    },
    Language {
        name: "typescript",
        extensions: &["ts", "mts", "cts"],
        grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        pack: super::javascript::typescript_pack,
    },
    Language {
        name: "typescript",
        extensions: &["tsx"],
        grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
        pack: super::javascript::tsx_pack,
    },
    Language {
        name: "go",
        extensions: &["go"],
        grammar: || tree_sitter_go::LANGUAGE.into(),
        pack: super::go::pack,
    },
    Language {
        name: "rust",
        extensions: &["rs"],
        grammar: || tree_sitter_rust::LANGUAGE.into(),
        pack: super::rust::pack,
    },
    Language {
        name: "java",
        extensions: &["java"],
        grammar: || tree_sitter_java::LANGUAGE.into(),
        pack: super::java::pack,
    },
];
