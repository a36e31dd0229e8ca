//! `harness score --format`: several formats in one run, files, the gradebook and the summary.

mod platforms;
mod readers;
mod viewer;

pub(super) use platforms::decoded;

use super::course::Course;
use super::run::output;
use super::{Run, folder, harness, path, repository};
use harness::course::Audience;
use harness::report::formats::{FORMATS, HTML};
use std::fs;
use std::process::Command;

const FORK: &[u8] = b"0 3 3\n@..\n.#.\n..?\n";

/// Scores `folder` as puzzle tests.
fn score(folder: &str, options: &[&str]) -> Run {
    harness(&[&["score", folder, "--assignment", "puzzle"], options].concat())
}

/// A course whose students read at `level`. The reference copies its input; the mutant `cat` drops each "cat", and `dog` each "dog".
pub(super) fn zoo(level: &str, suites: &[(&str, &[u8])]) -> Course {
    let course = Course::of_commands("zoo", "cat", "sed s/{mutant}//")
        .with("title", "Zoo")
        .with("scoring", "{ start: 1, full: 2, points: 10 }")
        .with("feedback", &format!("{{ student: {level} }}"))
        .mutant("cat", &[("summary", "Loses cats."), ("witness", "{ flags: \"\", input: cat }")])
        .mutant("dog", &[("summary", "Loses dogs."), ("witness", "{ flags: \"\", input: dog }")]);
    course.replace("harness.yaml", "course: Test course", "course: A zoo");
    suites.iter().fold(course, |course, (name, contents)| course.file(name, contents))
}

#[test]
fn one_run_writes_several_files_and_prints_the_text() {
    let suite = folder(&[("test-1-ql.txt", FORK)]);
    let out = folder(&[]);
    let (json, text) = (out.path().join("all.json"), out.path().join("all.txt"));
    let formats = format!("json={},text={}", json.display(), text.display());
    let run = score(path(&suite), &["--format", &formats]).exits(0);
    assert_eq!(run.stdout, fs::read_to_string(&text).unwrap());
    assert_eq!(
        fs::read_to_string(&json).unwrap(),
        score(path(&suite), &["--format", "json"]).exits(0).stdout
    );
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 2, "nothing else is left behind");
    let alone = score(
        path(&suite),
        &["--format", &format!("text={},json", out.path().join("new.txt").display())],
    )
    .exits(0);
    assert_eq!(alone.stdout, fs::read_to_string(&json).unwrap());
}

#[test]
fn an_existing_file_is_replaced_only_with_overwrite() {
    let suite = folder(&[("test-1-ql.txt", FORK)]);
    let out = folder(&[("mine.txt", b"precious")]);
    let mine = out.path().join("mine.txt");
    let format = format!("text={}", mine.display());
    let run = score(path(&suite), &["--format", &format]).fails(
        2,
        "error: [..]/mine.txt already exists\nhint: name a new file, or use --overwrite\n",
    );
    assert_eq!(
        (run.stdout.as_str(), fs::read(&mine).unwrap().as_slice()),
        ("", b"precious".as_slice())
    );
    let run = score(path(&suite), &["--format", &format, "--overwrite"]).exits(0);
    assert_eq!(fs::read_to_string(&mine).unwrap(), run.stdout);
}

