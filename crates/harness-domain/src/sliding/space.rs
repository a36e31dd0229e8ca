//! Every small case, in order of the number of cells, then of pieces, then of ways to write the file.

use super::board::{Board, Piece, Style};
use crate::{Draft, Family, InputLimits};

/// Up to this size, any of three lines may be an invalid piece, and every way to write the file is tried.
const WIDE_AREA: usize = 2;
/// Up to this size, either of two lines may be an invalid piece.
const ODD_AREA: usize = 6;

/// The cases that the search covers, for reports.
pub(super) const ALPHABET: &str = "every board with up to 3 valid pieces; also with pieces that are discarded, if there are up to 2 pieces on up to 6 cells, or 3 on up to 2; with a page for up to 2 pieces";

/// The families of cases whose grid has so many cells, in order.
pub(super) fn families(area: usize, flags: &[String], limits: &InputLimits) -> Vec<Family> {
    let mut families = Vec::new();
    let Some(plainest) = flags.iter().min_by_key(|flags| flags.len()) else { return families };
    for lines in 1..=limits["pieces"].min(3) as usize {
        for rows in (1..=area).filter(|rows| area.is_multiple_of(*rows)) {
            let columns = area / rows;
            if rows as u64 > limits["rows"] || columns as u64 > limits["columns"] {
                continue;
            }
            let (rows, columns) = (rows as i32, columns as i32);
            let shapes = shapes(rows, columns);
            let is_wide = area <= WIDE_AREA || lines < 3 && area <= ODD_AREA;
            for style in styles(area, lines) {
                let board = Board { rows, columns, pieces: Vec::new(), style };
                for flags in flags.iter().filter(|flags| lines < 3 || *flags == plainest) {
                    if is_wide {
                        families.push(lists(&board, &shapes, lines, flags));
                    } else {
                        families.push(layouts(&board, &shapes, lines, flags));
                    }
                }
            }
        }
    }
    families
}

/// Every rectangle on the grid. The direction is set later.
fn shapes(rows: i32, columns: i32) -> Vec<Piece> {
    let mut shapes = Vec::new();
    for row in 1..=rows {
        for column in 1..=columns {
            for height in 1..=rows - row + 1 {
                shapes.extend(
                    (1..=columns - column + 1)
                        .map(|width| Piece::new(row, column, width, height, b'n')),
                );
            }
        }
    }
    shapes
}

const DIRECTIONS: [u8; 4] = *b"nhvb";

/// The ways to write a file, the simplest first.
fn styles(area: usize, lines: usize) -> Vec<Style> {
    let plain = Style::default();
    if area > WIDE_AREA || lines > 2 {
        return vec![plain];
    }
    let mut styles = vec![
        plain.clone(),
        Style { no_final_newline: true, ..plain.clone() },
        Style { wide: true, ..plain.clone() },
        Style { crlf: true, ..plain.clone() },
    ];
    styles.extend((1..=lines).map(|at| Style { blank_line_at: Some(at), ..plain.clone() }));
    styles
}

/// Every list of this many lines: any pieces on the grid, and pieces that are discarded on every grid.
fn lists(board: &Board, shapes: &[Piece], lines: usize, flags: &str) -> Family {
    let mut entries: Vec<_> = shapes
        .iter()
        .flat_map(|shape| DIRECTIONS.map(|direction| Piece { direction, ..*shape }))
        .collect();
    let (rows, columns) = (board.rows, board.columns);
    entries.extend([
        Piece::new(0, 1, 1, 1, b'n'),
        Piece::new(1, 0, 1, 1, b'n'),
        Piece::new(rows + 1, 1, 1, 1, b'n'),
        Piece::new(1, columns + 1, 1, 1, b'n'),
        Piece::new(1, 1, columns + 1, 1, b'n'),
        Piece::new(1, 1, 1, rows + 1, b'n'),
        Piece::new(1, 1, 0, 1, b'n'),
        Piece::new(1, 1, 1, 0, b'n'),
        Piece::new(1, 1, -1, 1, b'n'),
        Piece::new(1, 1, 1, 1, b'x'),
        Piece::new(1, 1, 1, 1, b'B'),
    ]);
    let (board, flags) = (board.clone(), flags.to_owned());
    Family {
        count: entries.len().pow(lines as u32),
        make: Box::new(move |mut index| {
            let mut entry = || {
                let entry = entries[index % entries.len()];
                index /= entries.len();
                entry
            };
            Some(draft(&board, (0..lines).map(|_| entry()).collect(), &flags))
        }),
    }
}

