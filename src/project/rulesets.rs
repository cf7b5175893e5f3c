//! Rule files of Java's linters, and what scanners of dependencies are told to pass over, in XML.
//!
//! Checkstyle lists modules, PMD lists rules; a list of suppressions names files or vulnerabilities. Which of them a file
//! is, its first element says.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::xml::Lines;
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Parts of the names of such files.
const NAMES: &[&str] =
    &["checkstyle", "pmd", "ruleset", "suppress", "owasp", "dependency-check", "spotbugs", "findbugs"];

/// Modules of Checkstyle that hold others, or take something back.
const NO_CHECKS: &[&str] = &["Checker", "TreeWalker", "SuppressWarningsHolder", "FileContentsHolder"];

/// Elements of a list of suppressions whose text names a vulnerability.
const PASSED_OVER: &[&str] = &["cve", "cvssBelow", "vulnerabilityName", "cwe"];

/// Whether a file of this name is one of them.
pub fn is_ruleset(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.ends_with(".xml") && NAMES.iter().any(|part| lower.contains(part))
}

pub fn read(text: &str) -> ProjectFacts {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut lines = Lines::of(text);
    let (mut root, mut module) = (String::new(), String::new());
    let (mut settings, mut value, mut opened) = (Vec::new(), String::new(), 1);
    while let Ok(event) = reader.read_event() {
        let line = lines.up_to(reader.buffer_position() as usize);
        match event {
            Event::Start(start) => {
                if root.is_empty() {
                    root = start.local_name().as_ref().to_owned();
                }
                settings.extend(element(&root, &start, line));
                settings.extend(property(&root, &mut module, &start, line));
                value.clear();
                opened = line;
            }
            Event::Text(text) => value.push_str(&text),
            Event::End(end) if root == "suppressions" && PASSED_OVER.contains(&end.local_name().as_ref()) => {
                let what = SettingValue::LeavesOut(value.trim().to_owned());
                settings.push(setting(About::Audit, "suppressions", opened, what));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

fn setting(about: About, key: &str, line: u32, value: SettingValue) -> Setting {
    Setting { about, key: key.to_owned(), line, value }
}

/// What a module of Checkstyle is told: at which level it counts, and how much is too much.
fn property(root: &str, module: &mut String, start: &BytesStart<'_>, line: u32) -> Option<Setting> {
    let given = |name: &str| Some(start.try_get_attribute(name).ok().flatten()?.value.into_owned());
    if root == "module" && start.local_name().as_ref() == "module" {
        *module = given("name")?;
        return None;
    }
    if root != "module" || start.local_name().as_ref() != "property" || module == "LineLength" {
        return None;
    }
    let (name, value) = (given("name")?, given("value")?);
    let demanded = match name.as_str() {
        "severity" => ["ignore", "info", "warning", "error"].iter().position(|level| *level == value)? as f64,
        "max" => -value.parse::<f64>().ok()?,
        _ => return None,
    };
    let key = format!("{module}.{name}");
    Some(setting(About::Checkers, &key, line, SettingValue::Demands(demanded)))
}

/// What the attributes of an element say.
fn element(root: &str, start: &BytesStart<'_>, line: u32) -> Option<Setting> {
    let given = |name: &str| -> Option<String> {
        let found = start.try_get_attribute(name).ok().flatten()?;
        Some(found.value.into_owned()).filter(|value| !value.is_empty())
    };
    let insists = |kind: &str, name: &str| {
        let what = format!("{kind} {name}");
        Some(setting(About::Lint, &what, line, SettingValue::Insists(what.clone())))
    };
    match (root, start.local_name().as_ref()) {
        ("module", "module") => {
            let name = given("name")?;
            let checks = !NO_CHECKS.contains(&name.as_str()) && !name.ends_with("Filter");
            insists("module", &name).filter(|_| checks)
        }
        ("ruleset", "rule") => insists("rule", given("ref")?.rsplit('/').next()?),
        ("ruleset", "exclude") => {
            Some(setting(About::Lint, "exclude", line, SettingValue::LeavesOut(given("name")?)))
        }
        ("suppressions", "suppress") => {
            Some(setting(About::Lint, "suppress", line, SettingValue::LeavesOut(given("files")?)))
        }
        ("FindBugsFilter", "Bug") => {
            let what = given("pattern").or_else(|| given("code"))?;
            Some(setting(About::Lint, "Bug", line, SettingValue::LeavesOut(what)))
        }
        ("FindBugsFilter", "Class" | "Package" | "Source") => {
            Some(setting(About::Lint, "Match", line, SettingValue::LeavesOut(given("name")?)))
        }
        _ => None,
    }
}

/// `revapi.json`: changes of what is offered that are passed over, each told by its code and what it is about.
pub fn revapi(text: &str) -> ProjectFacts {
    let document = super::braces::read(text);
    let mut found: Vec<(&[String], Setting)> = Vec::new();
    for entry in &document.entries {
        let keys: Vec<&str> = entry.keys().collect();
        let (Some(at), ["code" | "old" | "new", ..]) =
            (entry.path.iter().rposition(|key| key.starts_with('#')), &keys[keys.len().saturating_sub(1)..])
        else {
            continue;
        };
        let place = &entry.path[..=at];
        match found.iter_mut().find(|(known, _)| *known == place) {
            Some((_, Setting { value: SettingValue::LeavesOut(what), .. })) => {
                what.push(' ');
                what.push_str(&entry.value);
            }
            _ => {
                let what = SettingValue::LeavesOut(entry.value.clone());
                found.push((place, setting(About::Checkers, "differences", entry.line, what)));
            }
        }
    }
    let settings = found.into_iter().map(|(_, setting)| setting).collect();
    ProjectFacts { ground: Ground::Runner, settings, ..ProjectFacts::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let show = |setting: Setting| match setting.value {
            SettingValue::Insists(what) => format!("{what}@{}", setting.line),
            SettingValue::LeavesOut(what) => format!("-{what}@{}", setting.line),
            _ => String::new(),
        };
        read(text).settings.into_iter().map(show).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_first_element_says_what_a_file_is() {
        for (text, expected) in [
            (
                "<module name=\"Checker\">\n<module name=\"TreeWalker\">\n<module name=\"MagicNumber\"/>\n</module></module>",
                "module MagicNumber@3",
            ),
            ("<ruleset>\n<rule ref=\"category/java/design.xml/GodClass\"/></ruleset>", "rule GodClass@2"),
            (
                "<suppressions>\n<suppress>\n<notes>x</notes>\n<cve>CVE-1</cve></suppress></suppressions>",
                "-CVE-1@4",
            ),
            ("<suppressions><suppress files=\"a/.*\" checks=\".*\"/></suppressions>", "-a/.*@1"),
            ("<beans><module name=\"X\"/></beans>", ""),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
