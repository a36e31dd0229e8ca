//! Results as files and as text: one file for each format. A format writes all that it gets:
//! [`SuiteReport::for_level`](crate::result::SuiteReport::for_level) has removed what its reader may not see.

pub mod against;
pub mod cases;
pub mod catalogue;
pub mod changes;
pub mod csv;
mod difficulty;
pub mod disputed;
pub mod doctor;
pub mod explained;
mod failed;
pub mod formats;
pub mod generated;
pub mod gradebook;
pub mod graded;
pub mod html;
pub mod json;
pub mod junit;
mod left_out;
pub mod markdown;
pub mod packed;
pub mod platform;
pub mod receipt;
pub mod regraded;
pub mod screen;
pub mod shapes;
pub mod similar;
pub mod stryker;
pub mod surveyed;
pub mod table;
pub mod text;
mod tried;
pub mod verified;
pub mod witnessed;
pub mod words;
pub mod writer;
