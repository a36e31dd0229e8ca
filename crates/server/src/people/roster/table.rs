//! The table of a roster: its columns by whatever name they have, and its cells.

use harness::diagnostic::{Problem, nearest, printable};

/// What a column says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Login,
    Name,
    FirstName,
    LastName,
    Section,
    Extra,
}

impl Column {
    fn word(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Name => "name",
            Self::FirstName => "first name",
            Self::LastName => "last name",
            Self::Section => "section",
            Self::Extra => "extra time",
        }
    }
}

/// The names of columns in lower case, without anything but letters.
const NAMES: [(Column, &[&str]); 6] = [
    (
        Column::Login,
        &[
            "login",
            "loginid",
            "sisloginid",
            "username",
            "user",
            "userid",
            "uniqname",
            "netid",
            "account",
        ],
    ),
    (Column::Name, &["name", "fullname", "student", "studentname", "displayname", "preferredname"]),
    (Column::FirstName, &["firstname", "givenname", "first"]),
    (Column::LastName, &["lastname", "surname", "familyname", "last"]),
    (Column::Section, &["section", "sections", "lab", "labsection", "group", "discussion"]),
    (
        Column::Extra,
        &["extratime", "extra", "extratimeminutes", "extraminutes", "accommodation", "extension"],
    ),
];

pub(super) struct Row {
    /// From 1.
    pub(super) line: u64,
    cells: Vec<String>,
}

pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    columns: Columns,
    /// What to know of the columns that are not used.
    pub(super) unused: Vec<Problem>,
}

/// The columns that are known, with their place from 0 and their name in the file.
type Columns = Vec<(Column, usize, String)>;

impl Table {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Problem> {
        // A line that ends as forms and spreadsheets end it would be counted with the next one.
        let text = text(bytes)?.replace("\r\n", "\n");
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let count = |separator: u8| first.bytes().filter(|byte| *byte == separator).count();
        let separator = [b',', b';', b'\t'].into_iter().rev().max_by_key(|it| count(*it));
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator.unwrap_or(b','))
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| Problem::new(format!("no table: {error}")))?;
            let line = record.position().map_or(1, csv::Position::line);
            let cells: Vec<_> = record.iter().map(cell).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                rows.push(Row { line, cells });
            }
        }
        if rows.is_empty() {
            let hint = "the first line names the columns: login, name, section, extra time";
            return Err(Problem::new("the table is empty").hint(hint));
        }
        let first = rows.remove(0);
        let columns = columns(&first)?;
        let unused = unused(&first, &columns);
        Ok(Self { rows, columns, unused })
    }

    /// A cell of a row. None if the table has no such column.
    pub(super) fn cell(&self, row: &Row, column: Column) -> Option<String> {
        let at = |column| self.columns.iter().find(|(it, ..)| *it == column).map(|(_, at, _)| *at);
        let get = |at: usize| row.cells.get(at).cloned().unwrap_or_default();
        if let Some(at) = at(column) {
            return Some(get(at));
        }
        if column != Column::Name {
            return None;
        }
        let parts: Vec<_> =
            [Column::FirstName, Column::LastName].into_iter().filter_map(at).map(get).collect();
        (!parts.is_empty()).then(|| parts.join(" ").trim().to_owned())
    }

    /// A problem with a cell.
    pub(super) fn wrong(&self, row: &Row, column: Column, what: &str, hint: &str) -> Problem {
        let place = match self.columns.iter().find(|(it, ..)| *it == column) {
            Some((_, at, name)) => format!("line {}, column {} ({name})", row.line, at + 1),
            None => format!("line {}", row.line),
        };
        Problem::new(printable(&format!("{place}: {what}"))).hint(hint)
    }
}

/// The text of a file, without the mark that some programs put before it.
fn text(bytes: &[u8]) -> Result<&str, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let hint = "save the table as CSV in UTF-8";
    if bytes.starts_with(b"PK") || bytes.contains(&0) {
        return Err(Problem::new("this file is no table in CSV").hint(hint));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        Problem::new(format!("line {line}: this is no text in UTF-8")).hint(hint)
    })
}

/// A cell without spaces around it, and with one space between words. A gradebook puts a quote before what looks like a formula.
fn cell(text: &str) -> String {
    let text = text.trim();
    let text = match text.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@']) => rest,
        _ => text,
    };
    let words: Vec<_> = text.split(|it: char| it.is_whitespace() || it.is_control()).collect();
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name of a column as the list of [`NAMES`] has it.
fn letters(name: &str) -> String {
    name.to_lowercase().chars().filter(|it| it.is_alphabetic()).collect()
}

fn columns(first: &Row) -> Result<Columns, Problem> {
    let mut columns = Columns::new();
    for (at, name) in first.cells.iter().enumerate() {
        let letters = letters(name);
        let known = NAMES.iter().find(|(_, names)| names.contains(&letters.as_str()));
        let Some((column, _)) = known else { continue };
        if let Some((_, _, other)) = columns.iter().find(|(it, ..)| it == column) {
            let message = format!("the column `{name}` is there twice, also as `{other}`");
            return Err(Problem::new(printable(&message)).hint("remove one of them"));
        }
        columns.push((*column, at, name.clone()));
    }
    if columns.iter().all(|(column, ..)| *column != Column::Login) {
        let names = first.cells.join(", ");
        let message =
            printable(&format!("line {}: there is no column `login`, but {names}", first.line));
        let hint = "the first line names the columns: login, name, section, extra time";
        return Err(Problem::new(message).hint(hint));
    }
    Ok(columns)
}

/// A note for each column that is not used, with the one that was perhaps meant.
fn unused(first: &Row, columns: &Columns) -> Vec<Problem> {
    let is_free = |column: Column| columns.iter().all(|(it, ..)| *it != column);
    let free: Vec<_> = NAMES.iter().filter(|(column, _)| is_free(*column)).collect();
    let note = |name: &String| {
        let near =
            nearest(&letters(name), free.iter().flat_map(|(_, names)| names.iter().copied()));
        let meant = free.iter().find(|(_, names)| near.is_some_and(|near| names.contains(&near)));
        let hint = meant.map(|(column, _)| format!("did you mean `{}`?", column.word()));
        let message = format!("the column `{name}` is not used");
        Problem::new(printable(&message)).maybe_hint(hint)
    };
    let names =
        first.cells.iter().enumerate().filter(|(at, name)| {
            !name.is_empty() && columns.iter().all(|(_, place, _)| place != at)
        });
    names.map(|(_, name)| note(name)).collect()
}
