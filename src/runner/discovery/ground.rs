//! Which suites the files of a folder belong to, one answer per ecosystem, each worked out once.

use std::cell::RefCell;
use std::rc::Rc;

use super::look::Look;
use super::places::{depth, parent};
use super::table::{ECOSYSTEMS, Ecosystem, ecosystem};
use super::trees::{Tree, split};
use crate::collections::HashMap;
use crate::runner::suite::Site;

pub struct Ground<'t> {
    pub look: Look<'t>,
    /// By label and folder.
    owners: RefCell<HashMap<&'static str, ByFolder<Option<Rc<str>>>>>,
    sites: RefCell<ByFolder<Vec<KnownSites>>>,
}

type ByFolder<T> = HashMap<String, T>;

/// The suites that files of these kinds belong to.
type KnownSites = (Kinds, Rc<[Site]>);

impl<'t> Ground<'t> {
    pub fn new(tree: &'t dyn Tree) -> Self {
        Self { look: Look::new(tree), owners: RefCell::default(), sites: RefCell::default() }
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
    pub fn sites(&self, path: &str) -> Rc<[Site]> {
        let (folder, name) = split(path);
        let kinds = plain_kinds(name);
        if let Some(known) = self.known_sites(folder, kinds) {
            return known;
        }
        let own = self.nearest(folder, kinds);
        let sites: Rc<[Site]> = if own.is_empty() { self.nearest(folder, ALL) } else { own }.into();
        self.sites.borrow_mut().entry(folder.to_owned()).or_default().push((kinds, sites.clone()));
        sites
    }

    fn known_sites(&self, folder: &str, kinds: Kinds) -> Option<Rc<[Site]>> {
        let sites = self.sites.borrow();
        sites.get(folder)?.iter().find(|(known, _)| *known == kinds).map(|(_, sites)| sites.clone())
    }

    /// Those of the path's own language alone.
    pub fn sites_of_its_kind(&self, path: &str) -> Vec<Site> {
        let (folder, name) = split(path);
        self.nearest(folder, plain_kinds(name))
    }

    fn nearest(&self, folder: &str, kinds: Kinds) -> Vec<Site> {
        let wanted = ECOSYSTEMS.iter().enumerate().filter(|(at, _)| kinds & (1 << at) != 0);
        let site = |(_, kind): (usize, &'static Ecosystem)| {
            let folder = self.owner(kind.label, folder)?.as_ref().to_owned();
            Some(Site { folder, label: kind.label })
        };
        let mut sites: Vec<Site> = wanted.filter_map(site).collect();
        let deepest = sites.iter().map(|site| depth(&site.folder)).max();
        sites.retain(|site| Some(depth(&site.folder)) == deepest);
        sites
    }
}

/// Rows of the table, one bit for each.
type Kinds = u32;

const ALL: Kinds = Kinds::MAX;

/// The ecosystems that a file is plainly made for, by its name.
fn plain_kinds(name: &str) -> Kinds {
    let kinds = |wanted: fn(&Ecosystem, &str) -> bool| {
        let bits = ECOSYSTEMS.iter().enumerate().filter(|(_, kind)| wanted(kind, name));
        bits.fold(0, |kinds, (at, _)| kinds | (1 << at))
    };
    let named = kinds(|kind, name| (kind.is_manifest)(name) || kind.files.contains(&name));
    if named == 0 { kinds(Ecosystem::is_source) } else { named }
}
