//! Real runs of JUnit, through Maven and the console launcher.

use aiwg_gate::policy::Framework::Junit;

use crate::project::{Project, compared, place, skip};

const POM: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId><artifactId>cart</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
      <version>5.9.2</version><scope>test</scope>
    </dependency>
  </dependencies>
</project>
"#;
const CART: &str = r#"package com.acme;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class CartTest {
  @Test void adds() { assertEquals(3, 1 + 2); }
  @Test void subtracts() { assertEquals(4, 1 + 2, "the sum"); }
  @Test void breaks() { throw new IllegalStateException("no items"); }
  @Test @Disabled("later") void off() { }
  @ParameterizedTest @ValueSource(ints = {1, 2}) void rows(int row) { assertEquals(1, row); }
  @Nested class Inner { @Test void nested() { } }
  @Test void assumed() { Assumptions.assumeTrue(false, "not here"); }
}
"#;
const SET_UP: &str = r#"package com.acme;
import org.junit.jupiter.api.*;
class SetUpTest {
  @BeforeAll static void open() { throw new IllegalStateException("no database"); }
  @Test void needs() { }
}
"#;
const FINE: &str = "package com.acme;\nclass FineTest { @org.junit.jupiter.api.Test void fine() { } }\n";
const CART_FILE: &str = "src/test/java/com/acme/CartTest.java";
const FINE_FILE: &str = "src/test/java/com/acme/FineTest.java";
/// The repository of Debian's packages needs no network.
const MAVEN: &str = "mvn -o -B -Dmaven.repo.local=/usr/share/maven-repo test";
const LAUNCHER: &str = "/usr/share/java/junit-platform-console.jar";
const JARS: &[&str] = &[
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "junit-platform-commons",
    "junit-platform-console",
    "junit-platform-engine",
    "junit-platform-launcher",
    "junit-platform-reporting",
    "opentest4j",
    "opentest4j-reporting-events",
    "opentest4j-reporting-schema",
    "apiguardian-api",
    "picocli",
    "univocity-parsers",
];

fn maven() -> bool {
    let surefire = "/usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin";
    let there = std::path::Path::new(surefire).exists() && std::path::Path::new(LAUNCHER).exists();
    if !there {
        eprintln!(
            "skipped: Maven, surefire and JUnit 5 of Debian are not installed; tests/run does that as root"
        );
    }
    there
}

fn launcher() -> bool {
    let there = std::path::Path::new(LAUNCHER).exists();
    if !there {
        skip("JUnit 5 of Debian");
    }
    there
}

fn class_path() -> String {
    JARS.iter().map(|jar| format!("/usr/share/java/{jar}.jar")).collect::<Vec<_>>().join(":")
}

fn compiled(files: &[(&str, &str)]) -> Project {
    let project = Project::new(files);
    let sources: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let javac = std::process::Command::new("javac")
        .args(["-d", "classes", "-cp", &class_path()])
        .args(sources)
        .current_dir(project.root())
        .status();
    assert!(javac.unwrap().success());
    project
}

fn launch(options: &str) -> String {
    let start = format!("java -cp {}:classes org.junit.platform.console.ConsoleLauncher", class_path());
    format!("{start} --scan-classpath classes --disable-banner {options}").trim_end().to_owned()
}

#[test]
fn each_outcome_is_recorded_as_maven_counts_it() {
    if !maven() {
        return;
    }
    let files = [("pom.xml", POM), (CART_FILE, CART), ("src/test/java/com/acme/SetUpTest.java", SET_UP)];
    let ran = Project::new(&files).run(Junit, MAVEN);
    ran.says("Tests run: 9, Failures: 2, Errors: 2, Skipped: 2\n");
    assert_eq!(ran.tally(), [3, 2, 2, 2, 0]);
    let failure = ran.failure("src/test/java/com/acme/CartTest.java::CartTest::subtracts");
    assert_eq!(compared(failure), ("4", "3"));
    assert_eq!(place(failure), "src/test/java/com/acme/CartTest.java:8");
    assert_eq!(ran.failure("src/test/java/com/acme/CartTest.java::CartTest::breaks").message, "no items");
    ran.test("src/test/java/com/acme/CartTest.java::CartTest::rows[2]");
    ran.test("src/test/java/com/acme/CartTest.java::CartTest::Inner::nested");
}

