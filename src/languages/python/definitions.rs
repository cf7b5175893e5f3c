//! What a file defines outside functions: which definition a name ends up with, and what it is to the runners.

use super::classes::{Class, Fate, settle};
use super::names;
use super::outline::Role;
use super::place::Place;
use crate::collections::HashMap;

/// Where a statement stands.
#[derive(Clone, Copy, Default)]
pub struct Context {
    pub class: Option<usize>,
    /// The outermost `if` or `try` around it in its scope, and which arm of it.
    pub arm: Option<(usize, usize)>,
    /// In a branch that never runs.
    pub dead: bool,
}

impl Context {
    /// Whether only one of two statements can run.
    fn excludes(self, other: Self) -> bool {
        self.arm.zip(other.arm).is_some_and(|(one, other)| one.0 == other.0 && one.1 != other.1)
    }
}

pub struct Definition<'a> {
    pub id: usize,
    pub name: &'a str,
    pub at: Context,
    pub bytes: usize,
    /// The class, if it is one.
    pub class: Option<usize>,
    /// A fixture or property, whatever its name.
    pub no_test: bool,
    /// A fixture that runs before each test.
    pub autouse: bool,
}

#[derive(Default)]
pub struct Definitions<'a> {
    list: Vec<Definition<'a>>,
    classes: Vec<Class<'a>>,
    /// The definition that a name has in a scope.
    latest: HashMap<(Option<usize>, &'a str), usize>,
}

impl<'a> Definitions<'a> {
    /// Later definitions replace earlier ones; of exclusive branches the fuller one stands for both.
    pub fn add(&mut self, new: Definition<'a>) {
        let (key, index, dead) = ((new.at.class, new.name), self.list.len(), new.at.dead);
        let old = self.latest.get(&key).and_then(|&old| self.list.get(old));
        let yields = old.is_some_and(|old| old.at.excludes(new.at) && old.bytes >= new.bytes && !old.at.dead);
        self.list.push(new);
        if yields || dead {
            self.kill(index);
        } else if let Some(old) = self.latest.insert(key, index) {
            self.kill(old);
        }
    }

    pub fn add_class(&mut self, class: Class<'a>) -> usize {
        self.classes.push(class);
        self.classes.len() - 1
    }

    pub fn class_mut(&mut self, class: Option<usize>) -> Option<&mut Class<'a>> {
        class.and_then(|class| self.classes.get_mut(class))
    }

    /// The node that defines what a name stands for in a scope.
    pub fn node_of(&self, scope: Option<usize>, name: &str) -> Option<usize> {
        let index = *self.latest.get(&(scope, name))?;
        self.list.get(index).map(|definition| definition.id)
    }

    /// The name no longer means what it was defined as: `del name`, `name = None`.
    pub fn forget(&mut self, scope: Option<usize>, name: &str) {
        if let Some(&index) = self.latest.get(&(scope, name)) {
            self.kill(index);
        }
    }

    fn kill(&mut self, index: usize) {
        let Some(definition) = self.list.get_mut(index) else { return };
        definition.at.dead = true;
        let class = definition.class;
        if let Some(class) = self.class_mut(class) {
            class.dead = true;
        }
    }

    /// The class of this file that a dotted name means, seen from inside `scope`.
    pub fn find_class(&self, path: &str, scope: Option<usize>) -> Option<usize> {
        let class_at = |scope, name| {
            let index = *self.latest.get(&(scope, name))?;
            self.list.get(index)?.class
        };
        let mut parts = path.split('.');
        let first = parts.next()?;
        let found = class_at(scope, first).or_else(|| class_at(None, first))?;
        parts.try_fold(found, |class, part| class_at(Some(class), part))
    }

    /// What each node is, now that all definitions are known.
    pub fn roles(&self, place: Place) -> HashMap<usize, Role> {
        let fates = settle(&self.classes, place);
        let roles = self.list.iter().filter_map(|one| Some((one.id, self.role_of(one, &fates, place)?)));
        let mutes = self.classes.iter().zip(&fates).filter_map(|(class, fate)| match class.flag {
            Some((false, node)) if !fate.runs => Some((node, Role::Mute)),
            _ => None,
        });
        roles.chain(mutes).collect()
    }

    fn role_of(&self, definition: &Definition<'a>, fates: &[Fate], place: Place) -> Option<Role> {
        let fate = |class: usize| fates.get(class).copied().unwrap_or_default();
        if let Some(class) = definition.class {
            return fate(class).is_suite().then_some(Role::Suite);
        }
        if definition.at.dead {
            return None;
        }
        let collects = match definition.at.class {
            Some(class) => fate(class).is_suite(),
            None => place.functions,
        };
        if definition.autouse || names::is_setup(definition.name) {
            return (collects || definition.at.class.is_none()).then_some(Role::Setup);
        }
        let is_test = definition.name.starts_with("test") || self.is_lone_run(definition, fates);
        (collects && is_test && !definition.no_test).then_some(Role::Test)
    }

    /// `runTest` is the test of a case that has no other.
    fn is_lone_run(&self, definition: &Definition<'a>, fates: &[Fate]) -> bool {
        let Some(class) = definition.at.class else { return false };
        definition.name == "runTest"
            && fates.get(class).is_some_and(|fate| fate.taken && fate.case)
            && !self.latest.keys().any(|(owner, name)| *owner == Some(class) && name.starts_with("test"))
    }
}
