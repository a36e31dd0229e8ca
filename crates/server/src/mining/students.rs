//! Whose programs were mined. A document names each by the number of its submission.

use crate::database::{Connection, Result, Value};
use crate::people::sight;
use crate::rules::Moment;
use std::collections::BTreeMap;

/// How many submissions are asked for at a time.
const BATCH: usize = 500;

/// Who handed a submission in, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Student {
    pub login: String,
    pub name: String,
    pub at: Moment,
}

impl Student {
    /// Whether a text has the login or a part of the name.
    pub fn is_named_in(&self, text: &str) -> bool {
        let words = |text: &str| -> Vec<String> {
            text.split(|it: char| !it.is_alphanumeric()).map(str::to_lowercase).collect()
        };
        let in_text = words(text);
        let mut own = words(&self.name);
        own.extend(words(&self.login));
        own.retain(|word| word.chars().count() >= 3 && !word.chars().all(char::is_numeric));
        own.iter().any(|word| in_text.contains(word))
    }
}

/// The students of submissions.
///
/// # Errors
/// If the database fails.
pub fn students(
    connection: &mut Connection<'_>,
    submissions: &[i64],
) -> Result<BTreeMap<i64, Student>> {
    let mut all = BTreeMap::new();
    for some in submissions.chunks(BATCH) {
        let sql = format!(
            "select submission.id, person.login, person.name, submission.at from submission \
             join person on person.id = submission.person where submission.id in ({})",
            sight::numbers(1, some.len())
        );
        let values: Vec<Value> = some.iter().map(|id| (*id).into()).collect();
        let rows = connection.query(&sql, &values)?;
        all.extend(rows.iter().map(|row| {
            let (login, name, at) = (row.text(1), row.text(2), Moment(row.int(3)));
            (row.int(0), Student { login, name, at })
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_a_student_by_a_word_of_the_name_or_the_login() {
        let (login, name) = ("alee7".to_owned(), "Ann Lee-Brown".to_owned());
        let student = Student { login, name, at: Moment(0) };
        for text in ["by ANN", "3 # Brown", "/home/alee7/x"] {
            assert!(student.is_named_in(text), "{text}");
        }
        for text in ["annual 3", "", "lees 7"] {
            assert!(!student.is_named_in(text), "{text}");
        }
    }
}
