//! Real children: how they end, what they see, what is kept of what they print.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::*;
use crate::runner::suite::CommandLine;

#[derive(Default)]
struct Seen(Vec<String>);

impl Watcher for Seen {
    fn line(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }
}

struct Case {
    ended: Ended,
    lines: Vec<String>,
    captured: Vec<u8>,
    took: Duration,
}

fn run_in(
    directory: &Path,
    command: &CommandLine,
    environment: &[(String, String)],
    timeout: Duration,
) -> Case {
    let scratch = tempfile::tempdir().unwrap();
    let capture = scratch.path().join("output");
    let (mut seen, clock) = (Seen::default(), Instant::now());
    let launch = Launch { command, directory, environment, timeout, capture: &capture };
    let ended = run(&launch, &mut seen).unwrap();
    Case { ended, lines: seen.0, captured: std::fs::read(&capture).unwrap(), took: clock.elapsed() }
}

fn shell_for(script: &str, timeout: Duration) -> Case {
    run_in(Path::new("."), &CommandLine::Shell(script.to_owned()), &[], timeout)
}

fn shell(script: &str) -> Case {
    shell_for(script, Duration::from_secs(60))
}

fn run_with(watcher: &mut dyn Watcher, script: &str) -> Ended {
    let scratch = tempfile::tempdir().unwrap();
    let command = CommandLine::Shell(script.to_owned());
    let capture = scratch.path().join("output");
    let (directory, timeout) = (Path::new("."), Duration::from_secs(60));
    run(&Launch { command: &command, directory, environment: &[], timeout, capture: &capture }, watcher)
        .unwrap()
}

struct Nobody;

impl Watcher for Nobody {
    fn line(&mut self, _: &str) {}
}

fn words(list: &[&str]) -> CommandLine {
    CommandLine::Words(list.iter().map(|&word| word.to_owned()).collect())
}

#[test]
fn exit_codes_and_signals_are_told_apart() {
    assert_eq!(shell("exit 0").ended.end, End::Exited(0));
    assert_eq!(shell("exit 7").ended.end, End::Exited(7));
    assert_eq!(shell("kill -SEGV $$").ended.end, End::Signal(11));
    assert_eq!(run_in(Path::new("."), &words(&["false"]), &[], Duration::MAX).ended.end, End::Exited(1));
}

#[test]
fn both_streams_are_kept_in_their_order() {
    let case = shell("echo one; echo two >&2; echo three; printf 'no end'");
    assert_eq!(case.lines, ["one", "two", "three", "no end"]);
    assert_eq!(case.ended.output, b"one\ntwo\nthree\nno end");
    assert_eq!(case.captured, case.ended.output);
    assert!(!case.ended.truncated);
}

#[test]
fn words_reach_the_program_as_they_are() {
    let command = words(&["printf", "%s|", "a b", "$HOME", ";", ""]);
    assert_eq!(run_in(Path::new("."), &command, &[], Duration::MAX).lines, ["a b|$HOME|;||"]);
}

#[test]
fn nothing_can_be_read_from_standard_input() {
    assert_eq!(shell("cat; echo done").lines, ["done"]);
}

#[test]
fn a_program_that_is_missing_is_named() {
    let missing = |command: &CommandLine| match run_in(Path::new("."), command, &[], Duration::MAX).ended.end
    {
        End::NotStarted(why) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        missing(&words(&["no-such-runner", "-q"])),
        "`no-such-runner` was not found on PATH: install it, or correct the command of the suite"
    );
    assert!(missing(&words(&["./gradlew"])).contains("is not a program in"));
    assert_eq!(missing(&words(&[])), "there is no command to run");
    let nowhere = run_in(Path::new("no-such-folder"), &words(&["true"]), &[], Duration::MAX);
    assert!(matches!(nowhere.ended.end, End::NotStarted(why) if why.contains("working_directory")));
}

#[test]
fn a_program_is_looked_for_where_the_child_would() {
    let place = tempfile::tempdir().unwrap();
    let tool = place.path().join("bin/tool");
    std::fs::create_dir(place.path().join("bin")).unwrap();
    std::fs::write(&tool, "#!/bin/sh\necho found in \"$PWD\"\n").unwrap();
    std::fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let root = std::fs::canonicalize(place.path()).unwrap();
    let expected = format!("found in {}", root.display());
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    let by_path = run_in(&root, &words(&["tool"]), &[("PATH".to_owned(), path)], Duration::MAX);
    assert_eq!(by_path.lines, [expected.as_str()]);
    assert_eq!(run_in(&root, &words(&["bin/tool"]), &[], Duration::MAX).lines, [expected]);
}

