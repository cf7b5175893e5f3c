//! Tests that a function of one file defines for the files that call it.
//!
//! A runner credits such tests to the calling file, so that file gets a copy of each ([`Level::Shared`]). The file
//! in which they are written keeps them as [`Level::Template`].
//!
//! In a change each loss must be told once. What happens to a test is judged where it is written; a calling file is
//! judged by what it calls. For that, both sides of a calling file are given the tests that the function had before
//! the change: a test taken out of the function is then missing at the template alone, and a dropped call is
//! missing all tests of the function.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::Result;

use super::facts::{Analyzed, analyze_all};
use crate::collections::HashMap;
use crate::facts::{FileFacts, Level, SharedFunction, SharedUse, Skip, Test};
use crate::git::{Change, ChangeSet, Content, File, ObjectId, RepoPath, Repository};
use crate::languages::{language_of, strengthen};

/// How many functions may call each other before the tests appear.
const DEPTH: usize = 3;

/// How many calls and tests are followed for one file; nobody writes more.
const BUDGET: usize = 20_000;

/// Completes the files of one tree; `all` are the files that imports may lead to.
pub fn resolve_in_tree(
    repository: &Repository,
    all: &[File],
    files: &mut [(&str, &mut Arc<FileFacts>)],
) -> Result<()> {
    if !files.iter().any(|(_, facts)| has_uses(facts)) {
        return Ok(());
    }
    let by_path: HashMap<_, &File> = all.iter().map(|file| (file.path.text(), file)).collect();
    let mut modules = Modules::new(|path: &str| match by_path.get(path) {
        Some(file) => Ok(analyze_all(repository, &[file])?.pop().map(|file| file.facts)),
        None => Ok(None),
    });
    for (path, facts) in files.iter() {
        modules.give(path, path, facts);
    }
    for (path, facts) in files {
        if has_uses(facts) {
            modules.complete(path, Arc::make_mut(facts))?;
        }
    }
    Ok(())
}

/// Completes both sides of the files of a change, which are in the order of the changes, the before side first.
pub fn resolve_in_change(
    repository: &Repository,
    change: &ChangeSet,
    changes: &[&Change],
    files: &mut [Analyzed],
) -> Result<()> {
    let commits: Vec<&ObjectId> = change.parents().into_iter().chain(&change.head).collect();
    resolve_sides(changes, files, |path| facts_in(repository, &commits, path))
}

/// The same, given how to find a file that the change does not touch.
pub fn resolve_sides(
    changes: &[&Change],
    files: &mut [Analyzed],
    find: impl FnMut(&str) -> Result<Option<Arc<FileFacts>>>,
) -> Result<()> {
    if !files.iter().any(|file| has_uses(&file.facts)) {
        return Ok(());
    }
    let mut places = 0..files.len();
    let sides: Vec<(Option<usize>, Option<usize>)> = changes
        .iter()
        .map(|change| {
            let before = change.before().and_then(|_| places.next());
            (before, change.after().and_then(|_| places.next()))
        })
        .collect();
    let mut modules = Modules::new(find);
    let befores = sides.iter().filter_map(|&(before, _)| before);
    for file in befores.clone().map(|at| &files[at]) {
        modules.give(&file.path, &file.path, &file.facts);
    }
    let mut copies: Vec<(usize, Vec<Test>)> = Vec::new();
    for at in befores {
        copies.push((at, modules.copies_for(&files[at].path, &files[at].facts)?));
    }
    modules.given.clear();
    for &(before, after) in &sides {
        let Some(after) = after.map(|at| &files[at]) else { continue };
        for version in before.map(|at| &files[at]).into_iter().chain([after]) {
            modules.give(&after.path, &version.path, &version.facts);
        }
    }
    for at in sides.iter().filter_map(|&(_, after)| after) {
        copies.push((at, modules.copies_for(&files[at].path, &files[at].facts)?));
    }
    for (at, copies) in copies {
        if !copies.is_empty() {
            add(Arc::make_mut(&mut files[at].facts), copies);
        }
    }
    Ok(())
}

fn has_uses(facts: &FileFacts) -> bool {
    facts.shared_uses.iter().any(|used| used.module.is_some())
}

/// A file of the first commit that has it: what a change does not touch is the same on both sides.
fn facts_in(repository: &Repository, commits: &[&ObjectId], path: &str) -> Result<Option<Arc<FileFacts>>> {
    for commit in commits {
        let entry = repository.entry(commit, &RepoPath::new(path))?;
        if let Some(entry) = entry.filter(|entry| entry.is_file()) {
            let file = File { path: RepoPath::new(path), content: Content::Blob(entry.id) };
            return Ok(analyze_all(repository, &[&file])?.pop().map(|file| file.facts));
        }
    }
    Ok(None)
}

/// What one file shares.
struct Module {
    path: String,
    functions: Vec<SharedFunction>,
    tests: Vec<Test>,
    uses: Vec<SharedUse>,
}

impl Module {
    fn new(path: &str, facts: &FileFacts) -> Self {
        let (mut tests, mut uses) = (Vec::new(), Vec::new());
        if !facts.shared_functions.is_empty() {
            tests.clone_from(&facts.tests);
            uses.clone_from(&facts.shared_uses);
        }
        Self { path: path.to_owned(), functions: facts.shared_functions.clone(), tests, uses }
    }

