//! An answer as a program prints it, read as tolerantly as its meaning allows: blanks as spaces or periods, margins trimmed,
//! moves numbered or not. Whether it is right is not said here.

/// What an answer says, in whatever form.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The lines before the first grid, without headings: one for each discarded piece.
    pub(super) messages: Vec<String>,
    /// The grids, in order: rows of names, [`BLANK`] where there is no piece.
    pub(super) grids: Vec<Grid>,
    /// The moves, in order.
    pub(super) moves: Vec<Move>,
    /// Whether it says that there is no solution.
    pub(super) denies: bool,
}

/// Rows of cells.
pub(super) type Grid = Vec<Vec<char>>;

/// A cell without a piece.
pub(super) const BLANK: char = '.';

/// A line of the list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) piece: char,
    pub(super) direction: Direction,
    pub(super) spaces: u32,
}

/// One straight way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// Its name in a list of moves.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Up, Self::Down, Self::Left, Self::Right]
            .into_iter()
            .find(|direction| name.eq_ignore_ascii_case(direction.name()))
    }
}

impl Answer {
    /// The answer on standard output: each grid stands between two lines of asterisks.
    pub(super) fn read(text: &str) -> Self {
        let mut answer = Self::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if is_border(line) {
                answer
                    .grids
                    .push(lines.by_ref().take_while(|line| !is_border(line)).map(cells).collect());
            } else {
                answer.take_line(line);
            }
        }
        answer
    }

    /// Takes in a line of text: a message before the first grid, the moves or the lack of them behind it.
    pub(super) fn take_line(&mut self, line: &str) {
        let line = line.trim();
        if self.grids.is_empty() {
            let is_heading = line.ends_with(':');
            if !line.is_empty() && !is_heading {
                self.messages.push(line.to_owned());
            }
        } else {
            self.moves.extend(moves(line));
            self.denies |= denies(line);
        }
    }
}

/// Whether a line is the upper or lower border of a grid.
fn is_border(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'*')
}

/// The cells of a line between two borders.
fn cells(line: &str) -> Vec<char> {
    let line = line.trim_end();
    let line = line.trim_start().strip_prefix('*').unwrap_or(line);
    line.strip_suffix('*')
        .unwrap_or(line)
        .chars()
        .map(|cell| if is_blank(cell) { BLANK } else { cell })
        .collect()
}

/// Whether a character stands for a cell without a piece.
pub(super) fn is_blank(cell: char) -> bool {
    cell == BLANK || cell.is_whitespace()
}

/// The moves in a line: a name, a direction and a number, whatever stands around them.
fn moves(line: &str) -> impl Iterator<Item = Move> {
    let is_punctuation = |c: char| ",;:.()".contains(c);
    let words: Vec<&str> =
        line.split_whitespace().map(|word| word.trim_matches(is_punctuation)).collect();
    let read = |words: &[&str]| {
        let mut name = words[0].chars();
        let (piece, None) = (name.next()?, name.next()) else { return None };
        Some(Move {
            piece,
            direction: Direction::from_name(words[1])?,
            spaces: words[2].parse().ok()?,
        })
    };
    words.windows(3).filter_map(read).collect::<Vec<_>>().into_iter()
}

/// Whether a line says that there is no solution.
fn denies(line: &str) -> bool {
    const WAYS: [&str; 8] = [
        "not solvable",
        "unsolvable",
        "no solution",
        "cannot be solved",
        "can't be solved",
        "can not be solved",
        "not be solved",
        "not solved",
    ];
    let line = line.to_lowercase();
    WAYS.iter().any(|way| line.contains(way))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_whatever_its_blanks_margins_and_numbers() {
        let strict = "line 2: the piece is discarded\n****\n*Z.*\n*.1*\n****\n1. Piece 1 up 1 space\n2. Piece Z right 2 spaces\n****\n*.1*\n*.Z*\n****\n";
        let loose = "Messages:\n\nBad piece\r\nStart:\r\n ****\r\n*Z\r\n* 1*\r\n****\r\nMoves:\npiece 1 UP 1 spaces.\n  3) Piece Z, Right 2 space\n\n****\n* 1*\n* Z\n****";
        let (strict, loose) = (Answer::read(strict), Answer::read(loose));
        assert_eq!(strict.moves, loose.moves);
        assert_eq!(strict.moves[1], Move { piece: 'Z', direction: Direction::Right, spaces: 2 });
        assert_eq!((strict.messages.len(), loose.messages.len()), (1, 1));
        assert_eq!(strict.grids, [[['Z', '.'], ['.', '1']], [['.', '1'], ['.', 'Z']]]);
        assert_eq!(loose.grids[0], [vec!['Z'], vec!['.', '1']]);
        assert!(!strict.denies && !loose.denies);
    }

    #[test]
    fn every_way_to_say_that_there_is_no_solution_is_understood() {
        for text in [
            "The puzzle is not solvable.",
            "Unsolvable!",
            "There is NO SOLUTION",
            "This puzzle cannot be solved",
            "not solved",
        ] {
            assert!(Answer::read(&format!("***\n*Z*\n***\n{text}\n")).denies, "{text}");
        }
        assert!(!Answer::read("***\n*Z*\n***\nThe puzzle is solved in 0 moves.\n").denies);
    }
}
