//! Whom a person may see, as a condition of a query.

use super::{Person, Role};
use crate::database::Value;

/// The condition of the rows of `person` that are students whom `viewer` may see, with its parameters, which are numbered from `first`.
pub fn students(viewer: &Person, first: usize) -> (String, Vec<Value>) {
    if viewer.role == Role::Student {
        return (format!("person.id = ${first}"), vec![viewer.id.into()]);
    }
    let condition = "person.role = 'student'".to_owned();
    if viewer.role > Role::Grader || viewer.sees.is_empty() {
        return (condition, Vec::new());
    }
    let sections = numbers(first, viewer.sees.len());
    let condition = format!("{condition} and person.section in ({sections})");
    (condition, viewer.sees.iter().map(Into::into).collect())
}

/// `$3, $4, $5`
pub fn numbers(first: usize, count: usize) -> String {
    let all: Vec<_> = (first..first + count).map(|at| format!("${at}")).collect();
    all.join(", ")
}
