//! What a shell completes with the script of `completions`.

use crate::repo::{GATE, Outcome, Repo, outcome};

/// What bash offers for the last of some words; the script asks for nothing that only a terminal has.
fn completed(repo: &Repo, words: &[&str]) -> Outcome {
    let script = format!(
        "source <('{GATE}' completions bash); COMP_WORDS=({}); COMP_CWORD={}; _aiwg__gate aiwg-gate {} {}; \
         complete -p aiwg-gate; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    outcome(repo.command("bash").args(["-c", &script])).passes()
}

#[test]
fn bash_completes_behind_the_first_word_too() {
    let repo = Repo::new();
    completed(&repo, &["aiwg-gate", "che"]).says("-F _aiwg__gate aiwg-gate\n").says("\ncheck\n");
    completed(&repo, &["aiwg-gate", "check", "--f"]).says("\n--format\n");
    completed(&repo, &["aiwg-gate", "config", "un"]).says("\nunset\n");
    completed(&repo, &["aiwg-gate", "config", "set", "--a"]).says("\n--add\n");
    completed(&repo, &["aiwg-gate", "hook", "pre-c"]).says("\npre-commit\n");
}
