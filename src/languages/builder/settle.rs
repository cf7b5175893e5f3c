//! What only the whole file can tell: inherited skips, focus, and what is outside production code.

use std::ops::Range;

use super::{Builder, Draft, Spoken, strengthen};
use crate::facts::{
    Assertion, Comment, Definition, FileFacts, Health, Level, MacroTest, Scope, SharedUse, Skip, SkipKind,
    Span,
};
use crate::languages::run_lists;
use crate::languages::shared::Use;
use crate::similarity::{Body, Words};
use crate::text::contains;

impl Builder<'_> {
    pub(in crate::languages) fn finish(
        mut self,
        language: &'static str,
        health: Health,
    ) -> (FileFacts, Vec<Spoken>) {
        let focus = self.focus_skip();
        self.collection.focused = focus.as_ref().map(|focus| focus.line);
        self.collection.ends = run_lists::ends(self.source.text, &self.comment_ranges);
        self.collection.registered = run_lists::registered(self.source.text, &self.comment_ranges);
        let outside_production = self.outside_production();
        let drafts = std::mem::take(&mut self.drafts);
        let sharing = std::mem::take(&mut self.sharing);
        let shared = sharing.settle(&self.definitions, drafts.iter().filter_map(|draft| draft.function));
        let (mut tests, mut macro_tests) = (Vec::new(), Vec::new());
        let is_made = drafts.iter().any(|draft| draft.written_on.is_some());
        let mut in_macros = InMacros::of(if is_made { &self.definitions } else { &[] });
        for mut draft in drafts {
            self.settle_skip(&mut draft, focus.as_ref());
            if let Some(lines) = draft.written_on {
                draft.test.assertions.extend(in_macros.on(lines));
            }
            if draft.test.level == Level::Definition && shared.runs_elsewhere(draft.function) {
                draft.test.level = Level::Template;
            }
            match draft.macro_name {
                Some(name) if !self.test_macros.contains(&name) => {
                    macro_tests.push(MacroTest { macro_name: name, test: draft.test });
                }
                _ => tests.push(draft.test),
            }
        }
        let shared_uses = shared.uses.into_iter().map(|used| self.shared(used, focus.as_ref())).collect();
        let block = |(span, range): &(Span, Range<usize>)| {
            let text = &self.source.text[range.clone()];
            Comment { span: *span, body: if is_prose(text) { Body::default() } else { code_of(text) } }
        };
        let facts = FileFacts {
            language,
            health,
            broken: Vec::new(),
            tests,
            definitions: self.definitions,
            comments: self.comments.iter().map(block).collect(),
            test_macros: self.test_macros,
            macro_tests,
            shared_functions: shared.functions,
            shared_uses,
            names: Words::names(self.source.text, &outside_production),
            functions: Vec::new(),
            packed: false,
            signals: crate::facts::Signals::default(),
            project: None,
            calls: Vec::new(),
            doubles: self.doubles,
            collection: self.collection,
            surroundings: None,
        };
        (facts, self.spoken)
    }

    /// Comments, tests, and the suites that hold tests, as sorted byte ranges.
    fn outside_production(&self) -> Vec<Range<usize>> {
        let suites = self.suites.iter().filter(|suite| suite.holds_tests).map(|suite| suite.whole.clone());
        let tests = self.drafts.iter().map(|draft| draft.whole.clone());
        let mut ranges: Vec<Range<usize>> =
            self.comment_ranges.iter().cloned().chain(suites).chain(tests).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges
    }

    /// The skip that a focused test or suite puts on all others.
    fn focus_skip(&self) -> Option<Skip> {
        let focused_test = self.drafts.iter().find(|draft| draft.focused).map(|draft| draft.test.line);
        let focused_suite = || {
            let inside = |draft: &&Draft| self.suite_chain(draft.suite).any(|suite| suite.focused);
            self.drafts.iter().find(inside).map(|draft| draft.test.line)
        };
        let line = focused_test.or_else(focused_suite)?;
        let mark = "another test of the file is focused".to_owned();
        Some(Skip { kind: SkipKind::Focus, scope: Scope::File, line, mark, reason: None, under: None })
    }

    fn settle_skip(&self, draft: &mut Draft, focus: Option<&Skip>) {
        let focus = focus.filter(|_| !draft.focused && draft.test.level == Level::Definition);
        self.inherit_skip(&mut draft.test.skip, draft.suite, focus);
        let around = self.suite_chain(draft.suite).flat_map(|suite| &suite.conditions);
        draft.test.conditions.extend(around.chain(&self.file_conditions).cloned());
    }

    /// Strengthens a skip by those of the suites around it, of the file, and by the focus of others.
    fn inherit_skip(&self, slot: &mut Option<Skip>, suite: Option<usize>, focus: Option<&Skip>) {
        let inherited = self.suite_chain(suite).filter_map(|suite| suite.skip.as_ref());
        for skip in inherited.chain(&self.file_skip) {
            strengthen(slot, skip.clone());
        }
        if let Some(focus) = focus
            && !self.suite_chain(suite).any(|suite| suite.focused)
        {
            strengthen(slot, focus.clone());
        }
    }

    fn shared(&self, used: Use, focus: Option<&Skip>) -> SharedUse {
        let mut skip = None;
        self.inherit_skip(&mut skip, used.suite, focus);
        let Use { module, function, span, path, .. } = used;
        SharedUse { module, function, span, suite: path, skip }
    }
}

/// So many assertions of macros are told again as those of the tests that they make.
const FROM_MACROS: usize = 16_384;

/// What definitions assert, for the tests that a macro makes of it.
struct InMacros {
    /// In the order of lines.
    all: Vec<Assertion>,
    left: usize,
}

impl InMacros {
    fn of(definitions: &[Definition]) -> Self {
        let mut all: Vec<Assertion> = definitions.iter().flat_map(|one| &one.assertions).cloned().collect();
        all.sort_by_key(|one| one.line);
        Self { all, left: FROM_MACROS }
    }

    fn on(&mut self, lines: Span) -> Vec<Assertion> {
        let from = self.all.partition_point(|one| one.line < lines.start);
        let inside = self.all[from..].iter().take_while(|one| one.line <= lines.end);
        let found: Vec<Assertion> = inside.take(self.left).cloned().collect();
        self.left -= found.len();
        found
    }
}

/// Documentation that shows no code. There is much of it, and to take it apart takes its time.
fn is_prose(comment: &[u8]) -> bool {
    let documents = comment.starts_with(b"///") || comment.starts_with(b"//!");
    documents && ![&b"fn "[..], b"assert"].iter().any(|code| contains(comment, code))
}

/// The code that a comment may once have been.
fn code_of(comment: &[u8]) -> Body {
    let code = without_markers(comment);
    Body::of(&code, 0..code.len(), &[])
}

/// A comment as the code it may once have been: the markers at both ends of each line taken off.
fn without_markers(comment: &[u8]) -> Vec<u8> {
    let marker =
        |byte: u8| matches!(byte, b'/' | b'#' | b'*' | b'!' | b'"' | b'\'') || byte.is_ascii_whitespace();
    let mut code = Vec::with_capacity(comment.len());
    for line in comment.split(|&byte| byte == b'\n') {
        let start = line.iter().take_while(|&&byte| marker(byte)).count();
        code.extend_from_slice(line[start..].strip_suffix(b"*/").unwrap_or(&line[start..]));
        code.push(b'\n');
    }
    code
}
