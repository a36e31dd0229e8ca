//! The roster: the students of a course as a table that a person exports elsewhere. Pure: what it changes is in [`plan`].

pub mod minutes;
pub mod plan;
mod table;

pub use plan::{Plan, apply, plan};

use harness::diagnostic::Problem;
use minutes::minutes;
use std::collections::BTreeMap;
use table::{Column, Table};

/// The most students of a table.
const MOST: usize = 20_000;

/// The most problems that are told.
const MOST_PROBLEMS: usize = 20;

/// A row. What the table has no column for is none, and stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line of the file, from 1.
    pub line: u64,
    pub login: String,
    pub name: Option<String>,
    pub section: Option<String>,
    pub extra_minutes: Option<i64>,
}

/// What a table says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roster {
    pub entries: Vec<Entry>,
    /// What of it is not used.
    pub unused: Vec<Problem>,
}

/// Reads a table: separated by commas, semicolons or tabs, with a line that names the columns.
///
/// # Errors
/// With each place that is wrong.
pub fn parse(bytes: &[u8]) -> Result<Roster, Vec<Problem>> {
    let table = Table::read(bytes).map_err(|problem| vec![problem])?;
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for row in &table.rows {
        match entry(&table, row) {
            Ok(entry) => {
                if let Some(line) = lines.insert(entry.login.to_lowercase(), entry.line) {
                    let what = format!("`{}` is in line {line} too", entry.login);
                    problems.push(table.wrong(row, Column::Login, &what, "leave one of them out"));
                }
                entries.push(entry);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if entries.is_empty() && problems.is_empty() {
        let problem = Problem::new("the table has no students");
        problems.push(problem.hint("below the names of the columns, write a line for each one"));
    }
    if entries.len() > MOST {
        let problem = Problem::new(format!("the table has more than {MOST} students"));
        problems.push(problem.hint("split it into several tables"));
    }
    problems.truncate(MOST_PROBLEMS);
    if problems.is_empty() { Ok(Roster { entries, unused: table.unused }) } else { Err(problems) }
}

fn entry(table: &Table, row: &table::Row) -> Result<Entry, Problem> {
    let login = table.cell(row, Column::Login).unwrap_or_default();
    if let Err(why) = check_login(&login) {
        let hint = "a login is made of letters, digits, and any of . _ - + @";
        return Err(table.wrong(row, Column::Login, why, hint));
    }
    for column in [Column::Name, Column::Section] {
        let cell = table.cell(row, column).unwrap_or_default();
        if cell.chars().count() > 200 {
            let hint = "at most 200 characters are kept";
            return Err(table.wrong(row, column, "the text is too long", hint));
        }
        if column == Column::Section && cell.contains(',') {
            let hint = "a comma separates the sections that a grader sees";
            return Err(table.wrong(row, column, "a section with a comma in its name", hint));
        }
    }
    let extra = table.cell(row, Column::Extra).map(|text| match text.as_str() {
        "" => Ok(0),
        text => minutes(text).ok_or_else(|| {
            let what = format!("`{text}` is no time");
            table.wrong(row, Column::Extra, &what, "write minutes such as 90, or 1.5h, or 2d")
        }),
    });
    Ok(Entry {
        line: row.line,
        login,
        name: table.cell(row, Column::Name).filter(|name| !name.is_empty()),
        section: table.cell(row, Column::Section),
        extra_minutes: extra.transpose()?,
    })
}

/// A login is a part of addresses, and is compared and typed.
fn check_login(login: &str) -> Result<(), &'static str> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "._-+@".contains(letter);
    match login {
        "" => Err("there is no login"),
        _ if login.len() > 100 => Err("the login is too long"),
        "." | ".." => Err("this is no login"),
        _ if !login.chars().all(is_allowed) => {
            Err("the login has a character that it may not have")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Option<String>, Option<String>, Option<i64>)> {
        let all = parse(text.as_bytes()).unwrap_or_else(|problems| panic!("{problems:?}"));
        all.entries
            .into_iter()
            .map(|it| (it.login, it.name, it.section, it.extra_minutes))
            .collect()
    }

    #[test]
    fn the_names_of_columns_and_what_separates_them_are_read_leniently() {
        let expected =
            vec![("ann".to_owned(), Some("Ann Lee".to_owned()), Some("1".to_owned()), Some(90))];
        for text in [
            "login,name,section,extra time\nann,Ann Lee,1,1.5h\n",
            "\u{feff}Login;Name;Section;Extra_Time\r\nann;Ann Lee;1;1,5h\r\n",
            "SECTION\tUniqname\tFull name\tExtra time (minutes)\n1\t ann \tAnn  Lee\t90\n\n",
            "Last Name,First Name,SIS Login ID,Sections,Extra\n\"Lee\",Ann,ann,1,90 min\n",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let text = "Student,Login\n\"Lee, Ann\",ann\n";
        assert_eq!(read(text), [("ann".to_owned(), Some("Lee, Ann".to_owned()), None, None)]);
    }

    #[test]
    fn columns_that_are_not_used_are_named_with_what_was_perhaps_meant() {
        let text = "login,tutor,sectoin,ID,,extra tme\nann,Tess,1,7,,90\n";
        let unused = parse(text.as_bytes()).unwrap().unused;
        let said = |it: Problem| (it.message, it.hint.unwrap_or_default());
        let all: Vec<_> = unused.into_iter().map(said).collect();
        let note =
            |name: &str, hint: &str| (format!("the column `{name}` is not used"), hint.to_owned());
        let section = note("sectoin", "did you mean `section`?");
        let extra = note("extra tme", "did you mean `extra time`?");
        assert_eq!(all, [note("tutor", ""), section, note("ID", ""), extra]);
    }

    #[test]
    fn each_problem_has_its_line_and_column() {
        let text = "login,name,extra time\nann,Ann,soon\nb b,Bob,\n,Cy,\nANN2,A,\nann2,B,2d,more\n";
        let problems = parse(text.as_bytes()).unwrap_err();
        let all: Vec<_> = problems.iter().map(|it| it.message.clone()).collect();
        assert_eq!(
            all,
            [
                "line 2, column 3 (extra time): `soon` is no time",
                "line 3, column 1 (login): the login has a character that it may not have",
                "line 4, column 1 (login): there is no login",
                "line 6, column 1 (login): `ann2` is in line 5 too",
            ]
        );
        let again = parse(text.replace('\n', "\r\n").as_bytes()).unwrap_err();
        assert!(again.iter().map(|it| &it.message).eq(&all), "{again:?}");
        assert!(parse(b"name,section\nAnn,1\n").unwrap_err()[0].message.contains("no column"));
        assert!(parse(b"login,login\na,b\n").unwrap_err()[0].message.contains("twice"));
        let latin = parse(b"login,name\nann,Ann\nbob,Bj\xf6rn\n").unwrap_err();
        assert!(latin[0].message.starts_with("line 3: "), "{latin:?}");
        assert!(parse(b"login\n").unwrap_err()[0].message.contains("no students"));
    }
}
