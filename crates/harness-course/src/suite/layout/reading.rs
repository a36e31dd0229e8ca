//! Decides whether a folder is what one student handed in, or a class. One rule for every command.

use super::Shape;
use crate::diagnostic::{Failure, Problem};
use std::path::Path;

/// How to read a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As what it looks like.
    Seen,
    /// As that of one student, if it may be.
    RatherOne,
    /// As a class, if it may be.
    RatherClass,
    /// As that of one student: the user says so.
    One,
    /// As a class: the user says so.
    Class,
}

/// What was seen in a folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Files that a student hands in.
    pub loose: usize,
    /// Folders that hold such files.
    pub students: usize,
    /// Archives, which a student may also have made of the files beside them.
    pub archives: usize,
}

impl Reading {
    /// What the folder is.
    ///
    /// # Errors
    /// If it may be both: with how to choose.
    pub fn decide(self, folder: &Path, seen: Seen) -> Result<Shape, Failure> {
        let Seen { loose, students, archives } = seen;
        let has_students = students + archives > 0;
        // Some stray files do not make a class one submission, and old copies do not make one submission a class.
        let is_class = loose == 0 || students > 1 && students + archives > loose;
        let is_one = students == 0 && archives <= loose;
        match self {
            Self::One => Ok(Shape::Suite),
            Self::Class => Ok(Shape::Class),
            Self::RatherOne if loose > 0 || students == 1 && archives == 0 => Ok(Shape::Suite),
            Self::RatherClass if !has_students || is_one => Ok(Shape::Suite),
            _ if !has_students => Ok(Shape::Suite),
            Self::RatherClass => Ok(Shape::Class),
            Self::Seen | Self::RatherOne => match (is_one, is_class) {
                (_, true) => Ok(Shape::Class),
                (true, false) => Ok(Shape::Suite),
                (false, false) => Err(both(folder)),
            },
        }
    }
}

/// The error of a folder that can be read in both ways.
pub fn both(folder: &Path) -> Failure {
    let message = format!("{} may be that of one student, or a class", folder.display());
    let hint = "say which with --as one or --as class, or move the files beside the students' folders away";
    Failure::usage(Problem::new(message).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reading: Reading, loose: usize, students: usize, archives: usize) -> Option<Shape> {
        reading.decide(Path::new("x"), Seen { loose, students, archives }).ok()
    }

    #[test]
    fn what_may_be_both_is_never_guessed() {
        let seen = |loose, students, archives| read(Reading::Seen, loose, students, archives);
        for (loose, students, archives) in [(0, 1, 0), (0, 0, 1), (0, 3, 2), (1, 2, 0), (3, 2, 2)] {
            assert_eq!(seen(loose, students, archives), Some(Shape::Class));
        }
        for (loose, students, archives) in [(0, 0, 0), (9, 0, 0), (9, 0, 2)] {
            assert_eq!(seen(loose, students, archives), Some(Shape::Suite));
        }
        for (loose, students, archives) in [(1, 1, 0), (9, 2, 0), (1, 0, 30), (9, 1, 1)] {
            assert_eq!(seen(loose, students, archives), None);
        }
    }

    #[test]
    fn what_the_command_needs_or_the_user_says_decides() {
        assert_eq!(read(Reading::RatherOne, 1, 2, 0), Some(Shape::Suite));
        assert_eq!(read(Reading::RatherOne, 0, 1, 0), Some(Shape::Suite));
        assert_eq!(read(Reading::RatherOne, 0, 2, 0), Some(Shape::Class));
        assert_eq!(read(Reading::RatherClass, 9, 1, 0), Some(Shape::Class));
        assert_eq!(read(Reading::RatherClass, 9, 0, 2), Some(Shape::Suite));
        assert_eq!(read(Reading::One, 0, 2, 0), Some(Shape::Suite));
        assert_eq!(read(Reading::Class, 9, 0, 0), Some(Shape::Class));
    }
}
