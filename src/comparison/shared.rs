//! What several rules ask of a change and none of them owns: found out by the first that asks, kept for the others.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, PoisonError};

use crate::collections::HashMap;

/// One answer for each type of question.
#[derive(Default)]
pub(super) struct Shared(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Shared {
    pub fn get_or_insert<T: Any + Send + Sync>(&self, find: impl FnOnce() -> T) -> Arc<T> {
        let known = |found: &HashMap<TypeId, Arc<dyn Any + Send + Sync>>| {
            found.get(&TypeId::of::<T>()).cloned().and_then(|found| found.downcast::<T>().ok())
        };
        // Not held while looking: an answer may need another one.
        if let Some(known) = known(&self.lock()) {
            return known;
        }
        let found = Arc::new(find());
        self.lock().insert(TypeId::of::<T>(), found.clone());
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TypeId, Arc<dyn Any + Send + Sync>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Lines(usize);

    #[derive(Debug, PartialEq)]
    struct Names(usize);

    #[test]
    fn each_question_is_answered_once() {
        let shared = Shared::default();
        let lines = shared.get_or_insert(|| Lines(shared.get_or_insert(|| Names(1)).0 + 1));
        assert_eq!(lines.0, 2);
        assert_eq!(*shared.get_or_insert(|| Lines(9)), Lines(2));
        assert_eq!(*shared.get_or_insert(|| Names(9)), Names(1));
    }
}