#[test]
fn the_time_limit_ends_the_whole_group() {
    let place = tempfile::tempdir().unwrap();
    let script = format!(
        "(sleep 1; touch {0}/late) & echo started; printf partial; sleep 30",
        place.path().to_str().unwrap()
    );
    let case = shell_for(&script, Duration::from_millis(300));
    assert_eq!(case.ended.end, End::Timeout);
    assert_eq!(case.lines, ["started", "partial"]);
    assert!(case.took < Duration::from_secs(3), "{:?}", case.took);
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!place.path().join("late").exists(), "a grandchild outlived the time limit");
}

#[test]
fn who_ignores_the_request_is_killed() {
    let case = shell_for("trap '' TERM INT; sleep 30 & while :; do wait; done", Duration::from_millis(200));
    assert_eq!(case.ended.end, End::Timeout);
    assert!(case.took < Duration::from_secs(7), "{:?}", case.took);
}

#[test]
fn a_stopped_child_is_ended_too() {
    let case = shell_for("kill -STOP $$", Duration::from_millis(200));
    assert_eq!(case.ended.end, End::Timeout);
    assert!(case.took < Duration::from_secs(4), "{:?}", case.took);
}

#[test]
fn a_grandchild_that_holds_the_pipe_is_not_waited_for() {
    let in_the_group = shell("sleep 30 & echo done");
    assert_eq!(in_the_group.ended.end, End::Exited(0));
    assert_eq!(in_the_group.lines, ["done"]);
    assert!(in_the_group.took < Duration::from_secs(3), "{:?}", in_the_group.took);
    let in_its_own_session = shell("setsid sleep 5 & echo done");
    assert_eq!(in_its_own_session.ended.end, End::Exited(0));
    assert!(in_its_own_session.took < Duration::from_secs(4), "{:?}", in_its_own_session.took);
}

#[test]
fn a_child_that_closes_its_streams_is_waited_for() {
    let case = shell("exec >&- 2>&-; sleep 0.3; exit 5");
    assert_eq!(case.ended.end, End::Exited(5));
    assert!(case.took >= Duration::from_millis(300));
}

#[test]
fn the_output_of_a_child_that_ended_is_not_lost_on_a_slow_reader() {
    struct Slow(usize);
    impl Watcher for Slow {
        fn line(&mut self, _: &str) {
            self.0 += 1;
            std::thread::sleep(Duration::from_micros(300));
        }
    }
    let mut slow = Slow(0);
    let ended = run_with(&mut slow, "seq 1 10000");
    assert!(ended.output.ends_with(b"\n10000\n"));
    assert_eq!(slow.0, 10_000);
}

#[test]
fn an_output_file_that_cannot_be_written_is_an_error() {
    let command = words(&["true"]);
    let launch = Launch {
        command: &command,
        directory: Path::new("."),
        environment: &[],
        timeout: Duration::MAX,
        capture: Path::new("no/such/folder/output"),
    };
    let error = run(&launch, &mut Seen::default()).err().map(|error| format!("{error:#}")).unwrap();
    assert!(error.contains("cannot write the output to no/such/folder/output"), "{error}");
}

/// Calls `stage` below in a process of its own.
fn on_stage(scene: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "runner::process::tests::stage", "--ignored", "--nocapture", "--quiet"]);
    command.env("AIWG_TEST_SCENE", scene).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

