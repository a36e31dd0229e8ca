//! Finds grids in lines of text. A grid may have a frame of asterisks, `#`, `+--+` or box characters, or none. Its cells may be side by
//! side, spaced, or separated by bars.

use super::answer::{BLANK, Grid, is_blank};
use super::board::{Board, NAMES};

/// The size and the names of a grid that is looked for.
pub(super) struct Shape {
    rows: usize,
    columns: usize,
    /// The names that a cell may show. `None` if the board has more pieces than the specification names.
    names: Option<String>,
}

impl Shape {
    /// That of a grid that shows this board. `names` are the names that the specification gives to its pieces.
    pub(super) fn of(board: &Board, names: &str) -> Self {
        let size = |length: i32| usize::try_from(length).unwrap_or(0);
        let is_known = names.len() < NAMES.len();
        Self {
            rows: size(board.rows),
            columns: size(board.columns),
            names: is_known.then(|| names.to_owned()),
        }
    }

    /// Whether a cell may show this character.
    fn may_show(&self, cell: char) -> bool {
        is_blank(cell) || self.names.as_ref().is_none_or(|names| names.contains(cell))
    }
}

/// The grid at the start of the lines, if there is one, and the number of its lines.
pub(super) fn grid(lines: &[&str], shape: &Shape) -> Option<(Grid, usize)> {
    framed(lines, shape).or_else(|| unframed(lines, shape))
}

/// A grid between two borders. There may also be borders between its rows.
fn framed(lines: &[&str], shape: &Shape) -> Option<(Grid, usize)> {
    let top = lines[0].trim();
    if !is_border(top) {
        return None;
    }
    let is_end = |at: usize| lines.get(at).is_some_and(|line| closes(top, line.trim()));
    let is_ruled = |row: &usize| is_end(2 * row) && !is_border(lines[2 * row - 1].trim());
    let ruled = (1..=shape.rows).take_while(is_ruled).count();
    let end = Some(2 * ruled).filter(|&end| end > 0);
    let end = end.or_else(|| (1..=4 * shape.rows + 6).find(|&at| is_end(at)))?;
    let step = if ruled > 1 { 2 } else { 1 };
    let rows: Vec<&str> = lines[1..end].iter().step_by(step).copied().collect();
    let inner: Vec<String> = rows.iter().map(|row| inside(row, lines[0])).collect();
    let is_cell = |cell| shape.may_show(cell) || is_bar(cell);
    let is_sided = |row: &&str| row.trim_start().starts_with(is_side);
    // A grid with unknown names is a wrong grid, but a banner in a frame is not a grid.
    let is_grid = inner.iter().all(|row| row.chars().all(is_cell))
        || rows.len() == shape.rows
            && rows.iter().all(is_sided)
            && inner.iter().all(|row| row.chars().count() <= shape.columns + 2 || is_spaced(row));
    (is_grid && !rows.is_empty()).then(|| (cells(&inner, shape.columns), end + 1))
}

/// A grid without an upper and a lower border: as many lines of cells as the board has rows.
fn unframed(lines: &[&str], shape: &Shape) -> Option<(Grid, usize)> {
    if shape.rows == 0 || lines.len() < shape.rows || lines[0].trim().is_empty() {
        return None;
    }
    let rows: Vec<String> = lines[..shape.rows].iter().map(|line| inside(line, line)).collect();
    let most = 4 * shape.columns + 1;
    let width = |row: &String| row.chars().count();
    let is_known = shape.names.is_some()
        && rows.iter().all(|row| row.chars().all(|cell| shape.may_show(cell) || is_bar(cell)));
    // Single letters and periods are a grid too, even if the names are wrong.
    let is_drawn = shape.rows > 1
        && rows.iter().any(|row| row.contains(BLANK))
        && rows.iter().all(|row| width(row) == width(&rows[0]))
        && rows.iter().all(|row| width(row) == shape.columns || is_spaced(row))
        && rows.iter().flat_map(|row| row.chars()).all(|c| c.is_alphanumeric() || is_blank(c));
    let has_piece = |row: &String| row.chars().any(|cell| !is_blank(cell) && !is_bar(cell));
    let is_short = rows.iter().all(|row| width(row) <= most);
    if !(is_known || is_drawn) || !is_short || !rows.iter().any(has_piece) {
        return None;
    }
    let grid = cells(&rows, shape.columns);
    // A short line of names is more likely to be text, so a grid needs at least one full row.
    let is_full = grid.iter().any(|row| row.len() == shape.columns);
    (is_full && grid.iter().all(|row| row.len() <= shape.columns)).then_some((grid, shape.rows))
}

/// Whether a line is an upper or lower border: at least three frame characters, with at most one space between them.
fn is_border(line: &str) -> bool {
    let is_mark =
        |c: char| matches!(c, '*' | '#' | '+' | '-' | '=' | '_' | '\u{2500}'..='\u{259f}');
    let marks = line.chars().filter(|&c| is_mark(c)).count();
    marks >= 3 && line.chars().all(|c| is_mark(c) || c == ' ') && !line.contains("  ")
}

