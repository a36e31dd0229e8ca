//! From what a student hands in to the record of its result, and to what each reader may see of it. Nothing is printed: an
//! [`Observer`] hears how the work goes.
//!
//! [`Ready`] is an assignment that is prepared once, and grades any number of submissions.

pub mod class;
mod contained;
pub mod counted;
mod cut;
mod digest;
pub mod jobs;
mod observer;
mod opened;
mod programs;
mod ready;
pub mod regrade;
pub mod results;
pub mod scorer;
mod stage;
pub mod submissions;
mod suites;
pub mod test_case;
pub mod uncounted;
mod watch;
pub mod witness_file;

pub use class::Class;
pub use contained::contained;
pub use counted::Counted;
pub use cut::Cut;
pub use digest::of_harness;
pub use observer::Observer;
pub use opened::{Opened, check, refused};
pub use ready::{Ready, Settings};
pub use results::Results;
pub use scorer::Scorer;
pub use stage::{Stage, StageWatch};
pub use submissions::Submissions;
pub use watch::Watch;
