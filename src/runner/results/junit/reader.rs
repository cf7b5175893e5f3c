//! The XML of a JUnit report as a list of test cases, without any opinion on their names.
//!
//! Refuses document types and their entities, files that end before their root does, and nesting that no runner
//! writes. Totals are never read.

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

use crate::runner::results::limits::{MESSAGE, NAME, STACK, cut};
use crate::text::plain;

/// Larger reports hold the output of a program, not results.
const LARGEST: usize = 128 * 1024 * 1024;
const DEEPEST: usize = 64;

/// Everything in one report.
#[derive(Debug, Default)]
pub struct Document {
    pub cases: Vec<Case>,
    /// Failures and errors that stand beside the test cases.
    pub loose: Vec<Trouble>,
}

#[derive(Debug, Default)]
pub struct Case {
    /// Names of the enclosing test suites, outermost first.
    pub suites: Vec<String>,
    pub class: String,
    pub name: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub duration_ms: Option<u64>,
    pub troubles: Vec<Trouble>,
}

#[derive(Debug)]
pub struct Trouble {
    pub sort: Sort,
    /// The attribute `type`.
    pub kind: String,
    pub message: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Failure,
    Error,
    Skipped,
}

/// What is open around the reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Suites,
    Suite,
    Case,
    Trouble,
    Other,
}

pub fn document(bytes: &[u8]) -> Result<Document, String> {
    if bytes.len() > LARGEST {
        return Err(format!("the report is larger than {} MB", LARGEST / 1024 / 1024));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("the report is not UTF-8".to_owned());
    }
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().expand_empty_elements = true;
    let mut state = State::default();
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return state.finish(),
            Ok(event) => state.take(event)?,
            Err(error) => {
                return Err(format!("not well-formed at byte {}: {error}", reader.error_position()));
            }
        }
    }
}

#[derive(Default)]
struct State {
    open: Vec<Open>,
    suites: Vec<String>,
    case: Option<Case>,
    trouble: Option<Trouble>,
    rooted: bool,
    done: Document,
}

impl State {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(start) => self.start(&start),
            Event::End(_) => {
                self.end();
                Ok(())
            }
            Event::Text(text) => self.text(&text.xml10_content()),
            Event::CData(text) => self.text(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().unwrap_or(Some(char::REPLACEMENT_CHARACTER));
                let mut buffer = [0; 4];
                match character.map(|c| &*c.encode_utf8(&mut buffer)) {
                    Some(text) => self.text(text),
                    None => match resolve_predefined_entity(&reference.xml10_content()) {
                        Some(text) => self.text(text),
                        None => Err("it uses an entity that XML does not define".to_owned()),
                    },
                }
            }
            Event::DocType(_) => Err("it has a document type, which no runner writes".to_owned()),
            _ => Ok(()),
        }
    }

    fn start(&mut self, element: &BytesStart<'_>) -> Result<(), String> {
        if self.open.len() >= DEEPEST {
            return Err(format!("more than {DEEPEST} elements are open at once"));
        }
        let name = element.local_name();
        let sort = self.sort(name.into_inner());
        if self.open.is_empty() {
            if self.rooted || !matches!(sort, Open::Suites | Open::Suite) {
                return Err("its root is no test suite".to_owned());
            }
            self.rooted = true;
        }
        match sort {
            Open::Suite => self.suites.push(Attributes::of(element)?.name),
            Open::Case => self.case = Some(self.new_case(Attributes::of(element)?)),
            Open::Trouble => self.trouble = trouble(name.into_inner(), Attributes::of(element)?),
            Open::Suites | Open::Other => (),
        }
        self.open.push(sort);
        Ok(())
    }

    fn sort(&self, name: &str) -> Open {
        match (self.open.last(), name) {
            (None | Some(Open::Suites), "testsuites") => Open::Suites,
            (None | Some(Open::Suites | Open::Suite), "testsuite") => Open::Suite,
            (Some(Open::Suites | Open::Suite), "testcase") => Open::Case,
            (Some(Open::Case), "failure" | "error" | "skipped") => Open::Trouble,
            (Some(Open::Suites | Open::Suite), "failure" | "error") => Open::Trouble,
            _ => Open::Other,
        }
    }

    fn new_case(&self, read: Attributes) -> Case {
        let mut case = Case {
            suites: self.suites.clone(),
            class: read.class,
            name: read.name,
            file: read.file.filter(|file| !file.is_empty()),
            line: read.line,
            duration_ms: read.duration_ms,
            troubles: Vec::new(),
        };
        if read.not_run {
            case.troubles.push(Trouble {
                sort: Sort::Skipped,
                kind: String::new(),
                message: String::new(),
                text: String::new(),
            });
        }
        case
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        match (self.open.last(), &mut self.trouble) {
            (Some(Open::Trouble), Some(trouble)) => {
                let room = STACK.saturating_sub(trouble.text.len());
                trouble.text.push_str(cut(text, room));
            }
            (None, _) if !text.trim().is_empty() => return Err("it has text outside of its root".to_owned()),
            _ => (),
        }
        Ok(())
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(Open::Suite) => {
                self.suites.pop();
            }
            Some(Open::Case) => self.done.cases.extend(self.case.take()),
            Some(Open::Trouble) => {
                let ended =
                    self.trouble.take().map(|trouble| Trouble { text: plain(&trouble.text), ..trouble });
                match &mut self.case {
                    Some(case) => case.troubles.extend(ended),
                    None => self.done.loose.extend(ended),
                }
            }
            _ => (),
        }
    }

    fn finish(self) -> Result<Document, String> {
        if !self.open.is_empty() {
            return Err("it ends before its root element does: the run did not finish writing it".to_owned());
        }
        if !self.rooted {
            return Err("it is empty".to_owned());
        }
        Ok(self.done)
    }
}

