//! Suites found in trees written as lists of files.

mod agreement;
mod ecosystems;
mod javascript;
mod python;
mod trees;
mod vanishing;

use std::collections::BTreeMap;

use super::{Finder, Tree, is_manifest};
use crate::policy::{Framework, Policy};
use crate::runner::suite::{CommandLine, Suite};

/// A tree in memory.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|&(path, content)| (path.to_owned(), content.to_owned())).collect())
    }

    pub fn with(mut self, path: &str, content: &str) -> Self {
        self.0.insert(path.to_owned(), content.to_owned());
        self
    }

    pub fn without(mut self, start: &str) -> Self {
        self.0.retain(|path, _| !path.starts_with(start));
        self
    }

    pub fn paths(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    pub fn manifests(&self) -> Vec<String> {
        self.0.keys().filter(|path| is_manifest(path)).cloned().collect()
    }

    pub fn all(&self) -> Vec<Suite> {
        Finder::new(&Policy::default(), self).all(&self.manifests())
    }

    /// `name: command` of every suite.
    pub fn found(&self) -> Vec<String> {
        self.all().iter().map(told).collect()
    }

    pub fn touched(&self, paths: &[&str]) -> Vec<String> {
        let policy = Policy::default();
        Finder::new(&policy, self).touched(paths).into_iter().map(|suite| suite.name).collect()
    }

    #[track_caller]
    pub fn only(&self) -> Suite {
        let mut suites = self.all();
        assert_eq!(suites.len(), 1, "{:?}", self.found());
        suites.remove(0)
    }

    #[track_caller]
    pub fn framework(&self) -> Framework {
        self.only().framework
    }
}

pub fn told(suite: &Suite) -> String {
    let command = match &suite.command {
        CommandLine::Shell(command) => command.clone(),
        CommandLine::Words(words) => words.join(" "),
    };
    format!("{}: {command}", suite.name)
}

impl Tree for Files {
    fn exists(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.0.contains_key(path) || self.0.keys().any(|known| known.starts_with(&below))
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|content| content.clone().into_bytes())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let below = self.0.keys().filter_map(|path| super::places::below(folder, path));
        let name = |path: &str| match path.split_once('/') {
            Some((folder, _)) => format!("{folder}/"),
            None => path.to_owned(),
        };
        let mut names: Vec<String> = below.filter(|path| !path.is_empty()).map(name).collect();
        names.sort();
        names.dedup();
        names
    }
}
