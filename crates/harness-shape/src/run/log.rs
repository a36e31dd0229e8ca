//! Notes what changes of the choices of an input need to know: repetitions, letters, grids, graphs, and numbers that name something.

use super::{GraphMade, GridMade, LettersMade, Reference, Run, Span};
use crate::colour::Colours;
use crate::stream::Stream;
use crate::tree::Expr;
use crate::value::Value;

impl<'a, M: Stream> Run<'a, M> {
    /// The number of a list that begins.
    pub(crate) fn new_list(&mut self) -> usize {
        self.lists += 1;
        self.lists
    }

    /// Notes a repetition of a list that ends here.
    pub(crate) fn log_span(&mut self, start: usize, count: Option<usize>, list: usize) {
        if self.keeps_log {
            self.made.spans.push(Span { start, end: self.stream.choices(), count, list });
        }
    }

    /// Notes the letters of a text that was made since `start`, if each is a choice, after that of their number, or if another choice is
    /// that number.
    pub(super) fn log_letters(&mut self, start: usize, length: usize, count: Option<usize>) {
        let end = self.stream.choices();
        let before = end.checked_sub(length + 1).filter(|before| *before >= start);
        let count = before.or(count.filter(|_| end == start + length));
        if let (true, Some(count)) = (self.keeps_log, count) {
            let list = self.new_list();
            let letter = |at| Span { start: at, end: at + 1, count: Some(count), list };
            self.made.spans.extend((end - length..end).map(letter));
        }
    }

    /// Notes the colours of a row that begins at `start`.
    pub(crate) fn paint(&mut self, colours: &Colours, start: usize, row: &[u8]) {
        if self.keeps_log && !colours.is_empty() {
            let painted = (start..).zip(row);
            let painted = painted.filter_map(|(at, cell)| Some((at, *colours.get(cell)?)));
            self.made.painted.extend(painted);
        }
    }

    /// Notes the letters of a list that have counts.
    pub(super) fn log_counted(&mut self, letters: LettersMade) {
        if self.keeps_log {
            self.made.letters.push(letters);
        }
    }

    /// Notes that the number that was made last names one of as many things as a variable says, if the range ends accordingly.
    pub(super) fn log_reference(&mut self, least: &Value, most: (&'a Expr, &Value)) {
        let (Value::Small(first), Value::Small(last)) = (least, most.1) else { return };
        if let Some((to, number)) = self.counted_by(most.0)
            && last.checked_sub(*first).is_some_and(|last| last + 1 == number)
            && let Some(choice) = self.stream.choices().checked_sub(1)
        {
            self.made.references.push(Reference { choice, to });
        }
    }

    /// The choice of the one variable of an expression, and its value. `None` if nothing is noted.
    pub(crate) fn counted_by(&self, count: &Expr) -> Option<(usize, i64)> {
        let variable = count.only_variable().filter(|_| self.keeps_log)?;
        match &self.plain[variable.name] {
            Some((Value::Small(number), [origin, _])) => Some((origin.checked_sub(1)?, *number)),
            _ => None,
        }
    }

    pub(crate) fn log_graph(&mut self, graph: impl FnOnce() -> GraphMade) {
        if self.keeps_log {
            self.made.graphs.push(graph());
        }
    }

    pub(crate) fn log_grid(&mut self, grid: impl FnOnce() -> GridMade) {
        if self.keeps_log {
            self.made.grids.push(grid());
        }
    }
}
