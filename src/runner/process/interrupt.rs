//! Ctrl-C, SIGTERM and SIGHUP while something runs that has to be ended or removed first.
//!
//! The handler is installed with the first [`Interrupts`]; from then on, a signal that comes while none is alive
//! ends the program as it would have done without a handler.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};

static WATCHERS: AtomicUsize = AtomicUsize::new(0);
static SIGNALS: AtomicUsize = AtomicUsize::new(0);

/// 128 + SIGINT, as shells say it.
const EXIT_CODE: i32 = 130;

/// While one is alive, a signal is counted and does not end the program. Several may be; they see the same signals,
/// so that an interrupt which comes between two suites ends the second one too.
pub struct Interrupts(());

impl Interrupts {
    pub fn watch() -> Result<Self> {
        static INSTALLED: OnceLock<Result<(), String>> = OnceLock::new();
        let installed =
            INSTALLED.get_or_init(|| ctrlc::set_handler(on_signal).map_err(|error| error.to_string()));
        if let Err(error) = installed {
            bail!("cannot watch for Ctrl-C: {error}");
        }
        if WATCHERS.fetch_add(1, Ordering::SeqCst) == 0 {
            SIGNALS.store(0, Ordering::SeqCst);
        }
        Ok(Self(()))
    }

    /// How many signals came since something began to watch.
    pub fn count(&self) -> usize {
        SIGNALS.load(Ordering::SeqCst)
    }

    /// An [`Interrupted`] error if a signal came.
    pub fn check(&self) -> Result<()> {
        if self.count() > 0 { Err(Interrupted.into()) } else { Ok(()) }
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        WATCHERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs in a thread of its own, so it may do anything.
fn on_signal() {
    if WATCHERS.load(Ordering::SeqCst) == 0 {
        std::process::exit(EXIT_CODE);
    }
    SIGNALS.fetch_add(1, Ordering::SeqCst);
}

/// The error of work that was broken off by a signal.
#[derive(Debug)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}
