//! What a reader sees of a submission: how far it is, and the report, cut to what the reader may see.

mod glance;
mod hints;
mod reader;
mod seen;
mod text;

pub use glance::{Glance, JobRow, Phase, ResultRow};
pub use reader::Reader;
pub use seen::{Seen, graded, seen};
pub use text::{plain, screen, text};
