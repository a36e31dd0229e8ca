//! `harness score --watch`.

use super::builds::cpp;
use super::course::Course;
use super::letters::letters;
use super::run::{command, has_a_compiler, has_a_sandbox, has_pytest};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A running `harness score --watch`, and the lines that it prints.
struct Watching {
    harness: Child,
    lines: Receiver<String>,
}

impl Watching {
    /// Starts to watch the suite; also returns the first report.
    fn start(course: &Course, suite: &str, options: &[&str]) -> (Self, Vec<String>) {
        let mut harness = command()
            .args(["score", "--watch", &course.word(suite), "--course", &course.word("")])
            .args(options)
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let stdout = BufReader::new(harness.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut watching = Self { harness, lines };
        let first = watching.until(|line| line.starts_with("Watching "));
        (watching, first)
    }

    /// The lines up to and including the first for which `is_last` is true, without reports that nothing changed. Their number depends on
    /// the machine's speed.
    #[track_caller]
    fn until(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(120)) {
                Ok(line) if line.is_empty() || line == "Nothing has changed." => continue,
                Ok(line) => seen.push(line),
                Err(error) => panic!("{error}\n{}", seen.join("\n")),
            }
            if is_last(seen.last().unwrap()) {
                return seen;
            }
        }
    }

    /// Presses Ctrl-C, and returns the exit status and the remaining output.
    fn end(mut self) -> (Option<i32>, Vec<String>) {
        kill_process(Pid::from_child(&self.harness), Signal::INT).unwrap();
        let status = self.harness.wait().unwrap().code();
        (status, self.lines.iter().collect())
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Both calls fail if it has ended already.
        let _ = self.harness.kill();
        let _ = self.harness.wait();
    }
}

const SCORE: &str = "  score              ";

fn course() -> Course {
    let course = letters("{ normal: count }");
    course.write("mine/test-1.txt", "ab\n");
    course
}

#[test]
fn watch_prints_only_changes_and_ctrl_c_exits_with_0() {
    let course = course();
    let (mut watching, first) = Watching::start(&course, "mine", &[]);
    assert!(first.contains(&"Score: 2 of 5 points".to_owned()), "{first:?}");

    // Like an editor: write a new file and move it over the old one.
    course.write("mine/.test-1.txt.new", "bce\n");
    fs::rename(course.path("mine/.test-1.txt.new"), course.path("mine/test-1.txt")).unwrap();
    let expected = [
        "  exposed            drops-c  by test-1.txt (output)",
        "  exposed            drops-e  by test-1.txt (output)",
        "  no longer exposed  drops-a  by test-1.txt (output)",
        "  score              2 → 3 of 5 points; 2 → 3 of 5 mutants exposed",
    ];
    assert_eq!(watching.until(|line| line.starts_with(SCORE)), expected);

    course.write("mine/test-2.txt", "a!\n");
    let seen = watching.until(|line| line.ends_with("hint: leave it out"));
    let expected = [
        "  rejected           test-2.txt: line 1, column 2: '!' is no letter",
        "                     1 | a!",
        "                       |  ^",
        "                     hint: leave it out",
    ];
    assert_eq!(seen, expected);

    course.write("mine/test-2.txt", "a\n");
    let expected = [
        "  mended             test-2.txt",
        "  exposed            drops-a  by test-2.txt (output)",
        "  score              3 → 4 of 5 points; 3 → 4 of 5 mutants exposed",
    ];
    assert_eq!(watching.until(|line| line.starts_with(SCORE)), expected);

    fs::remove_file(course.path("mine/test-1.txt")).unwrap();
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert_eq!(seen[0], "  gone               test-1.txt");
    let (status, rest) = watching.end();
    assert_eq!((status, rest), (Some(0), Vec::new()));
}

