//! Tests that one file writes and others run by calling its function.

use crate::repo::Repo;

const SHARED: &str = "import { describe, expect, it } from 'vitest'

export const runTest = ({ newRouter }) => {
  describe('Common', () => {
    it('matches a static path', () => {
      const router = newRouter()
      router.add('GET', '/hello', 'get hello')
      expect(router.match('GET', '/hello')).toEqual(['get hello'])
    })

    it('captures a parameter', () => {
      const router = newRouter()
      router.add('GET', '/entry/:id', 'get entry')
      expect(router.match('GET', '/entry/123')[0].params.id).toBe('123')
    })

    it('finds nothing for another method', () => {
      const router = newRouter()
      router.add('GET', '/post', 'get post')
      expect(router.match('POST', '/post')).toHaveLength(0)
    })
  })
}
";

const REMOVED: &str = "
    it('captures a parameter', () => {
      const router = newRouter()
      router.add('GET', '/entry/:id', 'get entry')
      expect(router.match('GET', '/entry/123')[0].params.id).toBe('123')
    })
";

fn importer(router: &str, from: &str) -> String {
    format!(
        "import {{ runTest }} from '{from}'
import {{ {router} }} from './router'

describe('{router}', () => {{
  runTest({{ newRouter: () => new {router}() }})

  it('has a name', () => {{
    expect(new {router}().name).toBe('{router}')
  }})
}})
"
    )
}

/// A shared file and two files that call its function.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("src/common.case.test.ts", SHARED);
    repo.write("src/linear/router.test.ts", importer("LinearRouter", "../common.case.test"));
    repo.write("src/trie/router.test.ts", importer("TrieRouter", "../common.case.test.js"));
    repo.commit("Routers");
    repo
}

fn edit(repo: &Repo, path: &str, from: &str, to: &str) {
    let text = repo.read(path);
    assert!(text.contains(from), "{path} lacks {from:?}");
    repo.write(path, text.replace(from, to));
}

/// Symbols of the findings about what is staged.
fn findings(repo: &Repo) -> Vec<String> {
    repo.add();
    let report = repo.gate_json(&["check"]);
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    findings.iter().map(|finding| finding["symbol"].as_str().unwrap_or_default().to_owned()).collect()
}

