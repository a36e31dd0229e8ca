//! The pages of what was found.

use super::{PAGE, hands_in, site_on_both, staff};
use server::mining;
use std::io::Read;

/// What two programs do wrong, of which one prints the name of its author.
pub(crate) fn document(submissions: [i64; 2]) -> String {
    let outcomes = |answer: &str| {
        let printed = |text: &str| serde_json::json!({ "end": "exits with status 0", "stdout": text, "stderr": "" });
        serde_json::json!({
            "args": ["-m"], "input": "1 <b>\n", "how": "output",
            "reference": printed("3\n"), "program": printed(answer),
        })
    };
    let deviation = |number: usize, answer: &str| {
        let name = format!("programs/{}", submissions[number - 1]);
        serde_json::json!({
            "number": number, "represented": number == 2, "programs": [name], "cases": 4,
            "mutants": [{ "mutant": "adds-one", "both": 4, "only_deviation": 0, "only_mutant": 1 }],
            "example": name,
            "smallest": { "flags": "m", "size": 2, "outcomes": outcomes(answer) },
        })
    };
    let programs: Vec<_> = submissions
        .iter()
        .zip(1..)
        .map(|(id, number)| {
            let name = format!("programs/{id}");
            serde_json::json!({ "name": name, "tried": 9, "differing": 4, "deviations": [number] })
        })
        .collect();
    serde_json::json!({
        "schema": "harness-mined/1", "assignment": "sum", "seed": 0,
        "cases": { "handed_in": 1, "small": 3, "random": 5 },
        "programs": programs,
        "deviations": [deviation(1, "</pre><script>7"), deviation(2, "by Bob: 7\n")],
        "unmatched_mutants": ["other-mutant"], "stopped": "time",
    })
    .to_string()
}

#[test]
fn staff_see_who_and_a_lecture_sees_no_name_no_mutant_and_no_submission() {
    site_on_both("{}", |site| {
        let submissions = ["ann", "bob"].map(|login| hands_in(site, login, ("", "")));
        let text = document(submissions);
        site.write(move |connection| {
            let course = server::courses::in_force(connection)?.unwrap();
            connection.execute("update job set state = 'done'", &[])?;
            mining::put(connection, "sum", &course, None)?;
            let claim = mining::claim(connection, "one")?.unwrap();
            mining::finish(connection, &claim, &text)
        });
        let staff = staff(site);
        let page = staff.get(PAGE).body;
        assert!(page.contains(&format!("\"/submissions/{}\">ann<", submissions[0])), "{page}");
        assert!(
            page.contains("like <code>adds-one</code>") && page.contains("other-mutant"),
            "{page}"
        );
        assert!(page.contains("The nearest mutant is <code>adds-one</code>"), "{page}");
        assert!(page.contains("by Bob: 7") && !page.contains("<script>7"), "{page}");
        let answer = staff.get(&format!("{PAGE}/lecture"));
        let lecture = answer.body.split("<main").nth(1).unwrap().to_lowercase();
        assert!(
            lecture.contains("1 of 2 programs") && lecture.contains("1 &#60;b&#62;"),
            "{lecture}"
        );
        assert!(lecture.contains("the answer is not shown"), "{lecture}");
        assert!(lecture.contains("not all are due yet"), "there is no due date: {lecture}");
        for hidden in ["ann", "bob", "adds-one", "submissions/", "submission "] {
            assert!(!lecture.contains(hidden), "{hidden} in {lecture}");
        }
        let json = staff.get(&format!("{PAGE}.json"));
        assert_eq!(json.headers["content-disposition"], "attachment; filename=\"mined.json\"");
        assert!(json.body.starts_with('{') && !json.body.contains("ann\""), "{}", json.body);
    });
}

#[test]
fn the_tests_are_an_archive_of_files_that_a_suite_can_hold() {
    site_on_both("{}", |site| {
        let submissions = ["ann", "bob"].map(|login| hands_in(site, login, ("", "")));
        let text = document(submissions);
        let staff = staff(site);
        let address = format!("{PAGE}.tar.gz");
        let before = staff.get(&address);
        assert_eq!((before.status, before.body.contains("othing was found out yet")), (422, true));
        site.write(move |connection| {
            let sql = "insert into mining (assignment, course, submission, state, queued, document) \
                select 'sum', course, 1, 'done', 0, $1 from course_in_force";
            connection.execute(sql, &[(&text).into()])
        });
        let archive = staff.bytes(&address);
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&archive[..]));
        let files: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let (mut entry, mut text) = (entry.unwrap(), String::new());
                entry.read_to_string(&mut text).unwrap();
                (entry.path().unwrap().display().to_string(), text)
            })
            .collect();
        let expected = ["mined/test-1-m.txt", "mined/test-2-m.txt"]
            .map(|name| (name.to_owned(), "1 <b>\n".to_owned()));
        assert_eq!(files, expected);
    });
}