#[test]
fn watch_notices_changes_of_the_course_and_survives_mistakes_in_it() {
    let course = course();
    let (mut watching, _) = Watching::start(&course, "mine", &[]);
    let yaml = fs::read_to_string(course.path("harness.yaml")).unwrap();
    course.write("harness.yaml", yaml.replace("scoring", "scorin"));
    watching.until(|line| line == "error: unknown key `scorin`");
    watching.until(|line| line == "hint: did you mean `scoring`?");
    course.write("harness.yaml", yaml.replace("points: 5", "points: 10"));
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert_eq!(
        seen.last().unwrap(),
        "  score              2 → 4 of 10 points; 2 → 2 of 5 mutants exposed"
    );

    fs::remove_file(course.path("mutants/drops-a.yaml")).unwrap();
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert!(seen.contains(&"The course has changed.".to_owned()), "{seen:?}");
    assert!(seen.iter().any(|line| line.starts_with("  no longer exposed  drops-a")), "{seen:?}");
    assert_eq!(watching.end().0, Some(0));
}

#[test]
fn watch_shows_a_student_only_what_the_course_allows() {
    let course = course();
    let (mut watching, first) = Watching::start(&course, "mine", &["--audience", "student"]);
    course.write("mine/test-2.txt", "e\n");
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert!(first.iter().chain(&seen).all(|line| !line.contains("drops-")), "{first:?} {seen:?}");
    assert_eq!(
        seen.last().unwrap(),
        "  score              2 → 3 of 5 points; 2 → 3 of 5 bugs exposed"
    );
}

#[test]
fn watch_names_the_suite_of_each_change_in_a_class() {
    let course = course();
    course.write("class/ann/test-1.txt", "a\n");
    course.write("class/bob/test-1.txt", "b\n");
    let (mut watching, _) = Watching::start(&course, "class", &[]);
    course.write("class/cyd/test-1.txt", "c\n");
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert_eq!(seen[0], "cyd (letters)");
    assert!(seen.iter().all(|line| !line.contains("ann") && !line.contains("bob")), "{seen:?}");
    fs::remove_dir_all(course.path("class/bob")).unwrap();
    watching.until(|line| line == "bob (letters)");
    watching.until(|line| line.starts_with("  gone "));
}

#[test]
fn watch_says_what_one_changed_unit_test_changes() {
    if !(has_a_sandbox() && has_pytest()) {
        return;
    }
    let unit = Course::copy_of("examples/library-python");
    unit.keep_mutants(&["rounds-the-half-down", "takes-every-fourth-year-for-a-leap-year"]);
    let first =
        "from loans import fee, is_leap\n\ndef test_fee():\n    assert fee(3, True) == 38\n";
    let second = "\ndef test_leap():\n    assert is_leap(2024)\n";
    let write = |text: &str| unit.write("mine/test_loans.py", format!("{first}{text}"));
    write(second);
    let (mut watching, before) = Watching::start(&unit, "mine", &[]);
    assert!(before.iter().any(|line| line.trim() == "Exposed: 1 mutant"), "{before:?}");

    write(&second.replace("is_leap(2024)", "not is_leap(1900)"));
    let id = "takes-every-fourth-year-for-a-leap-year";
    let exposed = [format!("  exposed            {id}  by test_loans.py:test_leap (exit)")];
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert_eq!(seen[..1], exposed);
    write(&second.replace("2024", "2023"));
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert!(seen.iter().any(|line| line.contains("rejected           test_loans.py:test_leap")));
    assert!(seen.iter().all(|line| !line.contains("test_fee")), "{seen:?}");
    // What both use has changed.
    unit.write(
        "mine/test_loans.py",
        format!("{}{second}", first.replace("fee, ", "is_leap as fee, ")),
    );
    watching.until(|line| line.contains("rejected           test_loans.py:test_fee"));
}

#[test]
fn watch_runs_a_unit_test_again_only_if_its_lines_or_shared_ones_change() {
    if !(has_a_sandbox() && has_pytest()) {
        return;
    }
    let unit = Course::copy_of("examples/library-python");
    unit.keep_mutants(&["takes-every-fourth-year-for-a-leap-year"]);
    let write = |leap: &str, more: &str| {
        // It looks at the other case in a way that its lines do not show.
        let looks = "def test_looks():\n    code = globals()['test_' + 'leap'].__code__\n    assert 'quiet' in code.co_consts or not is_leap(1900)\n";
        let text =
            format!("from loans import is_leap\n\n{looks}\ndef test_leap():\n    {leap}\n{more}");
        unit.write("mine/test_loans.py", text);
    };
    write("assert is_leap(2024)", "");
    let (mut watching, before) = Watching::start(&unit, "mine", &[]);
    assert!(before.iter().any(|line| line.trim() == "Exposed: 1 mutant"), "{before:?}");
    let quiet = "assert is_leap(2024), 'quiet'";
    write(quiet, "\ndef test_more():\n    assert False\n");
    watching.until(|line| line.starts_with("  rejected "));
    write(quiet, "\ndef test_more():\n    assert True\n");
    let seen = watching.until(|line| line.starts_with("  mended "));
    assert!(seen.iter().all(|line| !line.starts_with("  no longer exposed ")), "{seen:?}");
    write(quiet, "\nshared = 1\n");
    watching.until(|line| line.starts_with("  no longer exposed "));
}

