//! An audit as one page that needs nothing but itself: charts over time and per rule, and a list to search.
//!
//! Names, paths and code come from the repository and are hostile until escaped: [`escape::text`] is the only way into
//! the page. A content policy keeps anything from running but the page's own script, and from reaching the network.

mod buckets;
mod chart;
mod escape;
mod rows;

use buckets::Days;
use escape::text;

use super::audit_text::day;
use crate::audit::{Audited, Summary};
use crate::digest;
use crate::text::plural;
use crate::verdict::Verdict;

/// So many commits are listed, the newest ones.
const LISTED: usize = 2000;

/// The page, put together commit by commit.
#[derive(Default)]
pub struct AuditHtml {
    /// What the repository is called.
    name: String,
    summary: Summary,
    days: Days,
    rows: String,
    listed: usize,
    not_listed: usize,
}

impl AuditHtml {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    pub fn add(&mut self, audited: &Audited) {
        self.summary.add(audited);
        self.days.add(audited);
        if audited.report().is_some_and(|report| report.verdict == Verdict::Pass) {
            return;
        }
        if self.listed >= LISTED {
            self.not_listed += 1;
            return;
        }
        self.listed += 1;
        self.rows.push_str(&rows::row(audited));
    }

    pub fn finish(&self) -> String {
        let body = format!(
            "{}<main>{}{}{}{}</main>",
            self.header(),
            self.cards(),
            chart::over_time(&self.days),
            chart::per_rule(&self.summary),
            self.list()
        );
        // Nobody can put a script into the page that names the digest of the page it stands in.
        let nonce = digest::hex(&body);
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-{nonce}'; \
             script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>Audit of {}</title>\n\
             <style nonce=\"{nonce}\">\n{STYLE}</style>\n</head>\n<body>\n{body}\n\
             <script nonce=\"{nonce}\">\n{SCRIPT}</script>\n</body>\n</html>\n",
            text(&self.name)
        )
    }

    fn header(&self) -> String {
        let summary = &self.summary;
        let period = match (summary.oldest, summary.newest) {
            (Some(oldest), Some(newest)) => format!(", {} to {}", day(oldest), day(newest)),
            _ => String::new(),
        };
        format!(
            "<header><p class=\"over\">aiwg-gate audit</p><h1>{}</h1>\
             <p>What the gate would have said about {}{period}.</p></header>\n",
            text(&self.name),
            plural(summary.judged(), "commit")
        )
    }

    fn cards(&self) -> String {
        let summary = &self.summary;
        let card = |class: &str, what: &str, count: usize| {
            format!(
                "<div class=\"card {class}\"><dt>{what}</dt><dd>{count}<small>{:.1} %</small></dd></div>",
                summary.share(count)
            )
        };
        let mut cards = [
            card("pass", "would have passed", summary.passed),
            card("warn", "would have been warned about", summary.warned),
            card("block", "would have been blocked", summary.blocked),
        ]
        .concat();
        if summary.unknown > 0 {
            cards.push_str(&format!(
                "<div class=\"card unknown\"><dt>could not be judged</dt><dd>{}</dd></div>",
                summary.unknown
            ));
        }
        format!("<dl class=\"cards\">{cards}</dl>\n")
    }

    fn list(&self) -> String {
        if self.summary.judged() + self.summary.unknown == 0 {
            return "<section><h2>Commits</h2><p>Nothing to show: there are no commits to judge.</p></section>"
                .to_owned();
        }
        if self.listed == 0 {
            return "<section><h2>Commits</h2><p>Nothing to show: every commit would have passed.</p></section>"
                .to_owned();
        }
        let option = |name: &str| format!("<option>{}</option>", text(name));
        let rules: String = self.summary.rules().iter().map(|(name, _)| option(name)).collect();
        let more = if self.not_listed > 0 {
            format!(
                "<p class=\"note\">{} older commits are counted above and not listed.</p>",
                self.not_listed
            )
        } else {
            String::new()
        };
        format!(
            "<section aria-labelledby=\"commits\"><h2 id=\"commits\">Commits that would not simply have passed</h2>\
             <form class=\"filter\" id=\"filter\" hidden>\
             <label>Verdict <select id=\"verdict\"><option value=\"\">any</option><option value=\"block\">blocked</option>\
             <option value=\"warn\">warned about</option><option value=\"unknown\">could not be judged</option></select></label>\
             <label>Rule <select id=\"rule\"><option value=\"\">any</option>{rules}</select></label>\
             <label class=\"grow\">Search <input id=\"search\" type=\"search\" autocomplete=\"off\" \
             placeholder=\"subject, author, path, test, id\"></label>\
             <output id=\"count\" aria-live=\"polite\"></output></form>\n<div id=\"rows\">\n{}</div>{more}</section>",
            self.rows
        )
    }
}

const STYLE: &str = include_str!("audit_html/style.css");
const SCRIPT: &str = include_str!("audit_html/script.js");

#[cfg(test)]
mod tests;
