//! The transactions of handing in and of the queue, on both databases.

use super::support::on_both;
use server::database::{Connection, Database, Result};
use server::people::{Person, Role};
use server::queue;
use server::rules::Rules;
use server::submissions::hand_in::{HandIn, Taken, take};

/// A student, in a course with one version.
async fn student(database: &Database, login: &'static str) -> Person {
    let made = database.write(move |connection| {
        connection.execute(
            "insert into course (digest, bytes, title, at) values ('c1', $1, 'Course', 0) on conflict do nothing",
            &[vec![0].into()],
        )?;
        connection.execute(
            "insert into person (login, name, role, created) values ($1, $1, 'student', 0)",
            &[login.into()],
        )?;
        Ok(Person::by_login(connection, login)?.unwrap())
    });
    let person = made.await.unwrap();
    assert_eq!(person.role, Role::Student);
    person
}

fn hand_in(student: &Person, request: &str) -> HandIn {
    HandIn {
        student: student.clone(),
        assignment: "puzzle".to_owned(),
        course: "c1".to_owned(),
        archive: request.as_bytes().to_vec(),
        file_name: "submit.tar.gz".to_owned(),
        request: request.to_owned(),
    }
}

fn count(connection: &mut Connection<'_>, sql: &str) -> Result<i64> {
    Ok(connection.query(sql, &[])?[0].int(0))
}

async fn all_at_once(database: &Database, all: Vec<HandIn>) -> Vec<Taken> {
    let tasks = all.into_iter().map(|it| {
        let database = database.clone();
        tokio::spawn(async move {
            database
                .write(move |connection| take(connection, &Rules::default(), &it))
                .await
                .unwrap()
        })
    });
    let mut taken = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        taken.push(task.await.unwrap());
    }
    taken
}

#[test]
fn of_200_submissions_at_the_same_time_three_count() {
    on_both(async |database| {
        let ann = student(&database, "ann").await;
        let all = (0..200).map(|at| hand_in(&ann, &format!("r{at}"))).collect();
        let taken = all_at_once(&database, all).await;
        let yes = taken.iter().filter(|it| matches!(it, Taken::Yes { .. })).count();
        let full = taken.iter().filter(|it| matches!(it, Taken::Full { .. })).count();
        assert_eq!((yes, full), (3, 197));
        let counted = database.read(|connection| {
            let jobs = count(connection, "select count(*) from job")?;
            Ok((jobs, count(connection, "select count(*) from submission where slot is not null")?))
        });
        assert_eq!(counted.await.unwrap(), (3, 3));
    });
}

#[test]
fn the_same_request_counts_once_however_often_it_comes() {
    on_both(async |database| {
        let ann = student(&database, "ann").await;
        let taken = all_at_once(&database, (0..50).map(|_| hand_in(&ann, "same")).collect()).await;
        let yes = taken.iter().filter(|it| matches!(it, Taken::Yes { .. })).count();
        let before = taken.iter().filter(|it| matches!(it, Taken::Before { .. })).count();
        assert_eq!((yes, before), (1, 49));
    });
}

#[test]
fn no_job_is_claimed_twice_and_a_late_answer_is_refused() {
    on_both(async |database| {
        let ann = student(&database, "ann").await;
        all_at_once(&database, (0..3).map(|at| hand_in(&ann, &format!("r{at}"))).collect()).await;
        let claims = (0..20).map(|at| {
            let database = database.clone();
            let worker = format!("w{at}");
            tokio::spawn(async move {
                database.write(move |connection| queue::claim(connection, &worker)).await.unwrap()
            })
        });
        let mut claimed = Vec::new();
        for task in claims.collect::<Vec<_>>() {
            claimed.extend(task.await.unwrap());
        }
        let mut jobs: Vec<_> = claimed.iter().map(|claim| claim.job).collect();
        jobs.sort_unstable();
        jobs.dedup();
        assert_eq!((claimed.len(), jobs.len()), (3, 3));
        // The lease of the first one ends, and another worker takes the job.
        let first = claimed[0].clone();
        let job = first.job;
        let again = database.write(move |connection| {
            connection.execute("update job set until = 1 where id = $1", &[job.into()])?;
            queue::claim(connection, "other")
        });
        let again = again.await.unwrap().expect("it can be claimed");
        assert_eq!((again.job, again.attempt), (job, 2));
        let late = database.write(move |connection| {
            Ok((queue::renew(connection, &first)?, queue::fail(connection, &first, "late")?))
        });
        assert_eq!(late.await.unwrap(), (false, false));
    });
}

#[test]
fn a_job_that_fails_three_times_costs_no_attempt_and_is_shown_with_its_reason() {
    on_both(async |database| {
        let ann = student(&database, "ann").await;
        all_at_once(&database, vec![hand_in(&ann, "r")]).await;
        for attempt in 1..=3 {
            let failed = database.write(move |connection| {
                connection.execute("update job set until = 0", &[])?;
                let claim = queue::claim(connection, "w")?.expect("it is queued");
                assert_eq!(claim.attempt, attempt);
                queue::fail(connection, &claim, "the disk is full")
            });
            assert!(failed.await.unwrap());
        }
        let end = database.read(|connection| {
            let job = connection.query("select state, reason from job", &[])?.remove(0);
            let slot = connection.query("select slot from submission", &[])?.remove(0);
            Ok((job.text(0), job.text(1), slot.maybe_int(0)))
        });
        let expected = ("failed".to_owned(), "the disk is full".to_owned(), None);
        assert_eq!(end.await.unwrap(), expected);
    });
}

#[test]
fn the_audit_log_shows_a_row_that_was_changed() {
    on_both(async |database| {
        for at in 0..3 {
            let added = database.write(move |connection| {
                let reason = at.to_string();
                let entry = server::audit::Entry {
                    person: None,
                    action: "grant extension",
                    object: "student ann, puzzle",
                    reason: &reason,
                };
                server::audit::add(connection, &entry, 0, 60)
            });
            added.await.unwrap();
        }
        assert_eq!(database.read(server::audit::verify).await.unwrap(), Ok(3));
        let changed = database.write(|connection| {
            connection.execute("update audit set reason = 'other' where id = 2", &[])
        });
        changed.await.unwrap();
        assert_eq!(database.read(server::audit::verify).await.unwrap(), Err(2));
    });
}
