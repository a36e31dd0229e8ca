//! Reads and writes board files, and finds the valid pieces of a board.

/// The names of valid pieces in the order of the file. The first one is the goal piece.
pub(super) const NAMES: &str = "Z123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY";

/// A grid, and the lines of a file that describe pieces, valid or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    pub(super) rows: i32,
    pub(super) columns: i32,
    pub(super) pieces: Vec<Piece>,
    pub(super) style: Style,
}

/// A line that describes a piece. Rows and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Piece {
    pub(super) row: i32,
    pub(super) column: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) direction: u8,
}

/// How a file is written, where the specification leaves a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Style {
    /// A blank line after this many lines.
    pub(super) blank_line_at: Option<usize>,
    /// Two blanks between values.
    pub(super) wide: bool,
    /// CRLF for line ends.
    pub(super) crlf: bool,
    /// No newline after the last line.
    pub(super) no_final_newline: bool,
}

/// A line whose form the specification does not define.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ParseError {
    pub(super) line: usize,
    pub(super) problem: String,
}

impl Piece {
    pub(super) fn new(row: i32, column: i32, width: i32, height: i32, direction: u8) -> Self {
        Self { row, column, width, height, direction }
    }

    /// Whether it covers at least one cell, and only cells in a grid of this size.
    pub(super) fn is_inside(&self, rows: i32, columns: i32) -> bool {
        let fits = |start: i32, length: i32, size: i32| {
            start >= 1 && length >= 1 && length <= size && start <= size - length + 1
        };
        fits(self.row, self.height, rows) && fits(self.column, self.width, columns)
    }

    /// Whether both cover the same cell, even outside the grid.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let meet = |a: i32, a_length: i32, b: i32, b_length: i32| {
            let end = |start: i32, length: i32| i64::from(start) + i64::from(length);
            a_length > 0
                && b_length > 0
                && i64::from(a) < end(b, b_length)
                && i64::from(b) < end(a, a_length)
        };
        meet(self.row, self.height, other.row, other.height)
            && meet(self.column, self.width, other.column, other.width)
    }

    /// Whether its direction is valid.
    pub(super) fn has_direction(&self) -> bool {
        b"hvbn".contains(&self.direction)
    }
}

impl Board {
    /// Reads a file with a line for the grid and a line for each piece.
    pub(super) fn read(input: &[u8]) -> Result<Self, ParseError> {
        let mut lines = lines(input);
        let (line, header) = lines
            .next()
            .ok_or_else(|| ParseError::at(1, "the file has no line with the rows and columns"))?;
        let [rows, columns] = header[..] else {
            return Err(ParseError::at(
                line,
                format!("the first line has {} values, not 2: rows and columns", header.len()),
            ));
        };
        let (rows, columns) = (integer(line, rows)?, integer(line, columns)?);
        let pieces = lines.map(|(line, words)| piece(line, &words)).collect::<Result<_, _>>()?;
        Ok(Self { rows, columns, pieces, style: Style::of(input) })
    }

    pub(super) fn render(&self) -> Vec<u8> {
        let end = if self.style.crlf { "\r\n" } else { "\n" };
        let blank = if self.style.wide { "  " } else { " " };
        let mut file = format!("{}{blank}{}{end}", self.rows, self.columns);
        for (at, piece) in self.pieces.iter().enumerate() {
            if self.style.blank_line_at == Some(at + 1) {
                file.push_str(end);
            }
            for number in [piece.row, piece.column, piece.width, piece.height] {
                file.push_str(&number.to_string());
                file.push_str(blank);
            }
            file.push(piece.direction.into());
            file.push_str(end);
        }
        if self.style.no_final_newline {
            file.truncate(file.len() - end.len());
        }
        file.into_bytes()
    }

    /// The valid pieces: those inside the grid that have a direction and do not overlap an earlier valid piece.
    pub(super) fn valid(&self) -> Vec<Piece> {
        let mut valid: Vec<Piece> = Vec::new();
        for piece in &self.pieces {
            let is_fine = piece.is_inside(self.rows, self.columns) && piece.has_direction();
            if is_fine && !valid.iter().any(|other| other.overlaps(piece)) {
                valid.push(*piece);
            }
        }
        valid
    }

    /// The number of cells of the grid.
    pub(super) fn area(&self) -> usize {
        usize::try_from(i64::from(self.rows.max(0)) * i64::from(self.columns.max(0)))
            .unwrap_or(usize::MAX)
    }
}

impl ParseError {
    fn at(line: usize, problem: impl Into<String>) -> Self {
        Self { line, problem: problem.into() }
    }
}

