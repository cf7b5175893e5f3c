//! Reading, writing and adding to the file of waivers.

use super::super::append;
use super::*;

fn waiver(digit: char) -> Waiver {
    Waiver {
        fingerprint: format!("sha256:{}", digit.to_string().repeat(64)),
        rule: "test-removed".to_owned(),
        reason: "The API is gone: \"v1\" # really".to_owned(),
        by: "Ann O'Neil <ann@example.invalid>".to_owned(),
        created: NaiveDate::from_ymd_opt(2026, 1, 2).unwrap(),
        expires: NaiveDate::from_ymd_opt(2026, 4, 2).unwrap(),
    }
}

fn appended(text: Option<&str>, digit: char) -> String {
    append(text, &waiver(digit), "the test a was removed").unwrap().unwrap()
}

#[test]
fn a_new_file_holds_the_waiver_and_reads_back() {
    let text = appended(None, 'a');
    assert!(text.starts_with("# Findings that somebody decided to accept."), "{text}");
    assert!(text.contains("  # the test a was removed\n  - fingerprint: sha256:aaaa"), "{text}");
    assert_eq!(parse(&text), Ok(vec![waiver('a')]));
}

#[test]
fn appending_keeps_every_byte_that_was_there() {
    let first = appended(None, 'a');
    let commented = format!("{first}  # a note of ours\n");
    for before in [first.clone(), commented, first.replace('\n', "\r\n"), first.trim_end().to_owned()] {
        let after = appended(Some(&before), 'b');
        assert_eq!(parse(&after), Ok(vec![waiver('a'), waiver('b')]), "{after}");
        let mut lines = after.lines();
        assert!(before.lines().all(|line| lines.any(|other| other == line)), "{after}");
    }
}

#[test]
fn lists_are_opened_wherever_they_stand() {
    for before in [
        "version: 1\n",
        "version: 1",
        "version: 1\nwaivers:\n",
        "version: 1\nwaivers: []  # none yet\n",
        "waivers: []\nversion: 1\n",
        "# top\nversion: 1\nwaivers:\n# end\n",
    ] {
        let after = appended(Some(before), 'c');
        assert_eq!(parse(&after), Ok(vec![waiver('c')]), "{after}");
        assert_eq!(before.matches('#').count() + 1, after.matches("# ").count() - 1, "{after}");
    }
}

#[test]
fn a_list_without_indentation_goes_on_without_it() {
    let first = appended(None, 'a').replace("\n  ", "\n");
    let after = appended(Some(&first), 'b');
    assert!(after.contains("\n- fingerprint: sha256:bbbb"), "{after}");
}

#[test]
fn a_file_in_another_style_is_left_to_its_writer() {
    let flow = format!(
        "{{version: 1, waivers: [{{fingerprint: \"{}\", rule: a, reason: b, by: c, created: 2026-01-02, expires: 2026-04-02}}]}}\n",
        waiver('a').fingerprint
    );
    assert_eq!(parse(&flow).map(|waivers| waivers.len()), Ok(1));
    let by_hand = append(Some(&flow), &waiver('b'), "note").unwrap().unwrap_err();
    assert!(by_hand.contains("- fingerprint: sha256:bbbb"), "{by_hand}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let good = appended(None, 'a');
    for (from, to, words) in [
        ("version: 1", "version: 2", "write `version: 1`"),
        ("rule:", "rules:", "unknown field `rules`"),
        ("sha256:aa", "sha256:aA", "64 hexadecimal digits"),
        ("expires: 2026-04-02", "expires: soon", "`expires: soon` is no day"),
        ("created: 2026-01-02", "created: 02.01.2026", "`created: 02.01.2026` is no day"),
        ("    by: \"Ann O'Neil <ann@example.invalid>\"\n", "", "missing field `by`"),
        ("rule: test-removed", "rule: \" \"", "`rule` is empty"),
        ("\"The API is gone: \\\"v1\\\" # really\"", "\"\"", "`reason` is empty"),
        ("reason:", "reason: &x", "aiwg-gate.waivers.yaml:8:"),
    ] {
        let message = parse(&good.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(message.starts_with("aiwg-gate.waivers.yaml:") && message.contains(words), "{message}");
    }
    assert!(parse("").unwrap_err().to_string().contains("version: 1"));
    assert!(parse_bytes(b"version: 1\n\xff").unwrap_err().to_string().contains(":2:"));
    assert!(parse(&"#".repeat(MAX_BYTES + 1)).is_err());
}

#[test]
fn the_last_day_still_counts() {
    let waiver = waiver('a');
    assert!(!waiver.has_expired(waiver.expires));
    assert!(waiver.has_expired(waiver.expires.succ_opt().unwrap()));
}
