//! What the walk reads in each language.

use crate::facts::{Place, ProbeKind, Signals};
use crate::languages::{Source, analyze};

fn signals(path: &str, text: &str) -> Signals {
    analyze(Source { path, text: text.as_bytes() }).signals
}

/// `scope.name` and value of each switch that is no variable.
fn switches(path: &str, text: &str) -> Vec<String> {
    let found = signals(path, text).switches;
    let kept = found.iter().filter(|switch| switch.place != Place::Variable);
    kept.map(|switch| format!("{}/{}={}", switch.scope, switch.name, switch.on)).collect()
}

#[test]
fn options_of_every_language_are_switches() {
    for (path, text, expected) in [
        ("a.py", "def f():\n    g(use_tls=True)\n", "f/use_tls=true"),
        ("a.py", "def f(cache=False): pass\n", "f/cache=false"),
        ("a.js", "const x = { search: { enabled: true } }\n", "x.search/enabled=true"),
        ("a.jsx", "const a = () => <Page search={false} />\n", "a/search=false"),
        ("a.ts", "class A { cache = true }\n", "A/cache=true"),
        ("a.go", "package a\nfunc F() { g(O{UseTLS: true}) }\n", "F/UseTLS=true"),
        ("a.go", "package a\nconst Retry = false\n", "/Retry=false"),
        ("a.rs", "fn f() { g(O { use_tls: true }) }\n", "f/use_tls=true"),
        ("a.rs", "const RETRY: bool = false;\n", "/RETRY=false"),
        ("A.java", "class A { static final boolean RETRY = true; }\n", "A/RETRY=true"),
        ("A.java", "class A { void f() { o.setCache(false); } }\n", "A.f/setCache=false"),
    ] {
        assert_eq!(switches(path, text), [expected], "{text}");
    }
}

#[test]
fn state_of_a_function_is_no_switch() {
    for (path, text) in [
        ("a.py", "def f():\n    found = False\n    self.done = True\n"),
        ("a.js", "function f() { let found = false; node.open = true }\n"),
        ("a.go", "package a\nfunc F() { found := false\n n.Open = true }\n"),
        ("a.rs", "fn f() { let found = false; node.open = true; }\n"),
        ("A.java", "class A { void f() { boolean found = false; } }\n"),
    ] {
        assert_eq!(switches(path, text), [""; 0], "{text}");
    }
}

#[test]
fn settings_files_name_their_switches_by_where_they_stand() {
    for (path, text, expected) in [
        ("a.yml", "jobs:\n  build:\n    with:\n      - cache: 'true' # on\n", "jobs.build.with/cache=true"),
        ("a.json", "{\n  \"a\": {\n    \"b\": false\n  }\n}\n", "a/b=false"),
        ("a.toml", "[cache]\nenabled = true\n", "cache/enabled=true"),
    ] {
        assert_eq!(switches(path, text), [expected], "{text}");
    }
    assert!(switches("package-lock.json", "{\n  \"dev\": true\n}\n").is_empty());
}

#[test]
fn conditions_that_never_hold_are_found() {
    for (path, text) in [
        ("a.py", "if False and a:\n    b()\n"),
        ("a.js", "if (a && false) b()\n"),
        ("a.tsx", "const a = () => <p>{false && list.length > 0 && <b/>}</p>\n"),
        ("a.go", "package a\nfunc F() { if false && a { b() } }\n"),
        ("a.rs", "fn f() { if false { b() } }\n"),
        ("A.java", "class A { void f() { if (false && a) b(); } }\n"),
    ] {
        assert_eq!(signals(path, text).dead.len(), 1, "{text}");
    }
    assert!(signals("a.js", "if (a === false || b) c()\n").dead.is_empty());
}

#[test]
fn a_directive_counts_in_a_comment_only() {
    for (path, text, count) in [
        ("a.py", "x = 1  # type: ignore  # noqa: E501\n", 2),
        ("a.py", "x = '# noqa'  # nosecret\n", 0),
        ("a.js", "// eslint-disable-next-line\nf()\n/* istanbul ignore next */\ng()\n", 2),
        ("a.go", "package a\n\nfunc f() { g() } //nolint:errcheck\n", 1),
        ("a.rs", "#[allow(dead_code)]\nfn f() {}\n", 1),
        ("A.java", "class A { @SuppressWarnings(\"x\") void f() {} }\n", 1),
    ] {
        assert_eq!(signals(path, text).directives.len(), count, "{text}");
    }
}

#[test]
fn probes_for_the_test_run_are_found_where_they_are_code() {
    for (path, text) in [
        ("a.py", "def f():\n    if 'pytest' in sys.modules: pass\n"),
        ("a.py", "def f():\n    return os.environ.get('PYTEST_CURRENT_TEST')\n"),
        ("a.js", "function f() { if (process.env.NODE_ENV === 'test') g() }\n"),
        ("a.ts", "function f() { return import.meta.env.VITEST }\n"),
        ("a.go", "package a\nfunc F() { if flag.Lookup(\"test.v\") != nil { g() } }\n"),
        ("a.rs", "fn f() { if cfg!(test) { g() } }\n"),
        ("a.rs", "fn f() { #[cfg(not(test))] g(); }\n"),
        ("A.java", "class A { void f() { if (e.getClassName().startsWith(\"org.junit\")) g(); } }\n"),
    ] {
        let found = signals(path, text).probes;
        assert!(matches!(&found[..], [probe] if probe.kind == ProbeKind::TestRun), "{text}: {found:?}");
    }
    assert!(signals("a.js", "process.env.NODE_ENV = 'test'\n").probes.is_empty());
}

#[test]
fn modules_for_tests_are_told_apart() {
    let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n\nfn c() {}\n";
    let found = signals("a.rs", text).test_code;
    assert!(matches!(&found[..], [span] if (span.start, span.end) == (3, 6)), "{found:?}");
}

#[test]
fn hostile_files_are_read_in_time() {
    let nested = format!("x = {}true{}", "{a: ".repeat(20_000), "}".repeat(20_000));
    let chain = format!("f(){}", ".on(true)".repeat(20_000));
    let joined = format!("if ({}false) b()", "a && ".repeat(20_000));
    for text in [nested, chain, joined] {
        signals("a.js", &text);
    }
    let functions = "#[cfg(feature = \"x\")]\npub fn f() { if a == 1 { return 2; } }\n".repeat(20_000);
    signals("a.rs", &functions);
}
