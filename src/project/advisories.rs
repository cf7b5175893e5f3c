//! Known vulnerabilities and leaks that scanners are told to pass over, in files of their own.

use super::settings::{Row, Shape, apply, row};
use super::{braces, toml, vocabulary, yaml};
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// `deny.toml`, `audit.toml` and `osv-scanner.toml`.
const TOML: &[Row] = &[
    row("advisories.ignore", About::Audit, Shape::LeavesOut),
    row("advisories.ignore.id", About::Audit, Shape::LeavesOut),
    row("IgnoredVulns.id", About::Audit, Shape::LeavesOut),
];

/// `.grype.yaml`, `.trivyignore.yaml`, `.yarnrc.yml`, and `audit-ci.jsonc`.
const LISTS: &[Row] = &[
    row("ignore.vulnerability", About::Audit, Shape::LeavesOut),
    row("vulnerabilities.id", About::Audit, Shape::LeavesOut),
    row("npmAuditIgnoreAdvisories", About::Audit, Shape::LeavesOut),
    row("npmAuditExcludePackages", About::Audit, Shape::LeavesOut),
    row("allowlist", About::Audit, Shape::LeavesOut),
    row("whitelist", About::Audit, Shape::LeavesOut),
    row("exceptions", About::Audit, Shape::LeavesOut),
    row("allow-ghsas", About::Audit, Shape::LeavesOut),
    row("**.auditConfig.ignoreCves", About::Audit, Shape::LeavesOut),
    row("**.auditConfig.ignoreGhsas", About::Audit, Shape::LeavesOut),
];

/// The same in the file of a package.
pub const PACKAGED: &[Row] = &[
    row("**.auditConfig.ignoreCves", About::Audit, Shape::LeavesOut),
    row("**.auditConfig.ignoreGhsas", About::Audit, Shape::LeavesOut),
];

pub fn toml_file(text: &str) -> ProjectFacts {
    let document = toml::read(text);
    let mut found = apply(TOML, &document);
    // Versions of a crate that stand beside each other, and licences, come and go with what is depended on.
    let own = vocabulary::settings(&document, TOML).into_iter();
    found.extend(
        own.filter(|setting| !["bans.skip", "licenses."].iter().any(|key| setting.key.starts_with(key))),
    );
    of(found)
}

pub fn yaml_file(text: &str) -> ProjectFacts {
    of(apply(LISTS, &yaml::read(text)))
}

pub fn json_file(text: &str) -> ProjectFacts {
    of(apply(LISTS, &braces::read(text)))
}

/// `.nsprc`: a list of exceptions, or an object with one key for each.
pub fn exceptions(text: &str) -> ProjectFacts {
    let document = braces::read(text);
    let mut found = apply(LISTS, &document);
    for entry in document.entries.iter().filter(|entry| entry.path.len() <= 2) {
        let name = entry.path[0].as_str();
        let is_one = name.starts_with("GHSA-") || name.starts_with("CVE-") || name.parse::<u32>().is_ok();
        if is_one && found.iter().all(|known| known.value != SettingValue::LeavesOut(name.to_owned())) {
            found.push(left_out(name, entry.line));
        }
    }
    of(found)
}

/// `.snyk` and the policy of Safety, in which each vulnerability is a key.
pub fn keys(text: &str) -> ProjectFacts {
    let document = yaml::read(text);
    let mut found: Vec<Setting> = Vec::new();
    for entry in &document.entries {
        let keys: Vec<&str> = entry.keys().collect();
        let name = match keys[..] {
            ["ignore", name, ..] | ["security", "ignore-vulnerabilities", name, ..] => name,
            _ => continue,
        };
        if found.iter().all(|known| known.value != SettingValue::LeavesOut(name.to_owned())) {
            found.push(left_out(name, entry.line));
        }
    }
    of(found)
}

/// `.trivyignore` and `.gitleaksignore`: one of them on each line.
pub fn lines(text: &str) -> ProjectFacts {
    let listed = text.lines().enumerate().filter_map(|(index, line)| {
        let name = line.split('#').next()?.split_whitespace().next()?;
        Some(left_out(name, index as u32 + 1))
    });
    of(listed.collect())
}

fn left_out(name: &str, line: u32) -> Setting {
    Setting {
        about: About::Audit,
        key: "ignore".to_owned(),
        line,
        value: SettingValue::LeavesOut(name.to_owned()),
    }
}

fn of(settings: Vec<Setting>) -> ProjectFacts {
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_all_forms_are_read() {
        let keys_of = "ignore:\n  SNYK-JS-A-1:\n    - '*':\n        reason: none\n  SNYK-JS-B-2:\n    - '*':\n        reason: x\n";
        for (facts, expected) in [
            (
                lines("# why\nCVE-2024-1 # not reached\n\nCVE-2024-2 exp:2025-01-01\n"),
                "CVE-2024-1 CVE-2024-2",
            ),
            (keys(keys_of), "SNYK-JS-A-1 SNYK-JS-B-2"),
            (yaml_file("ignore:\n  - vulnerability: CVE-1\n    reason: x\n"), "CVE-1"),
            (json_file("{\"allowlist\": [\"GHSA-1\", \"GHSA-2\"]}"), "GHSA-1 GHSA-2"),
            (toml_file("[advisories]\nignore = [\"RUSTSEC-1\"]\n"), "RUSTSEC-1"),
        ] {
            let names = facts.settings.iter().map(|setting| match &setting.value {
                SettingValue::LeavesOut(name) => name.as_str(),
                _ => "",
            });
            assert_eq!(names.collect::<Vec<_>>().join(" "), expected);
        }
    }
}
