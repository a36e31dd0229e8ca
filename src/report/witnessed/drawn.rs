//! The result of `mutants witness` where tests are unit tests: calls were drawn, and test cases added to the course's file.

use super::super::screen::{STRONG, Screen};
use super::super::table::Table;
use super::super::words::counted;
use super::Status;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The result of one assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnCases {
    pub assignment: String,
    /// The path of the course's file of test cases.
    pub file: String,
    /// How many cases were added to it.
    pub added: usize,
    /// How many calls were tried.
    pub tried: u64,
    /// Whether time ran out before the search was complete.
    pub out_of_time: bool,
    /// The mutants, in the order of their ids.
    pub mutants: Vec<DrawnMutant>,
}

/// The result of one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnMutant {
    pub id: String,
    /// `kept` if a case of the file exposes it already.
    pub status: Status,
    /// The name of the new case that exposes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The size of its call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
}

impl DrawnCases {
    pub(super) fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out, "{}: {} calls tried", self.assignment, self.tried)?;
        let mut table = Table::new(2);
        for mutant in &self.mutants {
            let text = match (&mutant.case, mutant.status) {
                (Some(case), _) => format!("written  {case}, size {}", mutant.size.unwrap_or(0)),
                (None, Status::Kept) => "kept     a test case exposes it".to_owned(),
                (None, _) if self.out_of_time => "not found in time".to_owned(),
                (None, _) => "no call that was tried exposes it; write a test case".to_owned(),
            };
            table.row([screen.styled(STRONG, &mutant.id), text]);
        }
        table.write(out, screen)?;
        writeln!(out, "Added {} to {}", counted(self.added, "test case"), self.file)
    }
}
