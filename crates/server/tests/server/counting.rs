//! The pages of a class read few submissions, and show what all submissions say.

use super::support::results::{handed_in, record};
use super::support::site::Site;
use super::support::site_on_both;
use harness::course::yaml::Source;
use server::database::{Connection, Result};
use server::people::{Person, Role};
use server::queue::{self, Class};
use server::regrades::{self, Applied, New, Scope};
use server::rules::{Counts, Rules};
use server::submissions::{class, standing};
use server::{courses, submissions::Submission};
use std::path::Path;
use std::{fs, thread};
use walkdir::WalkDir;

/// Rules under which other submissions count.
fn rules() -> Vec<Rules> {
    let of = |(counts, percent): (Counts, f64)| {
        let counts = counts.word();
        let text = format!(
            "assignments: {{ sum: {{ counts: {counts}, late: {{ days: 3, percent: {percent:.1} }} }} }}"
        );
        Rules::parse(&Source::new(Path::new("serve.yaml"), text)).unwrap()
    };
    let best = [0.0, 10.0, 37.5, 100.0].map(|percent| (Counts::Best, percent));
    best.into_iter().chain([(Counts::Last, 10.0)]).map(of).collect()
}

fn students(site: &Site) -> Vec<Person> {
    ["ann", "bob", "eve"].map(|login| site.person(login, Role::Student, "a")).into()
}

/// Compares what the pages of a class read with all submissions of each student, under all rules.
fn check(site: &Site, students: &[Person], after: &str) {
    let (students, after) = (students.to_vec(), after.to_owned());
    site.write(move |connection| {
        for rules in rules() {
            let known = class::counting(connection, &rules, "sum", None)?;
            for student in &students {
                let all = standing::all(connection, &rules, student.id, "sum")?;
                let counts = standing::choice(connection, &rules, student.id, "sum")?;
                let expected = standing::counting(&all, counts);
                let known = known.get(&student.id);
                assert_eq!(known.map(|it| &it.standing), expected, "after {after}");
                assert!(known.is_none_or(|it| it.counts == counts));
                if let Some(known) = known {
                    let id = known.standing.submission;
                    assert_eq!(Submission::find(connection, id)?.unwrap().at, known.at);
                }
            }
        }
        Ok(())
    });
}

/// Hands in with late days or past the limit, and queues it.
fn hand_in(connection: &mut Connection<'_>, student: &Person) -> Result<()> {
    let id = handed_in(connection, student, "sum")?;
    let feedback = if fastrand::u8(..8) == 0 { "past_limit" } else { "normal" };
    let days = fastrand::i64(0..3);
    connection.execute(
        "update submission set late_days = cast($1 as bigint), \
         late_hours = cast($1 as bigint) * 24, covered_days = $2, \
         adjusted = $3, feedback = $4 where id = $5",
        &[
            days.into(),
            fastrand::i64(0..=days).into(),
            fastrand::i64(-9000..1000).into(),
            feedback.into(),
            id.into(),
        ],
    )?;
    let course = courses::in_force(connection)?.unwrap();
    queue::put(connection, id, student.id, &course, Class::Live, None).map(|_| ())
}

/// Grades one job with points that are often equal, or refuses it.
fn grade(connection: &mut Connection<'_>, claim: &queue::Claim) -> Result<()> {
    let mut record = record(&claim.assignment, &claim.login, fastrand::usize(5..9));
    record.report.refused = fastrand::u8(..8) == 0;
    assert!(queue::finish(connection, claim, &record)?);
    Ok(())
}

fn grade_next(connection: &mut Connection<'_>) -> Result<bool> {
    let claim = queue::claim(connection, "tests")?;
    claim.map_or(Ok(false), |claim| grade(connection, &claim).map(|()| true))
}

fn choose(connection: &mut Connection<'_>, student: &Person) -> Result<()> {
    let counts = if fastrand::bool() { Counts::Best } else { Counts::Last };
    standing::choose(connection, student.id, "sum", counts)
}

/// Regrades some submissions, and applies or drops that.
fn regrade(connection: &mut Connection<'_>, student: &Person) -> Result<()> {
    let scopes = [Scope::All, Scope::Counting, Scope::Students(vec![student.login.clone()])];
    let new = New {
        course: courses::in_force(connection)?.unwrap(),
        assignment: "sum".to_owned(),
        scope: fastrand::choice(scopes).unwrap(),
        again: true,
        by: student.id,
    };
    let rules = Rules::default();
    let count = regrades::count(connection, &rules, &new)?;
    let id = regrades::begin(connection, &new, count)?;
    assert_eq!(regrades::apply(connection, id, "too early", student.id)?, Applied::Beginning);
    while regrades::go_on(connection, &rules, id)? {}
    assert_eq!(regrades::progress(connection, id)?.all(), count);
    while grade_next(connection)? {}
    if fastrand::bool() {
        let applied = regrades::apply(connection, id, "it is right", student.id)?;
        let expected = if count == 0 { Applied::Nothing } else { Applied::Yes(count as u64) };
        assert_eq!(applied, expected);
    } else {
        regrades::drop_it(connection, id, "it is wrong", student.id)?;
    }
    Ok(())
}

#[test]
fn whatever_happens_the_pages_of_a_class_show_what_all_submissions_say() {
    site_on_both("{}", |site| {
        let students = students(site);
        let seed = fastrand::u64(..);
        fastrand::seed(seed);
        for round in 0..120 {
            let student = fastrand::choice(&students).unwrap().clone();
            let what = fastrand::u8(..10);
            let seed = fastrand::u64(..);
            site.write(move |connection| {
                fastrand::seed(seed);
                match what {
                    0..4 => hand_in(connection, &student),
                    4..8 => grade_next(connection).map(|_| ()),
                    8 => choose(connection, &student),
                    _ => regrade(connection, &student),
                }
            });
            check(site, &students, &format!("operation {what}, round {round} of seed {seed}"));
        }
    });
}

#[test]
fn results_of_a_student_that_come_at_the_same_time_are_all_seen() {
    site_on_both("{}", |site| {
        let students = students(site);
        for round in 0..10 {
            let ann = students[0].clone();
            let claims = site.write(move |connection| {
                for _ in 0..6 {
                    hand_in(connection, &ann)?;
                }
                (0..6).map(|_| Ok(queue::claim(connection, "tests")?.unwrap())).collect()
            });
            let claims: Vec<queue::Claim> = claims;
            thread::scope(|scope| {
                for claim in claims {
                    scope.spawn(|| site.write(move |connection| grade(connection, &claim)));
                }
            });
            check(site, &students, &format!("round {round}"));
        }
    });
}

#[test]
fn only_the_file_that_knows_the_contenders_changes_what_they_follow_from() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in WalkDir::new(&source) {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|it| it != "rs") || path.ends_with("submissions/results.rs")
        {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for sql in
            ["insert into result", "update result", "delete from result", "delete from submission"]
        {
            assert!(!text.contains(sql), "{}: {sql}", path.display());
        }
        // Whoever changes more of a submission renews them.
        for changed in text.split("update submission set ").skip(1) {
            let is_known =
                changed.starts_with("slot = null") || changed.contains("results::renew(");
            assert!(is_known, "{}: {changed}", path.display());
        }
    }
}
