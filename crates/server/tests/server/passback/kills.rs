//! Servers that are killed while they send: each grade reaches the platform with its last value, and what was sent twice is counted.

use super::super::support::gradebook::{Fault, Gradebook};
use super::super::support::{postgres, program, results, sums};
use super::{known, link};
use server::database::{Address, Connection, Database, Result};
use server::people::Person;
use server::submissions::{Submission, adjust};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const STUDENTS: i64 = 1000;

/// How many grades change while the first ones are sent.
const CHANGES: i64 = 200;

const KILLS: usize = 10;

/// How long everything may take, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_mins(5);

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_thousand_grades_reach_the_platform_through_ten_kills() {
    let folder = tempfile::tempdir().unwrap();
    send_all(&Address::Sqlite(folder.path().join("serve.sqlite")), 1);
    if let Some(url) = postgres::fresh() {
        send_all(&Address::Postgres(url), 2);
    }
}

/// Sends a class's grades with so many servers, and kills them.
fn send_all(address: &Address, servers: usize) {
    let gradebook = Gradebook::start();
    gradebook.state().always = Some(Fault::IsSlow(50));
    let rules = format!("{}\nassignments: {{ sum: {{ passback: true }} }}\n", gradebook.settings());
    let course = sums::course(&rules);
    let mut processes: Vec<_> = (0..servers).map(|_| serve(course.path(), address)).collect();
    let runtime = Runtime::new().unwrap();
    let database = runtime.block_on(Database::open(address)).unwrap();
    let write = |work: fn(&mut Connection<'_>) -> Result<()>| {
        runtime.block_on(database.write(work)).unwrap();
    };
    let number = |sql: &'static str| {
        let read = database.read(move |it| Ok(it.first(sql, &[])?.map_or(0, |row| row.int(0))));
        runtime.block_on(read).unwrap()
    };
    let waited = Instant::now();
    while number("select count(*) from course_in_force") == 0 {
        assert!(waited.elapsed() < PATIENCE, "the server has no course");
        std::thread::sleep(Duration::from_millis(50));
    }
    write(enrol);
    let (all, one) = (format!("{}/lineitems", gradebook.url), gradebook.line_item());
    runtime.block_on(database.write(move |it| link(it, &all, Some(&one)))).unwrap();
    let began = Instant::now();
    write(|connection| connection.execute("update passback set again = 0", &[]).map(|_| ()));
    let mut kills = 0;
    let sent = || gradebook.state().sent.len();
    while kills < KILLS && sent() < STUDENTS as usize {
        let goal = (kills + 1) * (STUDENTS as usize / (KILLS + 1));
        if sent() >= goal {
            let killed = kills % servers;
            drop(processes.remove(killed));
            processes.insert(killed, serve(course.path(), address));
            kills += 1;
            if kills == KILLS / 2 {
                write(change);
            }
        }
        assert!(began.elapsed() < PATIENCE, "{} of the grades were sent", sent());
        for process in &mut processes {
            assert_eq!(process.0.try_wait().unwrap(), None, "a server ended by itself");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let open = "select count(*) from passback, passback_grade \
        where passback_grade.state <> 'sent' or passback.changed <> passback.compared";
    while number("select count(*) from passback_grade") < STUDENTS || number(open) > 0 {
        assert!(began.elapsed() < PATIENCE, "some grades still wait");
        std::thread::sleep(Duration::from_millis(50));
    }
    let (took, repeated) = (began.elapsed(), gradebook.repeated());
    let expected = (0..STUDENTS).map(|at| (format!("id of s{at}"), points(at)));
    assert_eq!(gradebook.grades(), expected.collect());
    let values = sent() - repeated;
    let (least, most) = (STUDENTS as usize, (STUDENTS + CHANGES) as usize);
    assert!((least..=most).contains(&values), "{values} scores for {STUDENTS} students");
    assert_eq!(kills, KILLS);
    assert!(repeated <= 8 * KILLS, "{repeated} were sent again");
    eprintln!(
        "{servers} servers: {values} scores in {took:.1?}, {repeated} sent again, {kills} kills"
    );
}

/// What a student has in the end.
fn points(at: i64) -> f64 {
    let first = 8.0 * (at % 11) as f64;
    if at < CHANGES { first + 1.25 } else { first }
}

fn serve(course: &Path, address: &Address) -> program::Running {
    let database = match address {
        Address::Sqlite(path) => path.display().to_string(),
        Address::Postgres(url) => url.clone(),
    };
    let args = ["--address", "127.0.0.1:0", "--workers", "0", "--database", &database];
    let mut command = program::serve(course, &args);
    command.env("RUST_LOG", "off").stdout(Stdio::null());
    program::Running(command.spawn().unwrap())
}

/// Students who handed in, and whom the platform knows.
fn enrol(connection: &mut Connection<'_>) -> Result<()> {
    for at in 0..STUDENTS {
        let sql = "insert into person (login, name, role, created) values ($1, $1, 'student', 0)";
        let login = format!("s{at}");
        connection.execute(sql, &[(&login).into()])?;
        let student = Person::by_login(connection, &login)?.unwrap();
        known(connection, &student)?;
        results::graded(connection, &student, "sum", (at % 11) as usize)?;
    }
    Ok(())
}

/// Staff change points by hand.
fn change(connection: &mut Connection<'_>) -> Result<()> {
    for at in 0..CHANGES {
        let student = Person::by_login(connection, &format!("s{at}"))?.unwrap();
        let sql = "select id from submission where person = $1";
        let id = connection.first(sql, &[student.id.into()])?.unwrap().int(0);
        let submission = Submission::find(connection, id)?.unwrap();
        adjust::adjust(connection, &submission, &student, 125, "style", student.id)?;
    }
    Ok(())
}
