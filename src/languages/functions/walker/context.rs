//! Where an exit stands: what decides whether it is reached, and which handler it is part of.

use std::ops::Range;

use tree_sitter::Node;

use super::super::collector::Collector;
use super::super::names;
use super::super::shape::head;
use super::{Frame, FrameKind, MAX_DEPTH, Walker};
use crate::facts::{Context, Decider, Exit, ExitKind, Span};
use crate::languages::{line_of, span_of};

/// `return false;` is no longer than this.
const NO: usize = 16;

/// The part of an `if` in which a place stands.
#[derive(PartialEq, Eq)]
enum Arm {
    Condition,
    Then,
    Otherwise,
}

impl Walker<'_> {
    pub(super) fn exit(&mut self, node: Node<'_>, kind: ExitKind) {
        self.at = node.start_byte();
        if self.in_condition() {
            return;
        }
        if kind == ExitKind::Default {
            self.settled = Some(node.id());
        }
        let kind = if kind == ExitKind::Default && self.denies(node) { ExitKind::Denies } else { kind };
        self.collect(|collector| match kind {
            ExitKind::Fails | ExitKind::Notes => collector.fails = true,
            ExitKind::Default | ExitKind::Denies => collector.defaults += 1,
            ExitKind::Continue => collector.passes += 1,
        });
        let (context, condition, span) = self.context();
        let condition = self.line_of_text(condition);
        self.exit_in(node, kind, context, condition, span.unwrap_or_else(|| span_of(node)));
    }

    /// Whether a function that decides says no here.
    fn denies(&self, node: Node<'_>) -> bool {
        let given = head(&self.source, node.byte_range(), NO);
        let given = given.trim_start_matches("return").trim().trim_end_matches(';');
        let function = &self.functions[self.open.last().copied().unwrap_or_default()];
        matches!(given, "false" | "False") && names::decides(function.short_name())
    }

    pub(super) fn exit_in(
        &mut self,
        node: Node<'_>,
        kind: ExitKind,
        context: Context,
        condition: String,
        span: Span,
    ) {
        let text = self.line_of_text(node.byte_range());
        let deciders = self.deciders(node);
        self.function().exits.push(Exit {
            line: line_of(node),
            kind,
            text,
            context,
            condition,
            span,
            deciders,
        });
    }

    /// All conditions around a node, the outermost first.
    fn deciders(&self, node: Node<'_>) -> Vec<Decider> {
        let of = |frame: &Frame| match &frame.kind {
            FrameKind::If { condition, then, span: _ } => match arm_of(&frame.kind, self.at)? {
                Arm::Condition => None,
                Arm::Then => {
                    Some(Decider { condition: condition.clone(), holds: true, branch: then.clone() })
                }
                Arm::Otherwise => {
                    let branch = then.end..node.end_byte().max(then.end);
                    Some(Decider { condition: condition.clone(), holds: false, branch })
                }
            },
            FrameKind::Case { pattern, .. } => {
                let branch = pattern.end..node.end_byte().max(pattern.end);
                Some(Decider { condition: pattern.clone(), holds: true, branch })
            }
            _ => None,
        };
        let mut deciders: Vec<Decider> = self.around().filter_map(of).collect();
        deciders.reverse();
        deciders
    }

    /// What is around the current point in the same function, innermost first.
    fn around(&self) -> impl Iterator<Item = &Frame> {
        let inside = |frame: &&Frame| !matches!(frame.kind, FrameKind::Function(_));
        self.frames.iter().rev().take(MAX_DEPTH).take_while(inside)
    }

    /// Whether the current point only answers the question of an `if`.
    pub(super) fn in_condition(&self) -> bool {
        self.around().next().is_some_and(|frame| arm_of(&frame.kind, self.at) == Some(Arm::Condition))
    }

    /// What decides whether the current point is reached, as bytes, with the lines of the branch.
    pub(super) fn context(&self) -> (Context, Range<usize>, Option<Span>) {
        let mut found: Option<(Context, Range<usize>, Span)> = None;
        let (mut handled, mut within) = (false, Context::Open);
        for frame in self.around() {
            if is_handler_at(frame, self.at) {
                handled = true;
                break;
            }
            match &frame.kind {
                FrameKind::If { condition, span, .. } => {
                    let otherwise = arm_of(&frame.kind, self.at) == Some(Arm::Otherwise);
                    let context = if otherwise { Context::Otherwise } else { Context::Branch };
                    found.get_or_insert((context, condition.clone(), *span));
                }
                FrameKind::Case { pattern, span } => {
                    found.get_or_insert((Context::Case, pattern.clone(), *span));
                }
                FrameKind::Closure(_) => within = Context::Callback,
                _ => {}
            }
        }
        let (context, condition, span) =
            found.map_or((within, 0..0, None), |(context, range, span)| (context, range, Some(span)));
        (if handled { Context::Handler } else { context }, condition, span)
    }

    /// Whether something decides whether the current point is reached.
    pub(super) fn is_conditional(&self) -> bool {
        !matches!(self.context().0, Context::Open | Context::Callback)
    }

    /// Tells the innermost handler what stands in it.
    pub(super) fn collect(&mut self, note: impl FnOnce(&mut Collector)) {
        let at = self.at;
        let frames = self.frames.iter_mut().rev().take(MAX_DEPTH);
        let mut inside = frames.take_while(|frame| !matches!(frame.kind, FrameKind::Function(_)));
        let handler = inside.find(|frame| is_handler_at(frame, at)).and_then(|frame| frame.handler.as_mut());
        if let Some((collector, _)) = handler {
            note(collector);
        }
    }
}

/// Whether a place is in the part of a frame that handles errors.
fn is_handler_at(frame: &Frame, at: usize) -> bool {
    let arm = arm_of(&frame.kind, at);
    frame.handler.is_some() && arm.is_none_or(|arm| arm == Arm::Then)
}

fn arm_of(kind: &FrameKind, at: usize) -> Option<Arm> {
    let FrameKind::If { then, .. } = kind else { return None };
    Some(if at < then.start {
        Arm::Condition
    } else if at < then.end {
        Arm::Then
    } else {
        Arm::Otherwise
    })
}
