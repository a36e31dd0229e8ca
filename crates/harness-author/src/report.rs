//! The results of the commands as text, JSON and a page.

pub mod imported;
pub mod mined;
pub mod proposed;