#[test]
fn a_folder_that_disappears_and_returns_is_scored_again() {
    let course = course();
    let (mut watching, _) = Watching::start(&course, "mine", &[]);
    fs::rename(course.path("mine"), course.path("aside")).unwrap();
    watching.until(|line| line.starts_with("error: ") && line.ends_with("mine does not exist"));
    course.write("aside/test-2.txt", "c\n");
    fs::rename(course.path("aside"), course.path("mine")).unwrap();
    let seen = watching.until(|line| line.starts_with(SCORE));
    assert!(seen.contains(&"  new                test-2.txt".to_owned()), "{seen:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn watch_notices_a_change_of_an_included_header() {
    if !has_a_compiler() {
        return;
    }
    let course = cpp();
    // The witnesses are other tests, which the reference goes on to accept.
    course.write("student_tests/test-1.txt", "y\n");
    let (mut watching, first) = Watching::start(&course, "student_tests", &[]);
    assert!(first.iter().any(|line| line.ends_with("exposes  2: doubles, shouts")), "{first:?}");
    course.write("part.h", "#define END '\\n' << (c == 'y' ? (exit(1), \"\") : \"\")\n");
    watching.until(|line| line == "The course has changed.");
    watching.until(|line| line.starts_with("  rejected           test-1.txt"));
}

/// The number of inotify watches of a process.
fn watches(process: u32) -> usize {
    let infos = fs::read_dir(format!("/proc/{process}/fdinfo")).unwrap().flatten();
    let texts = infos.filter_map(|info| fs::read_to_string(info.path()).ok());
    texts.map(|text| text.lines().filter(|line| line.starts_with("inotify ")).count()).sum()
}

#[test]
fn a_link_in_a_suite_is_not_followed() {
    let course = course();
    let elsewhere = super::folder(&[]);
    for number in 0..100 {
        fs::create_dir(elsewhere.path().join(number.to_string())).unwrap();
    }
    std::os::unix::fs::symlink(elsewhere.path(), course.path("mine/test-9.txt")).unwrap();
    let (watching, first) = Watching::start(&course, "mine", &[]);
    assert!(
        first.iter().any(|line| line.contains("this is a link, not a regular file")),
        "{first:?}"
    );
    let watches = watches(watching.harness.id());
    assert!((1..50).contains(&watches), "{watches} folders are watched");
}

#[test]
fn watch_refuses_options_that_write_files() {
    for (option, value, shown) in [
        ("--html", "page.html", "--html <FILE>"),
        ("--format", "json", "--format <NAME[=FILE]>"),
        ("--hints", "hints.json", "--hints <FILE>"),
    ] {
        let expected = format!(
            "error: the argument '--watch' cannot be used with '{shown}'\n\n\
             Usage: harness score --watch <DIR>\n\nFor more information, try '--help'.\n"
        );
        super::harness(&["score", "mine", "--watch", option, value]).fails(2, &expected);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn watch_notices_a_changed_checker() {
    let course = course().with("judge", "{ testlib: [sh, check.sh] }");
    course.write("check.sh", "[ -s $2 ] && cmp -s $2 $3");
    let (mut watching, first) = Watching::start(&course, "mine", &[]);
    assert!(first.contains(&"Score: 2 of 5 points".to_owned()), "{first:?}");
    course.write("check.sh", "cmp -s $2 $3 || grep -q a $2");
    watching
        .until(|line| line == "  score              2 → 1 of 5 points; 2 → 1 of 5 mutants exposed");
}
