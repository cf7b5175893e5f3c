//! Settles which functions of a file define tests for other files, and whether they do so here as well.
//!
//! A function that nothing calls defines nothing. What an exported function holds is therefore a template, unless
//! this file calls the function itself.

use std::collections::BTreeSet;

use crate::collections::{HashMap, HashSet};
use crate::facts::{Definition, SharedFunction, Span};

/// A place where a function is called that may define tests.
pub struct Use {
    /// None where it is a function of the same file.
    pub module: Option<String>,
    pub function: String,
    pub span: Span,
    pub path: Vec<String>,
    pub suite: Option<usize>,
    /// The outermost function around it, by its place in the list of definitions.
    pub within: Option<usize>,
}

/// What a pack reports about sharing during the walk.
#[derive(Default)]
pub struct Sharing {
    /// What functions are called here, and by those who import them.
    exports: Vec<(String, String)>,
    uses: Vec<Use>,
}

/// The same, once the whole file is known.
pub struct Settled {
    pub functions: Vec<SharedFunction>,
    pub uses: Vec<Use>,
    /// Definitions of functions whose tests run in other files only.
    templates: BTreeSet<usize>,
}

impl Settled {
    pub fn runs_elsewhere(&self, function: Option<usize>) -> bool {
        function.is_some_and(|function| self.templates.contains(&function))
    }
}

impl Sharing {
    pub fn export(&mut self, local: &str, name: &str) {
        self.exports.push((local.to_owned(), name.to_owned()));
    }

    pub fn use_of(&mut self, used: Use) {
        self.uses.push(used);
    }

    /// `with_tests` are the functions that tests stand in.
    pub fn settle(self, definitions: &[Definition], with_tests: impl Iterator<Item = usize>) -> Settled {
        let Self { exports, mut uses } = self;
        let mut functions = Vec::new();
        let mut templates = BTreeSet::new();
        if !exports.is_empty() {
            let callers = uses.iter().filter_map(|used| used.within);
            let mut exported: HashMap<String, Vec<String>> = HashMap::new();
            for (local, name) in exports {
                exported.entry(local).or_default().push(name);
            }
            let candidates: BTreeSet<usize> = with_tests.chain(callers).collect();
            let known = |name: &str| exported.contains_key(name);
            let running = running(&uses, definitions, &candidates, known);
            for index in candidates {
                let Definition { name, span, .. } = &definitions[index];
                let exports = exported.get(name).cloned().unwrap_or_default();
                let runs_here = running.contains(&index);
                if !runs_here {
                    templates.insert(index);
                }
                functions.push(SharedFunction { name: name.clone(), exports, span: *span, runs_here });
            }
        }
        let names: HashSet<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        uses.retain(|used| used.module.is_some() || names.contains(used.function.as_str()));
        drop(names);
        Settled { functions, uses, templates }
    }
}

/// The functions that run when the file does: called outside of functions, or by one that runs. How one runs that
/// is neither exported nor called by name is not known; it counts as running.
fn running(
    uses: &[Use],
    definitions: &[Definition],
    candidates: &BTreeSet<usize>,
    is_exported: impl Fn(&str) -> bool,
) -> BTreeSet<usize> {
    let mut called_by: HashMap<Option<usize>, Vec<&str>> = HashMap::new();
    for used in uses.iter().filter(|used| used.module.is_none()) {
        called_by.entry(used.within).or_default().push(&used.function);
    }
    let called: HashSet<&str> = called_by.values().flatten().copied().collect();
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for &index in candidates {
        by_name.entry(&definitions[index].name).or_default().push(index);
    }
    let is_known = |index: &usize| {
        let name = definitions[*index].name.as_str();
        is_exported(name) || called.contains(name)
    };
    let unknown = candidates.iter().copied().filter(|index| !is_known(index)).map(Some);
    let mut callers: Vec<Option<usize>> = unknown.chain([None]).collect();
    let mut running: BTreeSet<usize> = callers.iter().copied().flatten().collect();
    while let Some(caller) = callers.pop() {
        for name in called_by.remove(&caller).unwrap_or_default() {
            // The functions of a name are taken once.
            for index in by_name.remove(name).unwrap_or_default() {
                running.insert(index);
                callers.push(Some(index));
            }
        }
    }
    running
}
