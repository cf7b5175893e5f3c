//! Which coding agent started this process, told by the variables that agents set.
//!
//! Owns the table of variables. Refuses to guess: no variable means a person.

/// A variable, and the agent that sets it.
struct Row {
    variable: &'static str,
    agent: By,
}

enum By {
    /// Only this agent sets the variable.
    Name(&'static str),
    /// The variable says which agent it is.
    Value,
}

/// Agents of their own first: the last two are conventions that an agent may set besides its own.
const TABLE: [Row; 8] = [
    Row { variable: "CLAUDECODE", agent: By::Name("claude-code") },
    Row { variable: "CODEX_SANDBOX", agent: By::Name("codex") },
    Row { variable: "CODEX_THREAD_ID", agent: By::Name("codex") },
    Row { variable: "GEMINI_CLI", agent: By::Name("gemini-cli") },
    Row { variable: "CURSOR_AGENT", agent: By::Name("cursor") },
    Row { variable: "COPILOT_CLI", agent: By::Name("copilot") },
    Row { variable: "AI_AGENT", agent: By::Value },
    Row { variable: "AGENT", agent: By::Value },
];

/// The name of an agent in records; longer values are no names.
const LONGEST: usize = 64;

/// The agent that runs this process, `None` for a person.
pub fn running() -> Option<String> {
    detect(|variable| std::env::var_os(variable).map(|value| value.to_string_lossy().into_owned()))
}

fn detect(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    TABLE.iter().find_map(|row| {
        let value = variable(row.variable)?;
        let value = value.trim();
        // Set to nothing or switched off by hand: as if it were not there.
        if matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "false" | "no" | "off") {
            return None;
        }
        Some(match row.agent {
            By::Name(name) => name.to_owned(),
            By::Value => named(value),
        })
    })
}

/// `1` and `true` say that there is an agent, not which.
fn named(value: &str) -> String {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => "agent".to_owned(),
        _ => crate::text::one_line(value).chars().take(LONGEST).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &[(&str, &str)]) -> Option<String> {
        detect(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn each_agent_is_told_by_its_variable() {
        for (variable, agent) in [
            ("CLAUDECODE", "claude-code"),
            ("CODEX_SANDBOX", "codex"),
            ("CODEX_THREAD_ID", "codex"),
            ("GEMINI_CLI", "gemini-cli"),
            ("CURSOR_AGENT", "cursor"),
            ("COPILOT_CLI", "copilot"),
        ] {
            assert_eq!(with(&[(variable, "1")]).as_deref(), Some(agent));
        }
        assert_eq!(with(&[("AGENT", "goose")]).as_deref(), Some("goose"));
        assert_eq!(with(&[("AI_AGENT", "true")]).as_deref(), Some("agent"));
    }

    #[test]
    fn an_agent_of_its_own_wins_over_a_convention() {
        assert_eq!(with(&[("AGENT", "amp"), ("CLAUDECODE", "1")]).as_deref(), Some("claude-code"));
    }

    #[test]
    fn quiet_where_a_person_works() {
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[("CLAUDECODE", ""), ("AI_AGENT", "0"), ("AGENT", "false")]), None);
        assert_eq!(with(&[("SSH_AGENT_PID", "12")]), None);
    }

    #[test]
    fn a_name_is_data() {
        assert_eq!(with(&[("AGENT", "a\x1b[31mb\nc")]).as_deref(), Some("a [31mb c"));
        assert_eq!(with(&[("AGENT", &"x".repeat(900))]).map(|name| name.len()), Some(LONGEST));
    }

    #[test]
    fn the_table_names_each_variable_once() {
        let mut variables: Vec<&str> = TABLE.iter().map(|row| row.variable).collect();
        variables.sort_unstable();
        variables.dedup();
        assert_eq!(variables.len(), TABLE.len());
    }
}
