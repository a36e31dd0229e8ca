//! Whose programs were mined. A document names each by the number of its submission.

use crate::database::{Connection, Result, Value};
use crate::people::sight;
use crate::rules::Moment;
use std::collections::BTreeMap;

/// How many submissions are asked for at a time.
const BATCH: usize = 500;

/// Whose a submission is, and when it was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Students {
    pub at: Moment,
    /// The login and the name of the student, or of each member of the group.
    pub members: Vec<(String, String)>,
}

impl Students {
    pub fn names(&self) -> String {
        let names: Vec<_> = self.members.iter().map(|(_, name)| name.as_str()).collect();
        names.join(", ")
    }

    /// Whether a text has the login of one of them, or a part of the name.
    pub fn is_named_in(&self, text: &str) -> bool {
        let words = |text: &str| -> Vec<String> {
            text.split(|it: char| !it.is_alphanumeric()).map(str::to_lowercase).collect()
        };
        let in_text = words(text);
        let mut own: Vec<_> = self
            .members
            .iter()
            .flat_map(|(login, name)| words(&format!("{login} {name}")))
            .collect();
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
) -> Result<BTreeMap<i64, Students>> {
    let mut all: BTreeMap<i64, Students> = BTreeMap::new();
    for some in submissions.chunks(BATCH) {
        let sql = format!(
            "select submission.id, submission.at, person.login, person.name from submission \
             left join member on member.assignment = submission.assignment \
                and member.keeper = submission.person \
             join person on person.id = coalesce(member.person, submission.person) \
             where submission.id in ({}) order by submission.id, member.place",
            sight::numbers(1, some.len())
        );
        let values: Vec<Value> = some.iter().map(|id| (*id).into()).collect();
        for row in connection.query(&sql, &values)? {
            let new = || Students { at: Moment(row.int(1)), members: Vec::new() };
            let of = all.entry(row.int(0)).or_insert_with(new);
            let member = (row.text(2), row.text(3));
            // A submission may be asked for twice.
            if !of.members.contains(&member) {
                of.members.push(member);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_a_student_by_a_word_of_the_name_or_the_login() {
        let member = ("alee7".to_owned(), "Ann Lee-Brown".to_owned());
        let student = Students { at: Moment(0), members: vec![member] };
        for text in ["by ANN", "3 # Brown", "/home/alee7/x"] {
            assert!(student.is_named_in(text), "{text}");
        }
        for text in ["annual 3", "", "lees 7"] {
            assert!(!student.is_named_in(text), "{text}");
        }
    }
}
