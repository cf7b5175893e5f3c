//! A tree with what was read of it so far: each file is read and parsed once.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;
use toml::Table;

use super::trees::Tree;
use crate::collections::HashMap;

type Known<T> = RefCell<HashMap<String, Option<Rc<T>>>>;

pub struct Look<'t> {
    tree: &'t dyn Tree,
    names: RefCell<HashMap<String, Rc<[String]>>>,
    texts: Known<str>,
    tables: Known<Table>,
    values: Known<Value>,
}

impl<'t> Look<'t> {
    pub fn new(tree: &'t dyn Tree) -> Self {
        Self {
            tree,
            names: RefCell::default(),
            texts: RefCell::default(),
            tables: RefCell::default(),
            values: RefCell::default(),
        }
    }

    pub fn exists(&self, path: &str) -> bool {
        self.tree.exists(path)
    }

    /// Whether the folder holds this name.
    pub fn has(&self, folder: &str, name: &str) -> bool {
        self.tree.exists(&join(folder, name))
    }

    pub fn has_any(&self, folder: &str, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(folder, name))
    }

    /// The entries of a folder; folders with a slash at the end.
    pub fn names(&self, folder: &str) -> Rc<[String]> {
        if let Some(known) = self.names.borrow().get(folder) {
            return known.clone();
        }
        let names: Rc<[String]> = self.tree.names(folder).into();
        self.names.borrow_mut().insert(folder.to_owned(), names.clone());
        names
    }

    /// The file as text, whatever its bytes are.
    pub fn text(&self, path: &str) -> Option<Rc<str>> {
        once(&self.texts, path, || {
            let bytes = self.tree.read(path)?;
            Some(Rc::from(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}')))
        })
    }

    /// The file as TOML; `None` also where it is none.
    pub fn toml(&self, path: &str) -> Option<Rc<Table>> {
        once(&self.tables, path, || self.text(path)?.parse().ok().map(Rc::new))
    }

    /// The file as JSON; `None` also where it is none.
    pub fn json(&self, path: &str) -> Option<Rc<Value>> {
        once(&self.values, path, || serde_json::from_str(&self.text(path)?).ok().map(Rc::new))
    }
}

fn once<T: ?Sized>(known: &Known<T>, path: &str, read: impl FnOnce() -> Option<Rc<T>>) -> Option<Rc<T>> {
    if let Some(known) = known.borrow().get(path) {
        return known.clone();
    }
    let answer = read();
    known.borrow_mut().insert(path.to_owned(), answer.clone());
    answer
}

/// A name in a folder; the empty folder is the root.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
