//! The page holds what it should, and nothing that a repository could smuggle in.

use super::*;
use crate::audit::Outcome;
use crate::comparison::Metrics;
use crate::detectors;
use crate::finding::{Excerpt, Finding, Severity, Side};
use crate::git::{ChangeKind, CommitHead, ObjectId};
use crate::verdict::{Action, ChangeSummary, Inconclusive, Judged, Report};

const HOSTILE: &str = "</script><script>alert(1)</script>\" onload='x' & \u{202e}txet\u{1b}[31m";

fn hostile_finding() -> Judged {
    let excerpt = || {
        Some(Excerpt {
            path: HOSTILE.to_owned(),
            start: 3,
            lines: vec![HOSTILE.to_owned(), "plain".to_owned()],
            line: 3,
            label: HOSTILE.to_owned(),
        })
    };
    let finding = Finding {
        rule: detectors::find("test-removed").unwrap().id.clone(),
        severity: Severity::High,
        confidence: 0.95,
        lowered: false,
        admitted: false,
        side: Side::Before,
        path: HOSTILE.to_owned(),
        line: 3,
        symbol: HOSTILE.to_owned(),
        detail: HOSTILE.to_owned(),
        message: format!("the test {HOSTILE} was removed"),
        help: HOSTILE.to_owned(),
        before: excerpt(),
        after: excerpt(),
        evidence: vec![HOSTILE.to_owned()],
    };
    Judged { finding, action: Action::Block, waiver: None }
}

fn audited(verdict: Verdict, findings: Vec<Judged>, time: i64) -> Audited {
    let id = ObjectId::parse(&"a".repeat(40)).unwrap();
    let change = ChangeSummary { kind: ChangeKind::Commit, base: None, head: Some(id.clone()), files: 1 };
    let inconclusive = vec![Inconclusive { path: HOSTILE.to_owned(), reason: HOSTILE.to_owned() }];
    let report = Report {
        verdict,
        change,
        before: Metrics::default(),
        after: Metrics::default(),
        findings,
        inconclusive,
        proofs: Vec::new(),
        no_suite: false,
        to_run: Vec::new(),
        waivers: Vec::new(),
    };
    let commit = CommitHead { id, author: HOSTILE.to_owned(), time, subject: HOSTILE.to_owned() };
    Audited { commit, outcome: Outcome::Judged(Box::new(report)), milliseconds: 1 }
}

fn page(commits: &[Audited]) -> String {
    let mut page = AuditHtml::new(HOSTILE);
    commits.iter().for_each(|commit| page.add(commit));
    page.finish()
}

#[test]
fn nothing_of_the_repository_is_markup() {
    let unknown =
        Audited { outcome: Outcome::Unknown(HOSTILE.to_owned()), ..audited(Verdict::Warn, Vec::new(), 0) };
    let page = page(&[audited(Verdict::Block, vec![hostile_finding()], 1_700_000_000), unknown]);
    assert_eq!(page.matches("<script").count(), 1, "only the page's own");
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains(['\u{202e}', '\u{1b}']), "nothing reorders or commands");
    assert!(!page.contains("onload='") && page.contains("onload=&#39;"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "it is shown as text");
}

#[test]
fn the_page_reaches_for_nothing_outside_itself() {
    let page = page(&[audited(Verdict::Block, vec![hostile_finding()], 1_700_000_000)]);
    for outside in ["http://", "https://", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn commits_that_pass_are_counted_and_not_listed() {
    let page = page(&[audited(Verdict::Pass, Vec::new(), 1_700_000_000)]);
    assert!(page.contains("every commit would have passed") && !page.contains("class=\"commit\""));
    assert!(page.contains("about 1 commit, 2023-11-14 to 2023-11-14"));
}

#[test]
fn what_was_waived_is_not_called_logged() {
    let waived = Judged { action: Action::Waived, ..hostile_finding() };
    let page = page(&[audited(Verdict::Pass, vec![waived], 1_700_000_000)]);
    // Blocked, warned, logged, waived, findings.
    assert!(page.contains("<td>0</td><td>0</td><td>0</td><td>1</td><td>1</td>"), "{page}");
}

#[test]
fn a_page_of_nothing_is_a_page() {
    let page = page(&[]);
    assert!(page.contains("about 0 commits") && page.contains("there are no commits to judge"));
}

#[test]
fn the_same_commits_make_the_same_page() {
    let commits = || vec![audited(Verdict::Block, vec![hostile_finding()], 1_700_000_000)];
    assert_eq!(page(&commits()), page(&commits()));
}
