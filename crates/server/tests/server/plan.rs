//! How many workers a due date needs.

use super::support::grading::{cannot_grade, options};
use super::support::program::{run, serve};
use super::support::results;
use super::support::site::Site;
use super::support::{site_on_both, sums};
use serde_json::Value;
use server::people::Role;
use server::plan::past;
use server::plan::queue::{Arrival, waits};
use server::rules::Rules;
use std::path::Path;

/// A class that handed in before a due date: one in the last hour, two a day before, and the others earlier.
fn class(site: &Site) {
    let due = 1_790_000_000_000_i64;
    for number in 0..12_i64 {
        let student = site.person(&format!("student-{number}"), Role::Student, "");
        site.write(move |connection| {
            let submission = results::graded(connection, &student, "sum", 10)?;
            let before = match number {
                0 => 1_800_000,
                1 | 2 => 20 * 3_600_000,
                _ => 50 * 3_600_000,
            };
            let sql = "update submission set at = $1 where id = $2";
            connection.execute(sql, &[(due - before).into(), submission.into()])?;
            let sql =
                "update job set started = queued, finished = queued + $1 where submission = $2";
            connection.execute(sql, &[(1_000 * (number + 1)).into(), submission.into()])
        });
    }
}

const RULES: &str = "{ time_zone: UTC, assignments: { sum: { due: 2026-09-21 14:13:20 } } }";

#[test]
fn durations_and_arrivals_are_those_of_the_course() {
    site_on_both(RULES, |site| {
        class(site);
        let source = harness::course::yaml::Source::new(Path::new("serve.yaml"), RULES.to_owned());
        let rules = Rules::parse(&source).unwrap();
        let (mut durations, history) = site.write(move |connection| {
            Ok((past::durations(connection, "sum")?, past::history(connection, &rules)?))
        });
        durations.sort_unstable();
        assert_eq!(durations, (1..=12).map(|it| it * 1_000).collect::<Vec<_>>());
        let (students, due_dates) = history;
        assert_eq!((students.len(), due_dates), (12, 1), "also those who handed in earlier");
        let late: Vec<_> = students.into_iter().flatten().collect();
        assert_eq!(late, [1_800_000, 72_000_000, 72_000_000]);
    });
}

#[test]
fn the_plan_is_a_table_or_json() {
    site_on_both(RULES, |site| {
        class(site);
        let plan = |args: &[&str]| {
            let database = site.database_name();
            let args: Vec<_> =
                ["plan", "--database", &database].iter().chain(args).copied().collect();
            run(serve(site.course.path(), &args))
        };
        let done = plan(&[]);
        assert_eq!(done.status, 0, "{}", done.error);
        for text in [
            "12 submissions of `sum` took 6.0 s in the median, nine of ten up to 10.0 s.",
            "Students hand in as they did in the 24 hours before 1 earlier due date.",
            "A worker grades one submission at a time",
        ] {
            assert!(done.out.contains(text), "{}", done.out);
        }
        assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
        let done =
            plan(&["--students", "50", "--seconds", "60", "--each", "4", "--format", "json"]);
        let json: Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!((&json["schema"], &json["due_dates"]), (&"harness-plan/1".into(), &0.into()));
        assert_eq!(json["needs"][0]["submissions"], 200);
        let done = plan(&["--assignment", "puzle"]);
        assert_eq!(done.status, 2);
        assert!(done.error.contains("hint: measured are: sum"), "{}", done.error);
    });
}

#[test]
fn a_plan_makes_no_database() {
    let course = sums::course("{}");
    let done = run(serve(course.path(), &["plan", "--students", "300"]));
    assert_eq!(done.status, 0, "{}", done.error);
    assert!(done.out.contains("A submission is taken to need 15 s."), "{}", done.out);
    assert!(!course.path().join("serve.sqlite").exists());
}

#[test]
fn the_simulated_queue_has_the_order_of_the_real_one() {
    if cannot_grade() {
        return;
    }
    site_on_both("{}", |site| {
        let students: Vec<_> = (0..3).map(|_| site.student()).collect();
        // The first student hands in three at once; nobody grades yet.
        let all: Vec<_> =
            [0, 0, 0, 1, 2].iter().map(|it| site.hand_in(&students[*it], sums::right())).collect();
        let _working = site.workers(&options());
        for submission in &all {
            site.record(*submission);
        }
        let rows = site.write(|connection| {
            let sql = "select submission.person, job.queued, job.started, job.finished from job \
                join submission on submission.id = job.submission order by job.id";
            Ok(connection
                .query(sql, &[])?
                .iter()
                .map(|row| [0, 1, 2, 3].map(|it| row.int(it)))
                .collect::<Vec<_>>())
        });
        let began = rows.iter().map(|row| row[2]).min().unwrap();
        let arrivals: Vec<_> = rows
            .iter()
            .map(|row| Arrival {
                student: row[0] as usize,
                at: row[1] - began,
                takes: row[3] - row[2],
            })
            .collect();
        let in_order = |mut all: Vec<(i64, usize)>| {
            all.sort_unstable();
            all.into_iter().map(|(_, number)| number).collect::<Vec<_>>()
        };
        let waited = waits(&arrivals, 1).into_iter().zip(&arrivals).enumerate();
        let simulated =
            in_order(waited.map(|(number, (wait, it))| (it.at + wait, number)).collect());
        let real =
            in_order(rows.iter().enumerate().map(|(number, row)| (row[2], number)).collect());
        assert_eq!(simulated, real);
        assert_eq!(real, [0, 3, 4, 1, 2], "each open one costs a minute");
    });
}
