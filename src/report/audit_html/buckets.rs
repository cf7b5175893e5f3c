//! Commits by day, and days put together into bars that are few enough to look at.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Days as Shift, NaiveDate};

use crate::audit::Audited;
use crate::verdict::{Action, Verdict};

/// What happened on one day, or in one bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub commits: usize,
    pub blocked: usize,
    pub warned: usize,
    /// Commits with an alert of a type, by the name of the type.
    pub types: BTreeMap<String, usize>,
}

impl Counts {
    fn merge(&mut self, other: &Self) {
        self.commits += other.commits;
        self.blocked += other.blocked;
        self.warned += other.warned;
        for (name, count) in &other.types {
            *self.types.entry(name.clone()).or_default() += count;
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Days(BTreeMap<NaiveDate, Counts>);

/// A bar: its name and what is in it.
pub type Bar = (String, Counts);

impl Days {
    pub fn add(&mut self, audited: &Audited) {
        let Some(report) = audited.report() else { return };
        let Some(time) = DateTime::from_timestamp(audited.commit.time, 0) else { return };
        let counts = self.0.entry(time.date_naive()).or_default();
        counts.commits += 1;
        counts.blocked += usize::from(report.verdict == Verdict::Block);
        counts.warned += usize::from(report.verdict == Verdict::Warn);
        let alerts = report.findings.iter().filter(|judged| judged.action > Action::Log);
        let mut types: Vec<&str> = alerts.map(|judged| judged.finding.rule.kind.name()).collect();
        types.sort_unstable();
        types.dedup();
        for name in types {
            *counts.types.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// The bars from the first day to the last, empty ones included, and what one stands for.
    pub fn bars(&self) -> (&'static str, Vec<Bar>) {
        let (Some((&first, _)), Some((&last, _))) = (self.0.first_key_value(), self.0.last_key_value())
        else {
            return ("day", Vec::new());
        };
        let width = Width::for_days((last - first).num_days());
        let mut bars: BTreeMap<NaiveDate, Counts> = BTreeMap::new();
        let mut start = width.start(first);
        // A forged date far away must not make endless bars.
        while start <= last && bars.len() < MOST {
            bars.insert(start, Counts::default());
            start = width.next(start);
        }
        for (day, counts) in &self.0 {
            bars.entry(width.start(*day)).or_default().merge(counts);
        }
        (width.name(), bars.into_iter().map(|(start, counts)| (width.label(start), counts)).collect())
    }
}

const MOST: usize = 400;

#[derive(Clone, Copy)]
enum Width {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Width {
    fn for_days(days: i64) -> Self {
        match days {
            ..=45 => Self::Day,
            46..=300 => Self::Week,
            301..=2200 => Self::Month,
            2201..=7300 => Self::Quarter,
            _ => Self::Year,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    fn start(self, day: NaiveDate) -> NaiveDate {
        let in_month = |month| NaiveDate::from_ymd_opt(day.year(), month, 1).unwrap_or(day);
        match self {
            Self::Day => day,
            Self::Week => day - Shift::new(u64::from(day.weekday().num_days_from_monday())),
            Self::Month => in_month(day.month()),
            Self::Quarter => in_month(day.month0() / 3 * 3 + 1),
            Self::Year => in_month(1),
        }
    }

    fn next(self, start: NaiveDate) -> NaiveDate {
        // Any day of the next bar leads to its first.
        let days = match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 32,
            Self::Quarter => 95,
            Self::Year => 370,
        };
        self.start(start.checked_add_days(Shift::new(days)).unwrap_or(NaiveDate::MAX))
    }

    fn label(self, start: NaiveDate) -> String {
        match self {
            Self::Day | Self::Week => start.format("%Y-%m-%d").to_string(),
            Self::Month => start.format("%Y-%m").to_string(),
            Self::Quarter => format!("{} Q{}", start.year(), start.month0() / 3 + 1),
            Self::Year => start.year().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(dates: &[&str]) -> Days {
        let day = |date: &&str| (date.parse().unwrap(), Counts { commits: 1, ..Counts::default() });
        Days(dates.iter().map(day).collect())
    }

    #[test]
    fn bars_leave_no_gaps_and_lose_no_commit() {
        for (dates, name, count) in [
            (&["2026-01-30", "2026-02-02"][..], "day", 4),
            (&["2026-01-01", "2026-03-01"], "week", 9),
            (&["2024-12-31", "2026-01-01"], "month", 14),
            (&["2018-05-01", "2026-01-01"], "quarter", 32),
            (&["1990-05-01", "2026-01-01"], "year", 37),
        ] {
            let (found, bars) = days(dates).bars();
            assert_eq!((found, bars.len()), (name, count));
            assert_eq!(bars.iter().map(|(_, counts)| counts.commits).sum::<usize>(), dates.len());
        }
    }

    #[test]
    fn a_forged_date_does_not_make_endless_bars() {
        let (_, bars) = days(&["0001-01-01", "9999-12-31"]).bars();
        assert!(bars.len() <= MOST + 2);
        assert_eq!(bars.iter().map(|(_, counts)| counts.commits).sum::<usize>(), 2);
    }

    #[test]
    fn nothing_makes_no_bars() {
        assert!(Days::default().bars().1.is_empty());
    }
}
