//! The one table of languages.

use super::functions::Dialect;
use super::{Pack, Source};
use crate::facts::Claim;

/// One grammar and the pack that reads its trees.
pub struct Language {
    /// The name users see; rows of one language that differ in grammar share it.
    pub name: &'static str,
    pub extensions: &'static [&'static str],
    pub grammar: fn() -> tree_sitter::Language,
    /// How many bytes the parser looks at, at worst.
    pub effort: fn(&[u8]) -> usize,
    /// A text with errors in another spelling, byte for byte as long, which the grammar may know.
    pub respell: fn(&[u8]) -> Option<Vec<u8>>,
    pub pack: fn(&Source<'_>) -> Box<dyn Pack>,
    /// Reads what an assertion claims from its text.
    pub claim: fn(&str) -> Claim,
    /// How functions refuse, catch and let go.
    pub dialect: &'static Dialect,
    /// Paths that an import in a file may lead to, in the order in which they are tried; none where tests are not
    /// shared by importing.
    pub modules: fn(from: &str, module: &str) -> Vec<String>,
    /// The modules that a text loads, as written, as far as they can be files of the repository.
    pub loads: fn(&[u8]) -> Vec<String>,
    /// Whether the files of a folder share their names.
    pub package_is_folder: bool,
    /// Where to look for macros that make tests, in languages that have such.
    pub macros: Option<MacroHome>,
    /// Whether comments or white space of this file decide what it does, beyond directives and the shape of its tree.
    pub layout_is_code: fn(&Source<'_>) -> bool,
}

/// How to find the definition of a macro in a repository.
pub struct MacroHome {
    /// The file in the root folder of a package; a macro is looked for in its whole package.
    pub manifest: &'static str,
    /// The macros that a text may define, told without parsing it.
    pub defined: fn(&[u8]) -> Vec<String>,
}

fn each_byte_once(text: &[u8]) -> usize {
    text.len()
}

fn as_it_is(_text: &[u8]) -> Option<Vec<u8>> {
    None
}

fn never(_source: &Source<'_>) -> bool {
    false
}

fn nothing(_text: &[u8]) -> Vec<String> {
    Vec::new()
}

fn no_modules(_from: &str, _module: &str) -> Vec<String> {
    Vec::new()
}

pub static LANGUAGES: &[Language] = &[
    Language {
        name: "python",
        extensions: &["py", "pyi"],
        grammar: || tree_sitter_python::LANGUAGE.into(),
        effort: super::python::effort,
        respell: as_it_is,
        pack: super::python::pack,
        claim: super::python::claim,
        dialect: &super::python::DIALECT,
        modules: super::python::module_places,
        loads: super::python::loaded_modules,
        package_is_folder: false,
        macros: None,
        layout_is_code: super::python::layout_is_code,
    },
    Language {
        name: "javascript",
        extensions: &["js", "jsx", "mjs", "cjs"],
        grammar: || tree_sitter_javascript::LANGUAGE.into(),
        effort: each_byte_once,
        respell: super::javascript::respell,
        pack: super::javascript::pack,
        claim: super::javascript::claim,
        dialect: &super::javascript::DIALECT,
        modules: super::javascript::candidates,
        loads: super::javascript::loaded_modules,
        package_is_folder: false,
        macros: None,
        layout_is_code: never,
    },
    Language {
        name: "typescript",
        extensions: &["ts", "mts", "cts"],
        grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        effort: each_byte_once,
        respell: super::javascript::respell_typescript,
        pack: super::javascript::typescript_pack,
        claim: super::javascript::claim,
        dialect: &super::javascript::DIALECT,
        modules: super::javascript::candidates,
        loads: super::javascript::loaded_modules,
        package_is_folder: false,
        macros: None,
        layout_is_code: never,
    },
    Language {
        name: "typescript",
        extensions: &["tsx"],
        grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
        effort: each_byte_once,
        respell: super::javascript::respell_typescript,
        pack: super::javascript::tsx_pack,
        claim: super::javascript::claim,
        dialect: &super::javascript::DIALECT,
        modules: super::javascript::candidates,
        loads: super::javascript::loaded_modules,
        package_is_folder: false,
        macros: None,
        layout_is_code: never,
    },
    Language {
        name: "go",
        extensions: &["go"],
        grammar: || tree_sitter_go::LANGUAGE.into(),
        effort: each_byte_once,
        respell: super::go::respell,
        pack: super::go::pack,
        claim: super::go::claim,
        dialect: &super::go::DIALECT,
        modules: no_modules,
        loads: nothing,
        package_is_folder: true,
        macros: None,
        layout_is_code: super::go::comments_are_code,
    },
    Language {
        name: "rust",
        extensions: &["rs"],
        grammar: || tree_sitter_rust::LANGUAGE.into(),
        effort: each_byte_once,
        respell: super::rust::respell,
        pack: super::rust::pack,
        claim: super::rust::claim,
        dialect: &super::rust::DIALECT,
        modules: no_modules,
        loads: nothing,
        package_is_folder: false,
        macros: Some(MacroHome { manifest: "Cargo.toml", defined: super::rust::macros_defined }),
        layout_is_code: super::rust::layout_is_code,
    },
    Language {
        name: "java",
        extensions: &["java"],
        grammar: || tree_sitter_java::LANGUAGE.into(),
        effort: each_byte_once,
        respell: super::java::respell,
        pack: super::java::pack,
        claim: super::java::claim,
        dialect: &super::java::DIALECT,
        modules: no_modules,
        loads: nothing,
        package_is_folder: false,
        macros: None,
        layout_is_code: never,
    },
];
