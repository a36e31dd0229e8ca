//! Decides whether an answer is right. Any shortest solution is, if everything else in the answer is true. The judge replays the moves
//! on the board. It takes only the number of moves from the reference.

use super::answer::Answer;
use super::board::Board;
use super::layout::Layout;
use super::messages::{self, Discarded};
use super::{BOARD, PAGE, page, solution};
use crate::Flaw;
use std::borrow::Cow;
use subject::{Case, How, Outcome};

/// What is known of the right answers to a case.
pub(super) struct Right<'a> {
    reference: &'a Outcome,
    /// `None` if there is no board to replay moves on.
    on_board: Option<OnBoard>,
}

struct OnBoard {
    board: Board,
    /// The discarded pieces, each of which needs a message.
    due: Vec<Discarded>,
    /// The number of moves of a shortest solution. `None` if there is no solution.
    enough: Option<usize>,
}

impl<'a> Right<'a> {
    /// Reads the board, and the reference's answer, which is right.
    pub(super) fn read(case: &Case, reference: &'a Outcome) -> Self {
        let on_board = |input: &Vec<u8>| {
            let board = Board::read(input).ok().filter(|board| board.area() <= MOST_CELLS)?;
            let right = Answer::read(&text(&reference.stdout), &board);
            let due = messages::discarded(input, &board);
            Some(OnBoard { board, due, enough: right.solution() })
        };
        Self { reference, on_board: case.files.get(BOARD).and_then(on_board) }
    }

    /// What is wrong with the `mutant`'s output, if anything. Both programs exited with status 0.
    pub(super) fn wrong(&self, mutant: &Outcome) -> Option<Flaw> {
        let reference = self.reference;
        let Some(OnBoard { board, due, enough }) = &self.on_board else {
            let how = How::between(reference, mutant);
            return how.map(|_| Flaw::whole("the output differs from the reference's"));
        };
        let outputs = [(&reference.stdout, &mutant.stdout)].into_iter();
        let pages = reference.files.get(PAGE).zip(mutant.files.get(PAGE));
        if outputs.chain(pages).any(|(right, output)| output.len() > MOST_BYTES + 100 * right.len())
        {
            return Some(Flaw::whole("the output is far longer than an answer"));
        }
        let judge = |answer: &Answer| judge(answer, board, due, *enough);
        // What the reference prints is right.
        if mutant.stdout != reference.stdout
            && let Err(fault) = judge(&Answer::read(&text(&mutant.stdout), board))
        {
            return Some(fault);
        }
        let unasked = mutant.files.keys().find(|name| !reference.files.contains_key(*name));
        if let Some(right) = reference.files.get(PAGE) {
            let Some(html) = mutant.files.get(PAGE) else {
                let instead = unasked.map_or(String::new(), |name| format!(", but {name}"));
                return Some(Flaw::whole(format!("it does not write the page {PAGE}{instead}")));
            };
            if html != right
                && let Err(fault) = judge(&page::read(&text(html), board))
            {
                return Some(Flaw::whole(format!("in the page, {}", fault.message)));
            }
        }
        unasked.map(|name| Flaw::whole(format!("it writes a file that was not asked for: {name}")))
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// What is wrong with an answer if its own claim about the solution and the number of moves is believed.
pub(super) fn inconsistency(input: &[u8], board: &Board, answer: &Answer) -> Option<Flaw> {
    judge(answer, board, &messages::discarded(input, board), answer.solution()).err()
}

/// More cells than any course allows.
pub(super) const MOST_CELLS: usize = 1 << 16;

/// The most bytes that are read of an answer, beside a multiple of the reference's. A grid after each move takes less.
const MOST_BYTES: usize = 1 << 20;

/// Judges an answer that needs a message about each piece that is `due`. A shortest solution has `enough` moves, if there is one.
fn judge(
    answer: &Answer,
    board: &Board,
    due: &[Discarded],
    enough: Option<usize>,
) -> Result<(), Flaw> {
    let Some((line, start)) = answer.grids().next() else {
        return Err(Flaw::at(answer.last_line(), "there is no grid"));
    };
    let layout = Layout::new(board, start);
    let is_start = layout.is_shown_by(start);
    is_start.map_err(|fault| Flaw::at(line, format!("the grid at the start {fault}")))?;
    messages::check(answer.messages(), due, line)?;
    // Moves tell what an answer means. Without them only its words can.
    let denial = if answer.moves().next().is_none() { answer.denial() } else { None };
    let further = answer.grids().skip(1).map(|(line, _)| line);
    let shown = answer.moves().map(|(line, _)| line).chain(further).next();
    match (enough, denial, shown) {
        (Some(_), Some((line, _)), _) => {
            Err(Flaw::at(line, "it says that there is no solution, but there is one"))
        }
        (Some(enough), None, _) => solution::check(answer, layout, enough),
        (None, _, Some(line)) => Err(Flaw::at(line, "it shows a solution, but there is none")),
        (None, None, None) => {
            Err(Flaw::at(answer.last_line(), "it does not say that there is no solution"))
        }
        (None, Some(_), None) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
