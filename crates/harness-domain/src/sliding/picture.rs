//! Draws a board, and the layout after each move of an answer. It cannot tell whether the moves are the fewest.

use super::answer::{Answer, BLANK};
use super::board::{Board, ParseError, Piece};
use super::judge::{self, MOST_CELLS};
use super::layout::Layout;
use crate::Flaw;
use crate::picture::{Picture, Svg, View, look};

/// The layouts, beginning with the start, each with the move that led to it.
struct BoardPicture {
    rows: usize,
    columns: usize,
    layouts: Vec<(String, Vec<(char, Piece)>)>,
}

/// The picture of a board, with the moves of an answer as a program prints it.
pub(super) fn view(input: &[u8], answer: Option<&[u8]>) -> View {
    let flaw = |line, message| Flaw { line, column: None, message };
    let broken = |flaw| View { input_flaws: vec![flaw], answer_flaws: Vec::new(), picture: None };
    let board = match Board::read(input) {
        Ok(board) if board.rows > 0 && board.columns > 0 && board.area() <= MOST_CELLS => board,
        Ok(_) => return broken(flaw(Some(1), "a grid of this size cannot be drawn".to_owned())),
        Err(ParseError { line, problem }) => return broken(flaw(Some(line), problem)),
    };
    let answer = answer.map(|answer| Answer::read(&String::from_utf8_lossy(answer), &board));
    let start = answer
        .as_ref()
        .and_then(|answer| answer.grids().next().map(|(_, grid)| grid.clone()))
        .unwrap_or_default();
    let mut layout = Layout::new(&board, &start);
    let mut layouts = vec![("start".to_owned(), layout.pieces.clone())];
    let mut answer_flaws = Vec::new();
    for (number, (line, listed)) in (1..).zip(answer.iter().flat_map(Answer::moves)) {
        let step = listed.step;
        match layout.apply(step) {
            Ok(()) => {
                let caption =
                    format!("{number}. {} {} {}", step.piece, step.direction.name(), step.spaces);
                layouts.push((caption, layout.pieces.clone()));
            }
            Err(fault) => answer_flaws.push(flaw(line, format!("move {number} {fault}"))),
        }
    }
    if let Some(answer) = answer.filter(|_| answer_flaws.is_empty()) {
        answer_flaws.extend(judge::inconsistency(input, &board, &answer));
    }
    let picture =
        BoardPicture { rows: cells_of(board.rows), columns: cells_of(board.columns), layouts };
    View { input_flaws: Vec::new(), answer_flaws, picture: Some(Box::new(picture)) }
}

impl Picture for BoardPicture {
    fn steps(&self) -> usize {
        self.layouts.len() - 1
    }

    fn text(&self, step: usize) -> String {
        let (caption, pieces) = &self.layouts[step.min(self.steps())];
        let mut cells = vec![BLANK; self.rows * self.columns];
        for (name, piece) in pieces {
            for row in piece.row..piece.row + piece.height {
                let first = (cells_of(row) - 1) * self.columns + cells_of(piece.column) - 1;
                cells[first..first + cells_of(piece.width)].fill(*name);
            }
        }
        let edge = "──".repeat(self.columns);
        let mut text = format!("┌─{edge}┐\n");
        for row in cells.chunks(self.columns) {
            text.push_str("│ ");
            row.iter().for_each(|&cell| text.extend([if cell == BLANK { '·' } else { cell }, ' ']));
            text.push_str("│\n");
        }
        text + &format!("└─{edge}┘\n{caption}\n")
    }

