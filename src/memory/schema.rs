//! JSON Schemas of the files that are written here, for other tools to check and read them by.

/// A schema by its name.
pub struct Schema {
    pub name: &'static str,
    /// What it describes, in a few words.
    pub what: &'static str,
    /// JSON Schema, draft 2020-12.
    pub text: &'static str,
}

pub static SCHEMAS: &[Schema] = &[
    Schema {
        name: "debug-memory",
        what: "a session of debug memory",
        text: include_str!("debug-memory.schema.json"),
    },
    Schema {
        name: "learned-patterns",
        what: "what sessions taught each other",
        text: include_str!("learned-patterns.schema.json"),
    },
];

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
