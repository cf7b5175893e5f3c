//! Switches of configuration files, read line by line: a name, a value, and the names it stands under.

use crate::facts::{Place, Signals, Switch};
use crate::languages::Source;

/// Larger files are data.
const MAX_BYTES: usize = 256 * 1024;

const EXTENSIONS: [&str; 10] =
    ["yml", "yaml", "json", "json5", "jsonc", "toml", "ini", "cfg", "properties", "conf"];

/// Whether a file of this name may hold switches.
pub fn is_settings_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let written_by_tools = ["lock", "-lock", ".lock", "npm-shrinkwrap"];
    EXTENSIONS.contains(&extension) && !written_by_tools.iter().any(|end| stem.ends_with(end))
}

pub fn of_settings(source: Source<'_>) -> Signals {
    let mut signals = Signals::default();
    if !is_settings_file(source.path) || source.text.len() > MAX_BYTES {
        return signals;
    }
    let text = String::from_utf8_lossy(source.text);
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut section = "";
    for (index, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let body = line.trim_start();
        if let Some(name) =
            body.strip_prefix('[').and_then(|rest| rest.split(']').next()).filter(|_| indent == 0)
        {
            section = name.trim_matches('[');
            above.clear();
            continue;
        }
        let (indent, body) = list_item(indent, body);
        let Some((key, value)) = pair(body) else { continue };
        above.retain(|(depth, _)| *depth < indent);
        match truth(value) {
            Some(on) => {
                let names = std::iter::once(section).filter(|name| !name.is_empty());
                let names: Vec<&str> = names.chain(above.iter().map(|(_, name)| *name)).take(16).collect();
                let (scope, line) = (names.join("."), index as u32 + 1);
                signals.switches.push(Switch { name: key.to_owned(), scope, on, line, place: Place::Option });
            }
            None => above.push((indent, key)),
        }
        if signals.switches.len() >= super::walk::LIST_LIMIT {
            break;
        }
    }
    signals
}

/// What follows the dash of a list; it is indented by that much more.
fn list_item(indent: usize, body: &str) -> (usize, &str) {
    match body.strip_prefix("- ") {
        Some(rest) => (indent + 2 + rest.len() - rest.trim_start().len(), rest.trim_start()),
        None => (indent, body),
    }
}

/// `name: value`, `"name": value`, `name = value`; comments are neither.
fn pair(body: &str) -> Option<(&str, &str)> {
    let (key, rest) = match body.strip_prefix(['"', '\'']) {
        Some(quoted) => {
            let end = quoted.find(['"', '\''])?;
            (&quoted[..end], quoted[end + 1..].trim_start())
        }
        None => {
            let end = body.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)))?;
            (&body[..end], body[end..].trim_start())
        }
    };
    let value = rest.strip_prefix([':', '='])?;
    (!key.is_empty() && key.len() <= 80).then_some((key, value.trim()))
}

fn truth(value: &str) -> Option<bool> {
    let value = value.split(" #").next().unwrap_or(value).split(" //").next().unwrap_or(value);
    match value.trim().trim_end_matches(',').trim_matches(['"', '\'']) {
        "true" | "True" | "on" | "yes" => Some(true),
        "false" | "False" | "off" | "no" => Some(false),
        _ => None,
    }
}
