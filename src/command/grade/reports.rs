//! The reports in the folder of a class: gradebook, class page and scoreboard. They are made from the results, and replaced by each run.

use crate::course::{Assignment, Course, Submission};
use crate::diagnostic::Failure;
use crate::files;
use crate::grading::Results;
use crate::report::gradebook;
use crate::report::html::submissions;
use crate::result::LeftOut;
use crate::result::graded::{Graded, SCHEMA, SubmissionReport};
use crate::result::scoreboard::Scoreboard;
use std::collections::BTreeMap;

/// Writes the reports.
pub(super) fn write(
    results: &Results,
    course: &Course,
    assignment: &Assignment,
    submission: &Submission,
    all: &[SubmissionReport],
    left_out: &[LeftOut],
    not_limited: Option<String>,
) -> Result<(), Failure> {
    let shown = submission.scoreboard.as_ref();
    let keep = |name: &str, contents: &[u8]| {
        let file = results.path(name);
        files::replace(&file, contents).map_err(|error| Failure::unwritable(&file, &error))
    };
    let book = gradebook::csv(&assignment.id, all, shown)
        .map_err(|error| Failure::machine("make the gradebook", error))?;
    keep("gradebook.csv", &book)?;
    let graded = Graded {
        schema: SCHEMA.to_owned(),
        course: course.title.clone(),
        assignment: assignment.id.clone(),
        title: assignment.title.clone(),
        mutants: Vec::new(),
        submissions: all.to_vec(),
        not_limited,
        points_from: None,
        left_out: left_out.to_vec(),
        files: BTreeMap::new(),
    };
    let record =
        |report: &SubmissionReport| Some((report.name.clone(), results.record(&report.name)?));
    let records = all.iter().filter_map(record).collect();
    keep("class.html", submissions::class(&graded, &records).as_bytes())?;
    if let Some(shown) = shown {
        let board = Scoreboard::new((&assignment.id, &assignment.title), all, shown);
        let json = serde_json::to_string_pretty(&board).expect("every key is a string") + "\n";
        keep("scoreboard.json", json.as_bytes())?;
        keep("scoreboard.html", submissions::scoreboard(&course.title, &board).as_bytes())?;
    }
    Ok(())
}
