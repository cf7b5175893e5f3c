//! One `run`: each chosen suite in its turn, each attempt on record.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};

use super::choose::{self, Choice, Chosen, Policies};
use super::evidence::{Evidence, outcomes};
use super::place::Place;
use super::suite::{Finished, Prepared};
use crate::gate::prover;
use crate::git::{Attributes, Repository};
use crate::hooks;
use crate::inventory::Inventory;
use crate::languages::language_of;
use crate::memory::{self, Attempt, Beside, Execution, Mode, Permission, Recorded, Store, Work};
use crate::paths::{Classifier, PathClass, class_by_name, is_source};
use crate::policy::{Framework, Policy};
use crate::proof::{Content, Status, SuiteProof, code_hash};
use crate::runner::results::executed::KnownTest;
use crate::runner::{Adapter, Counts, End, Finder, Interrupts, Suite, Watcher};

/// What a person, an agent or a hook asked for.
pub struct Options {
    pub mode: Mode,
    pub suites: Vec<String>,
    pub all: bool,
    /// A command in place of the suite's own.
    pub command: Option<Vec<String>>,
    pub hunter: Hunter,
}

/// Who is at work on what.
#[derive(Clone, Debug, Default)]
pub struct Hunter {
    /// The session to go on with.
    pub session: Option<String>,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    pub iteration: Option<u32>,
}

impl Hunter {
    /// Whether attempts are limited: for agents and in loops, not for a person working test-first.
    fn is_counted(&self) -> bool {
        self.agent.is_some() || self.task_id.is_some()
    }
}

/// Where the runs are seen.
pub trait Stage {
    /// Shows a suite while `go` runs it; `go` tells whether it went well.
    fn show(
        &mut self,
        suite: &Suite,
        adapter: Option<&'static Adapter>,
        go: &mut dyn FnMut(&mut dyn Watcher) -> Result<bool>,
    ) -> Result<()>;
    /// Something that should be known before it starts.
    fn say(&mut self, message: &str) -> Result<()>;
    /// The suite has run and is on record.
    fn ended(&mut self, run: &SuiteRun) -> Result<()>;
}

/// A suite that has run and is on record.
pub struct SuiteRun {
    pub suite: String,
    pub framework: Framework,
    pub command: String,
    pub mode: Mode,
    pub end: End,
    pub duration: Duration,
    pub counts: Counts,
    /// What the run is worth for the content it tested.
    pub proof: SuiteProof,
    pub recorded: Recorded,
    /// Where the output is; the middle is left out where it was too much.
    pub log: PathBuf,
}

impl SuiteRun {
    pub fn is_interrupted(&self) -> bool {
        self.end == End::Interrupted
    }

    /// Whether it ended badly; what the base is known to fail with is no failure of the change.
    pub fn has_failed(&self) -> bool {
        let bad = self.end != End::Exited(0) || self.counts.failed + self.counts.errors > 0;
        bad && self.proof.status != Status::Valid
    }

    /// What went wrong, test by test.
    pub fn failures(&self) -> &[memory::Failure] {
        self.recorded.session.executions.last().map_or(&[], |execution| &execution.failures)
    }
}

/// Runs the suites that were asked for, in order. An interrupt ends the run; what ran until then is on record.
pub fn run(repository: &Repository, options: &Options, stage: &mut dyn Stage) -> Result<Vec<SuiteRun>> {
    let choice = Choice {
        mode: options.mode,
        names: &options.suites,
        all: options.all,
        has_command: options.command.is_some(),
    };
    let tree = choose::tree(repository, options.mode)?;
    let policies = Policies::read(repository, tree.as_ref())?;
    let (policy, finders) = (&policies.base, policies.finders(tree.as_ref()));
    let chosen = choose::choose(repository, &choice, policy, &finders)?;
    let suites: Vec<Suite> = chosen.iter().map(|chosen| chosen.suite.clone()).collect();
    let _interrupts = Interrupts::watch()?;
    let store = Store::of(repository)?;
    // Before the tests run, not after.
    store.refuse_links()?;
    if let Some(id) = &options.hunter.session {
        memory::check_named(&store, id)?;
    }
    // Where the gate is not installed, its records would otherwise end in the next commit.
    hooks::exclude_records(repository)?;
    let place = Place::prepare(repository, options.mode, policy, &suites)?;
    let mut runs = Vec::new();
    for Chosen { suite, finder } in &chosen {
        let flow = Flow { repository, policy, finder, store: &store, place: &place, options, suite };
        let run = flow.run(stage)?;
        stage.ended(&run)?;
        let stop = run.is_interrupted();
        runs.push(run);
        if stop {
            break;
        }
    }
    Ok(runs)
}

