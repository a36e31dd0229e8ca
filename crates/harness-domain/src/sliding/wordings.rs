//! Tests that right answers are accepted in random wordings, and that a single false statement in one is rejected.

mod solve;

use super::board::{Board, NAMES, Piece};
use super::judge::Right;
use super::layout::Layout;
use super::moves::{Direction, Move};
use super::random_boards::{Boards, KINDS};
use super::{BOARD, PAGE};
use fastrand::Rng;
use proptest::prelude::*;
use solve::{cells, solve};
use subject::{Case, End, Outcome};

/// The facts that an answer states.
#[derive(Clone)]
struct Told {
    board: Board,
    /// The line of each discarded piece, and the reason.
    discarded: Vec<(usize, &'static str)>,
    start: Vec<Vec<char>>,
    /// The number in the list, the move, and the grid after it. `None` without a solution.
    steps: Option<Vec<(usize, Move, Vec<Vec<char>>)>>,
    /// The stated number of moves.
    count: usize,
    end: Vec<Vec<char>>,
}

/// The wording and layout of an answer.
#[derive(Clone, Copy)]
struct Wording {
    seed: u64,
    frame: usize,
    is_spaced: bool,
    blank: char,
    shows_grids: bool,
    shows_count: bool,
    moves: usize,
}

impl Wording {
    fn draw(rng: &mut Rng) -> Self {
        let frame = rng.usize(..FRAMES.len());
        Self {
            seed: rng.u64(..),
            frame,
            is_spaced: rng.bool(),
            blank: if rng.bool() || FRAMES[frame].is_none() { '.' } else { ' ' },
            shows_grids: rng.bool(),
            shows_count: rng.bool(),
            moves: rng.usize(..14),
        }
    }
}

/// The characters of the corners, the upper border and the sides.
const FRAMES: [Option<(char, char, char)>; 6] = [
    Some(('*', '*', '*')),
    Some(('#', '#', '#')),
    Some(('+', '-', '|')),
    Some(('+', '=', '|')),
    Some(('─', '─', '│')),
    None,
];

const DENIALS: [&str; 16] = [
    "The puzzle is not solvable.",
    "impossible",
    "This puzzle is impossible!",
    "There is no way to solve it.",
    "NO valid solution",
    "No solution",
    "There is no solution to\nthis puzzle.",
    "The puzzle\ncannot be solved",
    "Unsolvable",
    "Sorry: this can't be solved.",
    "Solvable? No",
    "Solution: none",
    "A solution does not exist",
    "No sequence of moves reaches the goal",
    "Searched everything.\nThe goal piece can never reach the last column.",
    "It is not possible to solve this puzzle",
];

const NOTES: [&str; 5] = [
    "Moves:",
    "This cannot be solved in fewer moves.",
    "Solution:",
    "There is no shorter way to solve it.",
    "Searched 532 states in 0.25 seconds",
];

impl Told {
    fn text(&self, wording: Wording) -> String {
        let mut rng = Rng::with_seed(wording.seed);
        let mut text = [
            "",
            "Sliding Blocks\n",
            "Using data from board.data\n",
            "Using data from puzzle: /home/ann/outside/test-1.txt\n",
            "****************\n*Sliding Blocks*\n****************\n",
        ][rng.usize(..5)]
        .to_owned();
        for (line, why) in &self.discarded {
            text += &message(&self.board, *line, why, &mut rng);
        }
        text += ["", "Start:\n", "Initial grid:\n\n"][rng.usize(..3)];
        text += &grid(&self.start, wording);
        let Some(steps) = &self.steps else {
            return text + DENIALS[rng.usize(..DENIALS.len())] + "\n";
        };
        text += ["", "\n"][rng.usize(..2)];
        if rng.bool() {
            text += NOTES[rng.usize(..NOTES.len())];
            text.push('\n');
        }
        if wording.shows_count {
            let count = self.count;
            text += &[
                format!("Solved in {count} moves"),
                format!("Number of moves: {count}"),
                format!("Solution ({count} moves):"),
            ][rng.usize(..3)];
            text.push('\n');
        }
        for (number, step, shown) in steps {
            text += &lines(*step, *number)[wording.moves];
            text.push('\n');
            if wording.shows_grids {
                text += &grid(shown, wording);
            }
        }
        text += ["", "Solved!\n", "The goal piece is at the right edge:\n"][rng.usize(..3)];
        text + &grid(&self.end, wording)
    }
}

/// A move in each wording. The first five have numbers.
fn lines(step: Move, number: usize) -> Vec<String> {
    let Move { piece, direction, spaces } = step;
    let (way, unit) = (direction.name(), if spaces == 1 { "space" } else { "spaces" });
    let shout = way.to_uppercase();
    vec![
        format!("{number}. Piece {piece} {way} {spaces} {unit}"),
        format!("Step {number}: {piece} - {way} - {spaces}"),
        format!("Move {number}: {piece} {way} {spaces}"),
        format!("  {number}) Piece {piece}, {shout} {spaces} space"),
        format!("{number} {piece} {way} {spaces}"),
        format!("Piece {piece} moves {spaces} space(s) {way}"),
        format!("Piece {piece} moves {way} {spaces} space"),
        format!("{piece} {way} by {spaces}"),
        format!("[{piece}] {way}wards {spaces}"),
        format!("Slide {way} {spaces} {unit}: piece {piece}"),
        format!("{spaces} {unit} {way} for piece {piece}"),
        format!("{piece}: {way} {spaces}"),
        format!("Block {piece} is moved {spaces} cells to the {way}."),
        format!("Piece {piece} -> {way}{spaces}"),
    ]
}

fn message(board: &Board, line: usize, why: &str, rng: &mut Rng) -> String {
    let Piece { row, column, width, height, direction } = board.pieces[line - 2];
    let letter = char::from(direction);
    let ordinal = line - 1;
    [
        format!("line {line}: the piece {why}; it is discarded\n"),
        format!("Error: piece {ordinal} {why}\n"),
        format!("Warning: a piece {why}.\n"),
        format!("Piece {row} {column} {width} {height} {letter} is invalid: it {why}\n"),
        format!("Error in line {line}:\n  the piece {why}\n"),
        format!("Bad piece at ({row}, {column}) dropped\n"),
        format!("Piece with starting position of {row},{column} {why}\n"),
        format!("Piece at row {row}, column {column} {why}\n"),
    ][rng.usize(..8)]
    .clone()
}

fn grid(cells: &[Vec<char>], wording: Wording) -> String {
    let gap = if wording.is_spaced { " " } else { "" };
    let row = |row: &Vec<char>| {
        let cells: Vec<_> = row
            .iter()
            .map(|&cell| if cell == '.' { wording.blank } else { cell }.to_string())
            .collect();
        format!("{gap}{}{gap}", cells.join(gap))
    };
    let rows = cells.iter().map(row);
    let Some((corner, edge, side)) = FRAMES[wording.frame] else {
        return rows.map(|row| row + "\n").collect();
    };
    let width = rows.clone().next().map_or(0, |row| row.chars().count());
    let border = format!("{corner}{}{corner}\n", edge.to_string().repeat(width));
    let rows: String = rows.map(|row| format!("{side}{row}{side}\n")).collect();
    format!("{border}{rows}{border}")
}

/// The right answer for a random board, if there is one that can be found quickly.
fn right(rng: &mut Rng) -> Option<Told> {
    let boards = Boards { rows: 4, columns: 4, pieces: 6, crlf: false };
    let mut board = boards.draw_kind(KINDS[rng.usize(..KINDS.len())], rng);
    board.style = super::board::Style::default();
    let mut discarded = Vec::new();
    for at in 0..board.pieces.len() {
        let upto = |count: usize| {
            Board { pieces: board.pieces[..count].to_vec(), ..board.clone() }.valid()
        };
        if upto(at).len() == upto(at + 1).len() {
            let piece = board.pieces[at];
            let is_inside = piece.is_inside(board.rows, board.columns);
            let why = match (is_inside, piece.has_direction()) {
                (false, _) => "falls outside of the grid",
                (true, false) => "has an invalid direction",
                (true, true) => "overlaps another piece",
            };
            discarded.push((at + 2, why));
        }
    }
    if board.valid().is_empty() {
        return None;
    }
    let mut layout = Layout::new(&board, &Vec::new());
    let start = cells(&layout, &board);
    let moves = solve(&board, &layout).ok()?;
    let steps: Option<Vec<_>> = moves.map(|moves| {
        (1..)
            .zip(moves)
            .map(|(number, step)| {
                layout.apply(step).expect("the move was tried");
                (number, step, cells(&layout, &board))
            })
            .collect()
    });
    let count = steps.as_ref().map_or(0, Vec::len);
    Some(Told { end: cells(&layout, &board), board, discarded, start, steps, count })
}

fn outcome(text: &str) -> Outcome {
    Outcome { end: End::Exit(0), stdout: text.into(), stderr: Vec::new(), files: [].into() }
}

/// The fault that the judge finds in `text` if the reference prints `told`.
fn verdict(told: &Told, text: &str) -> Option<String> {
    let own = Wording {
        seed: 0,
        frame: 0,
        is_spaced: false,
        blank: '.',
        shows_grids: false,
        shows_count: false,
        moves: 0,
    };
    let case = Case { files: [(BOARD.to_owned(), told.board.render())].into(), ..Case::default() };
    let reference = outcome(&told.text(own));
    assert!(!reference.files.contains_key(PAGE));
    Right::read(&case, &reference).wrong(&outcome(text)).map(|flaw| flaw.to_string())
}

/// Replaces a true statement with a false one. `None` if the answer has no such statement.
fn falsified(right: &Told, wording: &mut Wording, kind: usize, rng: &mut Rng) -> Option<Told> {
    let mut told = right.clone();
    let moves = right.steps.as_ref().map_or(0, Vec::len);
    let some = |rng: &mut Rng| rng.usize(..moves);
    let change = |cells: &mut Vec<Vec<char>>| {
        let changed: Vec<_> = cells.iter_mut().flatten().filter(|cell| **cell != '.').collect();
        changed.into_iter().for_each(|cell| *cell = if *cell == 'Z' { '1' } else { 'Z' });
    };
    match kind {
        0 if moves > 0 => told.steps.as_mut()?[some(rng)].1.spaces += 1,
        1 if moves > 0 => {
            let step = &mut told.steps.as_mut()?[some(rng)].1;
            step.direction = match step.direction {
                Direction::Up => Direction::Down,
                Direction::Down => Direction::Up,
                Direction::Left => Direction::Right,
                Direction::Right => Direction::Left,
            };
        }
        2 if moves > 0 && right.board.valid().len() > 1 => {
            let step = &mut told.steps.as_mut()?[some(rng)].1;
            step.piece = if step.piece == 'Z' { '1' } else { 'Z' };
        }
        3 if moves > 0 => drop(told.steps.as_mut()?.remove(some(rng))),
        4 if moves > 1 => {
            wording.moves %= 5;
            let at = rng.usize(..moves - 1);
            let steps = told.steps.as_mut()?;
            (steps[at].0, steps[at + 1].0) = (steps[at + 1].0, steps[at].0);
        }
        5 if right.steps.is_some() => {
            wording.shows_count = true;
            told.count += 1;
        }
        6 => change(&mut told.start),
        // A single row without a frame may be any word.
        7 if right.steps.is_some() && (FRAMES[wording.frame].is_some() || right.board.rows > 1) => {
            change(&mut told.end);
        }
        8 if moves > 1 && (FRAMES[wording.frame].is_some() || right.board.rows > 1) => {
            wording.shows_grids = true;
            change(&mut told.steps.as_mut()?[rng.usize(..moves - 1)].2);
        }
        9 if moves > 1 => {
            // The grid shows the layout before the move again.
            wording.shows_grids = true;
            told.steps.as_mut()?[0].2.clone_from(&right.start);
        }
        10 if right.steps.is_some() => told.steps = None,
        11 if right.steps.is_none() => told.steps = Some(Vec::new()),
        12 if !right.discarded.is_empty() => {
            told.discarded.remove(rng.usize(..right.discarded.len()));
        }
        13 if !right.discarded.is_empty() => {
            let whys =
                ["falls outside of the grid", "has an invalid direction", "overlaps another piece"];
            let (line, why) = right.discarded[0];
            let Piece { width, height, .. } = right.board.pieces[line - 2];
            let is_only = why != "falls outside of the grid" && width > 0 && height > 0;
            let other = whys
                .into_iter()
                .find(|other| *other != why && (is_only || *other == "has an invalid direction"))?;
            let is_true = other == "has an invalid direction"
                && !right.board.pieces[line - 2].has_direction()
                || other == "overlaps another piece";
            if is_true {
                return None;
            }
            told.discarded[0].1 = other;
            // The last two wordings of a message give no reason, or name another line.
            wording.seed = (0..10_000).find(|&seed| {
                let text = Told { discarded: vec![told.discarded[0]], ..told.clone() }
                    .text(Wording { seed, ..*wording });
                text.contains(other)
            })?;
            told.discarded.truncate(1);
        }
        _ => return None,
    }
    Some(told)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_right_answer_is_accepted_in_every_wording(seed: u64) {
        let mut rng = Rng::with_seed(seed);
        if let Some(told) = right(&mut rng) {
            let text = told.text(Wording::draw(&mut rng));
            let board = String::from_utf8(told.board.render()).unwrap();
            prop_assert_eq!(verdict(&told, &text), None, "{}\n{}", board, text);
        }
    }

    #[test]
    fn a_single_false_statement_is_rejected_in_every_wording(seed: u64) {
        let mut rng = Rng::with_seed(seed);
        if let Some(told) = right(&mut rng) {
            for kind in 0..14 {
                let mut wording = Wording::draw(&mut rng);
                if let Some(false_told) = falsified(&told, &mut wording, kind, &mut rng) {
                    let text = false_told.text(wording);
                    let board = String::from_utf8(told.board.render()).unwrap();
                    prop_assert!(verdict(&told, &text).is_some(), "{}: {}\n{}", kind, board, text);
                }
            }
        }
    }
}

#[test]
fn random_answers_are_of_every_kind() {
    let mut rng = Rng::with_seed(1);
    let told: Vec<_> = (0..300).filter_map(|_| right(&mut rng)).collect();
    assert!(told.len() > 100);
    assert!(told.iter().filter(|told| told.steps.is_none()).count() > 5);
    assert!(told.iter().filter(|told| told.count > 2).count() > 20);
    assert!(told.iter().filter(|told| !told.discarded.is_empty()).count() > 5);
    assert!(NAMES.starts_with("Z12"));
}
