//! Where a relative import leads.

use super::super::language_of;

/// Endings that an import may leave out, in the order in which they are tried.
const EXTENSIONS: &[&str] = &["ts", "tsx", "js", "jsx", "mts", "mjs", "cts", "cjs"];

/// Endings of what the compiler writes, and of the sources it may stand for.
const COMPILED: &[(&str, &[&str])] =
    &[("js", &["ts", "tsx"]), ("jsx", &["tsx"]), ("mjs", &["mts"]), ("cjs", &["cts"])];

/// The paths that a relative import may mean, in the order in which they are tried.
pub fn candidates(from: &str, module: &str) -> Vec<String> {
    let Some(path) = joined(from, module) else { return Vec::new() };
    let mut candidates = Vec::new();
    if let Some((stem, extension)) = path.rsplit_once('.')
        && language_of(&path).is_some()
    {
        candidates.push(path.clone());
        let sources =
            COMPILED.iter().find(|(compiled, _)| *compiled == extension).map(|(_, sources)| *sources);
        candidates.extend(sources.unwrap_or_default().iter().map(|source| format!("{stem}.{source}")));
    }
    if !path.is_empty() && !module.ends_with(['/', '.']) {
        candidates.extend(EXTENSIONS.iter().map(|extension| format!("{path}.{extension}")));
    }
    let folder = if path.is_empty() { path } else { path + "/" };
    candidates.extend(EXTENSIONS.iter().map(|extension| format!("{folder}index.{extension}")));
    candidates
}

/// The relative modules that a text loads: `from './a'`, `require('../b')`, `import('./c')`.
pub fn loaded_modules(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let mut found = Vec::new();
    for quote in ['\'', '"'] {
        for (at, _) in text.match_indices(&format!("{quote}.")) {
            let head = text[..at].trim_end().trim_end_matches('(').trim_end();
            let is_load = ["from", "require", "import"].iter().any(|word| head.ends_with(word));
            let module = text[at + 1..].split([quote, '\n']).next().unwrap_or_default();
            if is_load && (module.starts_with("./") || module.starts_with("../")) {
                found.push(module.to_owned());
            }
        }
    }
    found
}

/// A relative path as seen from the folder of a file; `None` where it leaves the repository.
fn joined(from: &str, module: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_modules_are_read_off_the_text() {
        let text = b"import a from './a'\nconst b = require(\"../b\")\nawait import('./c')\nimport './d'\n\
                     const e = './e'\nimport f from 'f'\n";
        assert_eq!(loaded_modules(text), ["./a", "./c", "./d", "../b"]);
    }

    #[test]
    fn imports_lead_to_sources_and_folders() {
        let first = |module: &str, existing: &str| {
            let found = candidates("src/a/x.test.ts", module);
            assert!(found.iter().any(|path| path == existing), "{module} -> {found:?}");
        };
        first("./common", "src/a/common.ts");
        first("../common.case.test", "src/common.case.test.ts");
        first("./common.js", "src/a/common.ts");
        first("./common.js", "src/a/common.js");
        first("./common.jsx", "src/a/common.tsx");
        first("./common.mjs", "src/a/common.mts");
        first("./common.ts", "src/a/common.ts");
        first("../shared", "src/shared/index.js");
        first(".", "src/a/index.ts");
        first("..", "src/index.ts");
        first("../..", "index.ts");
        assert!(candidates("src/a/x.test.ts", "../../../out").is_empty());
    }
}
