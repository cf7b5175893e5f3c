//! The page of `audit --format html` in a real browser: its script runs, and nothing of the repository does.

use std::path::PathBuf;
use std::process::Command;

use crate::repo::Repo;

const HOSTILE: &str =
    "</script><script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">";

/// A repository in which tests of hostile names, and of one that is written backwards, are removed.
fn hostile() -> Repo {
    let repo = Repo::new();
    let test = |name: &str, n: usize| {
        format!(
            "it({}, () => {{ expect(f({n})).toBe({n}) }})\n",
            serde_json::to_string(name).expect("a string")
        )
    };
    let (plain, hostile, backwards) = (test("adds", 1), test(HOSTILE, 2), test("\u{202e}sdda", 3));
    repo.write("a.test.js", [&plain[..], &hostile, &backwards].concat());
    repo.commit("First");
    repo.write("a.test.js", plain);
    repo.commit(HOSTILE);
    repo
}

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file())
}

#[test]
fn the_page_works_in_a_browser_and_runs_nothing_but_its_own_script() {
    let Some(browser) = browser() else {
        println!("skipped: there is no Chromium");
        return;
    };
    let repo = hostile();
    repo.gate(&["audit", "--format", "html", "--output", "audit.html"]).passes();
    let page = format!("file://{}", repo.path("audit.html").display());
    let profile = repo.root().join("profile");
    let mut command: Command = repo.command(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]);
    command.args(["--disable-component-update", "--disable-sync", "--no-first-run", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", profile.display())).arg(page);
    let shown = crate::repo::outcome(&mut command).passes().stdout;
    assert!(shown.contains("<title>Audit of work</title>"), "another script ran:\n{shown}");
    assert!(shown.contains("aria-live=\"polite\">1 of 1</output>"), "the page's own did not:\n{shown}");
    assert!(!shown.contains("<img") && shown.contains("&lt;img src=x"), "{shown}");
    assert!(!shown.contains('\u{202e}'), "{shown}");
}
