//! The order of the queue, and what it tells of the time that is left.

use super::support::site::Site;
use super::support::{on_both, site_on_both, sums};
use server::database::Database;
use server::people::Person;
use server::queue::{self, Class, Estimate};
use std::collections::BTreeSet;

/// Queues a job of a submission for another run.
fn again(site: &Site, submission: i64, student: &Person, class: Class) {
    let student = student.id;
    site.write(move |connection| {
        let course = server::courses::in_force(connection)?.unwrap();
        queue::put(connection, submission, student, &course, class, None)
    });
}

/// The submissions in the order in which they are claimed, with the class of each job.
fn order(site: &Site) -> Vec<(i64, i64)> {
    let mut order = Vec::new();
    while let Some(claim) = site.write(|connection| queue::claim(connection, "w")) {
        let job = claim.job;
        let class = site.write(move |connection| {
            let sql = "select class from job where id = $1";
            Ok(connection.first(sql, &[job.into()])?.unwrap().int(0))
        });
        order.push((claim.submission, class));
    }
    order
}

#[test]
fn live_jobs_come_before_those_by_hand_and_these_before_regrades() {
    site_on_both("", |site| {
        let (ann, bob) = (site.student(), site.student());
        let first = site.hand_in(&ann, sums::right());
        again(site, first, &ann, Class::Regrade);
        again(site, first, &ann, Class::ByHand);
        let second = site.hand_in(&bob, sums::right());
        assert_eq!(order(site), [(first, 0), (second, 0), (first, 1), (first, 2)]);
    });
}

#[test]
fn each_open_job_of_a_student_puts_the_next_one_back_by_a_minute() {
    site_on_both("", |site| {
        let (ann, bob) = (site.student(), site.student());
        let flood: Vec<_> = (0..3).map(|_| site.hand_in(&ann, sums::right())).collect();
        let other = site.hand_in(&bob, sums::right());
        // Who hands in more than a minute later comes after the second one, and before the third.
        let later = site.hand_in(&site.student(), sums::right());
        site.write(move |connection| {
            let sql =
                "update job set rank = rank + 90000, queued = queued + 90000 where submission = $1";
            connection.execute(sql, &[later.into()])
        });
        let order: Vec<_> = order(site).into_iter().map(|(submission, _)| submission).collect();
        assert_eq!(order, [flood[0], other, flood[1], later, flood[2]]);
    });
}

#[test]
fn two_servers_never_claim_the_same_job() {
    site_on_both("", |site| {
        for _ in 0..20 {
            site.hand_in(&site.student(), sums::right());
        }
        let claimed = site.runtime.block_on(async {
            let mut tasks = Vec::new();
            for server in 0..2 {
                let database = Database::open(&site.database).await.unwrap();
                for task in 0..3 {
                    tasks.push(tokio::spawn(claim_all(database.clone(), server * 10 + task)));
                }
            }
            let mut claimed = Vec::new();
            for task in tasks {
                claimed.extend(task.await.unwrap());
            }
            claimed
        });
        let jobs: BTreeSet<_> = claimed.iter().collect();
        assert_eq!((claimed.len(), jobs.len()), (20, 20));
        assert_eq!(site.number("select max(attempt) from job"), 1);
    });
}

async fn claim_all(database: Database, worker: i64) -> Vec<i64> {
    let mut jobs = Vec::new();
    loop {
        let name = worker.to_string();
        let claim = database.write(move |connection| queue::claim(connection, &name));
        match claim.await.unwrap() {
            Some(claim) => jobs.push(claim.job),
            None => return jobs,
        }
    }
}

/// What the last job of the queue is told.
fn last(site: &Site) -> Estimate {
    site.write(|connection| {
        let job = connection.first("select max(id) from job", &[])?.unwrap().int(0);
        Ok(queue::estimate(connection, job)?.unwrap())
    })
}

#[test]
fn a_job_starts_when_those_before_it_are_done() {
    site_on_both("", |site| {
        // The earlier jobs took 20 seconds each.
        let earlier = site.hand_in(&site.student(), sums::right());
        site.write(move |connection| {
            let sql = "update job set state = 'done', started = 1000, finished = 21000 where submission = $1";
            connection.execute(sql, &[earlier.into()])
        });
        for _ in 0..4 {
            site.hand_in(&site.student(), sums::right());
        }
        assert_eq!(last(site), Estimate { before: 3, starts_in: None }, "no worker is there");
        let workers = |count: i64| {
            site.write(move |connection| {
                let now = connection.now()?;
                connection.execute("delete from worker", &[])?;
                for at in 0..count {
                    let sql = "insert into worker (name, seen, state) values ($1, $2, 'waiting')";
                    connection.execute(sql, &[at.to_string().into(), now.into()])?;
                }
                Ok(())
            });
        };
        workers(1);
        assert_eq!(last(site), Estimate { before: 3, starts_in: Some(60_000) });
        workers(2);
        assert_eq!(last(site), Estimate { before: 3, starts_in: Some(30_000) });
        site.write(|connection| queue::claim(connection, "0"));
        assert_eq!(last(site), Estimate { before: 3, starts_in: Some(25_000) }, "one is half done");
        workers(4);
        assert_eq!(last(site), Estimate { before: 3, starts_in: Some(0) }, "one worker is free");
    });
}

#[test]
fn a_job_that_was_given_back_never_has_an_old_number() {
    on_both(async |database| {
        let numbers = database.write(|connection| {
            connection.execute(
                "insert into course (digest, bytes, title, at) values ('c', $1, 'C', 0)",
                &[vec![0].into()],
            )?;
            connection.execute(
                "insert into person (login, name, role, created) values ('a', 'a', 'student', 0)",
                &[],
            )?;
            connection.execute(
                "insert into archive (digest, bytes) values ('d', $1)",
                &[vec![0].into()],
            )?;
            let submission = connection.insert(
                "insert into submission (person, assignment, at, day, feedback, archive, file_name, \
                 request) values (1, 'a', 0, '2026-11-24', 'normal', 'd', 'f', 'r')",
                &[],
            )?;
            queue::put_live(connection, submission, 1, "c")?;
            let first = queue::claim(connection, "one")?.unwrap();
            queue::give_back(connection, &first)?;
            let second = queue::claim(connection, "two")?.unwrap();
            // The first worker does not know whether its message arrived, and sends it again.
            queue::give_back(connection, &first)?;
            let holds = queue::renew(connection, &second)?;
            Ok((first.attempt, second.attempt, holds))
        });
        assert_eq!(numbers.await.unwrap(), (1, 2, true));
    });
}
