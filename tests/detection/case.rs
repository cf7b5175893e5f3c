//! One pair of sides on disk, and what the gate says about it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use aiwg_gate::policy::Policy;
use aiwg_gate::verdict::{Action, Judged, Report};

use super::trees::{TreeFile, check_trees};

pub const RULES: &[&str] = &[
    "test-removed",
    "suite-disabled",
    "test-skipped",
    "test-commented-out",
    "test-unreadable",
    "assertion-trivial",
    "assertion-weakened",
    "mocked-away",
    "circular-test",
    "expectation-rewritten",
    "tolerance-widened",
    "assertion-unreachable",
    "guard-removed",
    "error-handling-removed",
    "error-swallowed",
    "error-to-default",
    "stub",
    "code-commented-out",
    "feature-disabled",
    "test-recognised",
    "special-cases",
    "todo-accumulation",
    "symbol-removed",
    "suppression-added",
    "coverage-loosened",
    "weakened-and-uncovered",
];
/// Rules about configuration: their fixtures stand in the folder [`CONFIG`], in place of one for each language.
pub const GROUND_RULES: &[&str] = &["gate-loosened", "coverage-loosened"];
/// The folder of cases about configuration files.
pub const CONFIG: &str = "config";
pub const LANGUAGES: &[&str] = &["python", "javascript", "typescript", "go", "rust", "java"];

pub struct Case {
    pub rule: String,
    pub language: String,
    pub name: String,
    pub folder: PathBuf,
    pub before: Vec<TreeFile>,
    pub after: Vec<TreeFile>,
    /// What the commit says, from `message.txt`.
    pub message: Option<String>,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label())
    }
}

impl Case {
    pub fn fires(&self) -> bool {
        self.name.starts_with("fires_")
    }

    /// The lines of a file beside the sides; none where there is no such file.
    pub fn lines(&self, file: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        sorted(text.lines().filter(|line| !line.is_empty()).map(str::to_owned))
    }

    pub fn has(&self, file: &str) -> bool {
        self.folder.join(file).is_file()
    }

    pub fn label(&self) -> String {
        format!("{}/{}/{}", self.rule, self.language, self.name)
    }

    /// What the gate says about it.
    pub fn report(&self) -> Report {
        let (policy, message) = (Policy::default(), self.message.as_deref());
        check_trees(&self.before, &self.after, &policy, message).expect("two trees can be compared")
    }

    /// Everything in which the gate does not say what the case wants; empty where all is well.
    pub fn complaints(&self) -> String {
        let report = self.report();
        let of_rule = |judged: &&Judged| judged.finding.rule.name == self.rule.as_str();
        let loud = |judged: &&Judged| judged.action > Action::Log;
        let mut complaints = String::new();
        if self.fires() {
            let own = sorted(report.findings.iter().filter(of_rule).map(short));
            let also = report.findings.iter().filter(|judged| !of_rule(judged)).filter(loud);
            compare(&mut complaints, "findings of the rule", &self.lines("expected.txt"), &own);
            compare(&mut complaints, "other findings", &self.lines("also.txt"), &sorted(also.map(full)));
        } else {
            compare(
                &mut complaints,
                "findings that block or warn",
                &[],
                &sorted(report.findings.iter().filter(loud).map(full)),
            );
            let logged = sorted(report.findings.iter().filter(|judged| !loud(judged)).map(full));
            if self.has("logged.txt") {
                compare(&mut complaints, "logged findings", &self.lines("logged.txt"), &logged);
            }
        }
        if complaints.is_empty() { complaints } else { format!("\n{}\n{complaints}", self.label()) }
    }
}

pub fn check(before: &[TreeFile], after: &[TreeFile]) -> Report {
    check_trees(before, after, &Policy::default(), None).expect("two trees can be compared")
}

fn compare(complaints: &mut String, what: &str, expected: &[String], actual: &[String]) {
    if expected == actual {
        return;
    }
    let _ = writeln!(complaints, "  {what}: - expected, + actual");
    for line in expected {
        let sign = if actual.contains(line) { ' ' } else { '-' };
        let _ = writeln!(complaints, "  {sign} {line}");
    }
    for line in actual.iter().filter(|line| !expected.contains(line)) {
        let _ = writeln!(complaints, "  + {line}");
    }
}

/// `block high tests/test_cart.py::TestCart::test_total`
fn short(judged: &Judged) -> String {
    let finding = &judged.finding;
    format!("{} {} {}", judged.action.name(), finding.severity.name(), finding.symbol)
}

/// The same, led by the name of the rule.
pub fn full(judged: &Judged) -> String {
    format!("{} {}", judged.finding.rule.name, short(judged))
}

fn sorted(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Every case, in the order of rules, languages and names.
pub fn all() -> Vec<Case> {
    let folders = || LANGUAGES.iter().chain([&CONFIG]);
    let cells = RULES.iter().flat_map(|rule| folders().map(move |language| (*rule, *language)));
    let of_ground = GROUND_RULES.iter().map(|rule| (*rule, CONFIG));
    cells.chain(of_ground).flat_map(|(rule, language)| of_cell(rule, language)).collect()
}

pub fn of_cell(rule: &str, language: &str) -> Vec<Case> {
    let load = |folder: PathBuf| Case {
        rule: rule.to_owned(),
        language: language.to_owned(),
        name: file_name(&folder),
        before: tree(&folder.join("before")),
        after: tree(&folder.join("after")),
        message: std::fs::read_to_string(folder.join("message.txt")).ok(),
        folder,
    };
    entries(&root().join(rule).join(language)).into_iter().map(load).collect()
}

/// What stands in a folder, sorted; nothing where there is no such folder.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(read) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut entries: Vec<PathBuf> = read.map(|entry| entry.expect("a readable folder").path()).collect();
    entries.sort();
    entries
}

pub fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn tree(root: &Path) -> Vec<TreeFile> {
    let mut files = Vec::new();
    collect(root, "", &mut files);
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<TreeFile>) {
    for entry in entries(folder) {
        let path = format!("{prefix}{}", file_name(&entry));
        if entry.is_dir() {
            collect(&entry, &format!("{path}/"), files);
        } else {
            let text = std::fs::read(&entry).expect("a readable file");
            files.push(TreeFile { path, text: text.into() });
        }
    }
}
