//! The classes of a file and which of them the runners collect from.

use super::names;
use super::place::Place;

pub struct Class<'a> {
    pub name: &'a str,
    /// The class around this one.
    pub owner: Option<usize>,
    /// Base classes of this file. They stand before it.
    pub bases: Vec<usize>,
    /// Base classes from elsewhere, as dotted names.
    pub foreign: Vec<String>,
    /// Has its own `__init__` or `__new__`, so pytest cannot make one.
    pub has_init: bool,
    /// `__test__ = ...`, and the node that says so.
    pub flag: Option<(bool, usize)>,
    /// Replaced by a later class, or in a branch that never runs.
    pub dead: bool,
}

/// What became of a class.
#[derive(Clone, Copy, Default)]
pub struct Fate {
    /// A `unittest.TestCase` for sure: pytest looks for no classes inside.
    pub case: bool,
    /// Runs under any name, as test cases do.
    nameless: bool,
    init: bool,
    flag: Option<bool>,
    /// The runner takes the class itself.
    pub taken: bool,
    /// Its tests run, in this class or in one derived from it.
    pub runs: bool,
}

impl Fate {
    pub fn is_suite(self) -> bool {
        self.taken || self.runs
    }
}

/// Follows bases and nesting to the fate of each class.
pub fn settle(classes: &[Class<'_>], place: Place) -> Vec<Fate> {
    let mut fates: Vec<Fate> = Vec::with_capacity(classes.len());
    for class in classes {
        let fate = fate_of(class, &fates, place);
        fates.push(fate);
    }
    // A base runs where a derived class does; derived ones stand behind their bases.
    for (at, class) in classes.iter().enumerate().rev() {
        if fates.get(at).is_some_and(|fate| fate.runs) {
            for &base in &class.bases {
                if let Some(base) = fates.get_mut(base) {
                    base.runs = true;
                }
            }
        }
    }
    fates
}

fn fate_of(class: &Class<'_>, earlier: &[Fate], place: Place) -> Fate {
    let bases: Vec<Fate> = class.bases.iter().filter_map(|&base| earlier.get(base).copied()).collect();
    let foreign = |is_case: fn(&str) -> bool| class.foreign.iter().any(|base| is_case(base));
    let case = bases.iter().any(|base| base.case) || foreign(names::is_test_case);
    let nameless = case || bases.iter().any(|base| base.nameless) || foreign(names::may_be_test_case);
    let init = class.has_init || bases.iter().any(|base| base.init);
    let inherited = bases.iter().find_map(|base| base.flag);
    let own = class.flag.map(|(flag, _)| flag);
    let flag = own.or(inherited);
    let reachable = class.owner.is_none_or(|owner| earlier.get(owner).is_some_and(|o| o.taken && !o.case));
    let named = place.functions && names::is_test_class(class.name) && !init;
    let fits = named || (nameless && place.cases);
    let disowned = own.is_none() && inherited == Some(false);
    let taken = !class.dead && reachable && fits && !disowned;
    Fate { case, nameless, init, flag, taken, runs: taken && flag != Some(false) }
}
