//! Reads an answer from an HTML page. A table of the grid's size is a grid, and the rest is text. This is not a general HTML parser: it
//! knows only tables and line breaks, and tags may be left open.

use super::answer::{Answer, BLANK, Content, Grid, is_blank, names};
use super::board::Board;

pub(super) fn read(html: &str, board: &Board) -> Answer {
    let mut reader = Reader {
        answer: Answer::default(),
        rows: usize::try_from(board.rows).unwrap_or(0),
        columns: usize::try_from(board.columns).unwrap_or(0),
        names: names(board),
        tables: Vec::new(),
        line: String::new(),
    };
    let mut rest = html;
    while let Some((text, behind)) = rest.split_once('<') {
        reader.take_text(text);
        rest = reader.take_tag(behind);
    }
    reader.take_text(rest);
    while !reader.tables.is_empty() {
        reader.end_table();
    }
    reader.end_line();
    reader.answer
}

struct Reader {
    answer: Answer,
    rows: usize,
    columns: usize,
    names: String,
    /// The open tables, the outermost first.
    tables: Vec<Table>,
    /// The current line of text outside tables.
    line: String,
}

/// The elements that do not end a line.
const INLINE: [&str; 7] = ["b", "i", "em", "strong", "span", "font", "a"];

/// The rows of a table.
type Table = Vec<Vec<Cell>>;

struct Cell {
    text: String,
    columns: usize,
    rows: usize,
}

impl Reader {
    /// Adds the text between two tags.
    fn take_text(&mut self, text: &str) {
        let place = match self.tables.last_mut() {
            None => Some(&mut self.line),
            Some(table) => {
                table.last_mut().and_then(|row| row.last_mut()).map(|cell| &mut cell.text)
            }
        };
        if let Some(place) = place {
            place.push_str(&unescape(text));
        }
    }

    /// Reads the tag at the start of `text`, and returns the text after it.
    fn take_tag<'a>(&mut self, text: &'a str) -> &'a str {
        if let Some(comment) = text.strip_prefix("!--") {
            return comment.split_once("-->").map_or("", |(_, behind)| behind);
        }
        let (tag, behind) = text.split_once('>').unwrap_or((text, ""));
        let is_name = |c: char| c == '/' || c.is_ascii_alphanumeric();
        let name = tag.split(|c| !is_name(c)).next().unwrap_or_default().to_ascii_lowercase();
        match name.as_str() {
            // The contents of these elements are not shown.
            "head" | "title" | "style" | "script" => return behind_end(behind, &name),
            "table" => {
                self.end_line();
                self.tables.push(Table::new());
            }
            "/table" => self.end_table(),
            "tr" => self.tables.last_mut().into_iter().for_each(|table| table.push(Vec::new())),
            "td" | "th" => self.begin_cell(tag),
            inline if INLINE.contains(&inline.trim_start_matches('/')) => {}
            _ if self.tables.is_empty() => self.end_line(),
            _ => self.take_text(" "),
        }
        behind
    }

    fn begin_cell(&mut self, tag: &str) {
        let cell = Cell {
            text: String::new(),
            columns: span(tag, "colspan").clamp(1, self.columns + 1),
            rows: span(tag, "rowspan").clamp(1, self.rows + 1),
        };
        let Some(table) = self.tables.last_mut() else { return };
        match table.last_mut() {
            Some(row) => row.push(cell),
            None => table.push(vec![cell]),
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.answer.take_line(None, &line, &self.names);
    }

    /// Ends the innermost table, which is a grid or lines of text.
    fn end_table(&mut self) {
        let Some(table) = self.tables.pop() else { return };
        if let Some(grid) = self.grid(&table) {
            self.answer.push(None, Content::Grid(grid));
            return;
        }
        for row in table {
            let words: Vec<_> = row.into_iter().map(|cell| cell.text).collect();
            self.answer.take_line(None, &words.join(" "), &self.names);
        }
    }

    /// The grid that a table shows, if it has the right size and no cell contains more than a name.
    fn grid(&self, table: &Table) -> Option<Grid> {
        let mut grid: Vec<Vec<Option<char>>> = vec![vec![None; self.columns]; self.rows];
        if table.len() != self.rows {
            return None;
        }
        for (at, row) in table.iter().enumerate() {
            let mut column = 0;
            for cell in row {
                let name = name(&cell.text)?;
                column += grid[at][column..].iter().take_while(|taken| taken.is_some()).count();
                // A cell cannot span more rows than the table has.
                let last = (at + cell.rows).min(self.rows);
                for covered in &mut grid[at..last] {
                    covered.get_mut(column..column + cell.columns)?.fill(Some(name));
                }
                column += cell.columns;
            }
        }
        Some(
            grid.into_iter()
                .map(|row| row.into_iter().map(|cell| cell.unwrap_or(BLANK)).collect())
                .collect(),
        )
    }
}

