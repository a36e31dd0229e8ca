//! Whether an answer is right: any shortest way is. The moves are replayed on the board; only how many suffice is taken from the
//! reference.

use super::answer::{Answer, BLANK, Direction, Grid, Move};
use super::board::{Board, NAMES, Piece};
use super::page;
use super::{BOARD, PAGE};
use subject::{Case, How, Outcome};

/// What is wrong with the `mutant`'s output where the `reference`'s is right; both exited with 0.
pub(super) fn wrong(case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let board = case.files.get(BOARD).and_then(|input| Board::read(input).ok());
    let Some(board) = board.filter(|board| board.area() <= MOST_CELLS) else {
        // There is nothing to replay on.
        return How::between(reference, mutant)
            .map(|_| "the output is not the reference's".to_owned());
    };
    let judge = Judge { board: &board, right: &Answer::read(&text(&reference.stdout)) };
    if let Err(fault) = judge.judge(&Answer::read(&text(&mutant.stdout))) {
        return Some(fault);
    }
    let unasked = mutant.files.keys().find(|name| !reference.files.contains_key(*name));
    if reference.files.contains_key(PAGE) {
        let Some(html) = mutant.files.get(PAGE) else {
            let instead = unasked.map_or(String::new(), |name| format!(", but {name}"));
            return Some(format!("it does not write the page {PAGE}{instead}"));
        };
        if let Err(fault) =
            judge.judge(&page::read(&text(html), board.rows as usize, board.columns as usize))
        {
            return Some(format!("in the page, {fault}"));
        }
    }
    unasked.map(|name| format!("it writes a file that was not asked for: {name}"))
}

/// Beyond any limit that a course will set.
pub(super) const MOST_CELLS: usize = 1 << 16;

/// What answers are measured against.
struct Judge<'a> {
    board: &'a Board,
    right: &'a Answer,
}

impl Judge<'_> {
    fn judge(&self, answer: &Answer) -> Result<(), String> {
        let Some(start) = answer.grids.first() else { return Err("there is no grid".to_owned()) };
        let mut layout = Layout::new(self.board, start);
        layout.is_shown_by(start).map_err(|fault| format!("the grid at the start {fault}"))?;
        self.messages(answer)?;
        if self.right.denies {
            without_solution(answer)
        } else {
            self.solution(answer, &mut layout)
        }
    }

    /// One message is due for each piece that was discarded, and none for a piece that was not.
    fn messages(&self, answer: &Answer) -> Result<(), String> {
        const COMPLAINTS: [&str; 9] = [
            "error", "invalid", "illegal", "discard", "outside", "overlap", "out of", "ignor",
            "warning",
        ];
        let due = self.right.messages.len();
        let complains = |line: &&String| {
            let line = line.to_lowercase();
            COMPLAINTS.iter().any(|word| line.contains(word))
        };
        let (lines, complaints) =
            (answer.messages.len(), answer.messages.iter().filter(complains).count());
        if lines < due {
            return Err(format!("messages on discarded pieces: {lines}, and {due} are due"));
        }
        if complaints > due {
            return Err(format!(
                "messages on discarded pieces: {complaints}, and only {due} are due"
            ));
        }
        Ok(())
    }

    fn solution(&self, answer: &Answer, layout: &mut Layout) -> Result<(), String> {
        if answer.denies {
            return Err("it says that there is no solution, and there is one".to_owned());
        }
        for (number, step) in (1..).zip(&answer.moves) {
            layout.make(*step).map_err(|fault| format!("move {number} {fault}"))?;
        }
        let (moves, enough) = (answer.moves.len(), self.right.moves.len());
        if !layout.is_solved() {
            return Err(format!("after {moves} moves the goal piece is not in the last column"));
        }
        if moves > enough {
            return Err(format!("it takes {moves} moves, and {enough} suffice"));
        }
        match answer.grids.as_slice() {
            [_, .., end] => layout
                .is_shown_by(end)
                .map_err(|fault| format!("the grid at the end {fault} after the moves")),
            _ => Err("there is no grid at the end".to_owned()),
        }
    }
}

