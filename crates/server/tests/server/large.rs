//! The pages of staff of a class of 1,000 students. How long they take is printed, and never a failure:
//! `EACH=100 cargo test --release -p server --test server large:: -- --ignored --nocapture` has 100,000 submissions.

use super::support::results::record;
use super::support::site::{Browser, Site};
use super::support::sqlite;
use server::courses;
use server::database::{Connection, Result};
use server::people::Role;
use server::submissions::results;
use std::env;
use std::time::Instant;

const STUDENTS: i64 = 1000;

/// Submissions of each student.
fn each() -> i64 {
    env::var("EACH").map_or(5, |it| it.parse().expect("`EACH` is a number"))
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_pages_of_staff_open_for_a_class_of_a_thousand() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(&sqlite(&folder), "{}");
    let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
    let began = Instant::now();
    site.write(fill);
    eprintln!("filled in {:.1?}", began.elapsed());
    let version = site.write(|connection| Ok(courses::in_force(connection)?.unwrap()));
    let fields =
        [("course", &*version), ("assignment", "sum"), ("scope", "counting"), ("again", "yes")];
    let began = Instant::now();
    let begun = staff.post("/regrades", &fields);
    eprintln!("{:>9.1?}  begin a regrade of the submissions that count", began.elapsed());
    site.write(|connection| {
        connection.execute("update job set state = 'done', finished = 1, started = 1 where state = 'queued'", &[])?;
        connection.execute(
            "insert into result (job, submission, course, attempt, points, max_points, refused, finished, record) \
             select job.id, job.submission, job.course, 1, 800, 9000, 0, 1, (select record from result limit 1) \
             from job where regrade is not null",
            &[],
        )
    });
    let regrade = begun.headers["location"].clone();
    for path in [
        "/students",
        "/students?page=10",
        "/students?q=s50",
        "/students?section=3",
        "/students/s500",
        "/queue",
        "/course",
        &regrade,
        "/assignments/sum/class",
        "/assignments/sum/gradebook.csv",
        "/assignments/sum/gradebook.json",
        "/gradebook.csv",
        "/assignments/sum/submissions.csv",
        "/assignments/sum/submissions.json",
    ] {
        time(&staff, path);
    }
    let began = Instant::now();
    assert_eq!(staff.post(&format!("{regrade}/apply"), &[("reason", "r")]).status, 303);
    eprintln!("{:>9.1?}  apply the regrade", began.elapsed());
    let all = [("course", &*version), ("assignment", "sum"), ("scope", "all"), ("again", "yes")];
    let began = Instant::now();
    assert_eq!(staff.post("/regrades", &all).status, 303);
    eprintln!("{:>9.1?}  begin a regrade of all submissions", began.elapsed());
    time(&staff, "/queue");
}

/// Prints the median of three requests and the size of the answer.
fn time(staff: &Browser, path: &str) {
    let mut bytes = 0;
    let mut times: Vec<_> = (0..3)
        .map(|_| {
            let began = Instant::now();
            let answer = staff.get(path);
            assert_eq!(answer.status, 200, "{path}");
            bytes = answer.body.len();
            began.elapsed()
        })
        .collect();
    times.sort();
    eprintln!("{:>9.1?}  {path} ({} kB)", times[1], bytes / 1024);
}

fn fill(connection: &mut Connection<'_>) -> Result<()> {
    let course = courses::in_force(connection)?.unwrap();
    let now = connection.now()?;
    connection
        .execute("insert into archive (digest, bytes) values ('a', $1)", &[vec![0].into()])?;
    for at in 0..STUDENTS {
        let student = connection.insert(
            "insert into person (login, name, section, role, created) values ($1, $2, $3, 'student', 0)",
            &[format!("s{at}").into(), format!("Student {at}").into(), (at % 20).to_string().into()],
        )?;
        for one in 0..each() {
            submission(connection, student, (at, one), &course, now)?;
        }
        results::renew(connection, "sum", student)?;
    }
    Ok(())
}

fn submission(
    connection: &mut Connection<'_>,
    student: i64,
    (at, one): (i64, i64),
    course: &str,
    now: i64,
) -> Result<()> {
    let handed_in = now - (each() - one) * 3_600_000;
    let id = connection.insert(
        "insert into submission (person, assignment, at, day, slot, feedback, archive, file_name, request) \
         values ($1, 'sum', $2, $3, $4, 'normal', 'a', 'sum.tar.gz', $5)",
        &[
            student.into(),
            handed_in.into(),
            format!("day {}", one / 3).into(),
            (one % 3 + 1).into(),
            format!("r{one}").into(),
        ],
    )?;
    let job = connection.insert(
        "insert into job (submission, course, class, rank, state, queued, started, finished) \
         values ($1, $2, 0, 0, 'done', $3, $3, $4)",
        &[id.into(), course.into(), handed_in.into(), (handed_in + 5000).into()],
    )?;
    let right = ((at + one) % 11) as usize;
    let mut record = record("sum", &format!("s{at}"), right);
    // As long as a record of a real course: some 15 kB with what a program printed.
    record.report.groups[0].cases[0].says = Some("x".repeat(12_000));
    connection.execute(
        "insert into result (job, submission, course, attempt, points, max_points, refused, finished, \
         applied, record) values ($1, $2, $3, 1, $4, 9000, 0, $5, $5, $6)",
        &[
            job.into(),
            id.into(),
            course.into(),
            (800 * right as i64).into(),
            (handed_in + 5000).into(),
            serde_json::to_string(&record).unwrap().into(),
        ],
    )?;
    let sql = "insert into summary (job, record) values ($1, $2)";
    connection.execute(sql, &[job.into(), results::summary(&record).into()])?;
    Ok(())
}
