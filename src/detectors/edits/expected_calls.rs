//! Calls that a double has to get so often, and now any number of times, or may go without: `.Times(1)` became `.AnyTimes()`.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

/// How often a call is asked for, without white space and numbers, and what asks for less.
const LOOSER: &[(&str, &[&str])] = &[
    (".Times(#)", &[".AnyTimes()", ".MinTimes(#)", ".MaxTimes(#)", ".Maybe()"]),
    (".Once()", &[".AnyTimes()", ".Maybe()"]),
    (".times(#)", &[".times(..)", ".times(#..)", ".anyTimes()", ".atLeastOnce()", ".minTimes(#)"]),
    (".expect(#)", &[".expect(..)", ".expect(#..)"]),
    (".once()", &[".anyTimes()", ".atLeastOnce()", ".atLeast(#)", ".atMost(#)"]),
    (".twice()", &[".anyTimes()", ".atLeastOnce()", ".atLeast(#)"]),
    (".exactly(#)", &[".atLeast(#)", ".atMost(#)"]),
];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        if !is_looser(&pages.old[old].code, &pages.new[new].code) {
            return None;
        }
        let line = pages.new[new].number;
        let (_, test) = pages.test_at(line)?;
        let name = test.qualified_name();
        let shown = clipped(&one_line(&pages.new_text(new)), 80);
        Some(Told {
            message: format!("the test {name} no longer says how often a call has to come: `{shown}`"),
            help: format!("ask for the calls as before: {}", pages.old_text(old)),
            old: Some(pages.old[old].number),
            new: Some(line),
            name: Some(name),
        })
    })
}

fn is_looser(was: &str, is: &str) -> bool {
    let bare = |code: &str| {
        let mut text = String::with_capacity(code.len());
        for c in code.chars() {
            match c.is_ascii_digit() {
                true if text.ends_with('#') => {}
                true => text.push('#'),
                false => text.push(c),
            }
        }
        text
    };
    let (was, is) = (bare(was), bare(is));
    LOOSER.iter().any(|(strict, loose)| {
        was.contains(strict)
            && loose.iter().any(|loose| is.contains(loose) && was.replace(strict, loose) == is)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_may_come_any_number_of_times() {
        assert!(is_looser("m.EXPECT().Send(\"a\").Times(1)", "m.EXPECT().Send(\"a\").AnyTimes()"));
        assert!(is_looser("mock.expect_send().times(2)", "mock.expect_send().times(1..)"));
        assert!(!is_looser("m.EXPECT().Send(\"a\").AnyTimes()", "m.EXPECT().Send(\"a\").Times(1)"));
        assert!(!is_looser("m.EXPECT().Send(\"a\").Times(1)", "m.EXPECT().Send(\"a\").Times(2)"));
    }
}