impl Style {
    /// What the document does not promise, apart from CRLF: the form of the file, and the style in that form.
    pub(super) const LENIENT: [(&'static str, fn(Self) -> Self); 2] = [
        ("a blank line after the first line", |style| Self { blank_line_at: Some(1), ..style }),
        ("no newline at the end", |style| Self { no_final_newline: true, ..style }),
    ];

    /// The style without what the document does not promise. It promises any white space between values.
    pub(super) fn plain(self) -> Self {
        Self { wide: self.wide, ..Self::default() }
    }

    fn of(input: &[u8]) -> Self {
        let is_blank = |line: &&[u8]| line.trim_ascii().is_empty();
        let text = input.trim_ascii();
        let blank_line_at = text.split(|&byte| byte == b'\n').position(|line| is_blank(&line));
        Self {
            blank_line_at,
            wide: text.windows(2).any(|pair| pair == b"  "),
            crlf: input.windows(2).any(|pair| pair == b"\r\n"),
            no_final_newline: !input.ends_with(b"\n"),
        }
    }
}

/// The words of each line that is not blank, with the line's number.
pub(super) fn lines(input: &[u8]) -> impl Iterator<Item = (usize, Vec<&[u8]>)> {
    (1..).zip(input.split(|&byte| byte == b'\n').map(words)).filter(|(_, words)| !words.is_empty())
}

fn words(line: &[u8]) -> Vec<&[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

fn piece(line: usize, words: &[&[u8]]) -> Result<Piece, ParseError> {
    let [row, column, width, height, direction] = words[..] else {
        let problem = format!(
            "the line has {} values, not 5: row, column, width, height and direction of one piece",
            words.len()
        );
        return Err(ParseError::at(line, problem));
    };
    let number = |word| integer(line, word);
    let (row, column, width, height) =
        (number(row)?, number(column)?, number(width)?, number(height)?);
    match direction {
        [letter] if letter.is_ascii() => Ok(Piece::new(row, column, width, height, *letter)),
        _ => Err(ParseError::at(
            line,
            format!("`{}` is not one character", String::from_utf8_lossy(direction)),
        )),
    }
}

fn integer(line: usize, word: &[u8]) -> Result<i32, ParseError> {
    let text = String::from_utf8_lossy(word);
    text.parse().map_err(|_| ParseError::at(line, format!("`{text}` is not an integer of 32 bits")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_survives_being_written_and_read() {
        for file in [
            "2 3\n1 1 1 1 h\n0 -2 7 1 x\n",
            "1 1\n\n1 1 1 1 n",
            "1  1\r\n1  1  1  1  n\r\n",
            "2 2\n1 1 1 1 b\n\n2 2 1 1 b\n",
        ] {
            let board = Board::read(file.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(board.render()).unwrap(), file);
        }
    }

    #[test]
    fn a_line_that_cannot_be_parsed_is_reported_with_its_number() {
        for (file, line, problem) in [
            ("", 1, "the file has no line with the rows and columns"),
            ("4\n4\n", 1, "the first line has 1 values, not 2: rows and columns"),
            ("4 4\n1 x 1 1 h\n", 2, "`x` is not an integer of 32 bits"),
            ("4 4\n1 99999999999 1 1 h\n", 2, "`99999999999` is not an integer of 32 bits"),
            ("4 4\n\n1 1 1 1 hv\n", 3, "`hv` is not one character"),
            (
                "4 4\n1 1 1 1 h\n2 2 1\n",
                3,
                "the line has 3 values, not 5: row, column, width, height and direction of one piece",
            ),
        ] {
            assert_eq!(Board::read(file.as_bytes()), Err(ParseError::at(line, problem)));
        }
        let two_on_a_line = Board::read(b"4 4\n1 1 1 1 h 2 2 1 1 v\n").unwrap_err();
        assert_eq!(
            (two_on_a_line.line, two_on_a_line.problem.starts_with("the line has 10 values")),
            (2, true)
        );
    }

    #[test]
    fn a_piece_is_valid_if_it_is_inside_has_a_direction_and_overlaps_no_earlier_valid_piece() {
        let file = "2 3\n0 1 1 1 h\n1 3 2 1 h\n1 1 1 3 v\n1 1 0 1 h\n1 1 1 1 H\n1 1 2 1 h\n1 2 1 2 v\n2 2 1 1 v\n1 2147483647 2147483647 1 h\n";
        let board = Board::read(file.as_bytes()).unwrap();
        assert_eq!(board.valid(), [Piece::new(1, 1, 2, 1, b'h'), Piece::new(2, 2, 1, 1, b'v')]);
    }
}
