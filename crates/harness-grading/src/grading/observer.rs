//! Hears how the work goes.

use crate::diagnostic::Warning;

/// Hears how the work goes. What it does with it changes no result.
pub trait Observer: Sync {
    /// Another stage begins. It has `steps`, if their number is known.
    fn begin(&self, _stage: &str, _steps: Option<usize>) {}

    /// A step of the stage is done.
    fn advance(&self) {}

    /// The stage is done.
    fn end(&self) {}

    /// Something is wrong that does not stop the work. Staff should know it.
    fn warn(&self, _warning: &Warning) {}
}