/// The name or the blank that a cell shows. `None` if it shows anything else.
fn name(text: &str) -> Option<char> {
    let mut characters = text.trim().chars();
    match (characters.next(), characters.next()) {
        (None, _) => Some(BLANK),
        (Some(cell), None) => Some(if is_blank(cell) { BLANK } else { cell }),
        _ => None,
    }
}

/// The text after the end tag of `name`.
fn behind_end<'a>(text: &'a str, name: &str) -> &'a str {
    let end = format!("</{name}");
    let is_end = |tag: &[u8]| tag.eq_ignore_ascii_case(end.as_bytes());
    let Some(at) = text.as_bytes().windows(end.len()).position(is_end) else { return "" };
    text[at..].split_once('>').map_or("", |(_, behind)| behind)
}

/// The number that a tag has for `attribute`, or 1 if it has none.
fn span(tag: &str, attribute: &str) -> usize {
    let lowercase = tag.to_ascii_lowercase();
    let Some((_, value)) = lowercase.split_once(attribute) else { return 1 };
    let value =
        value.trim_start_matches(|c: char| c == '=' || c == '"' || c == '\'' || c.is_whitespace());
    let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(1)
}

fn unescape(text: &str) -> String {
    const ENTITIES: &str = "nbsp= |#160= |middot=.|lt=<|gt=>|quot=\"|amp=&";
    let replaced = |text: String, entity: &str| {
        let (name, character) = entity.split_once('=').unwrap_or_default();
        text.replace(&format!("&{name};"), character)
    };
    ENTITIES.split('|').fold(text.to_owned(), replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str, rows: i32, columns: i32) -> Answer {
        let board = format!("{rows} {columns}\n1 1 1 1 h\n");
        super::read(html, &Board::read(board.as_bytes()).unwrap())
    }

    fn grids(answer: &Answer) -> Vec<Grid> {
        answer.grids().map(|(_, grid)| grid.clone()).collect()
    }

    #[test]
    fn tables_of_the_grids_size_are_grids_however_they_are_written() {
        let spans = "<p>a message<table><tr><td colspan=2>Z</td><td ROWSPAN='2'>1</td></tr><tr><td>.<td>&nbsp;</tr></table>";
        let plain = "a message<TABLE border=1><tr><td>Z<td>Z<td>1<tr><td> <td><!-- > --><td><b>1</b></table>";
        for page in [spans, plain] {
            let answer = read(page, 2, 3);
            assert_eq!(grids(&answer), [[['Z', 'Z', '1'], ['.', '.', '1']]], "{page}");
            assert_eq!(answer.messages().collect::<Vec<_>>(), [(None, "a message")]);
        }
    }

    #[test]
    fn moves_may_stand_in_a_list_or_in_a_table() {
        let grid = "<table><tr><td>Z<td></table>";
        let list = format!(
            "<head><title>t</title></head><h2>Start</h2>{grid}<ol><li>Piece Z right 1 space</li></ol>{grid}"
        );
        let table = format!(
            "{grid}<table><tr><th>Piece<th>To<th>Far<tr><td>Z</td><td>right</td><td>1 space</td></tr></table>{grid}"
        );
        for page in [list, table] {
            let answer = read(&page, 1, 2);
            assert_eq!((answer.grids().count(), answer.moves().count()), (2, 1), "{page}");
        }
    }

    #[test]
    fn a_table_of_another_size_is_not_a_grid() {
        for page in [
            "<table><tr><td colspan=3>Z</table>",
            "<table><tr><td rowspan=2>Z<td><tr></table>",
            "<table>",
            "<td>Z</td>",
        ] {
            assert_eq!(grids(&read(page, 1, 2)), Vec::<Grid>::new(), "{page}");
        }
    }

    #[test]
    fn cells_that_a_row_lacks_are_blank() {
        assert_eq!(grids(&read("<table><tr><td>Z</table>", 1, 2)), [[['Z', '.']]]);
    }
}
