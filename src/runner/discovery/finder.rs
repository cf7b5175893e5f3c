//! The suites of one tree, and which paths are theirs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::ground::Ground;
use super::table::{ECOSYSTEMS, ecosystem};
use super::trees::{Tree, split};
use super::{policy_suites, python};
use crate::policy::{Policy, Required};
use crate::runner::suite::{CommandLine, Inputs, Origin, Site, Suite};

/// The most time a found suite gets.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Looks for suites in one tree and remembers what it saw; make one for each tree and ask it everything.
pub struct Finder<'t> {
    policy: &'t Policy,
    ground: Ground<'t>,
    suites: RefCell<BTreeMap<Site, Suite>>,
}

impl<'t> Finder<'t> {
    pub fn new(policy: &'t Policy, tree: &'t dyn Tree) -> Self {
        Self { policy, ground: Ground::new(tree), suites: RefCell::default() }
    }

    pub(super) fn ground(&self) -> &Ground<'t> {
        &self.ground
    }

    /// Suites that have one of these paths among their inputs, sorted as [`Finder::all`] sorts them. For found ones
    /// only the folders above the paths are looked at.
    pub fn touched(&self, paths: &[&str]) -> Vec<Suite> {
        if let Some(settings) = &self.policy.suites {
            let suites = policy_suites::read(settings, &self.ground);
            let touched = |suite: &Suite| paths.iter().any(|path| self.has_input(suite, path));
            return suites.into_iter().filter(touched).collect();
        }
        let mut sites: BTreeSet<Site> = BTreeSet::new();
        for path in paths {
            let found = self.ground.sites(path);
            sites.extend(found.iter().filter(|site| !sites.contains(site)).cloned().collect::<Vec<_>>());
        }
        sites.iter().filter_map(|site| self.suite(site)).collect()
    }

    /// Every suite of the tree, given all its manifests; see [`is_manifest`](super::is_manifest).
    pub fn all(&self, manifests: &[String]) -> Vec<Suite> {
        if let Some(settings) = &self.policy.suites {
            return policy_suites::read(settings, &self.ground);
        }
        let mut sites = BTreeSet::new();
        let mut add = |label: &'static str, folder: &str| {
            let owner = self.ground.owner(label, folder);
            sites.extend(owner.map(|folder| Site { folder: folder.as_ref().to_owned(), label }));
        };
        // Python needs no manifest at the root.
        add(python::LABEL, "");
        for manifest in manifests {
            let (folder, name) = split(manifest);
            ECOSYSTEMS
                .iter()
                .filter(|kind| (kind.is_manifest)(name))
                .for_each(|kind| add(kind.label, folder));
        }
        sites.iter().filter_map(|site| self.suite(site)).collect()
    }

    /// Whether this tree has the path, and the suite had it among its inputs: what a change takes from a suite touches
    /// it.
    pub fn had_input(&self, suite: &Suite, path: &str) -> bool {
        self.ground().look.exists(path) && self.has_input(suite, path)
    }

    /// Whether a path of this tree decides what the suite does. Whoever asks has left out documentation first.
    pub fn has_input(&self, suite: &Suite, path: &str) -> bool {
        match &suite.inputs {
            Inputs::Globs(globs) => globs.is_match(path),
            Inputs::Found(site) => self.ground.sites(path).contains(site),
        }
    }

    /// Whether this tree has the suite too, by its name, whatever its files are.
    pub fn has(&self, suite: &Suite) -> bool {
        match (&self.policy.suites, &suite.inputs) {
            (Some(settings), _) => settings.iter().any(|setting| setting.name == suite.name),
            (None, Inputs::Found(site)) => {
                self.ground.owner(site.label, &site.folder).as_deref() == Some(site.folder.as_str())
            }
            (None, Inputs::Globs(_)) => false,
        }
    }

    fn suite(&self, site: &Site) -> Option<Suite> {
        if let Some(known) = self.suites.borrow().get(site) {
            return Some(known.clone());
        }
        let suite = self.describe(site)?;
        self.suites.borrow_mut().insert(site.clone(), suite.clone());
        Some(suite)
    }

    fn describe(&self, site: &Site) -> Option<Suite> {
        let described = (ecosystem(site.label)?.describe)(&self.ground, &site.folder);
        Some(Suite {
            name: site.name(),
            framework: described.framework,
            command: CommandLine::Words(described.command),
            directory: site.folder.clone(),
            inputs: Inputs::Found(site.clone()),
            timeout: TIMEOUT,
            required: Required::Commit,
            environment: BTreeMap::new(),
            fail_fast: false,
            origin: Origin::Found,
        })
    }
}
