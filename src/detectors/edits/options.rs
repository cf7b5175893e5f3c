//! Comparisons that newly leave something out by an option they are given: fields, the order, what a snapshot redacts.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::assertions::split;
use crate::text::{clipped, one_line};

/// Options after which a comparison sees less.
const OPTIONS: &[&str] = &[
    "IgnoreFields",
    "IgnoreTypes",
    "IgnoreMapEntries",
    "IgnoreInterfaces",
    "IgnoreSliceElements",
    "SortSlices",
    "SortMaps",
    "EquateApprox",
    "EquateApproxTime",
    "ignore_order",
    "ignore_keys",
    "exclude_paths",
    "exclude_regex_paths",
    "ignoringFields",
    "ignoringCollectionOrder",
    "check_exact",
    "check_dtype",
    "check_names",
    "check_order",
    "check_index_type",
    "ignore_case",
    "ignoreCase",
    "redactions",
];

/// Calls that compare, as they are written.
const COMPARES: &[&str] = &["Diff(", "cmp.Equal(", "assert", "expect", "Equal(", "DeepDiff("];

/// Macros of snapshots, which take redactions in braces.
const SNAPSHOTS: &[&str] = &["_snapshot!("];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let (was, is) = (pages.old_text(old), pages.new_text(new));
        if !sees_less(&was, &is) {
            return None;
        }
        let line = pages.new[new].number;
        let (name, _) = pages.asserting_at(line)?;
        Some(Told {
            message: format!(
                "{name} leaves something out of a comparison: `{}`",
                clipped(&one_line(&is), 80)
            ),
            help: format!("compare all of it again: {was}"),
            old: Some(pages.old[old].number),
            new: Some(line),
            name: Some(name),
        })
    })
}

/// Whether a line is as it was but for an option after which less is compared.
fn sees_less(was: &str, is: &str) -> bool {
    let count = |text: &str| split(text).filter(|word| OPTIONS.contains(word)).count();
    let redacts = |text: &str| SNAPSHOTS.iter().any(|call| text.contains(call)) && text.contains("=>");
    let compares = COMPARES.iter().any(|call| was.contains(call) && is.contains(call));
    let keeps = || {
        let now: Vec<&str> = split(is).collect();
        split(was).all(|word| now.contains(&word))
    };
    let matches = |text: &str| text.contains("Snapshot({") && text.contains("expect.any");
    let more = count(is) > count(was) || redacts(is) && !redacts(was) || matches(is) && !matches(was);
    compares && more && !is.contains("=True") && keeps()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_makes_a_comparison_see_less() {
        assert!(sees_less("cmp.Diff(want, got)", "cmp.Diff(want, got, cmpopts.IgnoreFields(T{}, \"At\"))"));
        assert!(sees_less(
            "insta::assert_json_snapshot!(cart);",
            "insta::assert_json_snapshot!(cart, { \".id\" => \"[id]\" });"
        ));
        assert!(!sees_less("cmp.Diff(want, got, cmpopts.SortSlices(f))", "cmp.Diff(want, got)"));
        assert!(!sees_less("cmp.Diff(want, got)", "cmp.Diff(want, other, cmpopts.SortSlices(f))"));
    }
}
