//! `config`: the policy file keeps its shape, and refusals leave it alone.

use crate::repo::Repo;

const FILE: &str = "aiwg-gate.yaml";

const COMMENTED: &str = "\
# Our policy. Ask before you change it.
version: 1

profile: strict   # since the incident
rules:
    # Skips are rare here.
    test-skipped: 'warn'   # for now

paths: { tests: [checks/**], ignored: [] }
# the end
";

#[test]
fn the_first_setting_creates_the_file() {
    let repo = Repo::new();
    let outcome = repo.gate(&["config", "set", "profile", "strict"]).passes();
    outcome.says("profile: standard -> strict").says("counts from the next commit on");
    let text = repo.read(FILE);
    assert!(text.starts_with("# ") && text.ends_with("version: 1\nprofile: strict\n"), "{text}");
    assert_eq!(repo.gate(&["config", "get", "profile"]).passes().stdout, "strict\n");
    assert_eq!(std::fs::read_dir(repo.directory()).unwrap().count(), 2, "only .git and the policy");
}

#[test]
fn comments_order_and_style_stay() {
    let repo = Repo::new();
    repo.write(FILE, COMMENTED);
    repo.gate(&["config", "set", "profile", "advisory"]).passes();
    repo.gate(&["config", "set", "rules.test-skipped", "off"]).passes();
    repo.gate(&["config", "set", "rules.test-removed", "log"]).passes();
    repo.gate(&["config", "set", "paths.tests", "--add", "more/*.py"]).passes();
    let expected = COMMENTED
        .replace("strict ", "advisory ")
        .replace("'warn'   # for now\n", "'off'   # for now\n    test-removed: log\n")
        .replace("[checks/**]", "[checks/**, more/*.py]");
    assert_eq!(repo.read(FILE), expected);
    repo.gate(&["config", "set", "paths.tests", "--remove", "more/*.py"]).passes();
    repo.gate(&["config", "unset", "rules.test-removed"]).passes();
    repo.gate(&["config", "set", "rules.test-skipped", "warn"]).passes();
    repo.gate(&["config", "set", "profile", "strict"]).passes();
    assert_eq!(repo.read(FILE), COMMENTED);
}

#[test]
fn a_file_with_windows_line_ends_keeps_them() {
    let repo = Repo::new();
    repo.write(FILE, "{\r\n  version: 1,\r\n  profile: strict # x\r\n}\r\n");
    repo.gate(&["config", "set", "rules.test-skipped", "off"]).passes();
    let expected = "{\r\n  version: 1,\r\n  profile: strict, # x\r\n  rules: {test-skipped: off}\r\n}\r\n";
    assert_eq!(repo.read(FILE), expected);
}

#[test]
fn values_show_where_they_come_from() {
    let repo = Repo::new();
    repo.gate(&["config", "list"]).passes().says("profile").says("standard").never_says("(file)");
    repo.write(FILE, COMMENTED);
    let listed = repo.gate(&["config", "list"]).passes().stdout;
    let line = |key: &str| {
        let found =
            listed.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{key}\n{listed}"));
        found.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line("profile"), ["profile", "strict", "(file)"]);
    assert_eq!(line("paths.tests"), ["paths.tests", "[\"checks/**\"]", "(file)"]);
    assert_eq!(line("paths.vendored"), ["paths.vendored", "[]", "(default)"]);
    assert_eq!(line("rules.test-skipped"), ["rules.test-skipped", "warn", "(file)"]);
    assert_eq!(line("rules.test-removed"), ["rules.test-removed", "block", "(default)"]);
    assert_eq!(line("proof.on_missing"), ["proof.on_missing", "block", "(default)"]);
    assert_eq!(line("proof.equivalence"), ["proof.equivalence", "exact", "(default)"], "strict wants it");
    assert_eq!(line("feedback.max_attempts"), ["feedback.max_attempts", "3", "(default)"]);
    assert!(line("suites").ends_with(&["project".to_owned(), "(default)".to_owned()]), "{listed}");
    assert_eq!(repo.gate(&["config", "get", "paths.tests"]).passes().stdout, "checks/**\n");
    assert_eq!(repo.gate(&["config", "get", "paths.vendored"]).passes().stdout, "");
    assert_eq!(repo.gate(&["config", "get", "rules.test-removed"]).passes().stdout, "block\n");
    repo.gate(&["config", "set", "profile", "advisory"]).passes();
    assert_eq!(repo.gate(&["config", "get", "rules.test-removed"]).passes().stdout, "warn\n");
    assert_eq!(repo.gate(&["config", "get", "proof.equivalence"]).passes().stdout, "tokens\n");
}

#[test]
fn json_says_the_same() {
    let repo = Repo::new();
    repo.write(FILE, COMMENTED);
    let got = repo.gate_json(&["config", "get", "paths.tests"]);
    let expected = serde_json::json!(
        {"version": 1, "key": "paths.tests", "value": ["checks/**"], "source": "file"});
    assert_eq!(got, expected);
    let rule = repo.gate_json(&["config", "get", "rules.test-removed"]);
    assert_eq!((&rule["value"], &rule["source"]), (&"block".into(), &"default".into()));
    assert_eq!(repo.gate_json(&["config", "get", "feedback.max_attempts"])["value"], 3);
    assert_eq!(repo.gate_json(&["config", "get", "feedback.abort_on_regression"])["value"], true);
    let all = repo.gate_json(&["config", "list"]);
    assert_eq!(all["version"], 1);
    assert_eq!(all["settings"][0]["value"], "strict");
    assert_eq!(all["suites"], serde_json::Value::Null);
    repo.gate(&["config", "set", "profile", "strict", "--format", "json"]).errs("leave out --format");
}

const WITH_SUITES: &str = "\
version: 1
suites:
  # Everyone runs this one.
  - name: unit
    paths: [\"src/**\", \"tests/**\"]
    command: cargo test --locked   # not offline
    framework: cargo_test
  - { name: web, paths: [web/**], command: \"npm test\", working_directory: web, required: push }
proof: { on_missing: run }   # for now
";

#[test]
fn suites_are_listed_and_stay_as_they_are() {
    let repo = Repo::new();
    repo.write(FILE, WITH_SUITES);
    let listed = repo.gate(&["config", "list"]).passes().stdout;
    let row = |key: &str| listed.lines().find(|line| line.starts_with(key)).map(str::to_owned);
    let unit = row("suites.unit ").unwrap_or_else(|| panic!("{listed}"));
    assert!(unit.contains(" cargo test --locked ") && unit.ends_with("(file)"), "{unit}");
    assert!(row("suites.web ").unwrap().contains(" npm test "), "{listed}");
    let suites = serde_json::json!([
        {"name": "unit", "command": "cargo test --locked"}, {"name": "web", "command": "npm test"}]);
    assert_eq!(repo.gate_json(&["config", "list"])["suites"], suites);

    repo.gate(&["config", "set", "proof.on_missing", "warn"]).passes().says("run -> warn");
    repo.gate(&["config", "set", "proof.link", "--add", "packages/a/.venv"]).passes();
    repo.gate(&["config", "set", "feedback.max_attempts", "5"]).passes().says("3 -> 5");
    repo.gate(&["config", "set", "feedback.abort_on_regression", "false"]).passes();
    let link = r#"link: ["node_modules", ".venv", "venv", "target", "packages/a/.venv"]"#;
    let expected = WITH_SUITES.replace("on_missing: run", &format!("on_missing: warn, {link}"))
        + "feedback:\n  max_attempts: 5\n  abort_on_regression: false\n";
    assert_eq!(repo.read(FILE), expected);
    assert_eq!(repo.gate(&["config", "get", "proof.link"]).passes().stdout.lines().count(), 5);

    repo.gate(&["config", "set", "proof.on_missing", "run"]).passes();
    for key in ["proof.link", "feedback.max_attempts", "feedback.abort_on_regression"] {
        repo.gate(&["config", "unset", key]).passes();
    }
    assert_eq!(repo.read(FILE), WITH_SUITES);
}

#[test]
fn no_suites_is_shown_as_that() {
    let repo = Repo::new();
    repo.write(FILE, "version: 1\nsuites: []\n");
    let listed = repo.gate(&["config", "list"]).passes().stdout;
    let row: Vec<&str> = listed.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row, ["suites", "[]", "(file)"]);
    assert_eq!(repo.gate_json(&["config", "list"])["suites"], serde_json::json!([]));
}

#[test]
fn a_broken_suite_is_named_with_line_and_column() {
    let repo = Repo::new();
    repo.write(FILE, WITH_SUITES.replace("cargo_test", "cargo-test"));
    let words = "aiwg-gate.yaml:7:16: `cargo-test` is no framework: did you mean `cargo_test`?";
    repo.gate(&["config", "list"]).errs(words);
    repo.gate(&["config", "set", "profile", "strict"]).errs(words);
}

#[test]
fn mistakes_are_explained_and_write_nothing() {
    let repo = Repo::new();
    for (args, words) in [
        (["set", "profil", "strict"], "did you mean `profile`?"),
        (["set", "profile", "tough"], "standard, strict or advisory"),
        (["set", "rules.test-skiped", "off"], "did you mean `rules.test-skipped`?"),
        (["set", "rules.test-skipped", "ignore"], "block, warn, log or off"),
        (["set", "paths.tests", "a["], "is not a glob"),
        (["set", "paths.tests", "--remove=x"], "`x` is not in paths.tests"),
        (["set", "profile", "--add=x"], "for lists"),
        (["set", "proof.on-missing", "run"], "did you mean `proof.on_missing`?"),
        (["set", "proof.on_missing", "ignore"], "block, run or warn"),
        (["set", "proof.link", "../x"], "leads upwards"),
        (["set", "feedback.max_attempts", "11"], "from 1 to 10"),
        (["set", "feedback.abort_on_regression", "yes"], "true or false"),
        (["set", "suites.unit.command", "make"], "edited in aiwg-gate.yaml itself"),
        (["set", "suites", "[]"], "edited in aiwg-gate.yaml itself"),
    ] {
        repo.gate(&[&["config"], args.as_slice()].concat()).errs(words);
    }
    repo.gate(&["config", "unset", "profile"]).passes().says("nothing was written");
    assert!(!repo.path(FILE).exists());
}

#[test]
fn a_broken_file_is_named_with_line_and_column_and_left_alone() {
    let repo = Repo::new();
    let broken = "version: 1\nrules:\n    test-skiped: warn\n";
    repo.write(FILE, broken);
    let words = "aiwg-gate.yaml:3:5: unknown rule `test-skiped`: did you mean `test-skipped`?";
    for args in [&["get", "profile"][..], &["list"], &["set", "profile", "strict"], &["unset", "profile"]] {
        repo.gate(&[&["config"], args].concat()).errs(words);
    }
    assert_eq!(repo.read(FILE), broken);
    repo.write(FILE, b"version: 1 # \xff\n");
    repo.gate(&["config", "list"]).errs("UTF-8");
}

#[test]
fn an_edit_that_would_touch_more_is_refused() {
    let repo = Repo::new();
    let odd = "version: 1\nprofile:\n  strict\n";
    repo.write(FILE, odd);
    repo.gate(&["config", "set", "profile", "standard"]).errs("by hand");
    assert_eq!(repo.read(FILE), odd);
}

#[test]
fn settings_are_found_from_a_folder_below() {
    let repo = Repo::new();
    repo.write("deep/er/x", "");
    repo.gate(&["-C", "deep/er", "config", "set", "profile", "strict"]).passes();
    assert!(repo.read(FILE).contains("profile: strict"));
    assert!(!repo.path("deep/er/aiwg-gate.yaml").exists());
}

#[test]
fn a_bare_repository_has_no_settings_to_change() {
    let repo = Repo::init(&["--bare"]);
    repo.gate(&["config", "list"]).errs("no working tree");
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_links_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::new();
    repo.write(FILE, "version: 1\n");
    let mode =
        |mode| std::fs::set_permissions(repo.path(FILE), std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o640);
    repo.gate(&["config", "set", "profile", "strict"]).passes();
    assert_eq!(std::fs::metadata(repo.path(FILE)).unwrap().permissions().mode() & 0o777, 0o640);
    std::fs::rename(repo.path(FILE), repo.path("real.yaml")).unwrap();
    std::os::unix::fs::symlink("real.yaml", repo.path(FILE)).unwrap();
    repo.gate(&["config", "set", "profile", "standard"]).errs("no ordinary file");
    assert_eq!(repo.read("real.yaml"), "version: 1\nprofile: strict\n");
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let repo = Repo::new();
    let children: Vec<_> = (0..6)
        .map(|number| {
            let glob = format!("folder{number}/**");
            repo.command(crate::repo::GATE)
                .args(["-q", "config", "set", "paths.ignored", "--add", &glob])
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(repo.gate(&["config", "get", "paths.ignored"]).passes().stdout.lines().count(), 6);
}

#[test]
fn a_policy_with_the_other_ending_is_told() {
    let words = "a policy is called aiwg-gate.yaml";
    let repo = Repo::new();
    repo.write("aiwg-gate.yml", "version: 1\nsuites: []\n");
    repo.add();
    repo.gate(&["check"]).passes().says("aiwg-gate.yml").says(words);
    repo.commit("Policy");
    repo.write("a.md", "# A\n");
    repo.add();
    repo.gate(&["check"]).passes().says(words);
    repo.gate(&["status"]).passes().says(words);
    repo.gate(&["config", "list"]).passes().says(words);
    repo.git(&["mv", "aiwg-gate.yml", "aiwg-gate.yaml"]);
    repo.gate(&["check"]).passes().never_says(words);
    repo.gate(&["status"]).passes().never_says(words);
}
