//! `harness score --html`: what the page contains, and what it must not contain. `browser.rs` tests how it behaves.

use super::{folder, harness, path, repository};
use harness::catalogue::{self, Mutant};
use harness::course::{Assignment, Audience, Course, Level, Points};
use harness::domain::{Draft, Flaw, How};
use harness::report::html::Html;
use harness::report::writer::{About, Writer};
use harness::result::coverage::CoverageReport;
use harness::result::drawn::DrawnTest;
use harness::result::score::score;
use harness::result::{Difference, Exposure, SuiteReport, TestReport};
use harness::suite::layout::Shape;
use std::collections::BTreeMap;
use std::fs;
use subject::{End, Outcome};

const FORK: &[u8] = b"1 3 3\n// mine\n@aA\n.#.\n..?\n";

/// The page of a run that exits with 0.
fn page(suite: &str, options: &[&str]) -> String {
    let out = folder(&[]);
    let file = out.path().join("page.html");
    harness(
        &[&["score", suite, "--assignment", "puzzle", "--html", file.to_str().unwrap()], options]
            .concat(),
    )
    .exits(0);
    fs::read_to_string(file).unwrap()
}

fn course(folder: &str) -> Course {
    Course::read(&repository().join(folder))
        .unwrap_or_else(|failure| panic!("{:?}", failure.problems))
}

fn mutants(assignment: &Assignment) -> Vec<Mutant> {
    catalogue::read(assignment).unwrap_or_else(|failure| panic!("{:?}", failure.problems))
}

/// The parts of a mutant that a student must not see.
fn secrets(mutant: &Mutant) -> Vec<String> {
    let witness = mutant.witness.as_ref().map(|witness| witness.input.clone()).unwrap_or_default();
    let in_json = witness.replace('\n', "\\n");
    vec![mutant.hint.clone(), mutant.spec.clone(), witness, in_json]
        .into_iter()
        .filter(|secret| !secret.is_empty())
        .collect()
}

/// The text as it is written in markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&#38;")
        .replace('<', "&#60;")
        .replace('>', "&#62;")
        .replace('"', "&#34;")
        .replace('\'', "&#39;")
}

#[test]
fn a_page_is_self_contained() {
    let page = page("student_tests/puzzle", &[]);
    assert!(
        page.starts_with("<!doctype html>\n<html lang=\"en\">") && page.ends_with("</html>"),
        "{}",
        &page[..100]
    );
    assert!(page.contains("content=\"default-src 'none'; script-src 'sha256-"));
    for address in ["src=", "http://", "https://", "url(", "@import", "unsafe-inline"] {
        let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!elsewhere.contains(address), "the page holds {address}");
    }
    assert!(
        !page.contains("style=\"") && !page.contains("onclick="),
        "the policy forbids inline styles and scripts in attributes"
    );
}

#[test]
fn the_same_files_and_seed_give_the_same_page_whatever_the_jobs() {
    let suite = folder(&[("test-1-ql.txt", FORK), ("test-2-sm.txt", FORK), ("test-3-s.txt", FORK)]);
    let one = page(path(&suite), &["--jobs", "1"]);
    assert_eq!(one, page(path(&suite), &["--jobs", "5"]));
    assert_ne!(
        one,
        page(path(&suite), &["--seed", "2"]),
        "the seed changes how options are spelled"
    );
}

#[test]
fn the_page_shows_bugs_to_staff_and_not_to_students() {
    let suite =
        folder(&[("test-1-ql.txt", FORK), ("test-2-sm.txt", FORK), ("test-3-q1.txt", FORK)]);
    let (staff, student) =
        (page(path(&suite), &[]), page(path(&suite), &["--audience", "student"]));
    let course = course(".");
    for mutant in mutants(course.assignment("puzzle").unwrap()) {
        assert!(staff.contains(&format!(">{}<", mutant.id)), "{}", mutant.id);
        assert!(staff.contains(&escaped(&mutant.hint)), "{}", mutant.hint);
        assert!(!student.contains(&mutant.id), "{}", mutant.id);
        for secret in secrets(&mutant).iter().chain([&mutant.summary]) {
            assert!(
                !student.contains(secret) && !student.contains(&escaped(secret)),
                "{}: {secret}",
                mutant.id
            );
        }
    }
    assert!(staff.contains("<path d=\"M"), "the reference's path is drawn");
    assert!(
        !student.contains("<path") && !student.contains("class=\"data\""),
        "the reference's output is hidden"
    );
    for told in ["test-1-ql.txt", "<svg xmlns", "did you mean `test-3-ql.txt`?", "bugs exposed"] {
        assert!(student.contains(told), "{told}");
    }
}