fn trouble(element: &str, read: Attributes) -> Option<Trouble> {
    let sort = match element {
        "failure" => Sort::Failure,
        "error" => Sort::Error,
        _ => Sort::Skipped,
    };
    Some(Trouble { sort, kind: read.kind, message: read.message, text: String::new() })
}

/// The attributes that mean something, of whichever element.
#[derive(Default)]
struct Attributes {
    name: String,
    class: String,
    kind: String,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    duration_ms: Option<u64>,
    not_run: bool,
}

impl Attributes {
    fn of(element: &BytesStart<'_>) -> Result<Self, String> {
        let mut read = Self::default();
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| format!("an attribute cannot be read: {error}"))?;
            let raw = &attribute.value;
            match attribute.key.local_name().into_inner() {
                "name" => read.name = value(raw, NAME)?,
                "classname" => read.class = value(raw, NAME)?,
                "type" => read.kind = value(raw, NAME)?,
                "message" => read.message = value(raw, MESSAGE)?,
                "file" => read.file = Some(value(raw, NAME)?),
                "line" => read.line = raw.parse().ok(),
                "time" => read.duration_ms = milliseconds(raw),
                "status" | "result" => {
                    read.not_run = matches!(&**raw, "notrun" | "disabled" | "skipped" | "ignored")
                }
                _ => (),
            }
        }
        Ok(read)
    }
}

/// Line breaks are kept, which XML would make spaces: some tools forget to escape those of a message.
fn value(raw: &str, most: usize) -> Result<String, String> {
    // One character takes at most ten bytes when escaped.
    let mut raw = cut(raw, most.saturating_mul(10));
    if let Some(at) = raw.rfind('&').filter(|at| !raw[*at..].contains(';')) {
        raw = &raw[..at];
    }
    let value = unescape(raw).map_err(|error| format!("an attribute cannot be read: {error}"))?;
    Ok(cut(&plain(&value), most).to_owned())
}

/// Seconds; surefire separates thousands with commas.
fn milliseconds(seconds: &str) -> Option<u64> {
    let seconds: f64 = seconds.trim().replace(',', "").parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then(|| (seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        document(text.as_bytes()).map(|read| format!("{} cases", read.cases.len())).unwrap_err()
    }

    #[test]
    fn a_cut_file_is_an_error_wherever_it_is_cut() {
        let whole = "<testsuites><testsuite name='a'><testcase name='x'/></testsuite></testsuites>";
        assert_eq!(document(whole.as_bytes()).unwrap().cases.len(), 1);
        for end in 0..whole.len() {
            assert!(document(&whole.as_bytes()[..end]).is_err(), "{}", &whole[..end]);
        }
    }

    #[test]
    fn what_no_runner_writes_is_refused() {
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><testsuite><testcase name='&b;'/></testsuite>";
        assert!(error(bomb).contains("document type"));
        assert!(
            error("<testsuite><testcase name='x'><failure>&b;</failure></testcase></testsuite>")
                .contains("entity")
        );
        assert!(error("<html/>").contains("no test suite"));
        assert!(error("<testsuite/><testsuite/>").contains("no test suite"));
        assert!(error("<testsuite/>x").contains("outside"));
        assert!(error("").contains("empty"));
        assert!(error(&"<testsuite>".repeat(1000)).contains("at once"));
    }

    #[test]
    fn long_values_are_cut() {
        let text = format!("<testsuite><testcase name='{}'/></testsuite>", "&#233;".repeat(100_000));
        let name = &document(text.as_bytes()).unwrap().cases[0].name;
        assert!(name.len() <= NAME && name.chars().all(|c| c == 'é'));
    }

    #[test]
    fn durations_read_with_separators() {
        assert_eq!(milliseconds("1,234.5"), Some(1_234_500));
        assert_eq!(milliseconds("0.001"), Some(1));
        assert_eq!(milliseconds("NaN"), None);
        assert_eq!(milliseconds("-1"), None);
    }
}
