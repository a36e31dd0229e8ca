//! The simulated queue beside the real one: how long submissions of a small storm wait, with real workers.

use crate::served::Served;
use crate::{handing_in, sums};
use server::plan::queue::{Arrival, waits};
use std::thread::sleep;
use std::time::{Duration, Instant};

const STUDENTS: usize = 20;
const SUBMISSIONS: usize = 60;
/// Within how many seconds they come.
const SECONDS: f64 = 20.0;

pub(crate) fn plan(url: Option<String>, rules: &str) {
    const WORKERS: usize = 2;
    let served = Served::start(url, rules, WORKERS);
    let tokens = served.tokens(STUDENTS);
    let mut random = fastrand::Rng::with_seed(1);
    let mut moments: Vec<_> = (0..SUBMISSIONS).map(|_| random.f64() * SECONDS).collect();
    moments.sort_by(f64::total_cmp);
    let began = Instant::now();
    for (number, moment) in moments.into_iter().enumerate() {
        sleep(Duration::from_secs_f64(moment).saturating_sub(began.elapsed()));
        // What was graded before is not graded again, so each is another one.
        let source = sums::SUM.replace("a + b", &format!("a + b + {number} - {number}"));
        let archive = sums::archive(&[("sum.cpp", &source), ("Makefile", sums::MAKEFILE)]);
        let token = &tokens[random.usize(..STUDENTS)];
        let _ = handing_in::send(&served.url, "sum", token, &format!("{number}"), &archive);
    }
    while served.write(server::queue::open) > 0 {
        sleep(Duration::from_millis(100));
    }
    let (arrivals, real) = served.write(measured);
    for (name, mut all) in [("real", real), ("simulated", waits(&arrivals, WORKERS))] {
        all.sort_unstable();
        let at = |share: usize| all[(all.len() - 1) * share / 100] as f64 / 1e3;
        println!(
            "  {:<46} median {:.1} s, 90 % {:.1} s, 99 % {:.1} s",
            format!("a storm of {} on {WORKERS} workers, {name}", all.len()),
            at(50),
            at(90),
            at(99)
        );
    }
}

/// What arrived, in the order of the moments, and how long each waited.
fn measured(
    connection: &mut server::database::Connection<'_>,
) -> server::database::Result<(Vec<Arrival>, Vec<i64>)> {
    let sql = "select submission.person, job.queued, job.started, job.finished from job \
        join submission on submission.id = job.submission order by job.queued, job.id";
    let rows = connection.query(sql, &[])?;
    let arrival = |row: &server::database::Row| Arrival {
        student: row.int(0) as usize,
        at: row.int(1),
        takes: row.int(3) - row.int(2),
    };
    let waited = |row: &server::database::Row| row.int(2) - row.int(1);
    Ok((rows.iter().map(arrival).collect(), rows.iter().map(waited).collect()))
}