/// The page of a made-up suite, for a reader with this level.
fn made_up(level: Level, is_staff: bool) -> (String, Vec<Mutant>) {
    let course = course(".");
    let assignment = course.assignment("puzzle").unwrap();
    let mutants = mutants(assignment);
    let names = ids(&mutants);
    let catalogue = (is_staff && level == Level::All).then_some(&mutants[..]);
    let audience = if is_staff { Audience::Staff } else { Audience::Normal };
    let about = About { level, audience, catalogue, ..about(assignment, &names, Shape::Suite) };
    let outcome = |text: &str| Outcome {
        end: End::Exit(0),
        stdout: text.into(),
        stderr: Vec::new(),
        files: BTreeMap::new(),
    };
    let difference = Difference {
        mutant: 3,
        how: subject::How::Output,
        why: None,
        outcome: Some(outcome("THE MUTANT SAYS\n")),
    };
    let draft = Draft { flags: "ql".to_owned(), input: FORK.to_vec() };
    let reference = outcome("THE REFERENCE SAYS\n");
    let outcomes = Some((&reference, std::slice::from_ref(&difference)));
    let test = DrawnTest { file: "test-1-ql.txt", draft, outcomes };
    let suite = report("mine", &[vec![3]], &mutants, assignment).for_level(level);
    (written(&course, &about, &[test], &[suite]), mutants)
}

/// An assignment whose reader may see everything but the catalogue.
fn about<'a>(assignment: &'a Assignment, names: &'a [String], shape: Shape) -> About<'a> {
    About {
        assignment,
        level: Level::All,
        mutants: &[],
        audience: Audience::Staff,
        shape,
        mutant_names: names,
        catalogue: None,
        names: &[],
        inner_folders: 0,
        left_out: &[],
        files: const { &BTreeMap::new() },
    }
}

