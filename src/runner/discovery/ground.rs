//! Which suites the files of a folder belong to, one answer per ecosystem, each worked out once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::look::Look;
use super::places::{depth, parent};
use super::table::{ECOSYSTEMS, Ecosystem, ecosystem};
use super::trees::{Tree, split};
use crate::runner::suite::Site;

pub struct Ground<'t> {
    pub look: Look<'t>,
    owners: RefCell<HashMap<&'static str, HashMap<String, Option<Rc<str>>>>>,
}

impl<'t> Ground<'t> {
    pub fn new(tree: &'t dyn Tree) -> Self {
        Self { look: Look::new(tree), owners: RefCell::default() }
    }

    /// The folder of the suite of one kind that files in `folder` belong to.
    pub fn owner(&self, label: &'static str, folder: &str) -> Option<Rc<str>> {
        if let Some(known) = self.owners.borrow().get(label).and_then(|known| known.get(folder)) {
            return known.clone();
        }
        let here = ecosystem(label).and_then(|kind| (kind.here)(self, folder)).map(Rc::from);
        let owner = here.or_else(|| self.owner_above(label, folder));
        self.owners.borrow_mut().entry(label).or_default().insert(folder.to_owned(), owner.clone());
        owner
    }

    /// The same for the folder above.
    pub fn owner_above(&self, label: &'static str, folder: &str) -> Option<Rc<str>> {
        self.owner(label, parent(folder)?)
    }

    /// The suites that a path belongs to: those of its own language, the nearest; for what is nobody's alone, or
    /// whose language has no suite, all kinds that stand nearest.
    pub fn sites(&self, path: &str) -> Vec<Site> {
        let (folder, name) = split(path);
        let own = nearest(self.candidates(folder, plain_kinds(name)));
        if own.is_empty() { nearest(self.candidates(folder, ECOSYSTEMS.iter().collect())) } else { own }
    }

    /// Whether a path belongs to a suite of its own language, rather than to whatever stands near.
    pub fn sites_of_its_kind(&self, path: &str) -> Vec<Site> {
        let (folder, name) = split(path);
        nearest(self.candidates(folder, plain_kinds(name)))
    }

    fn candidates(&self, folder: &str, kinds: Vec<&'static Ecosystem>) -> Vec<Site> {
        let site = |kind: &'static Ecosystem| {
            let folder = self.owner(kind.label, folder)?.as_ref().to_owned();
            Some(Site { folder, label: kind.label })
        };
        kinds.into_iter().filter_map(site).collect()
    }
}

fn nearest(mut sites: Vec<Site>) -> Vec<Site> {
    let deepest = sites.iter().map(|site| depth(&site.folder)).max();
    sites.retain(|site| Some(depth(&site.folder)) == deepest);
    sites
}

/// The ecosystems that a file is plainly made for, by its name.
fn plain_kinds(name: &str) -> Vec<&'static Ecosystem> {
    let named = |kind: &&Ecosystem| (kind.is_manifest)(name) || kind.files.contains(&name);
    let by_name: Vec<_> = ECOSYSTEMS.iter().filter(named).collect();
    if !by_name.is_empty() {
        return by_name;
    }
    ECOSYSTEMS.iter().filter(|kind| kind.is_source(name)).collect()
}
