//! Numbers that say how much a test does or lets through, and that change for the worse: a limit of time that grows, fewer
//! examples that are tried, more pixels that may differ.

use super::durations::durations;
use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

/// What a number on a line means.
struct Amount {
    /// Spellings of it, without white space.
    signs: &'static [&'static str],
    /// Whether more of it asks for less.
    grows: bool,
    what: &'static str,
}

const AMOUNTS: &[Amount] = &[
    Amount {
        signs: &[
            "this.timeout(",
            "jest.setTimeout(",
            ".timeout(",
            "@Timeout(",
            "@Test(timeout=",
            "mark.timeout(",
            "testTimeout:",
            "time::timeout(",
            "assertTimeout(",
            "assertTimeoutPreemptively(",
            ".Eventually(",
            "asyncio.wait_for(",
            "asyncio.timeout(",
            "anyio.fail_after(",
            ".atMost(",
            "time.After(",
            "{timeout:",
            "deadline=",
        ],
        grows: true,
        what: "may take longer before failing",
    },
    Amount {
        signs: &[
            "maxDiffPixels:",
            "maxDiffPixelRatio:",
            "failureThreshold:",
            "pixelThreshold:",
            "mismatchThreshold:",
        ],
        grows: true,
        what: "lets more of a picture differ",
    },
    Amount {
        signs: &[
            "max_examples=",
            "with_cases(",
            "cases:",
            "numRuns:",
            "num_runs",
            "numTests:",
            ".tests(",
            "MaxCount:",
            "@Property(tries=",
            "tries=",
        ],
        grows: false,
        what: "tries fewer examples",
    },
];

/// So many times as much it has to be.
const FACTOR: f64 = 1.5;

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let what = worse(&pages.old[old].code, &pages.new[new].code)?;
        let line = pages.new[new].number;
        let test = pages.test_at(line).map(|(_, test)| test.qualified_name());
        let is_above = || pages.kept.iter().any(|(_, test)| test.span.start > line);
        if test.is_none() && !is_above() {
            return None;
        }
        let whom = test.as_deref().map_or_else(|| "a test".to_owned(), |name| format!("the test {name}"));
        Some(Told {
            message: format!("{whom} {what}: `{}`", clipped(&one_line(&pages.new_text(new)), 80)),
            help: format!("ask for as much as before: {}", pages.old_text(old)),
            old: Some(pages.old[old].number),
            new: Some(line),
            name: test,
        })
    })
}

/// What a line says that is as it was but for one number, which asks for less.
fn worse(was: &str, is: &str) -> Option<&'static str> {
    let has = |amount: &&Amount| amount.signs.iter().any(|sign| was.contains(sign) && is.contains(sign));
    let limit = AMOUNTS.first().filter(|_| closes_test(was) && closes_test(is));
    let amount = AMOUNTS.iter().find(has).or(limit)?;
    let ((frame, had), (same, has)) = (durations(was), durations(is));
    let mut differing = had.iter().zip(&has).filter(|(was, is)| was != is);
    let (was, is) = differing.next().filter(|_| frame == same && had.len() == has.len())?;
    let (low, high) = if amount.grows { (was, is) } else { (is, was) };
    (differing.next().is_none() && *low > 0.0 && *high >= FACTOR * low).then_some(amount.what)
}

/// `}, 5000);`: what follows the body of a test is how long it may take.
fn closes_test(code: &str) -> bool {
    let inside = code.strip_prefix("},").and_then(|rest| rest.trim_end_matches(';').strip_suffix(')'));
    inside.is_some_and(|number| number.len() >= 4 && number.chars().all(|c| c.is_ascii_digit() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_change_for_the_worse() {
        for (was, is) in [
            ("this.timeout(2000);", "this.timeout(60_000);"),
            ("},5000);", "},60000);"),
            ("require.Eventually(t,f,time.Second,tick)", "require.Eventually(t,f,10*time.Second,tick)"),
            (
                "awaitexpect(page).toHaveScreenshot({maxDiffPixels:10});",
                "awaitexpect(page).toHaveScreenshot({maxDiffPixels:500});",
            ),
            ("@settings(max_examples=500)", "@settings(max_examples=10)"),
        ] {
            assert!(worse(was, is).is_some(), "{was} -> {is}");
            assert!(worse(is, was).is_none(), "{is} -> {was}");
        }
        assert!(worse("sleep(1)", "sleep(10)").is_none());
        assert!(worse("a.timeout(1000,1)", "a.timeout(3000,2)").is_none());
    }
}
