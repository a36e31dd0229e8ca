//! What a server takes, on both databases: accepting submissions, pages while a worker grades, memory and pages with 100,000 submissions,
//! the start, launches from a platform and sign-ins, the time from upload to report, and the queue of `plan` beside a real one.
//! `-- accept launch sign-in pages memory start report plan`
//! selects. It measures, and never fails on a time.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "figures/full.rs"]
mod full;
#[path = "../tests/server/support/handing_in.rs"]
mod handing_in;
#[path = "../tests/server/support/http.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod http;
#[path = "figures/launch.rs"]
mod launch;
#[path = "figures/load.rs"]
mod load;
#[path = "figures/plan.rs"]
mod plan;
#[path = "../tests/server/support/platform.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod platform;
#[path = "../tests/server/support/postgres.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod postgres;
#[path = "../tests/server/support/program.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod program;
#[path = "figures/report.rs"]
mod report;
#[path = "figures/served.rs"]
mod served;
#[path = "../tests/server/support/sums.rs"]
mod sums;

use load::{Latencies, at_rate};
use served::Served;
use std::time::{Duration, Instant};

/// Many a day, so that the load is of submissions that are taken.
const RULES: &str = "{ time_zone: UTC, assignments: { sum: { limit: 100, bonus: 0 } } }";

fn main() {
    let selected: Vec<_> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let is_selected = |name: &str| selected.is_empty() || selected.iter().any(|it| it == name);
    let server = postgres::Server::start();
    for database in ["SQLite", "PostgreSQL"] {
        let url = |name: &str| match (&server, database) {
            (Some(server), "PostgreSQL") => Some(server.database(name)),
            _ => None,
        };
        if database == "PostgreSQL" && server.is_none() {
            return;
        }
        println!("{database}");
        if is_selected("start") {
            start(url("start"));
        }
        if is_selected("accept") {
            accept(url("accept"));
        }
        if is_selected("launch") {
            launch::launch(url("launch"));
        }
        if is_selected("sign-in") {
            launch::sign_in(url("sign_in"));
        }
        if is_selected("pages") {
            pages(url("pages"));
        }
        if is_selected("memory") {
            full::memory(url("memory"));
        }
        if is_selected("report") {
            report::report(url("report"));
        }
        if is_selected("plan") {
            plan::plan(url("plan"), RULES);
        }
    }
}

fn show(what: &str, latencies: &Latencies) {
    let [p50, p99, most] = [0.5, 0.99, 1.0].map(|share| latencies.at(share));
    let failed = match latencies.failed {
        0 => String::new(),
        failed => format!(", {failed} FAILED"),
    };
    println!("  {what:<46} p50 {p50:>7.1} ms  p99 {p99:>7.1} ms  most {most:>7.1} ms{failed}");
}

/// From the start of the process to the first answer, with a database that is there.
fn start(url: Option<String>) {
    let mut served = Served::start(url, RULES, 0);
    let mut times: Vec<_> = (0..5).map(|_| served.again().as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "  {:<46} median {:.0} ms, most {:.0} ms",
        "cold start to the first answer", times[2], times[4]
    );
}

/// Submissions that come at 50 a second.
fn accept(url: Option<String>) {
    let served = Served::start(url, RULES, 0);
    let tokens = served.tokens(100);
    let archive = sums::right();
    let latencies = at_rate(50, Duration::from_secs(10), move |at| {
        let key = format!("key {at}");
        let sent = handing_in::send(&served.url, "sum", &tokens[at % tokens.len()], &key, &archive);
        matches!(sent, Ok((200..400, Some(_), _)))
    });
    show("accepting a submission, 50 a second", &latencies);
}

/// Pages at 100 requests a second, while one worker grades.
fn pages(url: Option<String>) {
    let served = Served::start(url, RULES, 1);
    for (at, token) in served.tokens(60).iter().enumerate() {
        let source = sums::SUM.replace("a + b", &format!("a + b + {at} - {at}"));
        let archive = sums::archive(&[
            ("sum.cpp", &source),
            ("Makefile", sums::MAKEFILE),
            ("test-1.txt", "2 3\n"),
        ]);
        let _ = handing_in::send(&served.url, "sum", token, "first", &archive);
    }
    // One person alone may not ask so often.
    let sessions: Vec<_> = (1..=60).map(|it| served.session(&format!("student-{it}"))).collect();
    let began = Instant::now();
    let latencies = at_rate(100, Duration::from_secs(10), move |at| {
        let student = at % sessions.len();
        let own = format!("/submissions/{}", student + 1);
        let path = ["/", "/assignments/sum", &own][at / sessions.len() % 3];
        served.page(path, &sessions[student]).0 == 200
    });
    assert!(began.elapsed() > Duration::from_secs(9));
    show("a page, 100 requests a second, while it grades", &latencies);
}