/// The page of one assignment.
fn written(
    course: &Course,
    about: &About<'_>,
    tests: &[DrawnTest<'_>],
    suites: &[SuiteReport],
) -> String {
    let mut page = Vec::new();
    let mut html = Box::new(Html::new(&mut page));
    html.begin(course).unwrap();
    html.assignment(about).unwrap();
    tests.iter().for_each(|test| html.test(test).unwrap());
    suites.iter().for_each(|suite| html.suite(suite).unwrap());
    html.end_assignment().unwrap();
    html.end().unwrap();
    String::from_utf8(page).unwrap()
}

fn ids(mutants: &[Mutant]) -> Vec<String> {
    mutants.iter().map(|mutant| mutant.id.clone()).collect()
}

/// The result of a suite whose tests expose these mutants.
fn report(
    name: &str,
    exposes: &[Vec<usize>],
    mutants: &[Mutant],
    assignment: &Assignment,
) -> SuiteReport {
    let mut exposed_by: BTreeMap<String, Vec<Exposure>> = BTreeMap::new();
    let mut tests = Vec::new();
    for (test, exposes) in exposes.iter().enumerate() {
        let file = format!("test-{}-ql.txt", test + 1);
        for &mutant in exposes {
            let exposure = Exposure {
                file: file.clone(),
                how: if mutant % 7 == 0 { How::Exit } else { How::Output },
            };
            exposed_by.entry(mutants[mutant].id.clone()).or_default().push(exposure);
        }
        let ids = exposes.iter().map(|&mutant| mutants[mutant].id.clone()).collect();
        tests.push(TestReport::valid(
            file,
            vec!["--queue".to_owned(), "--output=list".to_owned()],
            ids,
        ));
    }
    let score = Some(score(
        &assignment.scoring,
        &vec![Points::ONE; exposed_by.len()],
        &vec![Points::ONE; mutants.len()],
    ));
    SuiteReport {
        name: name.to_owned(),
        note: None,
        tests,
        more_rejected: 0,
        ignored: Vec::new(),
        more_ignored: 0,
        exposed_by,
        score,
        coverage: None,
        hints: Vec::new(),
    }
}

#[test]
fn each_level_shows_only_what_it_allows_and_only_staff_see_outputs() {
    for (level, is_staff) in
        [(Level::None, true), (Level::Count, true), (Level::Exposed, true), (Level::All, false)]
    {
        let (page, mutants) = made_up(level, is_staff);
        for (at, mutant) in mutants.iter().enumerate() {
            let may_tell = level == Level::All || level == Level::Exposed && at == 3;
            assert_eq!(page.contains(&mutant.id), may_tell, "{level:?}: {}", mutant.id);
            assert!(
                !page.contains(&mutant.summary) && !page.contains(&escaped(&mutant.summary)),
                "{level:?}: {}",
                mutant.summary
            );
            for secret in secrets(mutant) {
                assert!(
                    !page.contains(&secret) && !page.contains(&escaped(&secret)),
                    "{level:?}: {secret}"
                );
            }
        }
        assert!(!page.contains("REFERENCE SAYS") && !page.contains("MUTANT SAYS"), "{level:?}");
        let exposed = if is_staff { "mutants exposed" } else { "bugs exposed" };
        assert_eq!(page.contains(exposed), level >= Level::Count, "{level:?}");
    }
    let (page, mutants) = made_up(Level::All, true);
    assert!(
        page.contains("THE REFERENCE SAYS")
            && page.contains("THE MUTANT SAYS")
            && page.contains(&mutants[3].summary)
    );
}

#[test]
fn text_from_students_never_becomes_markup() {
    let suite = folder(&[
        ("test-1-ql.txt", b"1 1 3\n// </script><script>alert(1)</script>\n@.?\n"),
        ("test-<script>alert(2)<.txt", FORK),
        ("\"><img src=x onerror=alert(3)>.txt", FORK),
        ("test-4-<b>.txt", FORK),
        ("test-5-ql.txt", b"1 1 3\n@<?\n"),
    ]);
    let page = page(path(&suite), &[]);
    for markup in ["<script>alert", "<img", "<b>.txt", "@<?"] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert!(page.contains("test-&#60;script&#62;alert(2)&#60;.txt"));
    assert_eq!(page.matches("<script").count(), 2, "one of the page's own, and one with data");
}

#[test]
fn outputs_and_summaries_never_become_markup() {
    const MARKUP: &str = "</script><script>alert(1)</script><!-- ";
    const PRINTED: &str = "</script><script>alert(1)</script><!-- \u{1b}";
    let course = course("tests/courses/rogue");
    let assignment = &course.assignments[0];
    let mutants = mutants(assignment);
    let outcome = |text: &str| Outcome {
        end: End::Exit(0),
        stdout: text.into(),
        stderr: PRINTED.into(),
        files: BTreeMap::from([(PRINTED.to_owned(), text.into())]),
    };
    let difference = Difference {
        mutant: 0,
        how: subject::How::Output,
        why: Some(Flaw::whole(PRINTED)),
        outcome: Some(outcome("otherwise")),
    };
    let draft = Draft { flags: String::new(), input: PRINTED.into() };
    let reference = outcome(PRINTED);
    let outcomes = Some((&reference, std::slice::from_ref(&difference)));
    let test = DrawnTest { file: "test-1-ql.txt", draft, outcomes };
    let suite = report(MARKUP, &[vec![0]], &mutants, assignment);
    let names = ids(&mutants);
    let about = About { catalogue: Some(&mutants), ..about(assignment, &names, Shape::Suite) };
    let course = Course { title: MARKUP.to_owned(), ..self::course("tests/courses/rogue") };
    let page = written(&course, &about, &[test], &[suite]);
    assert!(!page.contains("<script>alert") && !page.contains("<!--") && !page.contains('\u{1b}'));
    assert_eq!(page.matches("<script").count(), 2, "one of the page's own, and one with data");
}

/// The page of a class: 1,000 students with 15 tests each, and 40 mutants.
pub(crate) fn large_class() -> String {
    let course = course(".");
    let assignment = course.assignment("puzzle").unwrap();
    let mut mutants = mutants(assignment);
    mutants.truncate(40);
    let mut suites = Vec::new();
    for student in 0..1000_usize {
        // A third of the cells, in a pattern that rarely repeats.
        let exposes = |test: usize| {
            (0..40)
                .filter(|mutant| (student * 31 + test * 17 + mutant * mutant) % 97 < 32)
                .collect()
        };
        let tests: Vec<Vec<usize>> = (0..15)
            .map(|test| if student % 50 == 0 { Vec::new() } else { exposes(test) })
            .collect();
        let mut report = report(&format!("student-{student:04}"), &tests, &mutants, assignment);
        let why = harness::diagnostic::Problem::new(
            "`1` is not a flag: the flags are `s`, `q`, `m`, `l`",
        );
        report.tests.push(TestReport::rejected(
            format!("test-{}-q1.txt", student % 15),
            why,
            Vec::new(),
        ));
        report.coverage = (student == 999).then(|| CoverageReport {
            percent: 87,
            lines: None,
            missed: BTreeMap::new(),
        });
        suites.push(report);
    }
    let names = ids(&mutants);
    let about = About { catalogue: Some(&mutants), ..about(assignment, &names, Shape::Class) };
    written(&course, &about, &[], &suites)
}

#[test]
fn a_page_of_a_thousand_students_stays_small() {
    let page = large_class();
    eprintln!("1,000 students x 15 tests x 40 mutants: {} bytes", page.len());
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    for told in [
        "student-0999",
        "Suites that expose the same mutants",
        "A class of 1000 students: 15000 valid tests, 1000 rejected",
        ">Coverage</button>",
        "<td>87 %</td>",
    ] {
        assert!(page.contains(told), "{told}");
    }
}

#[test]
fn a_page_does_not_overwrite_a_file() {
    let out = folder(&[("mine.html", b"precious")]);
    let mine = out.path().join("mine.html");
    let args = ["score", "student_tests/puzzle", "--html", mine.to_str().unwrap()];
    harness(&args).fails(
        2,
        "error: [..]/mine.html already exists\nhint: name a new file, or use --overwrite\n",
    );
    assert_eq!(fs::read(&mine).unwrap(), b"precious");
    harness(&[&args[..], &["--overwrite"]].concat()).exits(0);
    assert!(fs::read_to_string(&mine).unwrap().starts_with("<!doctype html>"));
    let both = format!("json={}", mine.display());
    harness(&[&args[..], &["--overwrite", "--format", &both]].concat()).fails(
        2,
        "\
error: `json` and `html` both go to [..]/mine.html
hint: give all of them but one a file, for example html=report.html
",
    );
}
