//! A file of tests on its way to being programs.

use crate::rooms::Rooms;
use crate::run::work::Work;
use crate::suite::TestProgram;
use std::path::Path;

/// A file of tests with a folder in which it is built, and the work that its suite is.
#[derive(Clone, Copy)]
pub(crate) struct Built<'a> {
    pub(crate) work: &'a Work,
    pub(crate) file: &'a TestProgram,
    pub(crate) folder: &'a Path,
    /// Where its programs go first, if one is free.
    pub(crate) rooms: Option<&'a Rooms>,
}