fn without_solution(answer: &Answer) -> Result<(), String> {
    if !answer.moves.is_empty() || answer.grids.len() > 1 {
        Err("it shows a solution, and there is none".to_owned())
    } else if !answer.denies {
        Err("it does not say that there is no solution".to_owned())
    } else {
        Ok(())
    }
}

/// The valid pieces, each where the moves have brought it.
pub(super) struct Layout {
    rows: i32,
    columns: i32,
    pub(super) pieces: Vec<(char, Piece)>,
}

impl Layout {
    /// The start. Pieces beyond those that the document names have the names that `grid` shows.
    pub(super) fn new(board: &Board, grid: &Grid) -> Self {
        let shown = |piece: &Piece| {
            let row = grid.get(piece.row as usize - 1)?;
            row.get(piece.column as usize - 1).copied()
        };
        let mut names = NAMES.chars();
        let name = |piece: &Piece| names.next().or_else(|| shown(piece)).unwrap_or(BLANK);
        let pieces = board.valid().into_iter().map(named(name)).collect();
        Self { rows: board.rows, columns: board.columns, pieces }
    }

    /// Whether the goal piece, the first, is in the last column.
    pub(super) fn is_solved(&self) -> bool {
        self.pieces.first().is_some_and(|(_, goal)| goal.column + goal.width > self.columns)
    }

    /// Moves a piece as far as `step` says, unless it may not.
    pub(super) fn make(&mut self, step: Move) -> Result<(), String> {
        let Move { piece: name, direction, spaces } = step;
        let Some(at) = self.pieces.iter().position(|(piece, _)| *piece == name) else {
            return Err(format!("is of piece {name}, and there is no such piece"));
        };
        let way = direction.name();
        let mut piece = self.pieces[at].1;
        if !may_go(&piece, direction) {
            return Err(format!(
                "takes piece {name} {way}, and its direction is {}",
                piece.direction as char
            ));
        }
        if spaces == 0 {
            return Err(format!("takes piece {name} 0 spaces {way}"));
        }
        for space in 1..=spaces {
            match direction {
                Direction::Up => piece.row -= 1,
                Direction::Down => piece.row += 1,
                Direction::Left => piece.column -= 1,
                Direction::Right => piece.column += 1,
            }
            if !piece.is_inside(self.rows, self.columns) {
                return Err(format!("takes piece {name} {way} off the grid at space {space}"));
            }
            let is_in_the_way = |(other, _): &(usize, &(char, Piece))| *other != at;
            let mut others = self.pieces.iter().enumerate().filter(is_in_the_way);
            if let Some((_, (other, _))) = others.find(|(_, (_, other))| other.overlaps(&piece)) {
                return Err(format!(
                    "takes piece {name} {way} into piece {other} at space {space}"
                ));
            }
        }
        self.pieces[at].1 = piece;
        Ok(())
    }

