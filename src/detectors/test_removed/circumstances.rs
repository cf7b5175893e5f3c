//! What a change does around a lost test that makes the loss less sure: somebody should look, but need not be stopped.

use std::borrow::Cow;

use crate::collections::HashMap;
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::context::with_context;
use crate::detectors::evidence::has_common_subject;
use crate::detectors::functions::changed;
use crate::detectors::messages::removed_message;
use crate::detectors::relation::BUILD_FILES;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Exit, Test};
use crate::paths::PathClass;
use crate::text::name_words;

/// Folders of code that only helps tests.
const SUPPORT: &[&str] = &["testenv", "testutil", "testutils", "testhelpers", "testsupport", "testkit"];

/// Names of fewer letters stand for many things.
const MIN_NAME: usize = 5;

/// What speaks for the loss of a test, or of all tests of a file.
pub fn circumstance(comparison: &Comparison, file: usize, at: Option<At>) -> Option<&'static str> {
    let side = comparison.files[file].before.as_ref()?;
    let tests: Vec<&Test> = match at {
        Some(at) => vec![comparison.before(at).1],
        None => side.facts.listed_tests().collect(),
    };
    if helps_tests(&side.path) {
        return Some("it tests what only helps other tests");
    }
    if tests.iter().all(|test| goes_with_module(comparison, side, test)) {
        return Some("the module that it belongs to, or that it names, goes as a whole");
    }
    let most =
        |holds: &dyn Fn(&Test) -> bool| 2 * tests.iter().filter(|test| holds(test)).count() > tests.len();
    if most(&|test| is_refused(comparison, side, test)) {
        return Some("the code now refuses what it passes");
    }
    if most(&|test| twin_stopped(comparison, side, test)) {
        return Some("the code that its file is named after no longer uses what it tests");
    }
    if most(&|test| has_common_subject(comparison, side, test)) {
        return Some("a name that it uses leaves some of the code, though other tests still use it");
    }
    let quotes = at.is_none() && tests.len() <= QUOTING;
    (quotes && most(&|test| removed_message(comparison, side, test).is_some()))
        .then_some("a message that it quotes leaves the production code in the same change")
}

/// Of so many tests each is asked what it quotes.
const QUOTING: usize = 20;

fn helps_tests(path: &str) -> bool {
    path.split('/').any(|part| SUPPORT.contains(&part.replace(['-', '_'], "").as_str()))
}

/// Whether the change deletes what makes a folder above a test a module, or a module that the test names.
fn goes_with_module(comparison: &Comparison, side: &FileSide, test: &Test) -> bool {
    let modules = comparison.shared(|| DeletedModules::of(comparison));
    if modules.0.is_empty() {
        return false;
    }
    let lines: Vec<Cow<'_, str>> = side.lines(test.span).collect();
    modules.0.iter().any(|folder| {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let is_named = |line: &Cow<'_, str>| {
            ['"', '\'', '`'].iter().any(|quote| line.contains(&format!("{quote}{name}{quote}")))
        };
        let words = name_words(name);
        let is_about = words.len() > 1 && words.is_subset(&name_words(&stem(&side.path)));
        is_about
            || side.path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
            || lines.iter().any(is_named)
    })
}

/// The folders of modules that the change deletes.
struct DeletedModules(Vec<String>);

impl DeletedModules {
    fn of(comparison: &Comparison) -> Self {
        let deleted = comparison.files.iter().filter(|file| file.after.is_none());
        let modules = deleted.filter_map(|file| {
            let (folder, name) = file.before.as_ref()?.path.rsplit_once('/')?;
            BUILD_FILES.contains(&name).then(|| folder.to_owned())
        });
        Self(modules.collect())
    }
}

/// The production files of both sides by the names of their tests, as places in the comparison.
struct Twins(HashMap<String, Vec<usize>>);

impl Twins {
    fn of(comparison: &Comparison) -> Self {
        let mut twins: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, file) in comparison.files.iter().enumerate() {
            if let (PathClass::Production, Some(before), Some(_)) = (file.class, &file.before, &file.after) {
                twins.entry(stem(&before.path)).or_default().push(at);
            }
        }
        Self(twins)
    }
}

/// Whether a function that a test calls newly refuses a value that the test gives it by name.
fn is_refused(comparison: &Comparison, side: &FileSide, test: &Test) -> bool {
    let mut lines = None;
    changed(comparison).any(|change| {
        let name = change.new.short_name();
        if name.len() < MIN_NAME || !test.words.contains(name) {
            return false;
        }
        let given: Vec<&str> = names_of_any_length(&change.new.parameters).collect();
        let lines: &Vec<Cow<'_, str>> = lines.get_or_insert_with(|| side.lines(test.span).collect());
        let passes = |name: &str| {
            let forms = [format!("{name}="), format!("{name}: ")];
            name.len() > 2 && lines.iter().any(|line| forms.iter().any(|form| line.contains(form)))
        };
        let known = |exit: &&Exit| change.old.exits.iter().any(|old| old.condition == exit.condition);
        let mut fresh = change.new.exits.iter().filter(|exit| exit.kind.refuses() && !known(exit));
        fresh.any(|exit| {
            names_of_any_length(&exit.condition).any(|name| given.contains(&name) && passes(name))
        })
    })
}

/// Whether the code that a test file is named after used something before that most of the test is about, and no longer does.
fn twin_stopped(comparison: &Comparison, side: &FileSide, test: &Test) -> bool {
    let twins = comparison.shared(|| Twins::of(comparison));
    let twins = twins.0.get(&stem(&side.path)).into_iter().flatten().map(|&at| &comparison.files[at]);
    let mut twins = twins.filter_map(|file| Some((file.before.as_ref()?, file.after.as_ref()?)));
    let lines = || with_context(side, test);
    twins.any(|(before, after)| {
        // What it defined itself may live on under another name.
        let is_own = |name: &str| before.facts.definitions.iter().any(|own| own.name == name);
        let stopped = |name: &str| {
            before.facts.names.contains(name) && !after.facts.names.contains(name) && !is_own(name)
        };
        let lines = lines();
        let text = lines.join("\n");
        names_of_any_length(&text).any(|name| {
            name.len() >= MIN_NAME && name_words(name).len() > 1 && is_imported(side, name) && stopped(name)
        })
    })
}

fn is_imported(side: &FileSide, name: &str) -> bool {
    side.facts.signals.imports.iter().any(|import| import.name == name)
}

/// The name of a file without what makes it a test.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name);
    let name = name.strip_prefix("test_").unwrap_or(name);
    let marks = ["_test", "_spec", "_tests", "Test", "Tests", "IT"];
    marks.iter().find_map(|mark| name.strip_suffix(mark)).unwrap_or(name).to_owned()
}
