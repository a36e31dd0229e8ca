//! Single steps that make a board smaller or simpler, the largest first.

use super::board::{Board, Piece, Style};

/// The boards that are one step smaller than `board`. The reference decides whether they are valid.
pub(super) fn steps(board: &Board) -> Vec<Board> {
    let mut steps = large_steps(board);
    steps.extend(with_each_piece(board, less_free));
    steps.extend(with_each_piece(board, |piece| plainer(piece, board)));
    steps
}

/// The few of these steps that remove the most, for a board whose search is long.
pub(super) fn large_steps(board: &Board) -> Vec<Board> {
    let mut steps = Vec::new();
    steps.extend((1..=board.rows).filter(|_| board.rows > 1).map(|row| without_row(board, row)));
    steps.extend(
        (1..=board.columns)
            .filter(|_| board.columns > 1)
            .map(|column| without_column(board, column)),
    );
    steps.extend((0..board.pieces.len()).map(|at| without_piece(board, at)));
    steps.extend(with_plainer_style(board));
    steps
}

/// The boards in which one piece is replaced by one of those that `changed` gives for it.
fn with_each_piece(board: &Board, changed: impl Fn(&Piece) -> Vec<Piece>) -> Vec<Board> {
    let pieces = board
        .pieces
        .iter()
        .enumerate()
        .flat_map(|(at, piece)| changed(piece).into_iter().map(move |piece| (at, piece)));
    let with = |(at, piece)| {
        let mut smaller = board.clone();
        smaller.pieces[at] = piece;
        smaller
    };
    pieces.map(with).collect()
}

/// The board without a row. Each piece loses its cells in it.
pub(super) fn without_row(board: &Board, row: i32) -> Board {
    let cut = |piece: &Piece| {
        let (row, height) = without(piece.row, piece.height, row)?;
        Some(Piece { row, height, ..*piece })
    };
    Board {
        rows: board.rows - 1,
        pieces: board.pieces.iter().filter_map(cut).collect(),
        ..board.clone()
    }
}

/// The board without a column. Each piece loses its cells in it.
pub(super) fn without_column(board: &Board, column: i32) -> Board {
    let cut = |piece: &Piece| {
        let (column, width) = without(piece.column, piece.width, column)?;
        Some(Piece { column, width, ..*piece })
    };
    Board {
        columns: board.columns - 1,
        pieces: board.pieces.iter().filter_map(cut).collect(),
        ..board.clone()
    }
}

/// The start and length of a piece after a line of the grid is removed. `None` if nothing of the piece is left.
fn without(start: i32, length: i32, line: i32) -> Option<(i32, i32)> {
    match line {
        line if line < start => Some((start - 1, length)),
        line if line >= start.saturating_add(length) => Some((start, length)),
        _ if length == 1 => None,
        _ => Some((start, length - 1)),
    }
}

fn without_piece(board: &Board, at: usize) -> Board {
    let mut smaller = board.clone();
    smaller.pieces.remove(at);
    smaller
}

fn with_plainer_style(board: &Board) -> Vec<Board> {
    let style = &board.style;
    let earlier = style.blank_line_at.map(|at| (at > 1).then(|| at - 1));
    let mut styles = vec![
        Style { blank_line_at: None, ..style.clone() },
        Style { wide: false, ..style.clone() },
        Style { crlf: false, ..style.clone() },
        Style { no_final_newline: false, ..style.clone() },
    ];
    styles.extend(earlier.map(|blank_line_at| Style { blank_line_at, ..style.clone() }));
    styles.retain(|plainer| plainer != style);
    styles.dedup();
    styles.into_iter().map(|style| Board { style, ..board.clone() }).collect()
}

/// Simpler pieces: shorter, or nearer to the upper left corner. A piece outside the grid stays outside.
fn plainer(piece: &Piece, board: &Board) -> Vec<Piece> {
    let mut plainer = Vec::new();
    if piece.width > 1 {
        plainer.push(Piece { width: piece.width - 1, ..*piece });
        plainer.push(Piece {
            width: piece.width - 1,
            column: piece.column.saturating_add(1),
            ..*piece
        });
    }
    if piece.height > 1 {
        plainer.push(Piece { height: piece.height - 1, ..*piece });
        plainer.push(Piece {
            height: piece.height - 1,
            row: piece.row.saturating_add(1),
            ..*piece
        });
    }
    for (from, to) in
        [(piece.width, Piece { width: 0, ..*piece }), (piece.height, Piece { height: 0, ..*piece })]
    {
        plainer.extend((from < 0).then_some(to));
    }
    plainer.extend(nearer(piece.row, board.rows).map(|row| Piece { row, ..*piece }));
    plainer.extend(nearer(piece.column, board.columns).map(|column| Piece { column, ..*piece }));
    plainer
}

/// The piece with fewer directions.
fn less_free(piece: &Piece) -> Vec<Piece> {
    let letters: &[u8] = match piece.direction {
        b'b' => b"nhv",
        b'h' | b'v' => b"n",
        b'n' | b'x' => b"",
        _ => b"x",
    };
    letters.iter().map(|&direction| Piece { direction, ..*piece }).collect()
}

/// One step nearer to the first row or column. A piece outside the grid comes as near as it can in one step.
fn nearer(start: i32, size: i32) -> Option<i32> {
    match start {
        2.. if start > size.saturating_add(1) => Some(size + 1),
        2.. => Some(start - 1),
        ..0 => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_changes_the_board_and_no_sequence_of_steps_is_endless() {
        let mut board =
            Board::read(b"3  3\r\n2  1  2  1  b\r\n\r\n9  -4  1  -1  q\r\n3  3  1  1  v").unwrap();
        let mut count = 0;
        while let Some(smaller) = steps(&board).pop() {
            assert!(steps(&board).iter().all(|smaller| *smaller != board), "{board:?}");
            board = smaller;
            count += 1;
            assert!(count < 1000);
        }
        assert_eq!(board.render(), b"1 1\n");
    }

    #[test]
    fn without_a_row_each_piece_loses_its_cells_in_it() {
        let board = Board::read(b"3 2\n1 1 1 3 v\n2 2 1 1 b\n3 2 1 1 n\n").unwrap();
        assert_eq!(without_row(&board, 2).render(), b"2 2\n1 1 1 2 v\n2 2 1 1 n\n");
    }
}
