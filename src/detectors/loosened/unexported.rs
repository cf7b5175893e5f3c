//! Names that a file handed on for others and hands on no more, while what they stand for is as it was: `export { x } from
//! './x'`, `pub mod x`, `from .x import y` of a package.

use super::reading::{Page, Part, Told, count_in};
use crate::comparison::FileSide;
use crate::detectors::gaps::Gap;
use crate::detectors::subject::names_of_any_length;
use crate::facts::Span;
use crate::text::contains;

/// More lines at once are a part of the program.
const MOST: usize = 3;

pub fn may(gone: &[u8], _: &[u8]) -> bool {
    [&b"export"[..], b"pub mod", b"pub use", b"from ."].iter().any(|word| contains(gone, word))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    if gap.gone.len() > MOST || !gap.fresh.is_empty() {
        return None;
    }
    gap.gone.iter().find_map(|line| {
        let text = page.before.lines(Span { start: line.number, end: line.number }).next()?.trim().to_owned();
        let (module, names) = handed_on(page.before, &text)?;
        let name = names.into_iter().find(|name| count_in(page.after, name) == 0)?;
        let touched = |path: &str| stem(path) == module || stem(path) == name;
        let sides = || page.comparison.files.iter().flat_map(|file| file.before.iter().chain(&file.after));
        // Who else names it, on either side, takes part in the change.
        let moved = sides()
            .any(|side| side.path != page.after.path && (touched(&side.path) || count_in(side, &name) > 0));
        (!moved).then(|| Told {
            part: Part::Features,
            message: format!("`{name}` is still there, but {} no longer hands it on", page.after.path),
            old: Some(line.number),
            new: Some(gap.next),
            detail: name,
        })
    })
}

/// The last folder or file of the module that a line hands names on from, and the names.
fn handed_on(side: &FileSide, line: &str) -> Option<(String, Vec<String>)> {
    let line = line.trim_end_matches(';');
    let of = |module: &str| last_part(module).to_owned();
    match side.facts.language {
        "javascript" | "typescript" => {
            let rest = line.strip_prefix("export ")?;
            let (list, module) = rest.split_once(" from ")?;
            let module = module.trim_matches(['"', '\'']);
            let list = list.trim_start_matches("type ").trim_matches(['{', '}', ' ']);
            let names = list.split(',').filter_map(|item| item.rsplit(" as ").next());
            let names: Vec<String> =
                names.map(|name| name.trim().to_owned()).filter(|name| name != "*").collect();
            let names = if names.is_empty() { vec![of(module)] } else { names };
            module.starts_with('.').then(|| (of(module), names))
        }
        "rust" => match line.strip_prefix("pub mod ") {
            Some(name) => Some((name.trim().to_owned(), vec![name.trim().to_owned()])),
            None => {
                let path = line.strip_prefix("pub use ")?;
                let own = ["crate::", "self::", "super::"].iter().any(|start| path.starts_with(start));
                let parts: Vec<&str> = names_of_any_length(path).collect();
                let name = parts.last().filter(|_| own && !path.contains(['{', '*']))?;
                Some((parts.get(parts.len().checked_sub(2)?)?.to_string(), vec![(*name).to_owned()]))
            }
        },
        "python" if side.path.ends_with("__init__.py") => {
            let (module, list) = line.strip_prefix("from .")?.split_once(" import ")?;
            let names = list.split(',').filter_map(|item| item.rsplit(" as ").next());
            let names: Vec<String> =
                names.map(|name| name.trim_matches(['(', ')', ' ']).to_owned()).collect();
            (!list.contains('*') && !names.iter().any(String::is_empty)).then(|| (of(module), names))
        }
        _ => None,
    }
}

fn last_part(module: &str) -> &str {
    let module = module.trim_start_matches(['.', '/']);
    let module = module.rsplit(['/', ':']).next().unwrap_or(module);
    let file = module.split('.').next().unwrap_or(module);
    if file.is_empty() { module } else { file }
}

/// The name of a file, or of the folder that an index stands for.
fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/').map(|part| part.split('.').next().unwrap_or(part));
    parts.find(|part| !matches!(*part, "index" | "mod" | "__init__" | "lib")).unwrap_or_default()
}
