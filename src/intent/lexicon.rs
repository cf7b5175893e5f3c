//! The words by which people say that they leave something out, or ask for less: lists of phrases, with a bar between.

/// What is done to something so that it no longer happens, where a clause begins with it.
pub const LEAVES_OUT: &str = "\
    skip|skips|skipped|skipping|disable|disables|disabled|disabling|ignore|ignores|ignored|ignoring|\
    xfail|xfails|xfailed|x-fail|quarantine|quarantined|mute|muted|exclude|excludes|excluded|\
    excluding|deactivate|deactivated|turn off|turned off|turns off|switch off|switched off|\
    comment out|commented out|commenting out";

/// The same, where only tests and the like can be meant.
pub const NO_LONGER_RUNS: &str = "do not run|don't run|dont run|no longer run|stop running|never run|not run";

/// What may stand before a deed.
pub const LEADING: &str = "\
    temporarily|temporary|just|also|now|explicitly|conditionally|try|to|let's|completely|currently";

/// What is done to a test by calling it something: `Mark as xfail`.
pub const MARKS: &str = "mark|marks|marked|marking";
pub const MARKED_AS: &str = "xfail|skip|skipped|ignored|ignore|disabled|expected failure|expected failures";

/// What is done to a number.
pub const LOWERS: &str = "lower|lowers|lowered|reduce|reduced|decrease|decreased|relax|relaxed|loosen";

/// Asking for less.
pub const LESS: &str = "\
    relax|relaxes|relaxed|relaxing|loosen|loosens|loosened|loosening|lenient|leniency|less strict|\
    less brittle|less specific|less precise|less picky|less exact|less fragile|tolerate|tolerates|\
    tolerated|tolerating|tolerant|weaken|weakens|weakened|forgiving|permissive|don't assert|\
    do not assert|no longer assert|don't expect|do not expect";

/// Waiting longer expects no less.
pub const WAITING: &str = "timeout|timeouts|time-out|time-outs|deadline|deadlines|timing|timings";

pub const PROVISIONAL: &str = "for now|temporarily|temporary|for the moment|until|for the time being|till";

/// Where the object of a deed ends, and when, where and why begin.
pub const AFTER_OBJECT: &str = "\
    in|on|for|when|if|during|under|with|without|until|till|because|since|as|at|from|by|due|that|\
    which|to|unless|after|before|while|via|where|so|using|temporarily|against|only|again|instead|\
    into";

pub const TESTS: &str = "\
    test|tests|testing|testcase|testcases|spec|specs|suite|suites|case|cases|flaky|flakey|flake|\
    flakes|fuzz|fuzzer|fuzzers|e2e|doctest|doctests|unittest|unittests";

pub const COVERAGE: &str = "coverage|cov|codecov|coveralls|jacoco|nyc|istanbul|tarpaulin|cobertura|kcov";

pub const CHECKS: &str = "\
    check|checks|lint|lints|linter|linters|linting|clippy|mypy|pylint|eslint|tslint|flake8|\
    checkstyle|pmd|spotbugs|findbugs|job|jobs|workflow|workflows|step|steps|build|builds|ci|travis|\
    appveyor|circleci|typecheck|typechecking|semver|hook|hooks|analysis|sonar|codeql|golangci|\
    staticcheck|enforcer|miri|prettier|rustfmt|gofmt|isort|spotless|sanitizer|sanitizers";

/// What is written or kept beside a check and decides nothing.
pub const BESIDE: &str = "\
    output|log|logs|logging|warning|warnings|color|colors|colours|cache|caching|message|messages|\
    annotation|annotations|file|files|notification|notifications|comment|comments|update|updates|\
    mode|directory|directories|folder|folders|dir|dirs";

/// How something is run, not whether.
pub const MANNERS: &str = "\
    parallel|parallelism|parallelization|concurrency|concurrent|randomization|sharding|threading";

/// What is done to errors so that nobody hears of them.
pub const HIDES: &str = "\
    suppress|suppresses|suppressed|swallow|swallows|silence|silences|silenced|hide|hides";

pub const ERRORS: &str = "error|errors|exception|exceptions|panic|panics|failure|failures";

/// What is said of a step whose failure no longer counts.
pub const NO_LONGER_FAILS: &str = "\
    do not fail|don't fail|never fail|do not error|don't error|do not raise|don't raise|do not throw|\
    don't throw|allow failure|allow failures";

/// The same of a check.
pub const NO_LONGER_CHECKS: &str = "\
    do not check|don't check|no longer check|do not validate|don't validate|no longer validate|\
    do not enforce|don't enforce|do not verify|don't verify";

pub const REMOVES: &str = "remove|removes|removed|removing|drop|drops|dropped|stop|stopped";

/// What people say of their own deed, and of nothing else.
pub const FOR_NOW: &str = "for now|for the moment|for the time being";

/// What nobody here wrote needs no check.
pub const OF_OTHERS: &str = "generated|vendored|vendor|third-party|bundled|minified";

/// What a build makes for people, and how it gets to them.
pub const SHIPS: &str = "\
    release|releases|publish|publishing|deploy|deployment|doc|docs|documentation|sign|signing|upload|\
    uploads|push|pushing|sync|comment|comments|plugin|plugins|search";

/// What makes the word before it a name: `fmt: skip is not respected`.
pub const IS_SOMETHING: &str = "is|are|was|were|has|have|does|doesn't|isn't|should|must|can|could";
