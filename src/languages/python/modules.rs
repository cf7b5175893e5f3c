//! Where an import leads.

/// What may stand for a module: source, a package, a stub, an extension.
const FILES: &[&str] = &[".py", "/__init__.py", "", ".pyi", ".pyx", ".c", ".cpp", ".so"];

/// Folders that the packages of a repository may stand in.
const ROOTS: &[&str] = &["", "src/", "lib/", "python/"];

/// The paths that an import may mean, in the order in which they are tried.
pub fn module_places(from: &str, module: &str) -> Vec<String> {
    let path = module.trim_start_matches('.').replace('.', "/");
    let dots = module.len() - module.trim_start_matches('.').len();
    if path.is_empty() {
        return Vec::new();
    }
    if dots > 0 {
        let mut folders: Vec<&str> = from.split('/').collect();
        folders.truncate(folders.len().saturating_sub(dots));
        folders.push(&path);
        let path = folders.join("/");
        return FILES.iter().map(|file| format!("{path}{file}")).collect();
    }
    let below = |root: &&str| FILES.iter().map(|file| format!("{root}{path}{file}")).collect::<Vec<_>>();
    ROOTS.iter().flat_map(below).collect()
}

/// The modules that a text imports from a package, be it one of its own.
pub fn loaded_modules(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let module = |line: &str| {
        let rest = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "))?;
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        let module = &rest[..end];
        let own = module.trim_start_matches('.');
        // A module without a package may be anybody's.
        let has_home = own.len() < module.len() || own.contains('.');
        (has_home && !own.is_empty()).then(|| module.to_owned())
    };
    text.lines().filter_map(module).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_packages_are_read_off_the_text() {
        let text =
            b"import os\nimport pkg.a as a\nfrom pkg.sub.b import c\nfrom .d import e\nfrom . import f\n\
                     if x:\n    from pkg.late import g\n";
        assert_eq!(loaded_modules(text), ["pkg.a", "pkg.sub.b", ".d"]);
    }

    #[test]
    fn imports_lead_to_sources_and_packages() {
        let leads = |module: &str, path: &str| {
            let found = module_places("tests/unit/test_a.py", module);
            assert!(found.iter().any(|place| place == path), "{module} -> {found:?}");
        };
        leads("pkg.a", "pkg/a.py");
        leads("pkg.a", "src/pkg/a/__init__.py");
        leads(".d", "tests/unit/d.py");
        leads("..d", "tests/d.py");
    }
}
