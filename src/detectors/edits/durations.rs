//! Numbers of a line, those with a unit of time in milliseconds, and the line without them.

/// Spellings of units around a number, without white space, and how many milliseconds they are.
const UNITS: &[(&str, f64)] = &[
    ("ofMillis(", 1.0),
    ("ofSeconds(", 1_000.0),
    ("ofMinutes(", 60_000.0),
    ("from_millis(", 1.0),
    ("from_secs(", 1_000.0),
    ("from_secs_f64(", 1_000.0),
    ("from_mins(", 60_000.0),
];

/// The same behind a number: `3*time.Second`.
const BEHIND: &[(&str, f64)] =
    &[("*time.Millisecond", 1.0), ("*time.Second", 1_000.0), ("*time.Minute", 60_000.0)];

/// The line with a sign in the place of each number, and the numbers.
pub fn durations(code: &str) -> (String, Vec<f64>) {
    let (mut frame, mut numbers) = (String::with_capacity(code.len()), Vec::new());
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let in_word = frame.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if let Some((unit, length)) = alone(rest).filter(|_| !in_word) {
            numbers.push(unit);
            frame.push('#');
            rest = &rest[length..];
        } else if first.is_ascii_digit() && !in_word {
            let end =
                rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
            let number: f64 = rest[..end].replace('_', "").trim_end_matches('.').parse().unwrap_or(0.0);
            rest = &rest[end..];
            let behind = BEHIND.iter().find(|(unit, _)| rest.starts_with(unit));
            let before = UNITS.iter().find(|(unit, _)| frame.ends_with(unit));
            if let Some((unit, _)) = behind {
                rest = &rest[unit.len()..];
            }
            if let Some((unit, _)) = before {
                frame.truncate(frame.len() - unit.len());
                frame.push('(');
            }
            numbers.push(number * behind.or(before).map_or(1.0, |(_, factor)| *factor));
            frame.push('#');
        } else {
            frame.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    (frame, numbers)
}

/// A unit that stands for one of itself: `time.Second`, also with the number behind it.
fn alone(text: &str) -> Option<(f64, usize)> {
    let (unit, factor) = BEHIND.iter().find(|(unit, _)| text.starts_with(&unit[1..]))?;
    let length = unit.len() - 1;
    let rest = &text[length..];
    let Some(number) = rest.strip_prefix('*') else {
        return (!rest.starts_with(|c: char| c.is_alphanumeric())).then_some((*factor, length));
    };
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    Some((factor * number[..end].parse::<f64>().ok()?, length + 1 + end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_compared_in_one_unit() {
        for (code, found) in [
            ("f(30*time.Second,x1)", vec![30_000.0]),
            ("f(time.Second,10*time.Millisecond)", vec![1_000.0, 10.0]),
            ("Duration::from_secs(3)", vec![3_000.0]),
            ("Duration.ofMillis(1_500)", vec![1_500.0]),
            ("this.timeout(2000);", vec![2_000.0]),
        ] {
            assert_eq!(durations(code).1, found, "{code}");
        }
        assert_eq!(durations("Duration::from_secs(3)").0, durations("Duration::from_millis(3)").0);
        assert_eq!(durations("f(time.Second)").0, durations("f(5*time.Second)").0);
    }
}
