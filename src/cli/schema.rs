//! `schema`: the JSON Schemas of the files that are written.

use anyhow::{Result, bail};

use super::{Context, context};
use crate::exit_status::ExitStatus;
use crate::memory::{SCHEMAS, Schema};

/// Print the JSON Schema of a file that aiwg-gate writes
///
/// Without a name: the list of all schemas.
#[derive(clap::Args)]
pub struct Args {
    /// What the schema is of, for example debug-memory
    name: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let Some(name) = &args.name else {
        context.only_text("schema")?;
        let line = |schema: &Schema| format!("{:18} {}\n", schema.name, schema.what);
        context::print(&SCHEMAS.iter().map(line).collect::<String>())?;
        return Ok(ExitStatus::Pass);
    };
    let Some(schema) = SCHEMAS.iter().find(|schema| schema.name == name) else {
        let names: Vec<&str> = SCHEMAS.iter().map(|schema| schema.name).collect();
        bail!("there is no schema `{name}`; the schemas are: {}", names.join(", "));
    };
    context::print(schema.text)?;
    Ok(ExitStatus::Pass)
}
