//! Settings of linters and type checkers that stand in the code itself and hold for a whole file or crate:
//! `#![deny(missing_docs)]`, `# mypy: ignore-errors`.

use crate::facts::{About, Setting, SettingValue};

/// What a text has in it where it may hold such settings.
pub const HINTS: &[&[u8]] = &[b"#![", b"mypy:"];

/// So far down such settings stand.
const MAX_LINES: usize = 400;

pub fn settings(path: &str, text: &str) -> Vec<Setting> {
    match path.rsplit('.').next().unwrap_or_default() {
        "rs" => denied(text),
        "py" | "pyi" => mypy(text),
        _ => Vec::new(),
    }
}

/// The lints that a crate or a module is refused for.
fn denied(text: &str) -> Vec<Setting> {
    let mut found = Vec::new();
    let mut open = String::new();
    for (line, number) in text.lines().zip(1..).take(MAX_LINES) {
        let line = line.split("//").next().unwrap_or_default().trim();
        if open.is_empty() && !line.starts_with("#![") {
            continue;
        }
        open.push_str(line);
        if !open.ends_with(']') && open.len() < 4 * 1024 {
            continue;
        }
        let attribute = std::mem::take(&mut open);
        for level in ["deny(", "forbid("] {
            let Some((_, list)) = attribute.split_once(level) else { continue };
            let lints = list.split(')').next().unwrap_or_default().split(',').map(str::trim);
            found.extend(lints.filter(|lint| !lint.is_empty() && !lint.contains('=')).map(|lint| {
                let what = format!("deny {}", lint.rsplit("::").next().unwrap_or(lint));
                Setting {
                    about: About::Lint,
                    key: what.clone(),
                    line: number,
                    value: SettingValue::Insists(what),
                }
            }));
        }
    }
    found
}

/// `# mypy: ignore-errors, disallow-untyped-defs=False`
fn mypy(text: &str) -> Vec<Setting> {
    const ON: &[&str] = &["ignore-errors", "allow-untyped-defs", "allow-untyped-calls", "allow-any-generics"];
    const OFF: &[&str] = &[
        "strict-optional",
        "disallow-untyped-defs",
        "disallow-untyped-calls",
        "disallow-any-generics",
        "disallow-incomplete-defs",
        "check-untyped-defs",
        "warn-return-any",
        "warn-unreachable",
    ];
    let comments = text.lines().zip(1..).take(MAX_LINES).filter_map(|(line, number)| {
        Some((line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("mypy:")?, number))
    });
    let said = comments.flat_map(|(list, number)| list.split(',').map(move |one| (one.trim(), number)));
    let is_loose = |one: &str| {
        let (name, value) = one.split_once('=').unwrap_or((one, "true"));
        let (name, value) = (name.trim().replace('_', "-"), value.trim().to_lowercase());
        ON.contains(&name.as_str()) && value == "true" || OFF.contains(&name.as_str()) && value == "false"
    };
    let setting = |(one, line): (&str, u32)| Setting {
        about: About::Lint,
        key: format!("mypy: {one}"),
        line,
        value: SettingValue::Loose(true),
    };
    said.filter(|(one, _)| is_loose(one)).map(setting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_in_code_are_read() {
        for (path, text, expected) in [
            (
                "a.rs",
                "#![deny(missing_docs, clippy::all)]\n#![forbid(\n    unsafe_code,\n)]\n#![warn(x)]\n",
                "deny missing_docs, deny all, deny unsafe_code",
            ),
            ("a.rs", "// #![deny(x)]\n#[deny(y)]\nfn a() {}\n", ""),
            (
                "a.py",
                "# mypy: ignore-errors, strict_optional=False\n",
                "mypy: ignore-errors, mypy: strict_optional=False",
            ),
            ("a.py", "# mypy: disallow-untyped-defs=True\nx = 'mypy:'\n", ""),
        ] {
            let keys: Vec<String> = settings(path, text).into_iter().map(|setting| setting.key).collect();
            assert_eq!(keys.join(", "), expected, "{text}");
        }
    }
}