    fn function(&self, used: &SharedUse) -> Option<&SharedFunction> {
        self.functions.iter().find(|function| match used.module {
            Some(_) => function.exports.contains(&used.function),
            None => function.name == used.function,
        })
    }
}

/// Finds files by path: those given first, then others, each of which is read once.
struct Modules<F> {
    /// By path, the version first that is asked first.
    given: HashMap<String, Vec<Rc<Module>>>,
    found: HashMap<String, Option<Rc<Module>>>,
    find: F,
    /// What is left of [`BUDGET`] for the file at hand.
    budget: usize,
}

impl<F: FnMut(&str) -> Result<Option<Arc<FileFacts>>>> Modules<F> {
    fn new(find: F) -> Self {
        Self { given: HashMap::new(), found: HashMap::new(), find, budget: 0 }
    }

    /// Adds a version of what stands at `path`; `own_path` is what its own imports start from.
    fn give(&mut self, path: &str, own_path: &str, facts: &FileFacts) {
        self.given.entry(path.to_owned()).or_default().push(Rc::new(Module::new(own_path, facts)));
    }

    fn complete(&mut self, path: &str, facts: &mut FileFacts) -> Result<()> {
        let copies = self.copies_for(path, facts)?;
        add(facts, copies);
        Ok(())
    }

    /// The tests that the calls in a file define.
    fn copies_for(&mut self, path: &str, facts: &FileFacts) -> Result<Vec<Test>> {
        self.budget = BUDGET;
        let mut copies = Vec::new();
        for used in facts.shared_uses.iter().filter(|used| used.module.is_some()) {
            let versions = self.versions(path, used)?;
            let elsewhere =
                facts.shared_functions.iter().any(|own| !own.runs_here && own.span.contains(used.span));
            let tests = self.tests_of(&versions, used, &mut Vec::new())?.into_iter();
            copies.extend(tests.map(|test| match test.level {
                Level::Shared if elsewhere => Test { level: Level::Template, ..test },
                _ => test,
            }));
        }
        Ok(copies)
    }

    /// The tests that one call defines, given the versions of the file it leads to. `trail` are the functions on the
    /// way to it.
    fn tests_of(
        &mut self,
        versions: &[Rc<Module>],
        used: &SharedUse,
        trail: &mut Vec<(String, String)>,
    ) -> Result<Vec<Test>> {
        let found =
            versions.iter().find_map(|module| module.function(used).map(|function| (module, function)));
        let Some((module, function)) = found else { return Ok(Vec::new()) };
        let step = (module.path.clone(), function.name.clone());
        if trail.len() >= DEPTH || trail.contains(&step) {
            return Ok(Vec::new());
        }
        let written: Vec<&Test> =
            module.tests.iter().filter(|test| function.span.contains(test.span)).collect();
        let Some(left) = self.budget.checked_sub(1 + written.len()) else { return Ok(Vec::new()) };
        self.budget = left;
        trail.push(step);
        let mut tests: Vec<Test> = written.into_iter().map(|test| copy(test.clone(), used)).collect();
        for inner in module.uses.iter().filter(|inner| function.span.contains(inner.span)) {
            let versions = match inner.module {
                Some(_) => self.versions(&module.path, inner)?,
                None => vec![Rc::clone(module)],
            };
            let called = self.tests_of(&versions, inner, trail)?.into_iter();
            tests.extend(called.map(|test| copy(test, used)));
        }
        trail.pop();
        Ok(tests)
    }

    /// The file that a call's import leads to.
    fn versions(&mut self, from: &str, used: &SharedUse) -> Result<Vec<Rc<Module>>> {
        let module = used.module.as_deref().unwrap_or_default();
        let candidates =
            language_of(from).map(|language| (language.modules)(from, module)).unwrap_or_default();
        for path in candidates {
            if let Some(given) = self.given.get(&path) {
                return Ok(given.clone());
            }
            if !self.found.contains_key(&path) {
                let module = (self.find)(&path)?.map(|facts| Rc::new(Module::new(&path, &facts)));
                self.found.insert(path.clone(), module);
            }
            if let Some(Some(module)) = self.found.get(&path) {
                return Ok(vec![Rc::clone(module)]);
            }
        }
        Ok(Vec::new())
    }
}

/// A shared test as the calling file has it; whatever names a line names that of the call.
fn copy(test: Test, used: &SharedUse) -> Test {
    let line = used.span.start;
    let mut copy = test;
    copy.suite.splice(0..0, used.suite.iter().cloned());
    (copy.span, copy.line) = (used.span, line);
    if copy.level == Level::Definition || copy.level == Level::Template {
        copy.level = Level::Shared;
    }
    for assertion in &mut copy.assertions {
        assertion.line = line;
    }
    copy.skip = copy.skip.map(|skip| Skip { line, ..skip });
    if let Some(skip) = &used.skip {
        strengthen(&mut copy.skip, skip.clone());
    }
    copy
}

fn add(facts: &mut FileFacts, copies: Vec<Test>) {
    if !copies.is_empty() {
        facts.tests.extend(copies);
        facts.tests.sort_by_key(|test| test.span);
    }
}

#[cfg(test)]
mod tests;
