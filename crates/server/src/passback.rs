//! Which grades the gradebooks of learning platforms should have, and which they have.
//!
//! A grade that differs from what was sent becomes a row that waits. A sender claims it, sends it, and notes the answer. What was sent and
//! not noted is sent once more, as the same score with the same time: so a platform has each grade once, and never an older one last.

pub mod claims;
pub mod columns;
pub mod compared;
pub mod glance;
pub mod line_items;
mod pauses;
pub mod score;
pub mod switch;

pub use claims::Claim;
pub use switch::State;
