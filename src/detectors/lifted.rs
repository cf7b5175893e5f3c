//! Checks that only kept out what the code could not do yet, or that asked where it runs: they go when that changes.

use crate::facts::Exit;

/// Words of what is not there yet, or on its way out.
const YET: &[&str] = &[
    "not supported",
    "unsupported",
    "notsupported",
    "not implemented",
    "notimplemented",
    "not_implemented",
    "unimplemented",
    "not yet",
    "todo",
    "deprecat",
    "experimental",
    "no longer",
    "not allowed yet",
    "removed in",
    "obsolete",
    "unstable",
];

/// How code asks on what it runs.
const PLATFORMS: &[&str] = &[
    "sys.platform",
    "sys.version",
    "version_info",
    "python3",
    "python_version",
    "py2",
    "py3",
    "process.version",
    "process.platform",
    "node_env",
    "goos",
    "goarch",
    "windows",
    "win32",
    "darwin",
    "linux",
    "macos",
    "cfg!(",
    "jre.",
    "java_version",
    "java.version",
    "minimum_version",
    "min_version",
    "edition",
    "nightly",
];

/// Why a check may go that kept out what was not supported, or asked on what the code runs.
pub fn lifted(exit: &Exit) -> Option<String> {
    not_yet(exit).or_else(|| of_platform(exit))
}

pub fn not_yet(exit: &Exit) -> Option<String> {
    let text = format!("{} {}", exit.condition, exit.text).to_lowercase();
    let yet = YET.iter().any(|word| text.contains(word));
    yet.then(|| "it refused what was not supported, or was on its way out".to_owned())
}

pub fn of_platform(exit: &Exit) -> Option<String> {
    let asked = exit.condition.to_lowercase();
    let here = PLATFORMS.iter().any(|word| asked.contains(word));
    here.then(|| "it asked for a version or a platform".to_owned())
}

/// Whether a check speaks of a version or a feature of something, be that its own or what came in.
pub fn names_version(exit: &Exit) -> Option<String> {
    let asked = exit.condition.to_lowercase();
    let named = ["version", "platform", "feature"].iter().any(|word| asked.contains(word));
    named.then(|| "it asked for a version, a platform or a feature".to_owned())
}
