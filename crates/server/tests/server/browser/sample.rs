//! A course in the middle of a term: people of all roles, and submissions in every state that they can be in.

use crate::support::grading::options;
use crate::support::site::Site;
use crate::support::sums::{self, MAKEFILE, SUM};
use harness::result::record::Record;
use server::audit;
use server::courses;
use server::database::{Address, Connection, Result};
use server::hand::{self, Change, Grade, NewComment};
use server::people::{Person, Role, invitation};
use server::queue::{self, Claim};
use server::requests;
use server::submissions::Submission;
use server::submissions::adjust::adjust;

/// The rules of the course.
const RULES: &str = "late_days: 3\nassignments:\n  sum: { due: 2030-03-01 23:59, closes: 2030-03-05 23:59, \
    late: { percent: 10, grace: 15 }, rubrics: { style: { most: 10, from: full, \
    items: { long: { text: Functions are long, points: -4 } } }, text: { most: 2, items: { it: { text: The text, levels: { no: 0, yes: 2 } } } } } }\n";

/// The site, and what of it the addresses of its pages name.
pub(super) struct Sample {
    pub(super) site: Site,
    /// One of each role, the student first.
    pub(super) people: Vec<Person>,
    /// The value of each parameter, or several.
    pub(super) parameters: Vec<(&'static str, Vec<String>)>,
}

/// A name that no column is wide enough for, and one of a script that runs from right to left.
const NAMES: [(&str, &str, &str); 4] = [
    ("ann", "Ann Lee", "a"),
    ("wolfeschlegelsteinhausen", "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff", "b"),
    ("layla", "ليلى <b>محمود</b>", "b"),
    ("new", "Nobody has seen me", "a"),
];

impl Sample {
    pub(super) fn new(address: &Address) -> Self {
        let site = Site::new(address, RULES);
        let students = NAMES.map(|(login, name, section)| named(&site, login, name, section));
        let [ann, hubert, layla, new] = &students;
        let wrong = SUM.replace("a + b", "a - b").replace("int a", "int unused = 0;\n    int a");
        let wrong = sums::archive(&[("sum.cpp", &wrong), ("Makefile", MAKEFILE)]);
        let broken = sums::archive(&[("sum.cpp", "int main() {"), ("Makefile", MAKEFILE)]);
        let mut submissions = vec![
            site.hand_in(ann, wrong),
            site.hand_in(ann, sums::right()),
            site.hand_in(hubert, broken),
            site.hand_in(layla, b"no archive".to_vec()),
        ];
        let working = site.workers(&options());
        let records: Vec<_> = submissions.iter().map(|it| site.record(*it)).collect();
        drop(working);
        submissions.push(site.hand_in(hubert, sums::right()));
        site.write(fail_thrice);
        submissions.push(site.hand_in(layla, sums::right()));
        let report = serde_json::to_string(&records[1].report).unwrap();
        site.write(move |connection| hold(connection, &report));
        submissions.push(site.hand_in(ann, sums::archive(&[("Makefile", MAKEFILE)])));
        let staff = [Role::Grader, Role::Staff, Role::Administrator];
        let staff = staff.map(|role| site.person(role.word(), role, ""));
        let (granter, invited) = (staff[1].id, new.id);
        let record = records[0].clone();
        let first = submissions[0];
        let secret = site.write(move |connection| {
            grant(connection, granter, invited)?;
            preview(connection, granter, first, &record)?;
            ask(connection, granter, first)?;
            pass_back(connection)?;
            by_hand(connection, granter, first)?;
            mined(connection, granter)?;
            invitation::make(connection, invited)
        });
        let numbers = submissions.iter().map(ToString::to_string).collect();
        let logins = students.iter().map(|it| it.login.clone()).collect();
        let version = site.write(|connection| Ok(courses::in_force(connection)?.unwrap()));
        let parameters = vec![
            ("version", vec![version]),
            ("assignment", vec!["sum".to_owned()]),
            ("submission", numbers),
            // The last ones of two students.
            ("one", vec![submissions[4].to_string()]),
            ("other", vec![submissions[5].to_string()]),
            ("student", logins),
            ("secret", vec![secret]),
            ("regrade", vec!["1".to_owned()]),
        ];
        let people = [ann.clone()].into_iter().chain(staff).collect();
        Self { site, people, parameters }
    }

