//! What a check costs, as ratios within one run: machines differ and are noisy, ratios much less so.
//!
//! `cargo bench` prints one line per measurement with its limit. Each pair is run alternately, and the medians are
//! compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rayon::prelude::*;

const GATE: &str = env!("CARGO_BIN_EXE_aiwg-gate");

fn main() {
    let root = tempfile::tempdir().expect("a temporary directory");
    println!("{:52} {:>9} {:>9} {:>8}", "", "gate", "reference", "");
    large_repository(root.path());
    small_repository(root.path());
    many_test_files(root.path());
    past_commits(root.path());
    hostile_files(root.path());
}

/// One staged test file among 100,000 files, against what git needs for the same question.
fn large_repository(root: &Path) {
    let repo = init(root, "large");
    let blob = "blob\nmark :1\ndata 2\nx\n\n";
    let files: String =
        (0..100_000).map(|n| format!("M 100644 :1 src/{}/{}/file{n}.txt\n", n / 5000, n / 100)).collect();
    let test = "def test_a():\n    assert f(1) == 2\n\n\ndef test_b():\n    assert f(2) == 3\n";
    let import = format!(
        "{blob}blob\nmark :2\ndata {}\n{test}\ncommit refs/heads/main\ncommitter Bench <bench@example.invalid> 0 +0000\n\
         data 1\nx\n{files}M 100644 :2 tests/test_a.py\nM 100644 inline aiwg-gate.yaml\ndata {}\n{POLICY}\n",
        test.len(),
        POLICY.len()
    );
    feed(&repo, &["fast-import", "--quiet"], import.as_bytes());
    git(&repo, &["reset", "--quiet", "--hard"]);
    std::fs::write(repo.join("tests/test_a.py"), test.replace("f(2) == 3", "f(2) == 4")).expect("an edit");
    git(&repo, &["add", "tests/test_a.py"]);
    let gate = || run(Command::new(GATE).args(["-q", "check", "--staged", "--no-proof"]).current_dir(&repo));
    let reference = || run(command(&repo, &["diff", "--cached", "--quiet"]).stderr(Stdio::null()));
    let (gate, reference) = medians(15, gate, reference);
    report("one staged file of 100,000 / git diff --cached", gate, reference, Limit::Ratio(2.0));
    proof_of_one_file(&repo);
}

const POLICY: &str =
    "version: 1\nsuites: [{ name: unit, command: \"true\", framework: other, paths: [\"**\"] }]\n";

/// What the question for a proof adds to that, with a thousand sessions in memory.
fn proof_of_one_file(repo: &Path) {
    run(Command::new(GATE).args(["-q", "run"]).current_dir(repo));
    let folder = repo.join(".aiwg/ralph/debug-memory/sessions");
    let first = std::fs::read_dir(&folder).expect("sessions").flatten().next().expect("a session").path();
    let text = std::fs::read_to_string(&first).expect("a session");
    let id =
        text.lines().next().and_then(|line| line.strip_prefix("session_id: ")).expect("an id").to_owned();
    let year = text.split_once("created_at: ").and_then(|(_, time)| time.get(..5)).expect("a time");
    for number in 1..1000 {
        let other = format!("00000000-0000-4000-8000-{number:012}");
        // Runs of other content, from before.
        let text = text.replace(&id, &other).replace("100644 ", "100755 ").replace(year, "2020-");
        std::fs::write(folder.join(format!("session-{other}.yaml")), text).expect("a session");
    }
    let check = |proof: &[&str]| run(Command::new(GATE).args(["-q", "check"]).args(proof).current_dir(repo));
    let (with, without) = medians(15, || check(&[]), || check(&["--no-proof"]));
    let reference = || run(command(repo, &["diff", "--cached", "--quiet"]).stderr(Stdio::null()));
    let (reference, _) = medians(15, reference, Duration::default);
    let added = with.saturating_sub(without);
    report("the proof among 1,000 sessions / git diff --cached", added, reference, Limit::Ratio(1.0));
}

/// One staged test file in a small repository, against the cheapest thing git can do.
fn small_repository(root: &Path) {
    let repo = init(root, "small");
    std::fs::create_dir(repo.join("tests")).expect("a folder");
    std::fs::write(repo.join("tests/test_a.py"), "def test_a():\n    assert f(1) == 2\n").expect("a file");
    git(&repo, &["add", "--all"]);
    git(&repo, &["commit", "--quiet", "--message", "one"]);
    std::fs::write(repo.join("tests/test_a.py"), "def test_a():\n    assert f(1) == 3\n").expect("a file");
    git(&repo, &["add", "--all"]);
    let gate = || run(Command::new(GATE).args(["-q", "check", "--staged", "--no-proof"]).current_dir(&repo));
    let reference = || run(command(&repo, &["--version"]).stdout(Stdio::null()));
    let (gate, reference) = medians(25, gate, reference);
    report(
        "one staged file, small repository / git --version",
        gate,
        reference,
        Limit::Extra(Duration::from_millis(25)),
    );
}

/// 300 changed test files, 3 MB on each side, against parsing the same files in parallel.
fn many_test_files(root: &Path) {
    let repo = init(root, "many");
    std::fs::create_dir(repo.join("tests")).expect("a folder");
    let mut texts = Vec::new();
    for side in 0..2 {
        for file in 0..300 {
            let text: String = (0..72).map(|test| test_source(file, test, side)).collect();
            std::fs::write(repo.join(format!("tests/test_{file}.py")), &text).expect("a file");
            texts.push(text);
        }
        git(&repo, &["add", "--all"]);
        if side == 0 {
            git(&repo, &["commit", "--quiet", "--message", "one"]);
        }
    }
    let gate = || run(Command::new(GATE).args(["-q", "check", "--staged", "--no-proof"]).current_dir(&repo));
    let reference = || {
        let start = Instant::now();
        texts.par_iter().for_each(|text| parse(text));
        start.elapsed()
    };
    let (gate, reference) = medians(9, gate, reference);
    let megabytes = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    report(
        &format!("300 test files, {megabytes:.1} MB on both sides / parsing"),
        gate,
        reference,
        Limit::Ratio(1.5),
    );
}

