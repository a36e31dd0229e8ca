//! What a monitor asks for: counters of this process, and the state of the queue, as text for Prometheus.

use crate::database::{Connection, Result};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The upper bounds of the classes into which requests are counted, in milliseconds.
const BOUNDS: [u64; 10] = [5, 10, 20, 50, 100, 150, 500, 1_000, 5_000, 20_000];

/// A worker that was not seen for so long is not counted. Milliseconds.
const WORKER_IS_SEEN: i64 = 60_000;

/// What became of the grades that were sent to learning platforms.
const PASSBACK: [&str; 3] = ["taken", "later", "refused"];

/// The counters of this process.
#[derive(Debug, Default)]
pub struct Metrics {
    /// By the first digit of the status.
    requests: [AtomicU64; 6],
    /// How many took no longer than each bound, and all.
    durations: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
    /// By what became of them.
    passback: [AtomicU64; PASSBACK.len()],
}

impl Metrics {
    /// Counts a request.
    pub fn count(&self, status: u16, duration: Duration) {
        self.requests[usize::from(status / 100).min(5)].fetch_add(1, Relaxed);
        let milliseconds = duration.as_secs_f64() * 1e3;
        let class = BOUNDS.iter().position(|bound| milliseconds <= *bound as f64);
        self.durations[class.unwrap_or(BOUNDS.len())].fetch_add(1, Relaxed);
        self.microseconds.fetch_add(duration.as_micros() as u64, Relaxed);
    }

    /// Counts a grade that was sent to a learning platform: `taken`, `later` or `refused`.
    pub fn count_grade(&self, outcome: &str) {
        if let Some(class) = PASSBACK.iter().position(|it| *it == outcome) {
            self.passback[class].fetch_add(1, Relaxed);
        }
    }

    /// All figures, in the text format of Prometheus.
    pub fn text(&self, queue: &Queue, faults: u64) -> String {
        let mut out = Text::default();
        out.family("harness_requests_total", "counter", "Requests by the class of their status.");
        for (class, count) in self.requests.iter().enumerate().skip(1) {
            out.sample(
                "harness_requests_total",
                &format!("status=\"{class}xx\""),
                count.load(Relaxed),
            );
        }
        self.durations(&mut out);
        out.family("harness_queue_jobs", "gauge", "Jobs that wait, by their class.");
        for (class, count) in ["live", "by_hand", "regrade"].iter().zip(queue.waiting) {
            out.sample("harness_queue_jobs", &format!("class=\"{class}\""), count);
        }
        let gauges = [
            ("harness_running_jobs", "Jobs that a worker holds.", queue.running),
            ("harness_queue_oldest_seconds", "How long the oldest job waits.", queue.oldest / 1000),
            ("harness_workers", "Workers that were seen in the last minute.", queue.workers),
            ("process_resident_memory_bytes", "Memory of this process.", memory()),
        ];
        for (name, help, value) in gauges {
            out.family(name, "gauge", help);
            out.sample(name, "", value);
        }
        out.family("harness_jobs_total", "counter", "Jobs that ended, in the whole database.");
        out.sample("harness_jobs_total", "end=\"done\"", queue.done);
        out.sample("harness_jobs_total", "end=\"failed\"", queue.failed);
        self.passback(&mut out, queue);
        out.family(
            "harness_database_faults_total",
            "counter",
            "Work that the database failed to do.",
        );
        out.sample("harness_database_faults_total", "", faults);
        out.0
    }

    fn passback(&self, out: &mut Text, queue: &Queue) {
        const SENT: &str = "harness_passback_requests_total";
        const GRADES: &str = "harness_passback_grades";
        out.family(SENT, "counter", "Grades that this server sent to learning platforms.");
        for (outcome, count) in PASSBACK.iter().zip(&self.passback) {
            out.sample(SENT, &format!("outcome=\"{outcome}\""), count.load(Relaxed));
        }
        out.family(GRADES, "gauge", "Grades for learning platforms, by their state.");
        for (state, count) in GRADE_STATES.iter().zip(queue.grades) {
            out.sample(GRADES, &format!("state=\"{state}\""), count);
        }
    }

    fn durations(&self, out: &mut Text) {
        const NAME: &str = "harness_request_seconds";
        out.family(NAME, "histogram", "How long requests took.");
        let mut sum = 0;
        let bounds = BOUNDS.iter().map(|bound| (*bound as f64 / 1e3).to_string());
        for (bound, count) in bounds.chain(["+Inf".to_owned()]).zip(&self.durations) {
            sum += count.load(Relaxed);
            out.sample(&format!("{NAME}_bucket"), &format!("le=\"{bound}\""), sum);
        }
        let seconds = self.microseconds.load(Relaxed) as f64 / 1e6;
        out.sample(&format!("{NAME}_sum"), "", seconds);
        out.sample(&format!("{NAME}_count"), "", sum);
    }
}

/// The states of the grades for learning platforms.
const GRADE_STATES: [&str; 4] = ["waiting", "sending", "sent", "refused"];

/// The state of the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Jobs that wait, by class.
    pub waiting: [i64; 3],
    pub running: i64,
    /// How long the oldest job that could run waits. Milliseconds.
    pub oldest: i64,
    pub done: i64,
    pub failed: i64,
    pub workers: i64,
    /// Grades for learning platforms, by state.
    pub grades: [i64; GRADE_STATES.len()],
}

impl Queue {
    /// # Errors
    /// If the database fails.
    pub fn now(connection: &mut Connection<'_>) -> Result<Self> {
        let mut queue = Self::default();
        let now = connection.now()?;
        let sql = "select class, state, count(*), min(queued) from job \
            where state in ('queued', 'running') group by class, state";
        for row in connection.query(sql, &[])? {
            if row.text(1) == "running" {
                queue.running += row.int(2);
            } else {
                queue.waiting[row.int(0) as usize % 3] += row.int(2);
                queue.oldest = queue.oldest.max(now - row.int(3));
            }
        }
        let sql = "select (select count(*) from job where state = 'done'), \
            (select count(*) from job where state = 'failed'), \
            (select count(*) from worker where seen > $1)";
        if let Some(row) = connection.first(sql, &[(now - WORKER_IS_SEEN).into()])? {
            (queue.done, queue.failed, queue.workers) = (row.int(0), row.int(1), row.int(2));
        }
        let sql = "select state, count(*) from passback_grade group by state";
        for row in connection.query(sql, &[])? {
            let state = row.text(0);
            if let Some(at) = GRADE_STATES.iter().position(|it| *it == state) {
                queue.grades[at] = row.int(1);
            }
        }
        Ok(queue)
    }
}

/// The memory of this process, in bytes.
fn memory() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<i64>().ok());
    kilobytes.unwrap_or_default() * 1024
}

/// Lines of text for Prometheus.
#[derive(Default)]
struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }
}