    /// What a page is called: with the names of values that are other ones each time.
    pub(super) fn name(&self, role: &str, address: &str) -> String {
        let mut name = format!("{role}{}", address.replace('/', "_"));
        for (parameter, values) in self.parameters.iter().filter(|(_, all)| all[0].len() >= 32) {
            name = name.replace(&values[0], parameter);
        }
        name
    }
}

fn named(site: &Site, login: &'static str, name: &'static str, section: &'static str) -> Person {
    site.person(login, Role::Student, section);
    site.write(move |connection| {
        let sql = "update person set name = $1 where login = $2";
        connection.execute(sql, &[name.into(), login.into()])?;
        Ok(Person::by_login(connection, login)?.unwrap())
    })
}

/// Grades that were sent to a platform, and one that it does not take.
fn pass_back(connection: &mut Connection<'_>) -> Result<()> {
    for sql in [
        "insert into passback (assignment, state) values ('sum', 'on')",
        "insert into passback_column (assignment, platform, address, is_made, line_item, refusals, \
         status, reason) select 'sum', 'moodle', line_item, 0, line_item, 3, 404, 'no such column' from \
         (select 'https://moodle.example.edu/mod/lti/services.php/2/lineitems/4/lineitem?type_id=1' as line_item) one",
        "insert into passback_pause (platform, until, tries, status, reason) \
         values ('moodle', 4000000000000, 1, 429, '<b>too many</b> requests')",
        "insert into passback_grade (gradebook_column, person, points, max_points, stamp, state, status, reason) \
         select 1, min(id), 8750, 9000, 1, 'refused', 422, 'this <i>user</i> is not in the course' \
         from person where role = 'student'",
        "insert into passback_grade (gradebook_column, person, points, max_points, stamp, state, sent_points, \
         sent_max, sent_stamp, sent_at) select 1, max(id), 8000, 9000, 1, 'sent', 8000, 9000, 1, 1764000000000 \
         from person where role = 'student'",
    ] {
        connection.execute(sql, &[])?;
    }
    Ok(())
}

/// Takes the one job that waits.
fn claim(connection: &mut Connection<'_>) -> Result<Claim> {
    Ok(queue::claim(connection, "worker-1")?.expect("one job waits"))
}

/// Lets the one job fail that waits, as often as it may.
fn fail_thrice(connection: &mut Connection<'_>) -> Result<()> {
    for _ in 0..queue::MOST_ATTEMPTS {
        connection.execute("update job set until = 0 where state = 'queued'", &[])?;
        let claim = claim(connection)?;
        queue::fail(connection, &claim, "error: the disk is full\nhint: make room on it")?;
    }
    Ok(())
}

/// Holds the one job that waits, and has gone half of the way.
fn hold(connection: &mut Connection<'_>, report: &str) -> Result<()> {
    let claim = claim(connection)?;
    queue::note_progress(connection, &claim, "build", report)?;
    let later = connection.now()? + 3_600_000;
    connection
        .execute("update job set until = $1 where id = $2", &[later.into(), claim.job.into()])?;
    Ok(())
}

/// What staff granted, and what the log says of it.
fn grant(connection: &mut Connection<'_>, staff: i64, student: i64) -> Result<()> {
    let now = connection.now()?;
    let reason = "was ill, and told us in time <script>alert(1)</script>";
    connection.execute(
        "insert into exception (person, assignment, kind, amount, reason, at, granted_by) \
         values ($1, 'sum', 'extension', 2880, $2, $3, $4)",
        &[student.into(), reason.into(), now.into(), staff.into()],
    )?;
    let entry = audit::Entry {
        person: Some(staff),
        action: "grant extension",
        object: "student new, sum",
        reason,
    };
    audit::add(connection, &entry, 0, 2880)
}

/// Two requests of the first student, one of them answered, with points that were changed by hand.
fn ask(connection: &mut Connection<'_>, staff: i64, submission: i64) -> Result<()> {
    let submission = Submission::find(connection, submission)?.expect("it is there");
    let student = Person::find(connection, submission.person)?.expect("it is of somebody");
    for (place, text) in [
        (
            "group sample",
            "My output is the difference,\nwhich <b>is</b> what I read. Unbreakable: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ),
        ("case sample/Two", "One and two is minus one."),
    ] {
        let limits = server::rules::Requests::default();
        requests::open(connection, limits, &submission, &student, place, text)?;
    }
    let answer = "You are right about the first one. The second stays wrong.";
    requests::answer(connection, &submission, &student, 1, answer, staff)?;
    adjust(connection, &submission, &student, 250, answer, staff)
}

/// Style of the first student's submission, graded by hand with a comment to a line, and released.
fn by_hand(connection: &mut Connection<'_>, staff: i64, submission: i64) -> Result<()> {
    let submission = Submission::find(connection, submission)?.expect("it is there");
    let student = Person::find(connection, submission.person)?.expect("it is of somebody");
    let grade = |part: &str, points, most| Grade {
        part: part.to_owned(),
        points,
        most,
        chosen: Vec::new(),
        adjusted: -150,
        why: "a number <b>without</b> a name".to_owned(),
        comment: "Read it aloud once.".to_owned(),
        released: None,
    };
    let comment = NewComment {
        part: "style".to_owned(),
        file: "sum.cpp".to_owned(),
        line: 4,
        excerpt: "    int unused = 0;".to_owned(),
        text: "What is this for? aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_owned(),
    };
    let change = Change {
        grades: vec![grade("style", 850, 1000), grade("text", 50, 200)],
        is_done: true,
        add: Some(comment),
        ..Change::default()
    };
    hand::save(connection, &submission, &student, &change, staff)?;
    hand::release(connection, "sum", &["style".to_owned()], staff).map(|_| ())
}

/// What the programs of two students do wrong.
fn mined(connection: &mut Connection<'_>, staff: i64) -> Result<()> {
    let document = crate::mining::pages::document([1, 3]);
    let sql = "insert into mining (assignment, course, submission, state, queued, finished, person, document) \
        select 'sum', course, 1, 'done', 0, 0, $1, $2 from course_in_force";
    connection.execute(sql, &[staff.into(), document.into()])?;
    let course = courses::in_force(connection)?.expect("there is a course");
    server::mining::put(connection, "sum", &course, Some(staff)).map(|_| ())
}

/// A regrade that is not applied yet, with one submission that it changes.
fn preview(
    connection: &mut Connection<'_>,
    staff: i64,
    submission: i64,
    record: &Record,
) -> Result<()> {
    let course = courses::in_force(connection)?.expect("there is a course");
    let now = connection.now()?;
    let regrade = connection.insert(
        "insert into regrade (course, assignment, scope, state, at, person) \
         values ($1, 'sum', 'all', 'preview', $2, $3)",
        &[(&course).into(), now.into(), staff.into()],
    )?;
    let sql = "select person from submission where id = $1";
    let student = connection.first(sql, &[submission.into()])?.expect("it is there").int(0);
    let class = queue::Class::Regrade;
    let job = queue::put(connection, submission, student, &course, class, Some(regrade))?;
    // The job that waits since before is not the one to claim here.
    let held = "update job set until = $1 where state = 'queued' and id <> $2";
    connection.execute(held, &[(now + 60_000).into(), job.into()])?;
    let claim = claim(connection)?;
    let mut better = record.clone();
    better.report.points.earned += 12.5;
    queue::finish(connection, &claim, &better)?;
    connection.execute("update job set until = 0 where state = 'queued'", &[])?;
    Ok(())
}
