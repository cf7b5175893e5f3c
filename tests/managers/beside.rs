//! `aiwg-gate install` in a clone where a manager has its hooks.

use crate::repo::Outcome;
use crate::stage::Stage;

const PRE_COMMIT: &str = "repos:\n- repo: local\n  hooks:\n  - {id: mine, name: mine, entry: echo MY CHECK, \
    language: system, always_run: true, pass_filenames: false, verbose: true}\n";
const LEFTHOOK: &str = "pre-commit:\n  jobs:\n    - run: echo MY CHECK\n";

/// The manager's own hook, and then the gate.
struct Both {
    stage: Stage,
    manager: &'static str,
    hook: String,
}

impl Both {
    fn with(manager: &'static str, file: &str, text: &str) -> Option<Self> {
        let stage = Stage::with(manager)?;
        stage.configure(&[(file, text)]);
        stage.run(manager, &["install"]).passes();
        let hook = stage.repo.read(".git/hooks/pre-commit");
        let both = Self { stage, manager, hook };
        both.install().says("keeps the existing hook as pre-commit.before-aiwg-gate and runs it first");
        Some(both)
    }

    fn install(&self) -> Outcome {
        self.stage.run("aiwg-gate", &["install"]).passes()
    }

    #[track_caller]
    fn guards(&self) {
        self.stage.blocks_a_lost_test();
        let lines = self.commit().both();
        let place = |words| lines.find(words).unwrap_or_else(|| panic!("no {words:?} in\n{lines}"));
        assert!(place("MY CHECK") < place("aiwg-gate: pass"), "the gate comes first in\n{lines}");
    }

    #[track_caller]
    fn commit(&self) -> Outcome {
        let count = self.stage.repo.git(&["rev-list", "--count", "HEAD"]);
        self.stage.repo.write("count.txt", count);
        self.stage.repo.add();
        self.stage.git(&["commit", "-m", "Count"]).passes()
    }

    #[track_caller]
    fn is_gone_after_uninstall(&self) {
        self.stage.run("aiwg-gate", &["uninstall"]).passes();
        assert_eq!(self.stage.repo.read(".git/hooks/pre-commit"), self.hook);
        assert!(!self.stage.repo.path(".git/hooks/post-commit").exists());
        self.commit().says("MY CHECK").never_says("aiwg-gate:");
    }

    /// The manager moves the gate's hook aside and calls it from there.
    fn survives_migration(&self) {
        self.stage.run(self.manager, &["install"]).passes().says("pre-commit.legacy");
        self.stage.blocks_a_lost_test();
        self.commit().says("MY CHECK").says("aiwg-gate: pass");
        self.install();
        self.guards();
    }
}

#[test]
fn beside_pre_commit() {
    let Some(both) = Both::with("pre-commit", ".pre-commit-config.yaml", PRE_COMMIT) else { return };
    both.guards();
    both.is_gone_after_uninstall();
}

#[test]
fn beside_prek() {
    let Some(both) = Both::with("prek", ".pre-commit-config.yaml", PRE_COMMIT) else { return };
    both.guards();
    both.is_gone_after_uninstall();
}

#[test]
fn beside_lefthook() {
    let Some(both) = Both::with("lefthook", "lefthook.yml", LEFTHOOK) else { return };
    both.guards();
    both.is_gone_after_uninstall();
}

#[test]
fn pre_commit_installed_again_still_calls_the_gate() {
    let Some(both) = Both::with("pre-commit", ".pre-commit-config.yaml", PRE_COMMIT) else { return };
    both.survives_migration();
}

#[test]
fn prek_installed_again_still_calls_the_gate() {
    let Some(both) = Both::with("prek", ".pre-commit-config.yaml", PRE_COMMIT) else { return };
    both.survives_migration();
}

#[test]
fn lefthook_installed_again_is_announced_noticed_and_repaired() {
    let Some(both) = Both::with("lefthook", "lefthook.yml", LEFTHOOK) else { return };
    both.install().says("lefthook writes its hooks anew");
    both.stage.run("lefthook", &["install"]).passes();
    both.commit().says("never judged");
    both.stage.run("aiwg-gate", &["status"]).says("the hook pre-commit is not the gate's");
    both.install();
    both.guards();
    both.is_gone_after_uninstall();
}
