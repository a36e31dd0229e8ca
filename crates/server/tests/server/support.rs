//! What the tests share.

pub(crate) mod certificates;
pub(crate) mod gradebook;
pub(crate) mod grading;
pub(crate) mod handing_in;
pub(crate) mod http;
pub(crate) mod platform;
pub(crate) mod postgres;
pub(crate) mod program;
pub(crate) mod provider;
pub(crate) mod records;
pub(crate) mod results;
pub(crate) mod site;
pub(crate) mod sums;

use server::database::{Address, Database};
use std::future::Future;
use tempfile::TempDir;

/// Runs a test on both databases, whose tables are empty. PostgreSQL is left out where it is not installed, unless `CI` is set.
pub(crate) fn on_both<F: Future<Output = ()>>(test: impl Fn(Database) -> F) {
    let folder = tempfile::tempdir().unwrap();
    run(&sqlite(&folder), &test);
    if let Some(url) = postgres::with_tables() {
        run(&Address::Postgres(url), &test);
    }
}

/// Runs a test of a site on both databases, with this `serve.yaml`.
pub(crate) fn site_on_both(serve: &str, test: impl Fn(&site::Site)) {
    on_each(|address| test(&site::Site::new(address, serve)));
}

/// Runs a test on the addresses of both databases.
pub(crate) fn on_each(test: impl Fn(&Address)) {
    let folder = tempfile::tempdir().unwrap();
    test(&sqlite(&folder));
    if let Some(url) = postgres::with_tables() {
        test(&Address::Postgres(url));
    }
}

/// A database of SQLite in a folder.
pub(crate) fn sqlite(folder: &TempDir) -> Address {
    Address::Sqlite(folder.path().join("serve.sqlite"))
}

fn run<F: Future<Output = ()>>(address: &Address, test: &impl Fn(Database) -> F) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let database = Database::open(address).await.unwrap_or_else(|fault| panic!("{fault}"));
        test(database).await;
    });
}
