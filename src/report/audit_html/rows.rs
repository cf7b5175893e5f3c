//! One commit of the list: a line that opens, and below it what was found.

use super::super::audit_text::day;
use super::escape::text;
use crate::audit::{Audited, Outcome};
use crate::finding::Excerpt;
use crate::text::plural;
use crate::verdict::{Judged, Report, Verdict};

/// So many findings of a commit are shown.
const SHOWN: usize = 25;

/// So many lines of each side.
const LINES: usize = 14;

pub fn row(audited: &Audited) -> String {
    let commit = &audited.commit;
    let (verdict, name) = match &audited.outcome {
        Outcome::Unknown(_) => ("unknown", "not judged"),
        Outcome::Judged(report) if report.verdict == Verdict::Block => ("block", "blocked"),
        Outcome::Judged(_) => ("warn", "warned"),
    };
    let rules = audited.rules();
    let chip = |rule: &String| format!("<span class=\"chip\">{}</span>", text(rule));
    let chips: String = rules.iter().map(chip).collect();
    let inside = match &audited.outcome {
        Outcome::Unknown(why) => format!("<p>{}</p>", text(why)),
        Outcome::Judged(report) => findings(audited, report),
    };
    format!(
        "<details class=\"commit\" data-verdict=\"{verdict}\" data-rules=\"{}\"><summary>\
         <span class=\"badge {verdict}\">{name}</span><code title=\"{id}\">{}</code><time>{}</time>\
         <span class=\"subject\">{}</span><span class=\"chips\">{chips}</span></summary>\
         <div class=\"inside\"><p class=\"note\">{} · <code>{id}</code></p>{inside}</div></details>\n",
        text(&rules.join(" ")),
        commit.id.short(),
        day(commit.time),
        text(&commit.subject),
        text(&commit.author),
        id = commit.id,
    )
}

fn findings(audited: &Audited, report: &Report) -> String {
    let alerts = audited.alerts();
    let mut out: String = alerts.iter().take(SHOWN).map(|judged| finding(judged)).collect();
    if alerts.len() > SHOWN {
        out.push_str(&format!("<p class=\"note\">and {}</p>", plural(alerts.len() - SHOWN, "more finding")));
    }
    for unknown in &report.inconclusive {
        out.push_str(&format!(
            "<p>Could not tell: <code>{}</code>: {}</p>",
            text(&unknown.path),
            text(&unknown.reason)
        ));
    }
    out
}

fn finding(judged: &Judged) -> String {
    let finding = &judged.finding;
    let evidence = |line: &String| format!("<li>{}</li>", text(line));
    let evidence: String = finding.evidence.iter().map(evidence).collect();
    format!(
        "<article><h3><span class=\"badge {}\">{}</span>{}</h3>\
         <p class=\"note\"><code>{}:{}</code> · {} · {}, confidence {:.2}</p>{}{}<ul>{evidence}</ul>\
         <p class=\"print\">{}</p></article>",
        judged.action.name(),
        text(&finding.rule.name),
        text(&finding.message),
        text(&finding.path),
        finding.line,
        text(&finding.rule.kind.name().replace('_', " ")),
        finding.severity.name(),
        finding.confidence,
        excerpt("before", finding.before.as_ref()),
        excerpt("after", finding.after.as_ref()),
        text(&finding.fingerprint())
    )
}

fn excerpt(side: &str, excerpt: Option<&Excerpt>) -> String {
    let Some(excerpt) = excerpt.filter(|excerpt| !excerpt.lines.is_empty()) else { return String::new() };
    let mut lines = String::new();
    for (number, line) in (excerpt.start..).zip(excerpt.lines.iter().take(LINES)) {
        let mark = if number == excerpt.line { " class=\"mark\"" } else { "" };
        lines.push_str(&format!("<span{mark}><i>{number:>5}</i> {}\n</span>", text(line)));
    }
    format!(
        "<figure class=\"code {side}\"><figcaption>{side} <code>{}</code> {}</figcaption><pre>{lines}</pre></figure>",
        text(&excerpt.path),
        text(&excerpt.label)
    )
}
