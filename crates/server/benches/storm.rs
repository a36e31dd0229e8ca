//! The storm in full: 300 students on PostgreSQL, two servers and two workers, and at least twenty kills. `-- STUDENTS KILLS` for others.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/server/support/handing_in.rs"]
mod handing_in;
#[path = "../tests/server/support/postgres.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod postgres;
#[path = "../tests/server/support/program.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod program;
#[path = "../tests/server/storm.rs"]
mod storm;
#[path = "../tests/server/support/sums.rs"]
mod sums;

/// What the storm looks for where the tests have it.
mod support {
    pub(crate) use super::{handing_in, postgres, program, sums};
}

use storm::{Size, storm};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let students = numbers.first().copied().unwrap_or(300);
    let kills = numbers.get(1).copied().unwrap_or(24);
    let size = Size { students, attempts: 3, kills, until_midnight: 60, seconds: 120, seed: 7 };
    let Some(server) = postgres::Server::start() else { return };
    println!("PostgreSQL\n{}", storm(size, Some(server)));
    println!("SQLite\n{}", storm(size, None));
}