/// Whether a line is the lower border for this upper one. Borders of box characters differ in their corners.
fn closes(top: &str, line: &str) -> bool {
    let is_box = |text: &str| text.chars().all(|c| matches!(c, '\u{2500}'..='\u{259f}'));
    let is_bar_row = line.chars().skip(1).any(is_bar);
    line == top
        || is_box(top) && is_box(line) && !is_bar_row && line.chars().count() == top.chars().count()
}

/// Whether a character is a bar between cells.
fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '║' | '┃')
}

/// Whether no two letters or digits of a row are adjacent.
fn is_spaced(row: &str) -> bool {
    row.split(|c: char| !c.is_alphanumeric()).all(|word| word.chars().count() <= 1)
}

/// Whether a character may be the left or right border of a row.
fn is_side(c: char) -> bool {
    matches!(c, '*' | '#' | '█') || is_bar(c)
}

/// A row without its left and right border. It is indented as far as the upper border.
fn inside(row: &str, border: &str) -> String {
    let row = row.trim_end();
    let trimmed = row.trim_start();
    let row = trimmed.strip_prefix(is_side).unwrap_or_else(|| {
        let indent = border.len() - border.trim_start().len();
        row.get(indent..).filter(|_| row[..indent].trim().is_empty()).unwrap_or(trimmed)
    });
    row.strip_suffix(is_side).unwrap_or(row).to_owned()
}

/// The cells of the rows: every character, or every second, third or fourth one. A bar counts as a space.
fn cells(rows: &[String], columns: usize) -> Grid {
    let cell = |c: &char| if is_blank(*c) { BLANK } else { *c };
    let rows: Vec<Vec<char>> = rows
        .iter()
        .map(|row| row.chars().map(|c| if is_bar(c) { ' ' } else { c }).collect())
        .collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let has_gaps = |pitch: usize, first: usize| {
        let last = first + pitch * (columns.max(1) - 1);
        let is_between = |at: usize| at < first || at > last || !(at - first).is_multiple_of(pitch);
        let between = |row: &Vec<char>| {
            row.iter().enumerate().all(|(at, c)| !is_between(at) || c.is_whitespace())
        };
        last < width && width <= last + pitch + 1 && rows.iter().all(between)
    };
    let spacings = (2..=4).flat_map(|pitch| (0..pitch).map(move |first| (pitch, first)));
    let spacing =
        if width <= columns { None } else { spacings.into_iter().find(|&(p, f)| has_gaps(p, f)) };
    let (pitch, first) = spacing.unwrap_or((1, 0));
    let row = |row: &Vec<char>| {
        let mut cells: Vec<char> = row.iter().skip(first).step_by(pitch).map(cell).collect();
        cells.resize(spacing.map_or(cells.len(), |_| columns), BLANK);
        cells
    };
    rows.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Shape {
        Shape { rows: 2, columns: 3, names: Some("Z1".to_owned()) }
    }

    #[test]
    fn a_grid_is_found_in_any_frame_and_with_any_spacing() {
        let expected: Grid = vec![vec!['Z', 'Z', '1'], vec!['.', '.', '1']];
        for text in [
            "*****\n*ZZ1*\n*..1*\n*****",
            " *****\n *ZZ1*\n *  1\n *****",
            "#####\n#ZZ1#\n#  1#\n#####",
            "+---+\n|ZZ1|\n|  1|\n+---+",
            "+-+-+-+\n|Z|Z|1|\n+-+-+-+\n| | |1|\n+-+-+-+",
            "+---+---+---+\n| Z | Z | 1 |\n+---+---+---+\n|   |   | 1 |\n+---+---+---+",
            "┌───┐\n│ZZ1│\n│..1│\n└───┘",
            "*********\n* Z Z 1 *\n* . . 1 *\n*********",
            "* * * * *\n* Z Z 1 *\n*     1 *\n* * * * *",
            "-----\nZZ1\n  1\n-----",
            "ZZ1\n..1",
            "Z Z 1\n. . 1",
            "ZZ1\n__1",
        ] {
            let lines: Vec<_> = text.lines().collect();
            let found = grid(&lines, &shape());
            assert_eq!(found, Some((expected.clone(), lines.len())), "{text}");
        }
    }

    #[test]
    fn a_banner_in_a_frame_is_not_a_grid() {
        for text in [
            "****************\n*Sliding Blocks*\n****************\n",
            "*****\nMoves\n*****\n",
            "-----\nMoves:\n1. Piece 1 up 1 space\n-----\n",
            "Z1",
            "",
        ] {
            let lines: Vec<_> = text.lines().chain([""]).collect();
            assert_eq!(grid(&lines, &shape()), None, "{text}");
        }
    }
}
