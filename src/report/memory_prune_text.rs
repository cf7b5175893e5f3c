//! What `memory prune` removed, for people.

use super::memory_query_text::unreadable;
use crate::memory::Pruned;
use crate::text::{one_line, plural};

pub fn render(pruned: &Pruned, dry_run: bool) -> String {
    let verb = if dry_run { "would be removed" } else { "removed" };
    let mut out = match pruned.sessions.len() {
        0 => "No session is old enough to go.\n".to_owned(),
        count => format!("{} {verb}\n", plural(count, "session")),
    };
    for session in &pruned.sessions {
        let date = session.updated_at.format("%Y-%m-%d");
        out.push_str(&format!("  {}  last used {date}\n", one_line(&session.session_id)));
    }
    if !pruned.needed.is_empty() {
        let sessions = plural(pruned.needed.len(), "old session");
        out.push_str(&format!("{sessions} kept: a proof of a commit is in there\n"));
    }
    out.push_str(&unreadable(&pruned.unreadable));
    out
}
