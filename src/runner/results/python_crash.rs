//! What the Python interpreter says when it crashes.

use super::Failure;
use super::frames::innermost;

/// `Fatal Python error: Segmentation fault`, with the frames below it, innermost first.
pub fn read(text: &str) -> Option<Failure> {
    let start = text.find("Fatal Python error: ")?;
    let text = &text[start..];
    let message = text.lines().next()?.strip_prefix("Fatal Python error: ")?.to_owned();
    let frames = text.lines().map(str::trim).filter_map(|line| {
        let (place, function) = line.strip_prefix("File ")?.rsplit_once(" in ")?;
        innermost(&format!("File {place}, in {function}"))
    });
    let location = frames.into_iter().next();
    let stack: Vec<&str> = text.lines().take(30).collect();
    Some(Failure {
        kind: "crash".into(),
        message,
        location,
        stack: Some(stack.join("\n")),
        ..Failure::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_own_frame_is_the_place() {
        let text = "x\nFatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n  File \"/usr/lib/python3.11/ctypes.py\", line 9 in call\n  File \"/project/test_a.py\", line 3 in test_crash\n  File \"/project/run.py\", line 1 in main\n";
        let crash = read(text).unwrap();
        assert_eq!(crash.message, "Segmentation fault");
        let place = crash.location.unwrap();
        assert_eq!(
            (place.file.as_str(), place.line, place.function.as_deref()),
            ("/project/test_a.py", Some(3), Some("test_crash"))
        );
    }
}