fn listed(repo: &Repo, args: &[&str]) -> Vec<String> {
    let inventory = repo.gate_json(&[&["tests"], args].concat());
    let files = inventory["files"].as_array().cloned().unwrap_or_default();
    let tests = files.iter().flat_map(|file| file["tests"].as_array().cloned().unwrap_or_default());
    tests.map(|test| test["id"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_inventory_lists_shared_tests_under_the_files_that_call_them() {
    let repo = repo();
    let expected = [
        "src/linear/router.test.ts::LinearRouter::Common::matches a static path",
        "src/linear/router.test.ts::LinearRouter::Common::captures a parameter",
        "src/linear/router.test.ts::LinearRouter::Common::finds nothing for another method",
        "src/linear/router.test.ts::LinearRouter::has a name",
        "src/trie/router.test.ts::TrieRouter::Common::matches a static path",
        "src/trie/router.test.ts::TrieRouter::Common::captures a parameter",
        "src/trie/router.test.ts::TrieRouter::Common::finds nothing for another method",
        "src/trie/router.test.ts::TrieRouter::has a name",
    ];
    assert_eq!(listed(&repo, &[]), expected);
    assert_eq!(listed(&repo, &["--rev", "HEAD"]), expected);
    assert_eq!(listed(&repo, &["src/trie"]), expected[4..]);
}

#[test]
fn fires_once_for_a_test_taken_out_of_the_shared_function() {
    let repo = repo();
    edit(&repo, "src/common.case.test.ts", REMOVED, "");
    assert_eq!(findings(&repo), ["src/common.case.test.ts::Common::captures a parameter"]);
    // The same, told once, where a calling file is changed and another one starts to call.
    edit(&repo, "src/linear/router.test.ts", "has a name", "has got a name");
    repo.write("src/new/router.test.ts", importer("NewRouter", "../common.case.test"));
    assert_eq!(findings(&repo), ["src/common.case.test.ts::Common::captures a parameter"]);
}

#[test]
fn fires_once_where_the_shared_file_calls_its_function_too() {
    let repo = repo();
    edit(
        &repo,
        "src/common.case.test.ts",
        "    })\n  })\n}\n",
        "    })\n  })\n}\n\nrunTest({ newRouter })\n",
    );
    repo.commit("Call it here");
    assert_eq!(listed(&repo, &["src/common.case.test.ts"]).len(), 3);
    edit(&repo, "src/common.case.test.ts", REMOVED, "");
    edit(&repo, "src/linear/router.test.ts", "has a name", "has got a name");
    assert_eq!(findings(&repo), ["src/common.case.test.ts::Common::captures a parameter"]);
}

#[test]
fn fires_once_for_a_shared_test_that_is_skipped() {
    let repo = repo();
    edit(&repo, "src/common.case.test.ts", "it('captures", "it.skip('captures");
    edit(&repo, "src/linear/router.test.ts", "has a name", "has got a name");
    assert_eq!(findings(&repo), ["src/common.case.test.ts::Common::captures a parameter"]);
}

const DROPPED: [&str; 3] = [
    "src/linear/router.test.ts::LinearRouter::Common::captures a parameter",
    "src/linear/router.test.ts::LinearRouter::Common::finds nothing for another method",
    "src/linear/router.test.ts::LinearRouter::Common::matches a static path",
];

#[test]
fn fires_for_a_dropped_call() {
    let repo = repo();
    edit(&repo, "src/linear/router.test.ts", "  runTest({ newRouter: () => new LinearRouter() })\n", "");
    let sorted = |mut findings: Vec<String>| {
        findings.sort();
        findings
    };
    assert_eq!(sorted(findings(&repo)), DROPPED);
    // That the tests live on in other files of the change says nothing about this one.
    edit(&repo, "src/common.case.test.ts", "'/hello'", "'/hello' /* as it is */");
    edit(&repo, "src/trie/router.test.ts", "has a name", "has got a name");
    assert_eq!(sorted(findings(&repo)), DROPPED);
}

#[test]
fn fires_for_a_skipped_suite_that_calls() {
    let repo = repo();
    edit(&repo, "src/linear/router.test.ts", "describe('LinearRouter'", "describe.skip('LinearRouter'");
    assert_eq!(findings(&repo), ["src/linear/router.test.ts::LinearRouter::Common"]);
}

#[test]
fn fires_for_the_deleted_shared_file_as_a_whole() {
    let repo = repo();
    repo.remove("src/common.case.test.ts");
    assert_eq!(findings(&repo), ["src/common.case.test.ts"]);
}

#[test]
fn quiet_when_the_shared_file_moves() {
    let repo = repo();
    repo.remove("src/common.case.test.ts");
    repo.write("test/shared/router.case.test.ts", SHARED);
    for (folder, router) in [("linear", "LinearRouter"), ("trie", "TrieRouter")] {
        let text = importer(router, "../../test/shared/router.case.test");
        repo.write(&format!("src/{folder}/router.test.ts"), text);
    }
    assert!(findings(&repo).is_empty(), "{:?}", findings(&repo));
}

#[test]
fn quiet_when_tests_become_shared_and_when_they_are_inlined_again() {
    let repo = Repo::new();
    let body = SHARED.split_once("=> {\n").and_then(|(_, rest)| rest.strip_suffix("}\n")).expect("a body");
    let inline = body.replace("newRouter()", "new LinearRouter()");
    let inline = format!(
        "import {{ LinearRouter }} from './router'\n\ndescribe('LinearRouter', () => {{\n{inline}}})\n"
    );
    repo.write("src/linear/router.test.ts", &inline);
    repo.commit("Inline");
    repo.write("src/common.case.test.ts", SHARED);
    repo.write("src/linear/router.test.ts", importer("LinearRouter", "../common.case.test"));
    assert!(findings(&repo).is_empty(), "{:?}", findings(&repo));
    edit(&repo, "src/linear/router.test.ts", "has a name", "is named");
    repo.commit("Shared");
    repo.write(
        "src/linear/router.test.ts",
        inline + "it('is named', () => { expect(new LinearRouter().name).toBe('LinearRouter') })\n",
    );
    assert!(findings(&repo).is_empty(), "{:?}", findings(&repo));
}

#[test]
fn quiet_when_the_function_is_renamed_with_its_calls() {
    let repo = repo();
    for path in ["src/common.case.test.ts", "src/linear/router.test.ts", "src/trie/router.test.ts"] {
        edit(&repo, path, "runTest", "routerBehaves");
    }
    assert!(findings(&repo).is_empty(), "{:?}", findings(&repo));
}