#[test]
fn a_failed_run_does_not_change_an_existing_file() {
    let out = folder(&[("mine.json", b"precious")]);
    let format = format!("json={}", out.path().join("mine.json").display());
    let course = "tests/courses/disagreeing";
    harness(&[
        "score",
        "tests/courses/disagreeing/tests",
        "--course",
        course,
        "--format",
        &format,
        "--overwrite",
    ])
    .fails(
        4,
        "\
warning: 1 mutant of `hello` does not count, because a valid witness is missing
...
error: the combined build with no mutant selected differs from the reference on this case:

go

hint: a bug changes more than its own mutant; `harness mutants verify` finds out which
",
    );
    assert_eq!(fs::read(out.path().join("mine.json")).unwrap(), b"precious");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_cannot_be_written_stops_the_run_before_it_begins() {
    let suite = folder(&[("test-1-ql.txt", FORK)]);
    score(path(&suite), &["--format", "json=no-such-folder/all.json"]).fails(
        2,
        "error: cannot write no-such-folder/all.json: No such file or directory (os error 2)\n\
         hint: there is no folder no-such-folder: make it first\n",
    );
    score(path(&suite), &["--format", &format!("json={}", path(&suite))])
        .fails(2, "error: [..] is a folder\nhint: name a file in it\n");
    assert!(
        score(path(&suite), &["--format", "json=/dev/null"])
            .exits(0)
            .stdout
            .starts_with("Puzzle Solver: one suite\n")
    );
}

#[test]
fn an_unknown_format_or_two_formats_for_one_file_are_command_line_errors() {
    score("student_tests/puzzle", &["--format", "text,jsn"])
        .fails(2, "error: there is no format `jsn`\nhint: did you mean `json`?\n");
    score("student_tests/puzzle", &["--format", "text,json"]).fails(
        2,
        "\
error: `text` and `json` both go to standard output
hint: give all of them but one a file, for example json=report.json
",
    );
    score("student_tests/puzzle", &["--format", "text=a,json=./a"]).fails(
        2,
        "\
error: `text` and `json` both go to ./a
hint: give all of them but one a file, for example json=report.json
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn files_are_written_even_if_standard_output_is_closed() {
    let zoo = zoo("count", &[("suite/test-1.txt", b"cat\n")]);
    let (program, place) = (env!("CARGO_BIN_EXE_harness"), zoo.word(""));
    let line = |format: &str| {
        let line = format!(
            "{program} score {place}/suite --course {place} --format {format} | (exec 0<&-; sleep 2); exit ${{PIPESTATUS[0]}}"
        );
        output(Command::new("bash").args(["-c", &line]))
    };
    let run = line(&format!("csv={place}/grades.csv"));
    assert_eq!((run.status.code(), run.stderr.as_slice()), (Some(0), [].as_slice()));
    assert!(fs::read_to_string(zoo.path("grades.csv")).unwrap().ends_with("zoo,5,10,1,2,,1,0,\n"));
    assert_eq!(line("csv").status.code(), Some(141), "there is nothing else to write");
}

#[test]
fn a_gradebook_has_a_row_for_each_student_and_contains_no_formulas() {
    let suites: [(&str, &[u8]); 4] = [
        ("class/ann/test-1.txt", b"cat\ndog\n"),
        ("class/=1+1/test-1.txt", b"cat\n"),
        ("class/o, \"neill\"/test-x.txt", b"cat\n"),
        ("class/o, \"neill\"/test-2.txt", b"cow\n"),
    ];
    let run = zoo("count", &suites).score("class", &["--format", "csv"]).exits(0);
    let expected = "student,assignment,points,max_points,bugs_exposed,bugs,extra_submission,valid_tests,rejected_tests,note\n\
        '=1+1,zoo,5,10,1,2,,1,0,\nann,zoo,10,10,2,2,,1,0,\n\"o, \"\"neill\"\"\",zoo,0,10,0,2,,1,1,\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn a_summary_of_a_suite_has_points_bugs_and_rejected_tests() {
    let suites: [(&str, &[u8]); 2] =
        [("suite/test-1.txt", b"cat\n"), ("suite/test-`<b>|.txt", b"cat\n")];
    let zoo = zoo("count", &suites);
    let expected = "# A zoo\n\n## Zoo\n\n**5 of 10 points** · 1 of 2 mutants exposed · 1 valid test · 1 rejected\n\n\
        | mutants needed for | | |\n|---|---:|---|\n| first points | 1 | reached |\n| full points | 2 | 1 more |\n\n\
        ### Rejected tests\n\n- ``test-`<b>|.txt``: `a test is named test-n-flags.txt, for example test-1.txt`\n";
    let bugs = "\n<details>\n<summary>Exposed: 1 mutant</summary>\n\n| mutant | by |\n|---|---|\n| `cat` | `test-1.txt (output)` |\n\n</details>\n\
        \n<details>\n<summary>Missed: 1 mutant</summary>\n\n| mutant | what it is |\n|---|---|\n| `dog` | Loses dogs. |\n\n</details>\n";
    assert_eq!(
        zoo.score("suite", &["--format", "md"]).exits(0).stdout,
        format!("{expected}{bugs}")
    );
    assert_eq!(
        zoo.score("suite", &["--format", "md", "--audience", "student"]).exits(0).stdout,
        expected.replace("mutants", "bugs")
    );
}

#[test]
fn a_summary_of_a_class_has_a_row_for_each_student_and_counts_for_each_bug() {
    let suites: [(&str, &[u8]); 2] =
        [("class/a|b/test-1.txt", b"cat\n"), ("class/bob/test-1.txt", b"cat dog\n")];
    let expected = "# A zoo\n\n## Zoo\n\n2 suites\n\n| student | points | mutants exposed | valid tests | rejected |\n\
        |---|---:|---:|---:|---:|\n| `a\\|b` | 5 | 1 | 1 | 0 |\n| `bob` | 10 | 2 | 1 | 0 |\n\n<details>\n\
        <summary>Mutants, by how many suites expose them</summary>\n\n| suites | mutant | what it is |\n|---:|---|---|\n\
        | 1 | `dog` | Loses dogs. |\n| 2 | `cat` | Loses cats. |\n\n</details>\n";
    assert_eq!(zoo("count", &suites).score("class", &["--format", "md"]).exits(0).stdout, expected);
}

#[test]
fn the_documents_list_every_format_and_who_reads_it() {
    let text = fs::read_to_string(repository().join("docs/formats.md")).unwrap();
    let (_, table) = text.split_once("| `--format` |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells[0].split('`').nth(1).unwrap().to_owned();
        (name, cells[2] == "students", cells[3] == "a file for each", cells[4] == "yes")
    };
    let listed: Vec<_> = table.lines().skip(2).map(row).collect();
    let known = FORMATS.iter().map(|format| {
        let is_for_students = format.audience() == Audience::Normal;
        (format.name.to_owned(), is_for_students, format.is_for_platform(), format.can_grade())
    });
    assert_eq!(listed, known.collect::<Vec<_>>());
}

/// What every format but the page writes for a student, by name, except formats that refuse the level.
fn for_a_student(zoo: &Course) -> Vec<(&'static str, String)> {
    let formats = FORMATS.iter().map(|format| format.name).filter(|name| *name != HTML);
    let run = |format| (format, zoo.score("suite", &["--format", format, "--audience", "student"]));
    let runs = formats.map(run).filter(|(_, run)| run.status == 0);
    runs.map(|(format, run)| (format, platforms::decoded(format, &run.stdout))).collect()
}

#[test]
fn no_format_shows_a_student_more_than_the_level_allows() {
    let suites: [(&str, &[u8]); 1] = [("suite/test-1.txt", b"cat\n")];
    let levels = [
        ("none", 6, [false; 3]),
        ("count", 8, [false, false, true]),
        ("exposed", 8, [true, false, true]),
        ("all", 9, [true; 3]),
    ];
    for (level, formats, [exposed, missed, counts]) in levels {
        let written = for_a_student(&zoo(level, &suites));
        assert_eq!(written.len(), formats, "{level}");
        for (format, text) in written {
            let ids = [text.contains("cat"), text.contains("dog")];
            assert_eq!(
                ids,
                if format == "csv" { [false; 2] } else { [exposed, missed] },
                "{format} at {level}: {text}"
            );
            let score = ["of 2 bugs", "5", "10"].iter().any(|word| text.contains(word));
            // Gradescope keeps the score, and hides it.
            assert!(
                counts || !score || text.contains("\"visibility\": \"hidden\""),
                "{format} at {level}: {text}"
            );
        }
    }
}
