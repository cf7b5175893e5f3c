//! Reads INI files: sections, keys, values that go on over indented lines.

use super::document::Document;

/// One entry for each line of a value.
pub fn read(text: &str) -> Document {
    let mut document = Document::default();
    let (mut section, mut key) = (String::new(), String::new());
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        let content = line.trim();
        if content.is_empty() {
            continue;
        }
        if let Some(comment) = content.strip_prefix(['#', ';']) {
            document.remark(comment, number);
            continue;
        }
        if let Some(name) = content.strip_prefix('[').filter(|_| !line.starts_with([' ', '\t'])) {
            section = name.split(']').next().unwrap_or_default().trim().to_owned();
            key.clear();
            continue;
        }
        let goes_on = line.starts_with([' ', '\t']) && !key.is_empty();
        let value = match content.find(['=', ':']).filter(|_| !goes_on) {
            Some(at) => {
                key = content[..at].trim().to_owned();
                content[at + 1..].trim()
            }
            None => content,
        };
        let value = value.split(" #").next().unwrap_or_default().trim();
        if !document.push(vec![section.clone(), key.clone()], value, number) {
            break;
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_on_over_indented_lines() {
        let document = read("[run]\nomit =\n    a/*\n    # why\n    b/*  # no\nbranch = True\n");
        let shown: Vec<String> = document
            .entries
            .iter()
            .map(|entry| format!("{}={}", entry.path.join("."), entry.value))
            .collect();
        assert_eq!(shown, ["run.omit=", "run.omit=a/*", "run.omit=b/*", "run.branch=True"]);
        assert_eq!(document.remarks[0].text, "why");
    }
}
