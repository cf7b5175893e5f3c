//! Layouts: what is found in the text of a file, and where the search gives up.

use super::*;

/// The text of every value and item by its path.
fn outline(text: &str) -> Option<Vec<String>> {
    fn walk(text: &str, path: &str, value: &Value, found: &mut Vec<String>) {
        let mut items = |items: &[Range<usize>]| {
            let texts: Vec<&str> = items.iter().map(|item| &text[item.clone()]).collect();
            found.push(format!("{path}=<{}>", texts.join("|")));
        };
        match value {
            Value::Empty(_) => found.push(format!("{path}=")),
            Value::Opaque(_) => found.push(format!("{path}=...")),
            Value::Scalar(range) => found.push(format!("{path}={}", &text[range.clone()])),
            Value::FlowList { items: ranges, .. } | Value::BlockList { items: ranges, .. } => items(ranges),
            Value::FlowMap { entries, .. } | Value::BlockMap { entries } => {
                for entry in entries {
                    walk(text, &format!("{path}.{}", entry.key), &entry.value, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    walk(text, "", &document(text)?, &mut found);
    Some(found)
}

#[test]
fn finds_values_in_every_usual_style() {
    let text = "---\n# top\nversion: 1 # one\n\"profile\" : 'strict'\npaths: { tests: [a/**, \"b # c\"], ignored: [] }\n\
                rules:\n  # why\n  x: warn\n\n  y:\n\nz:\n- 'it''s'\n- b#c # d\n";
    let expected = [
        ".version=1",
        ".profile='strict'",
        ".paths.tests=<a/**|\"b # c\">",
        ".paths.ignored=<>",
        ".rules.x=warn",
        ".rules.y=",
        ".z=<'it''s'|b#c>",
    ];
    assert_eq!(outline(text).unwrap(), expected);
    assert_eq!(outline(&text.replace('\n', "\r\n")).unwrap(), expected);
    assert_eq!(outline(&format!("\u{feff}{text}")).unwrap(), expected);
}

#[test]
fn finds_values_in_a_document_in_brackets() {
    let text = "{\n  version: 1, # one\n  rules: {x: warn,},\n  \"paths\":{tests: [\n    a, # b\n    c\n  ]}\n}\n# end\n";
    assert_eq!(outline(text).unwrap(), [".version=1", ".rules.x=warn", ".paths.tests=<a|c>"]);
}

#[test]
fn steps_over_lists_of_mappings() {
    let block = "a: 1\ns:\n  - name: x # y\n    paths: [p]\n\n    # z\n    env:\n      A: b\n  - {name: w,\n     q: [r]}\nb: 2\n";
    assert_eq!(outline(block).unwrap(), [".a=1", ".s=...", ".b=2"]);
    let flush = "s:\n- name: x\n  command: y\n- name: z\n...\n";
    assert_eq!(outline(flush).unwrap(), [".s=..."]);
    let flow = "s: [{name: x, paths: [p, q]}, [c]] # y\nb: 2\n";
    assert_eq!(outline(flow).unwrap(), [".s=<{name: x, paths: [p, q]}|[c]>", ".b=2"]);
    assert_eq!(outline(&block.replace('\n', "\r\n")).unwrap(), [".a=1", ".s=...", ".b=2"]);
}

#[test]
fn gives_up_on_what_it_does_not_know() {
    for text in [
        "",
        "- a\n",
        "a: b\n  c\n",
        "a: 'b\n  c'\n",
        "a:\n  b\n",
        "? a\n: b\n",
        "a: [b\n",
        "a: [b, [c\n",
        "a: [b, {c}\n",
        "a: {b: c} d\n",
        "a:\n  - - b\n    - c\n  d: e\n",
        "\"a\\x41\": b\n",
        "{a: b}\nc: d\n",
    ] {
        assert!(document(text).is_none(), "{text:?}");
    }
}
