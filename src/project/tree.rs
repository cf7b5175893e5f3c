//! The entries of a pipeline by where they stand, and what is asked about them again and again.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use super::document::{Document, Entry};
use super::marks;
use crate::collections::{HashMap, HashSet};
use crate::facts::Force;

/// Which entries stand directly below a way, and which marks were found there.
pub struct Tree<'d> {
    pub document: &'d Document,
    below: HashMap<&'d [String], BTreeMap<&'d str, &'d Entry>>,
    /// Many steps stand below one job, whose rows are costly to tell.
    marks: RefCell<HashMap<Vec<String>, Option<Force>>>,
    /// The jobs that the workflows of CircleCI list, where there are workflows.
    listed: OnceCell<Option<HashSet<&'d str>>>,
    /// Names with a dot in front that stand in values; aliases may stand for any.
    taken_up: OnceCell<HashSet<&'d str>>,
}

impl<'d> Tree<'d> {
    pub fn new(document: &'d Document) -> Self {
        let mut below: HashMap<&[String], BTreeMap<&str, &Entry>> = HashMap::new();
        for entry in &document.entries {
            if let Some((key, parent)) = entry.path.split_last() {
                below.entry(parent).or_default().entry(key).or_insert(entry);
            }
        }
        Self {
            document,
            below,
            marks: RefCell::default(),
            listed: OnceCell::new(),
            taken_up: OnceCell::new(),
        }
    }

    pub fn children(&self, parent: &[String]) -> impl Iterator<Item = &'d Entry> {
        self.below.get(parent).into_iter().flat_map(|children| children.values().copied())
    }

    pub fn child(&self, parent: &[String], key: &str) -> Option<&'d Entry> {
        self.below.get(parent)?.get(key).copied()
    }

    pub fn value(&self, parent: &[String], key: &str) -> Option<&'d str> {
        self.child(parent, key).map(|entry| entry.value.as_str()).filter(|value| !value.is_empty())
    }

    /// Whether another job takes up a hidden one, as far as the file tells.
    pub fn is_taken_up(&self, name: &str) -> bool {
        let taken_up = self.taken_up.get_or_init(|| {
            let values = || self.document.entries.iter().map(|entry| entry.value.as_str());
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
            let words = values().flat_map(|value| value.split(move |c| !is_part(c)));
            let aliases = values().filter(|value| value.starts_with('*')).map(|_| "*");
            words.filter(|word| word.starts_with('.')).chain(aliases).collect()
        });
        taken_up.contains("*") || taken_up.contains(name)
    }

    /// Whether the file says which jobs it runs, and this is none of them.
    pub fn is_unlisted(&self, job: &str) -> bool {
        let listed = self.listed.get_or_init(|| {
            let entries = self.document.entries.iter().filter(|entry| entry.path[0] == "workflows");
            let mut names: HashSet<&str> = HashSet::new();
            for entry in entries.filter(|entry| entry.path.len() >= 4 && entry.path[2] == "jobs") {
                names.insert(entry.path.get(4).map_or(entry.value.as_str(), String::as_str));
            }
            (!names.is_empty()).then_some(names)
        });
        listed.as_ref().is_some_and(|names| !names.contains(job))
    }

    /// The events that start what is in the file; of servers other than GitHub it is taken that both do.
    pub fn events(&self) -> Vec<&'d str> {
        let own = self.document.entries.iter().filter(|entry| entry.path[0] == "on");
        let names = own.filter_map(|entry| match entry.keys().nth(1) {
            Some(event) => Some(event),
            None => Some(entry.value.as_str()).filter(|event| !event.is_empty()),
        });
        let found: Vec<&str> = names.collect();
        if found.is_empty() { vec!["push", "pull_request"] } else { found }
    }

    /// The branches that each mention of a job in the workflows of CircleCI limits it to; `None` where one does not.
    pub fn filters_of(&self, job: &str) -> Option<Vec<&'d Entry>> {
        let listed =
            self.document.entries.iter().filter(|entry| {
                entry.path[0] == "workflows" && entry.path.len() >= 4 && entry.path[2] == "jobs"
            });
        let mut found = Vec::new();
        for entry in listed {
            match &entry.path[4..] {
                [] if entry.value == job => return None,
                [name, filters, branches, only, ..]
                    if name == job && filters == "filters" && branches == "branches" && only == "only" =>
                {
                    found.extend((!entry.value.is_empty()).then_some(entry));
                }
                _ => {}
            }
        }
        Some(found)
    }

    pub fn mark_at(&self, parent: &[String]) -> Option<Force> {
        if let Some(known) = self.marks.borrow().get(parent) {
            return known.clone();
        }
        let found = marks::mark_at(self, parent);
        self.marks.borrow_mut().insert(parent.to_vec(), found.clone());
        found
    }
}
