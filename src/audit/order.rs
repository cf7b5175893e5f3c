//! Work done by several threads and handed over in order.
//!
//! Memory stays flat: nobody starts on an item that is further ahead than [`WINDOW`] of what was handed over.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;

/// How far the fastest thread may run ahead.
const WINDOW: usize = 2 * REORDERED;

/// Items may be done in another order than they are told within each stretch of so many.
pub const REORDERED: usize = 256;

/// So many items in a row are done by one thread.
const TOGETHER: usize = 16;

/// How long to wait before looking whether somebody wants to stop.
const TICK: Duration = Duration::from_millis(50);

/// Where the work stands.
#[derive(Default)]
struct State {
    next: usize,
    handed_over: usize,
    stopped: bool,
}

struct Line {
    state: Mutex<State>,
    moved: Condvar,
    items: usize,
    together: usize,
}

impl Line {
    /// The next items to work on; waits where the thread is too far ahead. Neighbours stay together, because they have
    /// much in common.
    fn take(&self) -> Option<Range<usize>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.stopped && state.next < self.items && state.next >= state.handed_over + WINDOW {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped || state.next >= self.items {
            return None;
        }
        let first = state.next;
        state.next = (first + self.together).min(self.items);
        Some(first..state.next)
    }

    fn is_stopped(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).stopped
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.moved.notify_all();
    }
}

/// Calls `work` for items on as many threads as rayon has, each of which has a tool of its own, in the order given, and
/// `tell` in the order of their numbers on this thread. `tell` is called with `None` now and then while nothing is ready. Its error ends
/// everything.
///
/// The threads are not those of rayon: one of these that waits for a part of its work may take up any other job, and
/// would wait for ever if that were a second round of this.
pub fn in_order<W, T: Send>(
    order: &[usize],
    tool: impl Fn() -> W + Sync,
    work: impl Fn(&W, usize) -> T + Sync,
    mut tell: impl FnMut(Option<T>) -> Result<()>,
) -> Result<()> {
    let (items, threads) = (order.len(), rayon::current_num_threads());
    let together = (items / (4 * threads)).clamp(1, TOGETHER);
    let line = Line { state: Mutex::default(), moved: Condvar::new(), items, together };
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(items) {
            let (sender, line, tool, work) = (sender.clone(), &line, &tool, &work);
            scope.spawn(move || {
                let tool = tool();
                while let Some(items) = line.take() {
                    for &item in order[items].iter().take_while(|_| !line.is_stopped()) {
                        // Nobody listens any more where everything was stopped.
                        let _ = sender.send((item, work(&tool, item)));
                    }
                }
            });
        }
        drop(sender);
        let mut ready = BTreeMap::new();
        let mut next = 0;
        let mut listen = || -> Result<()> {
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok((item, done)) => drop(ready.insert(item, done)),
                    Err(RecvTimeoutError::Timeout) => tell(None)?,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                while let Some(done) = ready.remove(&next) {
                    tell(Some(done))?;
                    next += 1;
                    line.update(|state| state.handed_over = next);
                }
            }
        };
        let told = listen();
        line.update(|state| state.stopped = true);
        told
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn straight(items: usize) -> Vec<usize> {
        (0..items).collect()
    }

    #[test]
    fn results_come_in_the_order_of_their_numbers() {
        let mut order = straight(4 * REORDERED);
        order.chunks_mut(REORDERED).for_each(<[usize]>::reverse);
        let mut told = Vec::new();
        let tell = |done: Option<usize>| {
            told.extend(done);
            Ok(())
        };
        in_order(&order, || (), |(): &(), item| item, tell).unwrap();
        assert_eq!(told, straight(4 * REORDERED));
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let mut told = Vec::new();
        let slow_first = |(): &(), item: usize| {
            std::thread::sleep(Duration::from_micros(if item.is_multiple_of(7) { 500 } else { 1 }));
            item * 2
        };
        in_order(
            &straight(1000),
            || (),
            slow_first,
            |done| {
                told.extend(done);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(told, (0..1000).map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn nobody_runs_far_ahead_of_what_was_told() {
        let (started, mut told) = (AtomicUsize::new(0), 0);
        let work = |(): &(), _| {
            started.fetch_add(1, Ordering::SeqCst);
        };
        in_order(
            &straight(5 * WINDOW),
            || (),
            work,
            |done| {
                told += done.iter().count();
                assert!(
                    started.load(Ordering::SeqCst) <= told + WINDOW + TOGETHER * rayon::current_num_threads()
                );
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(told, 5 * WINDOW);
    }

    #[test]
    fn an_error_ends_the_work() {
        let started = AtomicUsize::new(0);
        let work = |(): &(), _| {
            started.fetch_add(1, Ordering::SeqCst);
        };
        let failed = in_order(
            &straight(100 * WINDOW),
            || (),
            work,
            |done: Option<()>| match done {
                Some(()) => anyhow::bail!("enough"),
                None => Ok(()),
            },
        );
        assert_eq!(failed.unwrap_err().to_string(), "enough");
        assert!(started.load(Ordering::SeqCst) <= 2 * (WINDOW + TOGETHER));
    }
}
