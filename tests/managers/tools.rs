//! Where the hook managers are.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Once;

const VARIABLE: &str = "AIWG_GATE_TOOLS";
/// Where `tests/run` installs, unless the variable names another place.
const USUAL: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../tools");

/// The directories of all managers, or nothing where one is missing and nobody asked for it by variable.
pub fn find(manager: &str) -> Option<Vec<PathBuf>> {
    let wanted = std::env::var_os(VARIABLE).map(PathBuf::from);
    let tools = wanted.clone().unwrap_or_else(|| USUAL.into());
    let directories = vec![tools.join("python/bin"), tools.join("node/node_modules/.bin")];
    if directories.iter().any(|directory| directory.join(manager).exists()) {
        return Some(directories);
    }
    assert!(wanted.is_none(), "{manager} is not in {}, which {VARIABLE} names", tools.display());
    tell();
    None
}

/// Past the test harness, which shows nothing of tests that pass.
fn tell() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = writeln!(
            std::io::stderr(),
            "Hook managers are not tested: they are not installed. `tests/run` does both."
        );
    });
}
