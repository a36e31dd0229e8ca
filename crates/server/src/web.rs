//! HTTP: which routes there are and who may use them, sessions, and what refusals look like. The pages are in [`pages`](crate::pages).

mod accepts;
mod access;
pub mod assets;
mod body;
mod buckets;
pub mod form;
mod held_body;
mod listen;
mod noted;
mod per_person;
mod reader;
mod refusal;
mod router;
mod sender;
pub mod upload;
mod visitor;

pub use accepts::Accepts;
pub use access::{Access, Route, at_least, public, route, signed_in};
pub use listen::serve;
pub use per_person::{Held, PerPerson};
pub use refusal::Refusal;
pub use router::{cookie, router};
pub use sender::Sender;
pub use visitor::Visitor;

/// What a handler gives.
pub type Answer = std::result::Result<axum::response::Response, Refusal>;
