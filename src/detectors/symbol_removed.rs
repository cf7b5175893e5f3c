//! # symbol-removed (GP-101)
//!
//! A public function, class or constant is gone while another file still imports it, be it in the change or not, or while
//! its own file still calls it.
//!
//! Severity: high where it is imported, medium where its own file still names it.
//!
//! ## Why it matters
//!
//! Whoever uses the name breaks, at the latest when the code runs. Deleting what a test complains about is a quick
//! way to end the complaint.
//!
//! ## Example
//!
//! ```python
//! # before, shop/tax.py                # after, shop/tax.py
//! def vat(amount): ...                 (gone)
//!
//! # shop/cart.py, on both sides
//! from shop.tax import vat
//! ```
//!
//! ## What is not reported
//!
//! - names that moved to another file of the change, were renamed, or are exported again from elsewhere
//! - names that nothing refers to any more: they go together with their tests and callers
//! - methods and short names, which many things are called by
//!
//! ## What to do
//!
//! Bring the symbol back, or change everything that uses it in the same commit.

use super::code_lines::{TestCode, is_scratch};
use super::report::{Draft, excerpt, show_before};
use super::table;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{Export, Import, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::languages::is_imported;
use crate::paths::PathClass;

pub const ID: RuleId = table::id("symbol-removed", "GP-101", FindingType::FeatureRemoval);

/// Shorter names are used for many things.
const MIN_NAME: usize = 4;

/// A change that removes more is a rework, and no single name tells of it.
const MAX_NAMES: usize = 40;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let removed = removed_exports(comparison);
    if removed.len() > MAX_NAMES {
        return Vec::new();
    }
    removed.into_iter().filter_map(|(file, export)| finding(comparison, file, export)).collect()
}

/// Public names that no file of the change has any more, with the file that had them.
fn removed_exports(comparison: &Comparison) -> Vec<(&FileComparison, &Export)> {
    let after = || comparison.files.iter().filter_map(|file| file.after.as_ref());
    let kept: HashSet<&str> = after()
        .flat_map(|side| side.facts.signals.exports.iter().map(|export| export.name.as_str()))
        .chain(
            after().flat_map(|side| side.facts.definitions.iter().map(|definition| definition.name.as_str())),
        )
        .collect();
    let mut seen = HashSet::new();
    let mut removed = Vec::new();
    for file in comparison.files.iter().filter(|file| file.class == PathClass::Production) {
        // A stub only repeats what another file defines.
        let owns = |side: &&FileSide| !is_scratch(&side.path) && !side.path.ends_with(".pyi");
        let Some(before) = file.before.as_ref().filter(owns) else { continue };
        let tests = TestCode::of(before);
        // What the file now imports can still be imported from it.
        let passed_on = |name: &str| {
            let imports = file.after.iter().flat_map(|side| &side.facts.signals.imports);
            imports.into_iter().any(|import| import.name == name)
        };
        let gone = before.facts.signals.exports.iter().filter(|export| {
            export.owner.is_empty()
                && export.name.len() >= MIN_NAME
                && !kept.contains(export.name.as_str())
                && comparison.production.removed_definitions.contains(&export.name)
                && !tests.contains(export.line)
                && !passed_on(&export.name)
        });
        removed.extend(
            gone.filter(|export| seen.insert((&before.path, &export.name))).map(|export| (file, export)),
        );
    }
    removed
}

/// Something that still refers to a name.
struct Reference<'c> {
    path: &'c str,
    line: u32,
    imported: bool,
    /// None where the change does not touch the file.
    side: Option<&'c FileSide>,
}

fn finding(comparison: &Comparison, file: &FileComparison, export: &Export) -> Option<Finding> {
    let before = file.before.as_ref()?;
    let reference = imported(comparison, before, export)
        .or_else(|| imported_elsewhere(comparison, file, export))
        .or_else(|| called_at_home(file, export))?;
    let draft = Draft {
        rule: ID,
        severity: if reference.imported { Severity::High } else { Severity::Medium },
        confidence: if reference.imported { 0.85 } else { 0.7 },
        message: match reference.side {
            Some(side) => format!("`{}` is gone, but {} still uses it", export.name, side.path),
            None => format!(
                "`{}` is gone, but {} still imports it, on line {}",
                export.name, reference.path, reference.line
            ),
        },
        help: format!(
            "bring it back; this prints it: {}",
            show_before(comparison, before, Span { start: export.line, end: export.line + 20 })
        ),
    };
    let symbol = format!("{}::{}", before.path, export.name);
    let mut finding = draft.on(Side::Before, before, export.line, symbol);
    finding.before =
        excerpt(before, Span { start: export.line, end: export.line }, export.line, "this is gone");
    let line = reference.line;
    if let Some(side) = reference.side {
        finding.after = excerpt(side, Span { start: line, end: line }, line, "and still used here");
    }
    Some(finding)
}