/// The commits of this repository, against what git needs to print them; then the same once more, when all of it is
/// known. Commits that are made up have diffs of one line in files of many, which git prints for nothing.
fn past_commits(root: &Path) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !home.join(".git").exists() {
        return;
    }
    let repo = root.join("past");
    let (from, to) = (home.to_string_lossy(), repo.to_string_lossy());
    git(root, &["clone", "--bare", "--quiet", &from, &to]);
    git(&repo, &["repack", "-adq"]);
    let audit = |cache: &[&str]| {
        run(Command::new(GATE).args(["-q", "audit"]).args(cache).current_dir(&repo).stdout(Stdio::null()))
    };
    let reference = || run(command(&repo, &["log", "-p", "--no-merges"]).stdout(Stdio::null()));
    let (gate, git) = medians(3, || audit(&["--no-cache", "--no-merges"]), reference);
    report("audit of this repository / git log -p", gate, git, Limit::Ratio(8.0));
    let (gate, git) = medians(3, || audit(&["--no-merges"]), reference);
    report("the same audit again / git log -p", gate, git, Limit::Ratio(1.0));
}

/// Files made to be slow, which must be done with, or given up, in two seconds.
fn hostile_files(root: &Path) {
    let tests = |count: usize| {
        (0..count).map(|n| format!("def test_{n}(): assert f({n}) == {n}\n")).collect::<String>()
    };
    for (name, text) in [
        ("5 MB in one line", format!("def test_a(): {}\n", "assert f(1) == 1; ".repeat(280_000))),
        ("1 MB in one line", format!("def test_a(): {}\n", "assert f(1) == 1; ".repeat(56_000))),
        ("100,000 nested brackets", format!("x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000))),
        ("50,000 tests in one file", tests(50_000)),
        ("25,000 tests in one file", tests(25_000)),
    ] {
        let repo = init(root, name);
        std::fs::write(repo.join("test_a.py"), &text).expect("a file");
        git(&repo, &["add", "--all"]);
        git(&repo, &["commit", "--quiet", "--message", "one"]);
        std::fs::write(repo.join("test_a.py"), text.replacen('1', "2", 1)).expect("a file");
        git(&repo, &["add", "--all"]);
        let gate = || {
            run(Command::new(GATE)
                .args(["-q", "check", "--no-proof"])
                .current_dir(&repo)
                .stdout(Stdio::null()))
        };
        let (gate, none) = medians(3, gate, || Duration::from_nanos(1));
        report(name, gate, none, Limit::Extra(Duration::from_secs(2)));
    }
}

fn test_source(file: usize, test: usize, side: usize) -> String {
    format!(
        "def test_case_{file}_{test}():\n    value = compute({test}, mode='m{file}')\n    \
         assert value.total == {}\n    assert value.name == 'case {test}'\n\n\n",
        test + side * (test % 7)
    )
}

fn parse(text: &str) {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits");
    std::hint::black_box(parser.parse(text, None));
}

/// Alternates the two, and gives the median of each.
fn medians(
    rounds: usize,
    gate: impl Fn() -> Duration,
    reference: impl Fn() -> Duration,
) -> (Duration, Duration) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let pair = (gate(), reference());
        // The first round warms the caches.
        if round > 0 {
            ours.push(pair.0);
            theirs.push(pair.1);
        }
    }
    ours.sort();
    theirs.sort();
    (ours[rounds / 2], theirs[rounds / 2])
}

enum Limit {
    Ratio(f64),
    Extra(Duration),
}

fn report(name: &str, gate: Duration, reference: Duration, limit: Limit) {
    let ratio = gate.as_secs_f64() / reference.as_secs_f64();
    let (ours, theirs) = (gate.as_secs_f64() * 1e3, reference.as_secs_f64() * 1e3);
    let verdict = match limit {
        Limit::Ratio(limit) => format!("{ratio:.2}x (limit {limit}x)"),
        Limit::Extra(limit) => {
            format!("+{:.1} ms (limit +{} ms)", ours - theirs, limit.as_millis())
        }
    };
    println!("{name:52} {ours:6.1} ms {theirs:6.1} ms  {verdict}");
}

fn run(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = command.status().expect("a program that starts");
    let elapsed = start.elapsed();
    assert!(status.code().is_some_and(|code| code <= 1), "{command:?} failed");
    elapsed
}

fn init(root: &Path, name: &str) -> PathBuf {
    let repo = root.join(name);
    std::fs::create_dir(&repo).expect("a folder");
    git(&repo, &["init", "--quiet", "--initial-branch=main"]);
    repo
}

fn command(repo: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .args(args)
        .current_dir(repo)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", repo.join("none"));
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "Bench")
            .env(format!("GIT_{who}_EMAIL"), "bench@example.invalid");
    }
    command
}

fn git(repo: &Path, args: &[&str]) {
    assert!(command(repo, args).status().expect("git").success(), "git {args:?} failed");
}

fn feed(repo: &Path, args: &[&str], input: &[u8]) {
    use std::io::Write;
    let mut child = command(repo, args).stdin(Stdio::piped()).spawn().expect("git");
    child.stdin.take().expect("a pipe").write_all(input).expect("written");
    assert!(child.wait().expect("git").success(), "git {args:?} failed");
}