/// One suite from its start to its record.
struct Flow<'a> {
    repository: &'a Repository,
    policy: &'a Policy,
    finder: &'a Finder<'a>,
    store: &'a Store,
    place: &'a Place,
    options: &'a Options,
    suite: &'a Suite,
}

impl Flow<'_> {
    fn run(&self, stage: &mut dyn Stage) -> Result<SuiteRun> {
        self.ask_permission(stage)?;
        let prepared = Prepared::new(self.suite, self.options.command.as_deref(), self.place.root())?;
        if let Some(note) = &prepared.note {
            stage.say(note)?;
        }
        let mut finished = None;
        stage.show(self.suite, prepared.adapter(), &mut |watcher| {
            let run = prepared.run(self.place.environment(self.suite), watcher)?;
            Ok(finished.insert(run).ended.end == End::Exited(0))
        })?;
        let finished = finished.context("the suite was not run")?;
        if let End::NotStarted(reason) = &finished.ended.end {
            anyhow::bail!("the suite `{}` could not be started: {reason}", self.suite.name);
        }
        let recorded = self.record(&finished)?;
        let proof = self.proof()?;
        let log = self.store.beside_file(&recorded.session.session_id, Beside::Log(recorded.attempt))?;
        Ok(SuiteRun {
            suite: self.suite.name.clone(),
            framework: finished.framework,
            command: finished.command.to_string(),
            mode: self.options.mode,
            end: finished.ended.end.clone(),
            duration: finished.ended.duration,
            counts: finished.results.as_ref().map(crate::runner::Results::counts).unwrap_or_default(),
            proof,
            recorded,
            log,
        })
    }

    fn ask_permission(&self, stage: &mut dyn Stage) -> Result<()> {
        let hunter = &self.options.hunter;
        if !hunter.is_counted() || self.options.mode == Mode::Base {
            return Ok(());
        }
        match memory::may_run(self.store, &self.work()?, true, &self.policy.feedback)? {
            Permission::Granted => Ok(()),
            Permission::Warned(message) => stage.say(&message),
            Permission::Refused(reason) => anyhow::bail!(reason),
        }
    }

    /// Whether a path decides what the suite does.
    fn counts(&self) -> Result<impl Fn(&str) -> bool + use<'_>> {
        let classifier = Classifier::new(self.policy, Attributes::default())?;
        Ok(move |path: &str| self.finder.has_input(self.suite, path) && classifier.is_input(path))
    }

    fn record(&self, finished: &Finished) -> Result<Recorded> {
        let counts = self.counts()?;
        let content = self.place.content();
        let tested = self.wanted();
        let classifier = Classifier::new(self.policy, Attributes::default())?;
        let delta = tested.delta.into_iter().filter(|(path, _)| classifier.is_input(&path.text())).collect();
        let whole = Content { tree: Some(content.tree.clone()), ..Content::default() };
        let testable = |path: &str| counts(path) && can_hold_tests_of(finished.framework, path);
        let inventory = Inventory::of_tree(self.repository, &content.tree, &testable)?;
        let evidence = Evidence {
            suite: &self.suite.name,
            mode: self.options.mode,
            finished,
            content,
            delta,
            code_hash: code_hash(self.repository, &whole, &counts)?,
            known: known_tests(&inventory),
            after: &self.place.after(self.repository, self.policy, &counts)?,
            doubts: &self.place.doubts(&counts),
            now: now(),
        };
        let mut attempt = self.attempt(&evidence, finished, &counts)?;
        self.excuse(&mut attempt.execution, &counts)?;
        let recorded =
            memory::record(self.repository, self.store, attempt, &self.policy.feedback, evidence.now)?;
        self.repository.keep_tree(&recorded.session.session_id, recorded.attempt, &content.tree)?;
        Ok(recorded)
    }

    /// Notes what the base does already, so that memory judges the run as the gate will.
    fn excuse(&self, execution: &mut Execution, counts: &dyn Fn(&str) -> bool) -> Result<()> {
        let failed = execution.failures.iter().map(|failure| failure.test_name.clone()).collect();
        let Some(proof) = execution.proof.as_mut().filter(|proof| proof.mode != Mode::Base) else {
            return Ok(());
        };
        let wanted = self.wanted();
        let index = self.store.index()?;
        let prover = prover(self.repository, self.policy, &index, &wanted, false);
        proof.excused = Some(prover.excused(self.suite, counts, &failed, &proof.unexecuted));
        Ok(())
    }

    fn attempt(
        &self,
        evidence: &Evidence<'_>,
        finished: &Finished,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<Attempt> {
        let hunter = &self.options.hunter;
        let changed = self.changed(counts);
        Ok(Attempt {
            execution: evidence.execution(),
            file_path: file_path(&changed, self.suite),
            changed,
            tests: finished.results.as_ref().map(outcomes).unwrap_or_default(),
            log: finished.ended.output.clone(),
            session: hunter.session.clone(),
            agent: hunter.agent.clone(),
            counted: hunter.is_counted(),
            worktree: memory::worktree_of(self.repository),
            task_id: hunter.task_id.clone(),
            iteration: hunter.iteration,
        })
    }

    /// The suite's files that differ from HEAD.
    fn changed(&self, counts: &dyn Fn(&str) -> bool) -> Vec<String> {
        let paths = self.place.content().delta.iter().map(|change| change.path.text().into_owned());
        paths.filter(|path| counts(path)).collect()
    }

    /// What is about to be done, as memory sees it.
    fn work(&self) -> Result<Work> {
        let hunter = &self.options.hunter;
        Ok(Work {
            suite: self.suite.name.clone(),
            worktree: memory::worktree_of(self.repository),
            agent: hunter.agent.clone(),
            base_commit: self.place.content().base.as_ref().map(|base| base.commit.to_string()),
            changed: self.changed(&self.counts()?),
            failing: Vec::new(),
            session: hunter.session.clone(),
        })
    }

    /// What the gate will say of the content that was tested.
    fn proof(&self) -> Result<SuiteProof> {
        let wanted = self.wanted();
        let index = self.store.index()?;
        prover(self.repository, self.policy, &index, &wanted, false).prove(self.suite, &self.counts()?)
    }

    /// The content that was tested, as a commit would have it.
    fn wanted(&self) -> Content {
        let content = self.place.content();
        let base_tree = content.base.as_ref().map(|base| base.tree.clone());
        Content::new(base_tree, &content.delta)
    }
}