    /// The layouts side by side, in rows.
    fn svg(&self) -> String {
        const CELL: usize = 32;
        const GAP: usize = 16;
        const CAPTION: usize = 20;
        const ACROSS: usize = 4;
        let (width, height) = (self.columns * CELL + GAP, self.rows * CELL + GAP + CAPTION);
        let across = self.layouts.len().min(ACROSS);
        let mut svg =
            Svg::new(across * width + GAP, self.layouts.len().div_ceil(across) * height + GAP);
        for (at, (caption, pieces)) in self.layouts.iter().enumerate() {
            let (left, top) = (GAP + at % across * width, GAP + at / across * height);
            svg.rectangle(
                (left, top),
                (self.columns * CELL, self.rows * CELL),
                "class=\"board\" fill=\"#eceff3\" stroke=\"#3c424b\" stroke-width=\"2\"",
            );
            for (number, (name, piece)) in pieces.iter().enumerate() {
                let corner = (
                    left + (cells_of(piece.column) - 1) * CELL + 2,
                    top + (cells_of(piece.row) - 1) * CELL + 2,
                );
                let (wide, high) =
                    (cells_of(piece.width) * CELL - 4, cells_of(piece.height) * CELL - 4);
                svg.rectangle(corner, (wide, high), &format!("rx=\"5\" fill=\"{}\"", hue(number)));
                let middle = (corner.0 + wide / 2, corner.1 + high / 2);
                svg.text(
                    (middle.0, middle.1 - 5),
                    &name.to_string(),
                    "font-size=\"14\" font-weight=\"bold\" fill=\"#fff\"",
                );
                svg.text(
                    (middle.0, middle.1 + 8),
                    ways(piece.direction),
                    "font-size=\"10\" fill=\"#fff\"",
                );
            }
            svg.text(
                (left + self.columns * CELL / 2, top + self.rows * CELL + CAPTION / 2 + 2),
                caption,
                look::CAPTION,
            );
        }
        svg.finish()
    }
}

/// A length on the grid. It is not negative, because the piece is valid.
fn cells_of(length: i32) -> usize {
    length.unsigned_abs() as usize
}

/// The directions in which a piece may move.
fn ways(direction: u8) -> &'static str {
    match direction {
        b'h' => "↔",
        b'v' => "↕",
        b'b' => "↔↕",
        _ => "",
    }
}

/// Red for the goal piece, and a different hue for each other piece.
fn hue(number: usize) -> String {
    // Steps of the golden angle make consecutive hues differ. Only the goal piece has full saturation.
    const GOLDEN: usize = 137;
    if number == 0 {
        "#d43d3d".to_owned()
    } else {
        format!("hsl({}, 35%, 48%)", (70 + number * GOLDEN) % 360)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &[u8] = b"3 2\n2 1 1 1 h\n2 2 1 1 v\n";
    const ANSWER: &str = "****\n*  *\n*Z1*\n*  *\n****\n1. Piece 1 up 1 space\n2. Piece Z right 1 space\n****\n*.1*\n*.Z*\n*..*\n****\n";

    #[test]
    fn each_move_has_its_layout() {
        let view = view(BOARD, Some(ANSWER.as_bytes()));
        assert!(view.answer_flaws.is_empty());
        let picture = view.picture.unwrap();
        assert_eq!(picture.steps(), 2);
        assert_eq!(picture.text(1), "┌─────┐\n│ · 1 │\n│ Z · │\n│ · · │\n└─────┘\n1. 1 up 1\n");
        // The background, and for each of three layouts the grid and two pieces.
        assert_eq!(picture.svg().matches("<rect").count(), 1 + 3 * 3);
    }

    #[test]
    fn every_impossible_move_is_reported() {
        let answer = ANSWER.replace("1 up 1", "1 up 2").replace("Z right", "3 right");
        let flaws: Vec<_> = view(BOARD, Some(answer.as_bytes()))
            .answer_flaws
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            flaws,
            [
                "line 6: move 1 takes piece 1 up off the grid at space 2",
                "line 7: move 2 is of piece 3, which does not exist",
            ]
        );
    }

    #[test]
    fn a_board_without_solution_is_drawn_as_it_starts() {
        let view =
            view(BOARD, Some(b"****\n*..*\n*Z1*\n*..*\n****\nThe puzzle is not solvable.\n"));
        assert!(view.answer_flaws.is_empty() && view.picture.unwrap().steps() == 0);
    }
}
