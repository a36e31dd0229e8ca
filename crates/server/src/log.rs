//! The log: what the server does, as text on a terminal and as lines of JSON for programs. It holds no secret: a request is named by the
//! pattern of its route, and a person by a number.

use serde::Deserialize;
use std::io::{self, IsTerminal};
use tracing_subscriber::EnvFilter;

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Text,
    /// An object on each line.
    Json,
}

/// Begins to write the log to standard error. Without a format, it is text on a terminal, and JSON elsewhere. `RUST_LOG` selects more or
/// less of it, such as `RUST_LOG=server=debug`.
pub fn begin(format: Option<Format>) {
    let usual = if io::stderr().is_terminal() { Format::Text } else { Format::Json };
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,refinery_core=warn,tokio_postgres=warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // A program that began already, such as a test, goes on.
    let _ = match format.unwrap_or(usual) {
        Format::Text => log.with_ansi(io::stderr().is_terminal()).try_init(),
        Format::Json => log.json().flatten_event(true).try_init(),
    };
}