/// The tests that a suite has by its text, and that nothing keeps from running.
fn known_tests(inventory: &Inventory) -> Vec<KnownTest<'_>> {
    let tests =
        inventory.files.iter().flat_map(|file| file.facts.listed_tests().map(|test| (&file.path, test)));
    tests.filter_map(|(path, test)| KnownTest::of(path, test)).collect()
}

/// The file that a hunt is about: the first code that changed, tests last.
fn file_path(changed: &[String], suite: &Suite) -> String {
    let is_test = |path: &&String| class_by_name(path) == PathClass::Test;
    let code = changed.iter().filter(|path| is_source(path));
    let first =
        code.clone().find(|path| !is_test(path)).or_else(|| code.clone().next()).or_else(|| changed.first());
    match first {
        Some(path) => path.clone(),
        None if suite.directory.is_empty() => ".".to_owned(),
        None => suite.directory.clone(),
    }
}

/// To the millisecond: records are read by people, and runs that follow each other keep their order.
fn now() -> DateTime<Utc> {
    let now = Utc::now();
    DateTime::from_timestamp_millis(now.timestamp_millis()).unwrap_or(now)
}

/// A folder may hold tests of several languages, which no one framework runs.
fn can_hold_tests_of(framework: Framework, path: &str) -> bool {
    language_of(path).is_some_and(|language| framework.languages().contains(&language.name))
}
