//! Lost tests whose telling lines all stand in another test file of the result: they were copied there before, under whatever
//! name.

use anyhow::Result;

use super::{Lost, Source, blocking};
use crate::collections::{HashMap, HashSet};
use crate::comparison::Comparison;
use crate::finding::{Finding, Severity};
use crate::languages::language_of;
use crate::paths::{PathClass, class_by_name};

/// Fewer telling lines are found together by chance.
const FEW: usize = 4;

/// So many lines of all lost tests are looked for.
const MOST: usize = 400;

/// So much of a test stands elsewhere that was copied.
const COPIED: f64 = 0.9;
/// So much in its own folder.
const BESIDE: f64 = 0.7;

/// Lowers findings about tests that stand elsewhere line by line.
pub fn lower(comparison: &Comparison, findings: &mut [Finding], outcome: &dyn Source) -> Result<()> {
    let lost = blocking(comparison, findings);
    let told: Vec<(usize, HashSet<String>)> = lost
        .iter()
        .map(|lost| (lost.finding, telling(lost)))
        .filter(|(_, lines)| lines.len() >= FEW)
        .collect();
    if told.is_empty() || told.iter().map(|(_, lines)| lines.len()).sum::<usize>() > MOST {
        return Ok(());
    }
    let languages: HashSet<&str> =
        lost.iter().filter_map(|lost| Some(language_of(&lost.side.path)?.name)).collect();
    let own: HashSet<&str> = lost.iter().map(|lost| lost.side.path.as_str()).collect();
    // What the change itself puts where no runner looks is no copy that runs.
    let unrun =
        comparison.files.iter().filter(|file| file.before.is_none()).filter_map(|file| file.after.as_ref());
    let unrun: HashSet<&str> =
        unrun.filter(|side| side.facts.tests.is_empty()).map(|side| side.path.as_str()).collect();
    let is_wanted = |path: &str| {
        class_by_name(path) == PathClass::Test
            && !own.contains(path)
            && !unrun.contains(path)
            && language_of(path).is_some_and(|language| languages.contains(language.name))
    };
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let folders: HashSet<String> = own.iter().map(|path| folder(path)).collect();
    let is_beside = |path: &str| folders.contains(&folder(path));
    let mut places: HashMap<usize, String> = HashMap::new();
    outcome.read(&is_wanted, &mut |path, text| {
        let text = String::from_utf8_lossy(text);
        let lines: HashSet<&str> = text.lines().map(str::trim).collect();
        for (finding, wanted) in &told {
            let found = wanted.iter().filter(|line| lines.contains(line.as_str())).count();
            let needed = if is_beside(path) { BESIDE } else { COPIED };
            if found as f64 >= needed * wanted.len() as f64 {
                places.entry(*finding).or_insert_with(|| path.to_owned());
            }
        }
        places.len() < told.len()
    })?;
    for (finding, path) in places {
        findings[finding].lower(Severity::Medium, format!("nearly all of its lines stand in {path}"));
    }
    Ok(())
}

/// The lines of lost tests that have something to say: a text or a number that few others have.
fn telling(lost: &Lost<'_>) -> HashSet<String> {
    let lines = lost.tests.iter().flat_map(|test| lost.side.lines(test.span));
    let is_telling = |line: &&str| {
        let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).count();
        line.len() >= 12 && words >= 2 && !line.starts_with("//") && !line.starts_with('#')
    };
    let trimmed: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
    trimmed.iter().map(String::as_str).filter(is_telling).map(str::to_owned).collect()
}
