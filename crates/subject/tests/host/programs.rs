//! The programs that the tests run. The first argument of most says what they do.

pub(crate) const STREAMS: &str = include_str!("streams.cpp");
pub(crate) const STATE: &str = include_str!("state.cpp");
pub(crate) const ENDS: &str = include_str!("ends.cpp");
pub(crate) const EARLY: &str = include_str!("early.cpp");
pub(crate) const LIMITS: &str = include_str!("limits.cpp");
pub(crate) const MUTANTS: &str = include_str!("mutants.c");
pub(crate) const FILES: &str = include_str!("files.c");
pub(crate) const HOSTILE: &str = include_str!("hostile.c");
pub(crate) const WORDS: &str = include_str!("words.cpp");
pub(crate) const SITES: &str = include_str!("sites.c");
pub(crate) const CALLS: &str = include_str!("calls.c");
