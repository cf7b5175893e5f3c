//! Answers of debug memory for people.

use crate::memory::{Advice, Answer, Common, ErrorType, Hit, MIN_EFFECTIVENESS, Unreadable};
use crate::text::{clipped, line_start, one_line, plural, printable};

pub fn render(answer: &Answer) -> String {
    let mut out = String::new();
    if let Some(advice) = &answer.advice {
        out.push_str(&render_advice(advice));
        out.push('\n');
    }
    out.push_str(&match (answer.hits.len(), answer.matched) {
        (_, 0) => "No session matches.\n".to_owned(),
        (shown, matched) if shown == matched => {
            format!("{}, the best match first\n", plural(shown, "session"))
        }
        (shown, matched) => {
            format!("{} of {}, the best match first\n", shown, plural(matched, "session"))
        }
    });
    for hit in &answer.hits {
        out.push('\n');
        out.push_str(&render_hit(hit));
    }
    out.push_str(&unreadable(&answer.unreadable));
    out
}

fn render_advice(advice: &Advice) -> String {
    let mut out = format!(
        "{}: {} of this file, {} {}\n",
        line_start(&advice.file),
        plural(advice.sessions_of_file, "past session"),
        advice.sessions_of_module,
        // The folder of a file at the root has no name.
        if advice.module == "*" {
            "in this folder".to_owned()
        } else {
            format!("of {}", one_line(&advice.module))
        }
    );
    if advice.common_patterns.is_empty() {
        out.push_str("  Nothing is known to go wrong here.\n");
        return out;
    }
    out.push_str("  common patterns\n");
    for common in &advice.common_patterns {
        out.push_str(&format!("    {} x  {}\n", common.frequency, short(&common.pattern)));
        out.push_str(&template(common));
    }
    out.push_str("  do from the start\n");
    for action in &advice.actions {
        out.push_str(&format!("    - {}\n", short(action)));
    }
    if advice.actions.is_empty() {
        let percent = MIN_EFFECTIVENESS * 100.0;
        out.push_str(&format!(
            "    - nothing yet: no described fix has worked in more than {percent:.0} %\n"
        ));
    }
    out
}

fn template(common: &Common) -> String {
    let Some(fix) = &common.fix_template else { return String::new() };
    let worked =
        common.effectiveness.map(|effectiveness| format!(" (worked in {:.0} %)", effectiveness * 100.0));
    format!("         fix: {}{}\n", short(fix), worked.unwrap_or_default())
}

fn render_hit(hit: &Hit) -> String {
    let when = hit.updated_at.map(|time| time.format("%Y-%m-%d %H:%M").to_string()).unwrap_or_default();
    let id = short_id(&hit.session_id);
    let mut out = format!(
        "{id:8}  {:11}  {when:16}  {:11}  {}\n",
        hit.status.name(),
        plural(hit.attempts as usize, "attempt"),
        one_line(&hit.file)
    );
    let mut field = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out.push_str(&format!("  {name:8} {value}\n"));
        }
    };
    let tests: Vec<String> = hit.tests.iter().map(|test| one_line(test)).collect();
    field("failed", (!tests.is_empty()).then(|| tests.join(", ")));
    field("error", hit.message.as_ref().map(|message| error(&hit.error_types, message)));
    field("cause", hit.root_cause.as_deref().map(short));
    let fix = hit.fix.as_deref().or(hit.strategy.as_deref());
    let verified = hit.verification.map(|verification| format!(" ({})", verification.name()));
    field("fix", fix.map(|fix| format!("{}{}", short(fix), verified.unwrap_or_default())));
    out
}

/// The kinds of error and the first message, where that does not tell the kind itself.
fn error(kinds: &[ErrorType], message: &str) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    match kinds {
        [kind] => short(&kind.before(message)),
        _ => format!("{}: {}", names.join(", "), short(message)),
    }
}

/// Files that were left alone.
pub fn unreadable(files: &[Unreadable]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{} could not be read and was left alone:\n", plural(files.len(), "file"));
    if files.len() > 1 {
        out = out.replace(" was left", " were left");
    }
    for file in files.iter().take(10) {
        let path = file.path.display().to_string();
        out.push_str(&format!("  {}: {}\n", printable(&path), one_line(&file.reason)));
    }
    out
}

const MAX_CHARS: usize = 160;

/// The first line that says something, cut where it is long.
pub fn short(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    clipped(&one_line(line), MAX_CHARS)
}

/// Enough of the id of a session to tell it from others.
pub fn short_id(session_id: &str) -> String {
    one_line(session_id).chars().take(8).collect()
}
