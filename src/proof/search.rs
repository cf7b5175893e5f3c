//! The proof of one suite: which recorded run, if any, ran exactly what is wanted.

use std::cell::RefCell;
use std::collections::BTreeSet;

use anyhow::Result;

use super::content::{Comparer, Content, Difference, delta_from_lines};
use super::standing::{BaseRun, Rules, Standing, is_own, standing};
use super::{SuiteProof, code_hash, explain};
use crate::collections::HashMap;
use crate::git::{ObjectId, Repository};
use crate::languages::same_tokens;
use crate::memory::{Index, Mode, ProofEnd, Record};
use crate::runner::Suite;

/// How many base trees are compared before the search ends.
const MAX_TREES: usize = 200;

/// More files than this were not just reformatted.
const MAX_REFORMATTED: usize = 200;

/// More pairs of files than this are not parsed in one search: a reformatted file is found near the newest run.
const MAX_COMPARED: usize = 256;

/// Looks for proofs of one content.
pub struct Prover<'a> {
    pub repository: &'a Repository,
    pub index: &'a Index,
    pub wanted: &'a Content,
    pub rules: Rules,
    /// Whether reformatting leaves a proof standing.
    pub by_tokens: bool,
    /// Whether the code hash is wanted even where no run has it; that reads the whole tree.
    pub with_hash: bool,
}

/// What is known of trees that others are based on; `None` while it is being found out.
type Bases = RefCell<HashMap<Option<ObjectId>, Option<BaseRun>>>;

impl Prover<'_> {
    /// `counts` tells which paths decide what the suite does.
    pub fn prove(&self, suite: &Suite, counts: &dyn Fn(&str) -> bool) -> Result<SuiteProof> {
        let found = self.search(suite, counts)?;
        let mut proof = explain::explain(self.repository, &suite.name, &found)?;
        proof.code_hash = match &found {
            Found::Exact(exact) if exact.reformatted.is_empty() => Some(exact.record.code_hash.clone()),
            _ if self.with_hash => Some(code_hash(self.repository, self.wanted, counts)?),
            _ => None,
        };
        Ok(proof)
    }

    /// Which of the tests that failed or did not run the base is known to fail or leave out as well.
    pub fn excused(
        &self,
        suite: &Suite,
        counts: &dyn Fn(&str) -> bool,
        failed: &BTreeSet<String>,
        unexecuted: &[String],
    ) -> BTreeSet<String> {
        if failed.is_empty() && unexecuted.is_empty() {
            return BTreeSet::new();
        }
        let base = self.base_run(suite, counts, self.wanted.tree.as_ref(), &Bases::default());
        let mut excused: BTreeSet<String> = match self.rules.excuse_known_failures {
            true => base.failed.into_iter().filter(|test| failed.contains(test)).collect(),
            false => BTreeSet::new(),
        };
        excused.extend(base.unexecuted.into_iter().filter(|test| unexecuted.contains(test)));
        excused
    }

    fn search(&self, suite: &Suite, counts: &dyn Fn(&str) -> bool) -> Result<Found> {
        let mut comparer = Comparer::new(self.repository, self.wanted);
        let (same, bases) = (TokenCache::default(), Bases::default());
        let (mut weak, mut broken_off, mut closest) = (None, None, None::<Close>);
        for record in self.index.records(&suite.name) {
            if comparer.compared() > MAX_TREES {
                break;
            }
            let Some(tested) = tested(&record) else { continue };
            let Some(mut differences) = comparer.differences(&tested, counts)? else { continue };
            leave_out_created(&mut differences, &record);
            let Some(reformatted) = self.only_reformatted(&differences, &same) else {
                if closest.as_ref().is_none_or(|close| differences.len() < close.differences.len()) {
                    closest = Some(Close { record, differences });
                }
                continue;
            };
            let base = || self.base_run(suite, counts, self.wanted.tree.as_ref(), &bases);
            let standing = standing(&record, suite, self.rules, base);
            let exact = Exact { record, reformatted, standing };
            match &exact.standing {
                Standing::Passed { .. } | Standing::Failed { .. } => return Ok(Found::Exact(exact)),
                // An earlier run may tell more.
                Standing::Weak { .. } => drop(weak.get_or_insert(exact)),
                Standing::None => drop(broken_off.get_or_insert(exact)),
            }
        }
        Ok(match (weak.or(broken_off), closest) {
            (Some(exact), _) => Found::Exact(exact),
            (None, Some(close)) => Found::Close(close),
            (None, None) => Found::Nothing,
        })
    }

    /// The paths that were reformatted since; `None` where anything else differs.
    fn only_reformatted(&self, differences: &[Difference], same: &TokenCache) -> Option<Vec<String>> {
        if differences.is_empty() {
            return Some(Vec::new());
        }
        let possible = self.by_tokens && differences.len() <= MAX_REFORMATTED;
        let reformatted =
            possible && differences.iter().all(|difference| same.holds(self.repository, difference));
        reformatted
            .then(|| differences.iter().map(|difference| difference.path.text().into_owned()).collect())
    }

    /// What recorded runs of exactly this tree did, all of them: a test that passed there once is not known to fail, and
    /// one that ran there once can run.
    fn base_run(
        &self,
        suite: &Suite,
        counts: &dyn Fn(&str) -> bool,
        tree: Option<&ObjectId>,
        bases: &Bases,
    ) -> BaseRun {
        if let Some(known) = bases.borrow().get(&tree.cloned()) {
            return known.clone().unwrap_or_default();
        }
        bases.borrow_mut().insert(tree.cloned(), None);
        let records = self.runs_of(suite, counts, tree);
        let trusted = records.iter().any(|record| self.is_trusted(suite, counts, record, bases));
        let runs = records.into_iter().filter(|_| trusted);
        let runs = runs.map(|record| BaseRun { failed: record.failed, unexecuted: record.proof.unexecuted });
        let base = runs.reduce(|base, run| base.common(&run)).unwrap_or_default();
        bases.borrow_mut().insert(tree.cloned(), Some(base.clone()));
        base
    }

    /// Whole runs of the suite's own command on exactly this tree, newest first.
    fn runs_of(&self, suite: &Suite, counts: &dyn Fn(&str) -> bool, tree: Option<&ObjectId>) -> Vec<Record> {
        let wanted = Content { tree: tree.cloned(), ..Content::default() };
        let mut comparer = Comparer::new(self.repository, &wanted);
        let mut runs = Vec::new();
        for record in self.index.records(&suite.name) {
            if comparer.compared() > MAX_TREES {
                break;
            }
            let whole = is_own(&record, suite) && record.intact && record.proof.ended == ProofEnd::Exited;
            let Some(tested) = tested(&record).filter(|_| whole) else { continue };
            let Ok(Some(mut differences)) = comparer.differences(&tested, counts) else { continue };
            leave_out_created(&mut differences, &record);
            if differences.is_empty() {
                runs.push(record);
            }
        }
        runs
    }

    /// Whether what failed or was left out may do so again: it was a run of the base, asked for as such, or a proof itself.
    fn is_trusted(
        &self,
        suite: &Suite,
        counts: &dyn Fn(&str) -> bool,
        record: &Record,
        bases: &Bases,
    ) -> bool {
        let tree = record.proof.base_tree.as_deref().and_then(ObjectId::parse);
        let base = || self.base_run(suite, counts, tree.as_ref(), bases);
        record.proof.mode == Mode::Base
            || matches!(standing(record, suite, self.rules, base), Standing::Passed { .. })
    }
}

