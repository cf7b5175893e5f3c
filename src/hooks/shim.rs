//! The text of a hook file: written from a template, recognised by its version line, trusted by its digest.

use std::path::{Path, PathBuf};

use crate::digest::Hasher;
use anyhow::{Result, bail};

use super::table::Hook;
use crate::platform::{path_from_bytes, path_to_bytes};

const TEMPLATE: &str = include_str!("../../hooks/shim.sh");
const MARKER: &str = "# aiwg-gate shim, version ";
const DIGEST: &str = "# digest: ";
/// The version of the template, which is repeated in its second line.
pub const VERSION: u32 = 1;

/// What a shim is told when it is written.
pub struct Shim<'a> {
    pub hook: &'a Hook,
    /// The program that it calls, found elsewhere if it has gone.
    pub program: &'a Path,
    /// The hooks directory that git would use without the gate, if that is another one.
    pub outer: Option<&'a Path>,
}

/// What a hook file that carries the marker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub version: u32,
    pub program: PathBuf,
    pub outer: Option<PathBuf>,
    /// Whether the file is as it was written.
    pub intact: bool,
}

impl Shim<'_> {
    pub fn render(&self) -> Result<Vec<u8>> {
        let program = quote(self.program)?;
        let outer = self.outer.map_or(Ok(b"''".to_vec()), quote)?;
        let stdin = if self.hook.reads_stdin { "yes" } else { "no" };
        let mut text = Vec::new();
        for line in TEMPLATE.split_inclusive('\n') {
            // Line by line and never twice: a path may look like a placeholder.
            match line.trim_end() {
                "hook=@HOOK@" => assign(&mut text, "hook", self.hook.name.as_bytes()),
                "role=@ROLE@" => assign(&mut text, "role", self.hook.role_word().as_bytes()),
                "stdin=@STDIN@" => assign(&mut text, "stdin", stdin.as_bytes()),
                "gate=@GATE@" => assign(&mut text, "gate", &program),
                "outer=@OUTER@" => assign(&mut text, "outer", &outer),
                _ => text.extend_from_slice(line.as_bytes()),
            }
        }
        Ok(sealed(&text))
    }
}

fn assign(text: &mut Vec<u8>, name: &str, value: &[u8]) {
    text.extend_from_slice(name.as_bytes());
    text.push(b'=');
    text.extend_from_slice(value);
    text.push(b'\n');
}

/// The text with its digest filled in.
fn sealed(text: &[u8]) -> Vec<u8> {
    let digest = digest(text);
    let mut sealed = Vec::with_capacity(text.len() + digest.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(DIGEST.as_bytes()) {
            sealed.extend_from_slice(format!("{DIGEST}{digest}\n").as_bytes());
        } else {
            sealed.extend_from_slice(line);
        }
    }
    sealed
}

/// Over everything but the line that holds it.
fn digest(text: &[u8]) -> String {
    let mut hash = Hasher::default();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if !line.starts_with(DIGEST.as_bytes()) {
            hash.add(line);
        }
    }
    hash.hex()
}

/// What the file says if it is a shim of any version.
pub fn read(text: &[u8]) -> Option<Written> {
    let version = value(text, MARKER)?;
    let recorded = value(text, DIGEST).unwrap_or_default();
    let outer = unquote(value(text, "outer=").unwrap_or_default());
    Some(Written {
        version: std::str::from_utf8(version).ok()?.parse().ok()?,
        program: path_from_bytes(&unquote(value(text, "gate=").unwrap_or_default()))?,
        outer: if outer.is_empty() { None } else { path_from_bytes(&outer) },
        intact: recorded == digest(text).as_bytes(),
    })
}

/// The rest of the first line that starts so.
fn value<'a>(text: &'a [u8], start: &str) -> Option<&'a [u8]> {
    text.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(start.as_bytes()))
}

/// A path as a POSIX shell reads it back, whatever bytes it has.
fn quote(path: &Path) -> Result<Vec<u8>> {
    let bytes = path_to_bytes(path);
    if bytes.contains(&b'\n') {
        bail!("a hook cannot name {path:?}: the path contains a line break; move or rename it");
    }
    let mut word = vec![b'\''];
    for byte in bytes {
        match byte {
            b'\'' => word.extend_from_slice(br"'\''"),
            _ => word.push(byte),
        }
    }
    word.push(b'\'');
    Ok(word)
}

/// The reverse of `quote`: a backslash counts only between two quoted parts.
fn unquote(word: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut quoted = false;
    let mut rest = word.iter();
    while let Some(byte) = rest.next() {
        match byte {
            b'\'' => quoted = !quoted,
            b'\\' if !quoted => bytes.extend(rest.next()),
            _ => bytes.push(*byte),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::table::HOOKS;
    use super::*;

    fn rendered(program: &str) -> Vec<u8> {
        Shim { hook: &HOOKS[0], program: Path::new(program), outer: None }.render().expect("a shim")
    }

    #[test]
    fn the_template_has_the_version_it_claims() {
        assert!(TEMPLATE.contains(&format!("\n{MARKER}{VERSION}\n")));
    }

    #[test]
    fn a_shim_is_read_back_as_it_was_written() {
        for program in ["/usr/bin/aiwg-gate", "/a b/it's $HOME \"x\" `y` \\ @OUTER@", "''", "\\'"] {
            let written = read(&rendered(program)).expect("a shim");
            let expected = Written { version: VERSION, program: program.into(), outer: None, intact: true };
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn no_placeholder_is_left() {
        let text = String::from_utf8(rendered("/bin/gate")).expect("text");
        let placeholders = ["@HOOK@", "@ROLE@", "@STDIN@", "@GATE@", "@OUTER@", "@DIGEST@"];
        assert!(!placeholders.iter().any(|placeholder| text.contains(placeholder)), "{text}");
    }

    #[test]
    fn one_changed_byte_is_noticed() {
        let mut text = rendered("/bin/gate");
        text.push(b'\n');
        assert!(!read(&text).expect("a shim").intact);
    }

    #[test]
    fn other_scripts_are_not_ours() {
        assert_eq!(read(b"#!/bin/sh\naiwg-gate check\n"), None);
    }

    #[test]
    fn a_path_with_a_line_break_is_refused() {
        let shim = Shim { hook: &HOOKS[0], program: Path::new("/a\nb"), outer: None };
        assert!(shim.render().is_err());
    }
}