#[test]
#[ignore = "a stage for other tests, which start it as a program of its own"]
fn stage() {
    match std::env::var("AIWG_TEST_SCENE").as_deref() {
        Ok("environment") => println!("{}", String::from_utf8_lossy(&shell("env").ended.output)),
        Ok("flood") => {
            let ended = run_with(&mut Nobody, "yes 'a line of text' | head -c 100M");
            println!("kept {} peak {}", ended.output.len(), peak_kib());
        }
        Ok("interrupted") => {
            println!("ready");
            let script = std::env::var("AIWG_TEST_SCRIPT").unwrap();
            println!("end {:?}", shell(&script).ended.end);
            let outer = Interrupts::watch().unwrap();
            println!("count {}", outer.count());
        }
        Ok("later") => {
            let end = shell("true").ended.end;
            println!("{end:?}");
            std::thread::sleep(Duration::from_secs(20));
            println!("ignored");
        }
        other => panic!("no such scene: {other:?}"),
    }
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn the_child_sees_nothing_of_gits_own_variables() {
    let mut stage = on_stage("environment");
    let gone =
        ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_PARAMETERS"];
    let numbered = ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_EDITOR", "GIT_PREFIX"];
    for name in gone.iter().chain(&numbered) {
        stage.env(name, "x");
    }
    stage.env("GIT_CONFIG_COUNT", "0").env("GIT_AUTHOR_NAME", "Kept Name").env("GIT_SSH_COMMAND", "ssh -q");
    let output = String::from_utf8(stage.output().unwrap().stdout).unwrap();
    for name in gone.iter().chain(&numbered) {
        assert!(!output.contains(&format!("{name}=")), "{name} in\n{output}");
    }
    assert!(output.contains("\nGIT_AUTHOR_NAME=Kept Name\n"), "{output}");
    assert!(output.contains("\nGIT_SSH_COMMAND=ssh -q\n"), "{output}");
}

#[test]
fn a_flood_of_output_does_not_fill_the_memory() {
    let output = String::from_utf8(on_stage("flood").output().unwrap().stdout).unwrap();
    let told = output.lines().find(|line| line.starts_with("kept ")).unwrap_or_default();
    let numbers: Vec<u64> = told.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[kept, peak] = numbers.as_slice() else { panic!("{output}") };
    assert!((3_000_000..5_000_000).contains(&kept), "{output}");
    assert!(peak < 64 * 1024, "{peak} KiB at most in memory");
}

struct Stage {
    child: std::process::Child,
    output: std::io::BufReader<std::process::ChildStdout>,
}

impl Stage {
    fn begin(scene: &str, script: &str, first: &str) -> Self {
        let mut child = on_stage(scene).env("AIWG_TEST_SCRIPT", script).spawn().unwrap();
        let mut stage = Self { output: std::io::BufReader::new(child.stdout.take().unwrap()), child };
        while !stage.line().contains(first) {}
        stage
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = std::io::BufRead::read_line(&mut self.output, &mut line).unwrap();
        assert!(read > 0, "the stage ended early");
        line
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }
}

/// Waits until the script has written its file.
fn wait_for(file: &Path) {
    let clock = Instant::now();
    while !file.exists() {
        assert!(clock.elapsed() < Duration::from_secs(20), "the script did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_signal_ends_the_group_and_is_told() {
    for signal in ["INT", "TERM", "HUP"] {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().to_str().unwrap();
        let script = format!("(sleep 1; touch {place}/late) & touch {place}/ready; sleep 30");
        let mut stage = Stage::begin("interrupted", &script, "ready");
        wait_for(&Path::new(place).join("ready"));
        stage.signal(signal);
        assert_eq!(stage.line(), "end Interrupted\n", "{signal}");
        assert_eq!(stage.line(), "count 0\n");
        stage.child.wait().unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!Path::new(place).join("late").exists(), "a grandchild outlived {signal}");
    }
}

#[test]
fn a_second_signal_kills_at_once() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path().to_str().unwrap();
    let script =
        format!("trap 'touch {place}/asked' INT TERM; touch {place}/ready; while :; do sleep 0.05; done");
    let mut stage = Stage::begin("interrupted", &script, "ready");
    wait_for(&Path::new(place).join("ready"));
    stage.signal("INT");
    wait_for(&Path::new(place).join("asked"));
    let clock = Instant::now();
    stage.signal("INT");
    assert_eq!(stage.line(), "end Interrupted\n");
    // Without the second one it would take two times two seconds.
    assert!(clock.elapsed() < Duration::from_millis(3000), "{:?}", clock.elapsed());
    stage.child.wait().unwrap();
}

#[test]
fn a_signal_after_the_run_ends_the_program() {
    let mut stage = Stage::begin("later", "", "Exited(0)");
    stage.signal("INT");
    assert_eq!(stage.child.wait().unwrap().code(), Some(130));
}