    /// Checks that `grid` shows each piece where it is.
    fn is_shown_by(&self, grid: &Grid) -> Result<(), String> {
        if grid.len() != self.rows as usize {
            return Err(format!("has {} rows, not {}", grid.len(), self.rows));
        }
        let mut cells = vec![BLANK; self.rows as usize * self.columns as usize];
        for (name, piece) in &self.pieces {
            for row in piece.row..piece.row + piece.height {
                let first = ((row - 1) * self.columns + piece.column - 1) as usize;
                cells[first..first + piece.width as usize].fill(*name);
            }
        }
        for ((row, shown), cells) in (1..).zip(grid).zip(cells.chunks(self.columns as usize)) {
            for column in 0..shown.len().max(cells.len()) {
                let is = shown.get(column).copied().unwrap_or(BLANK);
                match cells.get(column) {
                    None if is != BLANK => {
                        return Err(format!("has more than {} columns in row {row}", self.columns));
                    }
                    Some(&cell) if is != cell => {
                        return Err(format!(
                            "shows `{is}`, not `{cell}`, in row {row}, column {}",
                            column + 1
                        ));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

fn named(mut name: impl FnMut(&Piece) -> char) -> impl FnMut(Piece) -> (char, Piece) {
    move |piece| (name(&piece), piece)
}

/// Whether the direction of a piece allows it to go this way.
fn may_go(piece: &Piece, direction: Direction) -> bool {
    match direction {
        Direction::Up | Direction::Down => b"vb".contains(&piece.direction),
        Direction::Left | Direction::Right => b"hb".contains(&piece.direction),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use subject::End;

    fn outcome(stdout: &str, page: Option<&str>) -> Outcome {
        let files =
            page.map(|page| (PAGE.to_owned(), page.as_bytes().to_vec())).into_iter().collect();
        Outcome { end: End::Exit(0), stdout: stdout.into(), stderr: Vec::new(), files }
    }

    fn case(board: &str) -> Case {
        Case { files: [(BOARD.to_owned(), board.into())].into(), ..Case::default() }
    }

    /// What the judge says of `text` for a board with two shortest solutions, and one piece that is discarded.
    fn fault(text: &str) -> Option<String> {
        wrong(&case(FORK), &outcome(RIGHT, None), &outcome(text, None))
    }

    // Z can leave by way of piece 1 going up, or down.
    const FORK: &str = "3 2\n2 1 1 1 h\n2 2 1 1 v\n9 9 1 1 n\n";
    const RIGHT: &str = "line 4: the piece falls outside of the grid; it is discarded\n****\n*..*\n*Z1*\n*..*\n****\n1. Piece 1 up 1 space\n2. Piece Z right 1 space\n****\n*.1*\n*.Z*\n*..*\n****\n";

    #[test]
    fn every_shortest_solution_is_right_however_it_is_printed() {
        let down = "Error: outside\n****\n*  *\n*Z1*\n*\n****\nPiece 1 DOWN 1 spaces\nPiece Z right 1 spaces\n****\n*\n* Z*\n* 1*\n****\n";
        let headed =
            format!("Sliding Blocks\nStart:\n{}", RIGHT.replace("****\n1.", "****\nMoves:\n1."));
        for text in [RIGHT, down, &headed, &RIGHT.replace('.', " "), &RIGHT.replace('\n', "\r\n")] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn each_kind_of_wrong_answer_is_told_by_its_reason() {
        let swap = |from: &str, to: &str| RIGHT.replacen(from, to, 1);
        let end = "****\n*.1*\n*.Z*\n*..*\n****\n";
        for (text, reason) in [
            (String::new(), "there is no grid"),
            (
                swap("line 4: the piece falls outside of the grid; it is discarded\n", ""),
                "messages on discarded pieces: 0, and 1 are due",
            ),
            (
                format!("Piece 1 overlaps Z\n{RIGHT}"),
                "messages on discarded pieces: 2, and only 1 are due",
            ),
            (swap("*Z1*", "*Z2*"), "the grid at the start shows `2`, not `1`, in row 2, column 2"),
            (swap("*..*\n*Z1*", "*Z1*"), "the grid at the start has 2 rows, not 3"),
            (swap("*Z1*", "*Z1.3*"), "the grid at the start has more than 2 columns in row 2"),
            (swap("Piece 1 up", "Piece 2 up"), "move 1 is of piece 2, and there is no such piece"),
            (
                swap("Piece 1 up", "Piece 1 left"),
                "move 1 takes piece 1 left, and its direction is v",
            ),
            (swap("up 1", "up 0"), "move 1 takes piece 1 0 spaces up"),
            (swap("up 1", "up 2"), "move 1 takes piece 1 up off the grid at space 2"),
            (
                swap("1. Piece 1 up 1 space\n", ""),
                "move 1 takes piece Z right into piece 1 at space 1",
            ),
            (
                swap("2. Piece Z right 1 space\n", ""),
                "after 1 moves the goal piece is not in the last column",
            ),
            (
                swap("2. ", "2. Piece 1 down 2 spaces\n3. Piece 1 up 2 spaces\n4. "),
                "it takes 4 moves, and 2 suffice",
            ),
            (
                swap(end, "****\n*..*\n*1Z*\n*..*\n****\n"),
                "the grid at the end shows `.`, not `1`, in row 1, column 2 after the moves",
            ),
            (swap(end, ""), "there is no grid at the end"),
            (
                swap("1. Piece 1 up 1 space\n2. Piece Z right 1 space\n", "not solvable\n"),
                "it says that there is no solution, and there is one",
            ),
        ] {
            assert_eq!(fault(&text).as_deref(), Some(reason), "{text}");
        }
    }

    #[test]
    fn that_there_is_no_solution_must_be_said_and_no_solution_shown() {
        let right = "****\n*Z1*\n****\nThe puzzle is not solvable.\n";
        let fault = |text: &str| {
            wrong(&case("1 2\n1 1 1 1 h\n1 2 1 1 v\n"), &outcome(right, None), &outcome(text, None))
        };
        for text in ["*****\n*Z1 *\n*****\nThere is no solution", "***\n*Z1\n***\nUNSOLVABLE"] {
            assert_eq!(fault(text), None);
        }
        assert_eq!(
            fault("****\n*Z1*\n****\n").unwrap(),
            "it does not say that there is no solution"
        );
        for text in
            [format!("{right}****\n*Z1*\n****\n"), format!("{right}Piece Z right 1 space\n")]
        {
            assert_eq!(fault(&text).unwrap(), "it shows a solution, and there is none");
        }
    }

    #[test]
    fn a_page_is_judged_as_standard_output_is() {
        let right = "***\n*Z*\n***\nsolved in 0 moves\n***\n*Z*\n***\n";
        let page = "<table><tr><td>Z</td></tr></table><table><tr><td>Z</td></tr></table>";
        let (case, reference) = (case("1 1\n1 1 1 1 n\n"), outcome(right, Some(page)));
        let fault = |page| wrong(&case, &reference, &outcome(right, page));
        assert_eq!(
            fault(Some("<h1>Solved</h1><table><td>Z</table>0 moves<table><td>Z</table>")),
            None
        );
        assert_eq!(
            fault(Some("<table><td>Z</table>")).unwrap(),
            "in the page, there is no grid at the end"
        );
        assert_eq!(fault(None).unwrap(), "it does not write the page board.html");
        let mut elsewhere = outcome(right, None);
        elsewhere.files.insert("board.data.html".to_owned(), page.into());
        assert_eq!(
            wrong(&case, &reference, &elsewhere).unwrap(),
            "it does not write the page board.html, but board.data.html"
        );
        let unasked = wrong(&case, &outcome(right, None), &reference);
        assert_eq!(unasked.unwrap(), "it writes a file that was not asked for: board.html");
    }

    #[test]
    fn past_the_names_of_the_document_any_name_will_do() {
        let pieces: String = (1..=63)
            .map(|column| format!("1 {column} 1 1 {}\n", if column == 63 { "v" } else { "n" }))
            .collect();
        let board = format!("2 64\n1 64 1 1 n\n{}", &pieces[..pieces.len() - 1]);
        let print = |names: &str, row: i32| {
            let border = "*".repeat(66);
            let row = if row == 1 { format!("*{names}*\n*") } else { format!("*\n*{names}*") };
            format!("{border}\n{row}\n{border}\n")
        };
        let names: String = NAMES[1..].chars().chain(['Ā', 'ā', 'Ă', 'Z']).collect();
        let other = names.replace('Ā', "!").replace('Ă', "?");
        let print = |names: &str| print(names, 1).repeat(2);
        let fault =
            |text: &str| wrong(&case(&board), &outcome(&print(&names), None), &outcome(text, None));
        assert_eq!(fault(&print(&other)), None);
        assert!(fault(&print(&names.replace('Y', "!"))).is_some());
    }
}
