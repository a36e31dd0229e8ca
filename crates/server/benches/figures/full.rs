//! A server with 100,000 submissions of 1,000 students: its memory, and the time of every page.

use crate::load::Latencies;
use crate::served::Served;
use crate::{RULES, report, show, sums};
use server::database::{Connection, Result, Value};
use server::submissions::results;

const STUDENTS: i64 = 1_000;
const EACH: i64 = 100;

/// The pages of a student and of staff.
const PAGES: [(&str, &[&str]); 2] = [
    (
        "student-7",
        &["/", "/assignments/sum", "/assignments/sum/scoreboard", "/submissions/601", "/account"],
    ),
    (
        "boss",
        &[
            "/",
            "/students",
            "/students/student-7",
            "/queue",
            "/assignments/sum/class",
            "/assignments/sum/gradebook.csv",
            "/course",
            "/audit",
            "/people",
            "/metrics",
        ],
    ),
];

pub(crate) fn memory(url: Option<String>) {
    let mut served = Served::start(url, RULES, 0);
    let record = report::record(&served.course, &sums::right());
    let summary = results::summary(&serde_json::from_str(&record).unwrap());
    served.person("boss", "administrator");
    for student in 1..=STUDENTS {
        let person = served.person(&format!("student-{student}"), "student");
        let texts = (record.clone(), summary.clone());
        served.write(move |connection| fill(connection, person, student, &texts));
    }
    served.analyze();
    served.again();
    for (login, pages) in PAGES {
        let session = served.session(login);
        for path in pages {
            let all: Vec<_> = (0..20).map(|_| served.page(path, &session)).collect();
            let failed = all.iter().filter(|(status, _)| *status != 200).count();
            let latencies = Latencies::new(all.iter().map(|(_, time)| *time).collect(), failed);
            show(&format!("with {} submissions, {path}", STUDENTS * EACH), &latencies);
        }
    }
    let [now, most] = served.memory();
    println!("  {:<46} {now:.0} MB, at most {most:.0} MB", "memory of the server");
}

/// The submissions of a student: one each day, graded.
fn fill(
    connection: &mut Connection<'_>,
    person: i64,
    student: i64,
    (record, summary): &(String, String),
) -> Result<()> {
    let course = server::courses::in_force(connection)?.expect("the server put it in force");
    let sql = "insert into archive (digest, bytes) values ('bench', $1) on conflict do nothing";
    connection.execute(sql, &[vec![0; 2_000].into()])?;
    let texts = |names: &str| names.split(", ").map(str::to_owned).collect::<Vec<_>>();
    let first = (student - 1) * EACH + 1;
    let ids = first..first + EACH;
    let row = |id: i64| -> Vec<Value> {
        let at = 1_700_000_000_000 + (id - first) * 86_400_000;
        let text = |text: String| Value::Text(text);
        vec![
            id.into(),
            person.into(),
            "sum".into(),
            at.into(),
            text(format!("day {}", id - first)),
            1_i64.into(),
            "normal".into(),
            "bench".into(),
            "submit.tar.gz".into(),
            text(format!("{id}")),
        ]
    };
    let columns = "id, person, assignment, at, day, slot, feedback, archive, file_name, request";
    let rows: Vec<_> = ids.clone().map(row).collect();
    connection.insert_rows("submission", &texts(columns), &rows)?;
    let job = |id: i64| -> Vec<Value> {
        vec![
            id.into(),
            id.into(),
            (&course).into(),
            0_i64.into(),
            0_i64.into(),
            "done".into(),
            1_i64.into(),
            0_i64.into(),
            0_i64.into(),
            1_000_i64.into(),
        ]
    };
    let columns = "id, submission, course, class, rank, state, attempt, queued, started, finished";
    connection.insert_rows("job", &texts(columns), &ids.clone().map(job).collect::<Vec<_>>())?;
    let result = |id: i64| -> Vec<Value> {
        vec![
            id.into(),
            id.into(),
            (&course).into(),
            1_i64.into(),
            (5_000 + id % 4_000).into(),
            9_000_i64.into(),
            0_i64.into(),
            1_i64.into(),
            0_i64.into(),
            record.as_str().into(),
            0_i64.into(),
            0_i64.into(),
        ]
    };
    let columns = "job, submission, course, attempt, points, max_points, refused, exposed, earns_bonus, record, finished, applied";
    connection.insert_rows(
        "result",
        &texts(columns),
        &ids.clone().map(result).collect::<Vec<_>>(),
    )?;
    let summary = |id: i64| -> Vec<Value> { vec![id.into(), summary.as_str().into()] };
    let rows: Vec<_> = ids.map(summary).collect();
    connection.insert_rows("summary", &texts("job, record"), &rows)?;
    results::renew(connection, "sum", person)?;
    let last = first + EACH - 1;
    connection.continue_after("submission", last)?;
    connection.continue_after("job", last)
}