#[test]
fn reports_of_an_earlier_run_do_not_count() {
    if !maven() {
        return;
    }
    let project = Project::new(&[("pom.xml", POM), (FINE_FILE, FINE)]);
    assert_eq!(project.run(Junit, MAVEN).tally(), [1, 0, 0, 0, 0]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let ran = project.run(Junit, "mvn --version");
    assert!(ran.results.is_err_and(|error| error.contains("no test report was written")));
}

#[test]
fn code_that_does_not_compile_is_a_problem() {
    if !maven() {
        return;
    }
    let ran =
        Project::new(&[("pom.xml", POM), (FINE_FILE, "package com.acme;\nclass FineTest { int x = ; }\n")])
            .run(Junit, MAVEN);
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [0, 0, 0, 0, 1]);
    let problem = ran.problem("illegal start of expression");
    assert_eq!(problem.kind, "compilation");
    let place = problem.location.as_ref().expect("a place");
    assert_eq!((place.file.as_str(), place.line), (FINE_FILE, Some(2)));
}

#[test]
fn a_crash_under_maven_is_a_problem() {
    if !maven() {
        return;
    }
    let crash = "package com.acme;\nclass CrashTest { @org.junit.jupiter.api.Test void dies() throws Exception { \
                 Runtime.getRuntime().exec(new String[] {\"kill\", \"-SEGV\", \"\" + ProcessHandle.current().pid()}); \
                 Thread.sleep(9000); } }\n";
    let files = [("pom.xml", POM), (FINE_FILE, FINE), ("src/test/java/com/acme/CrashTest.java", crash)];
    let ran = Project::new(&files).run(Junit, MAVEN);
    assert!(!ran.succeeded);
    ran.says("The forked VM terminated without");
    let [passed, failed, errored, skipped, problems] = ran.tally();
    assert_eq!((failed, errored, skipped, problems), (0, 0, 0, 1));
    assert!(passed <= 1);
    assert_eq!(ran.problem("The forked VM terminated").kind, "crash");
}

#[test]
fn maven_without_tests_has_none() {
    if !maven() {
        return;
    }
    let ran = Project::new(&[("pom.xml", POM)]).run(Junit, MAVEN);
    ran.says("No tests to run");
    assert_eq!(ran.tally(), [0; 5]);
}

#[test]
fn each_outcome_is_recorded_as_the_console_launcher_counts_it() {
    if !launcher() {
        return;
    }
    let project = compiled(&[("test/com/acme/CartTest.java", CART), ("test/com/acme/FineTest.java", FINE)]);
    for options in ["", "--reports-dir out/reports", "--reports-dir=out/again"] {
        let ran = project.run(Junit, &launch(options));
        ran.says("4 tests successful");
        ran.says("3 tests failed");
        ran.says("1 tests skipped");
        ran.says("1 tests aborted");
        assert_eq!(ran.tally(), [4, 2, 1, 2, 0], "{options}");
        let failure = ran.failure("test/com/acme/CartTest.java::CartTest::rows[2]");
        assert_eq!(
            (compared(failure), place(failure)),
            (("1", "2"), "test/com/acme/CartTest.java:11".to_owned())
        );
        ran.test("test/com/acme/CartTest.java::CartTest::Inner::nested");
    }
}

#[test]
fn a_set_up_that_breaks_under_the_launcher_is_no_pass() {
    if !launcher() {
        return;
    }
    let ran = compiled(&[("test/com/acme/SetUpTest.java", SET_UP)]).run(Junit, &launch(""));
    ran.says("1 containers failed");
    assert!(!ran.succeeded);
    let counts = ran.read().counts();
    assert_eq!((counts.passed, counts.failed + counts.errors), (0, 1));
}

#[test]
fn a_crash_of_the_launcher_is_an_error_and_not_a_result() {
    if !launcher() {
        return;
    }
    for death in ["Runtime.getRuntime().halt(0);", "System.exit(0);"] {
        let crash = format!(
            "package com.acme;\nclass CrashTest {{ @org.junit.jupiter.api.Test void dies() {{ {death} }} }}\n"
        );
        let ran = compiled(&[("test/com/acme/CrashTest.java", &crash)]).run(Junit, &launch(""));
        assert!(ran.succeeded, "an exit code of 0 hides it");
        assert!(ran.results.is_err(), "{:?}", ran.results);
    }
}

#[test]
fn a_launcher_without_tests_has_none() {
    if !launcher() {
        return;
    }
    let ran = compiled(&[("src/com/acme/Cart.java", "package com.acme;\nclass Cart { }\n")])
        .run(Junit, &launch(""));
    ran.says("0 tests found");
    assert_eq!(ran.tally(), [0; 5]);
}
