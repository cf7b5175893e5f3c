//! A map that forgets what was not asked for the longest time.

use std::collections::BTreeMap;
use std::hash::Hash;

use crate::collections::HashMap;

pub struct Lru<K, V> {
    values: HashMap<K, Entry<V>>,
    /// The keys by when they were last asked for.
    order: BTreeMap<u64, K>,
    clock: u64,
    bytes: usize,
    limit: usize,
}

struct Entry<V> {
    last: u64,
    bytes: usize,
    value: V,
}

impl<K: Clone + Eq + Hash, V: Clone> Lru<K, V> {
    /// Keeps as much as takes so many bytes, as far as they can be told.
    pub fn new(limit: usize) -> Self {
        Self { values: HashMap::new(), order: BTreeMap::new(), clock: 0, bytes: 0, limit }
    }

    pub fn get(&mut self, key: &K) -> Option<V> {
        let entry = self.values.get_mut(key)?;
        let key = self.order.remove(&entry.last)?;
        self.clock += 1;
        entry.last = self.clock;
        self.order.insert(self.clock, key);
        Some(entry.value.clone())
    }

    /// Keeps a value; gives those that had to go for it, so that they can be dropped where nobody waits.
    pub fn insert(&mut self, key: K, value: V, bytes: usize) -> Vec<V> {
        self.clock += 1;
        self.order.insert(self.clock, key.clone());
        let mut gone = Vec::new();
        if let Some(old) = self.values.insert(key, Entry { last: self.clock, bytes, value }) {
            self.order.remove(&old.last);
            self.bytes -= old.bytes;
            gone.push(old.value);
        }
        self.bytes += bytes;
        while self.bytes > self.limit
            && let Some((_, oldest)) = self.order.pop_first()
            && let Some(entry) = self.values.remove(&oldest)
        {
            self.bytes -= entry.bytes;
            gone.push(entry.value);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_the_longest_time_goes_first() {
        let mut kept = Lru::new(20);
        assert!(kept.insert("a", 1, 10).is_empty());
        assert!(kept.insert("b", 2, 10).is_empty());
        assert_eq!(kept.get(&"a"), Some(1));
        assert_eq!(kept.insert("c", 3, 10), [2]);
        assert_eq!((kept.get(&"a"), kept.get(&"b"), kept.get(&"c")), (Some(1), None, Some(3)));
    }

    #[test]
    fn a_new_value_takes_the_place_of_the_old_one() {
        let mut kept = Lru::new(20);
        kept.insert("a", 1, 15);
        assert_eq!(kept.insert("a", 2, 20), [1]);
        assert_eq!(kept.get(&"a"), Some(2));
    }

    #[test]
    fn what_is_larger_than_the_limit_is_not_kept() {
        let mut kept = Lru::new(20);
        kept.insert("a", 1, 5);
        assert_eq!(kept.insert("b", 2, 21), [1, 2]);
        assert_eq!((kept.get(&"a"), kept.get(&"b")), (None, None));
    }
}
