//! Reads an answer as a program prints it into parts: grids, moves and other text, each with its line. Any wording and layout will do.
//! `judge` decides whether the answer is right.

use super::board::{Board, NAMES};
use super::frame::{self, Shape};
use super::moves::{self, Line, Listed};
use super::path::without_paths;
use super::statement;

/// The parts of an answer, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) parts: Vec<Part>,
    has_grid: bool,
}

/// A part of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its first line, from 1. `None` on a page.
    pub(super) line: Option<usize>,
    pub(super) content: Content,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    Grid(Grid),
    Move(Listed),
    /// Any other line, without the paths in it.
    Text(String),
    /// A line that names a direction but cannot be read as a move.
    Unclear(String),
}

/// Rows of cells: names, or [`BLANK`].
pub(super) type Grid = Vec<Vec<char>>;

/// A cell without a piece.
pub(super) const BLANK: char = '.';

impl Answer {
    /// The answer on standard output.
    pub(super) fn read(text: &str, board: &Board) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let names = names(board);
        let shape = Shape::of(board, &names);
        let mut answer = Self::default();
        let mut at = 0;
        while at < lines.len() {
            if let Some((grid, length)) = frame::grid(&lines[at..], &shape) {
                answer.push(Some(at + 1), Content::Grid(grid));
                at += length;
            } else {
                answer.take_line(Some(at + 1), lines[at], &names);
                at += 1;
            }
        }
        answer
    }

    pub(super) fn push(&mut self, line: Option<usize>, content: Content) {
        self.has_grid |= matches!(content, Content::Grid(_));
        self.parts.push(Part { line, content });
    }

    /// Adds a line of text. Lines before the first grid are messages, so only later ones can be moves.
    pub(super) fn take_line(&mut self, number: Option<usize>, line: &str, names: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let text = without_paths(line);
        if !self.has_grid {
            return self.push(number, Content::Text(text));
        }
        match moves::read(&text, names) {
            Line::Moves(listed) => {
                listed.into_iter().for_each(|step| self.push(number, Content::Move(step)));
            }
            Line::Unclear => self.push(number, Content::Unclear(text)),
            Line::Other => self.push(number, Content::Text(text)),
        }
    }

    /// The grids, each with its first line.
    pub(super) fn grids(&self) -> impl Iterator<Item = (Option<usize>, &Grid)> {
        self.parts.iter().filter_map(|part| match &part.content {
            Content::Grid(grid) => Some((part.line, grid)),
            _ => None,
        })
    }

    /// The moves, each with its line.
    pub(super) fn moves(&self) -> impl Iterator<Item = (Option<usize>, Listed)> {
        self.parts.iter().filter_map(|part| match part.content {
            Content::Move(listed) => Some((part.line, listed)),
            _ => None,
        })
    }

    /// The number of moves of the solution that it shows: moves, or a second grid. `None` if it shows no solution.
    pub(super) fn solution(&self) -> Option<usize> {
        let count = self.moves().count();
        (count > 0 || self.grids().nth(1).is_some()).then_some(count)
    }

    /// The last line that is not blank.
    pub(super) fn last_line(&self) -> Option<usize> {
        self.parts.last().and_then(|part| part.line)
    }

    /// The lines before the first grid.
    pub(super) fn messages(&self) -> impl Iterator<Item = (Option<usize>, &str)> {
        self.parts.iter().map_while(Part::text)
    }

    /// The line after the first grid that says that there is no solution, and its text.
    pub(super) fn denial(&self) -> Option<(Option<usize>, &str)> {
        let behind = self.parts.iter().skip_while(|part| part.text().is_some());
        let lines: Vec<_> = behind.filter_map(Part::text).collect();
        let texts: Vec<_> = lines.iter().map(|(_, text)| *text).collect();
        statement::denial(&texts).map(|at| lines[at])
    }
}

impl Part {
    /// Its line and its text, unless it is a grid or a move.
    pub(super) fn text(&self) -> Option<(Option<usize>, &str)> {
        match &self.content {
            Content::Text(text) | Content::Unclear(text) => Some((self.line, text)),
            Content::Grid(_) | Content::Move(_) => None,
        }
    }
}

/// The names that the specification gives to the valid pieces. A program chooses the names of further pieces.
pub(super) fn names(board: &Board) -> String {
    NAMES.chars().take(board.valid().len()).collect()
}

/// Whether a character means a cell without a piece.
pub(super) fn is_blank(cell: char) -> bool {
    cell.is_whitespace() || matches!(cell, BLANK | '_' | '-' | '·')
}

/// A line, cut to be quoted in a message.
pub(super) fn shortened(line: &str) -> String {
    const MOST: usize = 40;
    let shown: String = line.chars().take(MOST).collect();
    if shown.len() < line.len() { shown + "…" } else { shown }
}