/// What was tested, as its record says.
fn tested(record: &Record) -> Option<Content> {
    let tree = match &record.proof.base_tree {
        Some(tree) => Some(ObjectId::parse(tree)?),
        None => None,
    };
    Some(Content { tree, delta: delta_from_lines(&record.proof.delta).ok()? })
}

/// What the run itself brought forth may be committed with it.
fn leave_out_created(differences: &mut Vec<Difference>, record: &Record) {
    if record.proof.created.is_empty() {
        return;
    }
    let created = delta_from_lines(&record.proof.created).unwrap_or_default();
    differences.retain(|difference| {
        difference.tested.is_some() || created.get(&difference.path) != Some(&difference.wanted)
    });
}

/// What the search found.
pub enum Found {
    /// A run of what is wanted, whatever it is worth.
    Exact(Exact),
    Close(Close),
    Nothing,
}

pub struct Exact {
    pub record: Record,
    pub reformatted: Vec<String>,
    pub standing: Standing,
}

/// A run of something else, and how that differs.
pub struct Close {
    pub record: Record,
    pub differences: Vec<Difference>,
}

/// Pairs of blobs that were compared by their tokens.
#[derive(Default)]
struct TokenCache(RefCell<HashMap<(ObjectId, ObjectId), bool>>);

impl TokenCache {
    fn holds(&self, repository: &Repository, difference: &Difference) -> bool {
        let (Some(tested), Some(wanted)) = (&difference.tested, &difference.wanted) else { return false };
        if tested.mode != wanted.mode || !tested.is_file() {
            return false;
        }
        let key = (tested.id.clone(), wanted.id.clone());
        if let Some(&same) = self.0.borrow().get(&key) {
            return same;
        }
        if self.0.borrow().len() >= MAX_COMPARED {
            return false;
        }
        // What was tested may be gone from the repository by now; then it cannot be the same.
        let texts = repository.blob_here(&tested.id).zip(repository.blob_here(&wanted.id));
        let same = texts.is_some_and(|(one, other)| same_tokens(&difference.path.text(), &one, &other));
        self.0.borrow_mut().insert(key, same);
        same
    }
}
