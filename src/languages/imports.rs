//! Whether an import leads to a file, as far as names tell: which of several modules of a name a build takes is not known.

/// Whether a module that a file imports, as it is named there, is the file at a path.
pub fn is_imported(importer: &str, module: &str, path: &str) -> bool {
    match from_there(importer, module) {
        Some(place) => is_module(&place, path),
        None => leads_to(module, path) && !is_foreign(module, path),
    }
}

/// Where a module is that an import names by its place beside the file that imports: `../shop/cart.js`, `..shop.cart`.
fn from_there(importer: &str, module: &str) -> Option<String> {
    let module = module.trim_matches(['"', '\'', '`']);
    let mut folders: Vec<&str> = importer.split('/').collect();
    folders.pop();
    if module.starts_with("./")
        || module.starts_with("../")
        || matches!(module, "." | "..") && is_script(importer)
    {
        for part in module.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(folders.pop()?),
                part => folders.push(part),
            }
        }
        return Some(folders.join("/"));
    }
    let rest = module.trim_start_matches('.');
    let above = (module.len() - rest.len()).checked_sub(1)?;
    // Of Python only: elsewhere a dot begins nothing.
    if !rest.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
        return None;
    }
    folders.truncate(folders.len().checked_sub(above)?);
    folders.extend(rest.split('.').filter(|part| !part.is_empty()));
    Some(folders.join("/"))
}

const SCRIPTS: &[&str] = &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"];

fn is_script(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| SCRIPTS.contains(&extension))
}

/// Whether a file is what stands at a place that may leave out its extension, or the name of an index.
fn is_module(place: &str, path: &str) -> bool {
    fn bare(path: &str) -> &str {
        let name =
            path.rsplit_once('.').filter(|(_, end)| SCRIPTS.contains(end) || matches!(*end, "py" | "pyi"));
        let name = name.map_or(path, |(name, _)| name);
        name.strip_suffix(".d").unwrap_or(name)
    }
    let (folder, name) = bare(path).rsplit_once('/').unwrap_or(("", bare(path)));
    bare(place) == bare(path) || matches!(name, "index" | "__init__") && folder == place
}

/// Whether a module, as an import names it, is the file: it names the file, or the folder of an index, behind the
/// folder above it.
fn leads_to(module: &str, path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(name) = parts.last_mut() {
        *name = name.split('.').next().unwrap_or_default();
    }
    if parts.last().is_some_and(|name| matches!(*name, "index" | "__init__" | "mod" | "lib")) {
        parts.pop();
    }
    let Some((name, folders)) = parts.split_last() else { return false };
    let folder = folders.last().copied().unwrap_or_default();
    let words = module.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_above = |word: &str| word == folder || RELATIVE.contains(&word) || ROOTS.contains(&folder);
    // A bare name is a module of its own, of the language perhaps, unless the file stands where paths begin.
    let is_first = module.starts_with('.') || ROOTS.contains(&folder);
    // A whole path, as Java and Python write it, goes through the folders of the file; only its first may be called
    // otherwise on disk.
    let is_whole = !module.starts_with('.') && !module.contains(['/', ':']);
    let goes_through = |at: usize| {
        let mut pairs = words[..at].iter().skip(1).rev().zip(folders.iter().rev());
        !is_whole || pairs.all(|(word, folder)| word == folder || ROOTS.contains(folder))
    };
    let leads = |at: usize| match at {
        0 => is_first,
        _ => is_above(words[at - 1]) && goes_through(at),
    };
    words.iter().enumerate().any(|(at, word)| word == name && leads(at))
}

/// Whether a path of modules starts in another package: `std::future::poll_fn` is not what `tokio/src/future/poll_fn.rs` has.
fn is_foreign(module: &str, path: &str) -> bool {
    let module = module.trim_start_matches("pub ").trim_start_matches("use ").trim_start();
    let Some((package, _)) = module.split_once("::") else { return module.starts_with("node:") };
    let package = package.trim().trim_start_matches(':');
    if package.is_empty() || RELATIVE.contains(&package) || module.starts_with("::") {
        return false;
    }
    // A package may bear a part of the name of its folder, or the other way round.
    let folders = path.split('/').rev().skip(1).map(|folder| folder.replace('-', "_"));
    let is_own = |folder: String| {
        !ROOTS.contains(&folder.as_str()) && (package.contains(&folder) || folder.contains(package))
    };
    STANDARD.contains(&package) || !folders.into_iter().any(is_own) && path.contains("/src/")
}

/// Packages that come with a language.
const STANDARD: &[&str] = &["std", "core", "alloc"];

/// Words of a module's path that name no folder.
const RELATIVE: &[&str] = &["crate", "self", "super"];

/// Folders that the path of a module leaves out.
const ROOTS: &[&str] = &["", "src", "lib", "java", "python"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_beside_the_importer_is_one_file() {
        for (importer, module, path, expected) in [
            ("a/src/run.ts", "./rpc", "a/src/rpc.ts", true),
            ("a/src/run.ts", "./rpc.js", "a/src/rpc.ts", true),
            ("a/src/run.ts", "./rpc", "b/src/rpc.ts", false),
            ("a/src/run.ts", "../lib", "a/lib/index.js", true),
            ("a/src/run.ts", "..", "a/index.js", true),
            ("src/run.ts", "..", "index.js", true),
            ("shop/web/app.py", "..cart", "shop/cart.py", true),
            ("shop/web/app.py", ".cart", "shop/cart.py", false),
            ("shop/web/app.py", ".", "shop/web/__init__.py", true),
        ] {
            let found = from_there(importer, module).map(|place| is_module(&place, path));
            assert_eq!(found, Some(expected), "{importer}: {module}");
        }
        assert_eq!(from_there("a/b.ts", "../../../x"), None);
        assert_eq!(from_there("a/b.ts", "lodash"), None);
        assert_eq!(from_there("src/a.rs", "crate::cart"), None);
    }
}