/// Every layout of this many valid pieces, each with every direction. The pieces after the goal piece are ordered from top to bottom.
fn layouts(board: &Board, shapes: &[Piece], lines: usize, flags: &str) -> Family {
    let mut layouts: Vec<Vec<Piece>> = vec![Vec::new()];
    for _ in 0..lines {
        layouts = layouts.into_iter().flat_map(|layout| longer(&layout, shapes)).collect();
    }
    let (board, flags) = (board.clone(), flags.to_owned());
    let turns = DIRECTIONS.len().pow(lines as u32);
    Family {
        count: layouts.len() * turns,
        make: Box::new(move |index| {
            let (layout, mut turn) = (&layouts[index / turns], index % turns);
            let turned = |piece: &Piece| {
                let direction = DIRECTIONS[turn % DIRECTIONS.len()];
                turn /= DIRECTIONS.len();
                Piece { direction, ..*piece }
            };
            Some(draft(&board, layout.iter().map(turned).collect(), &flags))
        }),
    }
}

/// Every layout with one more piece. The pieces after the goal piece are in the order of `shapes`.
fn longer(layout: &[Piece], shapes: &[Piece]) -> Vec<Vec<Piece>> {
    let place = |piece: &Piece| (piece.row, piece.column);
    let is_next = |shape: &Piece| {
        layout.len() < 2 || layout.last().is_some_and(|last| place(last) < place(shape))
    };
    let has_room = |shape: &Piece| !layout.iter().any(|other| other.overlaps(shape));
    shapes
        .iter()
        .filter(|shape| is_next(shape) && has_room(shape))
        .map(|shape| [layout, &[*shape]].concat())
        .collect()
}

fn draft(board: &Board, pieces: Vec<Piece>, flags: &str) -> Draft {
    let board = Board { pieces, ..board.clone() };
    Draft { flags: flags.to_owned(), input: board.render() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn cases(area: usize) -> Vec<Draft> {
        let limits =
            InputLimits::from([("rows".into(), 8), ("columns".into(), 8), ("pieces".into(), 20)]);
        families(area, &["h".to_owned(), String::new()], &limits)
            .iter()
            .flat_map(|family| {
                (0..family.count).filter_map(|index| (family.make)(index)).collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn every_case_of_an_area_is_listed_once() {
        // One cell: 4 valid and 11 invalid pieces. With two flags, there are 5 ways to write one line and 6 for two; with one flag, one way
        // for 3 lines.
        assert_eq!(cases(1).len(), 15 * 5 * 2 + 15 * 15 * 6 * 2 + 15 * 15 * 15);
        for area in [1, 3] {
            let cases = cases(area);
            assert_eq!(cases.iter().collect::<HashSet<_>>().len(), cases.len());
        }
    }

    #[test]
    fn every_layout_of_three_separate_pieces_is_listed() {
        let cases = cases(3);
        let has =
            |file: &[u8]| cases.iter().any(|draft| draft.input == file && draft.flags.is_empty());
        assert!(has(b"1 3\n1 2 1 1 b\n1 1 1 1 h\n1 3 1 1 v\n"));
        assert!(!has(b"1 3\n1 2 1 1 b\n1 3 1 1 h\n1 1 1 1 v\n"), "the same with other names");
        assert!(!has(b"1 3\n1 2 1 1 b\n1 1 2 1 h\n1 3 1 1 v\n"), "they overlap");
    }
}