/// An import of the name from the file that had it.
fn imported<'c>(comparison: &'c Comparison, before: &FileSide, export: &Export) -> Option<Reference<'c>> {
    let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
    let same_language = sides.filter(|side| side.facts.language == before.facts.language);
    let imports =
        same_language.flat_map(|side| side.facts.signals.imports.iter().map(move |found| (side, found)));
    let is_it = |side: &FileSide, import: &Import| {
        import.name == export.name && is_imported(&side.path, &import.module, &before.path)
    };
    let found = imports.filter(|(side, import)| is_it(side, import));
    let (side, import) = found.min_by_key(|(side, import)| (&side.path, import.line))?;
    Some(Reference { path: &side.path, line: import.line, imported: true, side: Some(side) })
}

/// An import in a file that the change does not touch.
fn imported_elsewhere<'c>(
    comparison: &Comparison,
    file: &'c FileComparison,
    export: &Export,
) -> Option<Reference<'c>> {
    let before = file.before.as_ref()?;
    // What the file takes from elsewhere without naming it can still be imported from it.
    if file.after.as_ref().is_some_and(passes_on_all) || is_replaced(comparison, &before.path) {
        return None;
    }
    let importers = before.facts.surroundings.as_ref()?.importers.iter();
    let found = importers
        .filter(|importer| {
            importer.name == export.name && is_imported(&importer.path, &importer.module, &before.path)
        })
        .min_by_key(|importer| (&importer.path, importer.line))?;
    Some(Reference { path: &found.path, line: found.line, imported: true, side: None })
}

/// Whether another file now gives the name of the module to something else: `pub use crate::parser as toml`.
fn is_replaced(comparison: &Comparison, path: &str) -> bool {
    let mut parts = path.rsplit('/').map(|part| part.split('.').next().unwrap_or_default());
    let Some(module) = parts.find(|part| !matches!(*part, "index" | "__init__" | "mod" | "lib")) else {
        return false;
    };
    let names = |code: &str| {
        let leads = ["use", "pub", "import", "from", "export", "module.exports"];
        leads.iter().any(|lead| code.starts_with(lead)) && code.contains(module)
    };
    let gives = |file: &FileComparison| {
        let Some(after) = &file.after else { return false };
        let old =
            |code: &str| file.before.iter().any(|side| side.code().iter().any(|line| line.code == code));
        after.code().iter().any(|line| names(&line.code) && !old(&line.code))
    };
    comparison.files.iter().any(gives)
}

fn passes_on_all(side: &FileSide) -> bool {
    side.code().iter().any(|line| {
        ["import*", "export*from", "pubuse"].iter().any(|mark| line.code.contains(mark))
            && line.code.contains('*')
    })
}

/// A call of the name in its own file, where nothing gives the name another meaning.
fn called_at_home<'c>(file: &'c FileComparison, export: &Export) -> Option<Reference<'c>> {
    let side = file.after.as_ref().filter(|side| side.facts.names.contains(&export.name))?;
    if side.facts.signals.imports.iter().any(|import| import.name == export.name)
        || side.facts.signals.imports.iter().any(|import| import.module.contains('*'))
    {
        return None;
    }
    let lines = side.code();
    let call = format!("{}(", export.name);
    let mut calls = lines.iter().filter(|line| calls_plainly(&line.code, &call));
    let tests = TestCode::of(side);
    let found = calls.find(|line| !tests.contains(line.number))?;
    let is_bound = lines.iter().any(|line| binds(&line.code, &export.name));
    let reference = Reference { path: &side.path, line: found.number, imported: false, side: Some(side) };
    (!is_bound).then_some(reference)
}

/// Whether the call stands in the line by itself: not as a member, not as the end of a longer name, not in a string.
fn calls_plainly(code: &str, call: &str) -> bool {
    code.match_indices(call).any(|(at, _)| {
        let head = &code[..at];
        let quotes = head.bytes().filter(|byte| matches!(byte, b'"' | b'\'' | b'`')).count();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '>' | '#' | '@');
        quotes % 2 == 0 && !head.ends_with(is_name)
    })
}

/// Whether the line, white space taken out, gives the name a value: a variable, a parameter, a loop.
fn binds(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (head, tail) = (&code[..at], &code[at + name.len()..]);
        let assigned = (tail.starts_with('=') && !tail.starts_with("==")) || tail.starts_with(":=");
        let declared = ["const", "let", "var", "function", "def", "fn", "func", "async", "class"];
        assigned || declared.iter().any(|word| head.ends_with(word)) || head.ends_with("as")
    })
}
