//! The programs of an assignment that can be built.

use crate::course::{Assignment, AssignmentProgram};

/// A program that can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant<'a> {
    /// The correct program.
    Reference,
    /// One program with every mutant, selected for each run.
    Combined,
    /// The reference with one bug.
    Mutant(&'a str),
    /// The combined build, started as a process with this mutant selected.
    Selected(&'a str),
    /// The reference with one bug, compiled without optimization, in the target folder of this number. Builds with different numbers
    /// run in parallel.
    Unoptimized(&'a str, usize),
}

impl<'a> Variant<'a> {
    /// The variant whose program this one runs. It is built once for all that share it.
    pub(super) fn shared(self, assignment: &Assignment) -> Self {
        let is_whole_program = self.id().is_some_and(|id| assignment.own_program(id).is_some());
        let is_selected = matches!(
            &assignment.program,
            AssignmentProgram::Sources(sources) if sources.language.compiler().is_none()
        );
        match self {
            _ if is_whole_program => self,
            _ if is_selected => Self::Reference,
            Self::Selected(_) => Self::Combined,
            _ => self,
        }
    }

    pub(super) fn id(self) -> Option<&'a str> {
        match self {
            Self::Reference | Self::Combined => None,
            Self::Mutant(id) | Self::Selected(id) | Self::Unoptimized(id, _) => Some(id),
        }
    }

    /// What messages call it.
    pub(super) fn describe(self) -> String {
        match self {
            Self::Reference => "reference".to_owned(),
            Self::Combined | Self::Selected(_) => "combined build".to_owned(),
            Self::Mutant(id) | Self::Unoptimized(id, _) => format!("mutant `{id}`"),
        }
    }
}
