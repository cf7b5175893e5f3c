//! Finds bodies that may be alike without comparing each with each.

use crate::collections::HashMap;
use crate::similarity::Body;

/// A sequence that stands in more bodies than this says little about any of them.
const COMMON: usize = 24;

/// How many candidates are compared in full.
const COMPARED: usize = 8;

/// An index over bodies by the token sequences they hold.
pub struct Candidates<'a> {
    bodies: Vec<&'a Body>,
    holders: HashMap<u64, Vec<u32>>,
}

impl<'a> Candidates<'a> {
    pub fn new(bodies: Vec<&'a Body>) -> Self {
        let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
        for (index, body) in bodies.iter().enumerate() {
            for shingle in body.shingles() {
                let holders = holders.entry(shingle).or_default();
                if holders.len() <= COMMON {
                    holders.push(index as u32);
                }
            }
        }
        Self { bodies, holders }
    }

    /// The bodies that share most with `body`, with their similarity, the best first.
    pub fn like(&self, body: &Body) -> Vec<(usize, f64)> {
        let mut votes: HashMap<u32, u32> = HashMap::new();
        for shingle in body.shingles() {
            let Some(holders) = self.holders.get(&shingle) else { continue };
            if holders.len() <= COMMON {
                for &holder in holders {
                    *votes.entry(holder).or_default() += 1;
                }
            }
        }
        let mut votes: Vec<(u32, u32)> = votes.into_iter().collect();
        votes.sort_by_key(|&(holder, count)| (std::cmp::Reverse(count), holder));
        let compared = votes.into_iter().take(COMPARED);
        let mut scored: Vec<(usize, f64)> = compared
            .map(|(holder, _)| (holder as usize, self.bodies[holder as usize].similarity(body)))
            .collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        scored
    }
}
