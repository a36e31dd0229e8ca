//! `harness doctor`: lists what is missing on this machine and how to install it. It changes nothing, but builds the programs.

mod cases;
mod limits;
mod sandbox;
mod tools;

use super::companion::{self, Companion};
use crate::catalogue;
use crate::cli::shell::Doctor;
use crate::course::{Assignment, Course, UnitTests};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, FailureKind};
use crate::domain::Draft;
use crate::exit::Exit;
use crate::files;
use crate::grading::uncounted;
use crate::grading::witness_file::{self, Witnessed};
use crate::report::doctor::{Diagnosis, Finding, Health, SCHEMA};
use crate::run::build;
use crate::run::judge::Judge;
use crate::run::prepare;
use crate::run::process::{self, Containment};
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use crate::suite::{decode, name};
use crate::unit;
use std::env;
use std::io;
use std::path::Path;
use std::time::Duration;

pub(super) fn run(work: &Work, options: &Doctor) -> Result<Exit, Failure> {
    let (findings, exit) = examined(work, &options.course);
    let diagnosis = Diagnosis { schema: SCHEMA.to_owned(), healthy: exit == Exit::Done, findings };
    super::print("the result", &diagnosis, options.format)?;
    Ok(exit)
}

/// Examines this machine and a course. Also gives the exit status for what is missing.
pub fn examined(work: &Work, file: &Path) -> (Vec<Finding>, Exit) {
    let course = Course::read(file);
    // Without a course, Cargo may be needed.
    let needs_cargo = course.as_ref().map_or(true, |course| {
        course.assignments.iter().any(|assignment| assignment.program.needs_cargo())
    });
    let temporary = temporary_files();
    let mut machine = vec![cargo(needs_cargo)];
    machine.extend(tools::findings(course.as_ref().ok(), needs_cargo));
    machine.extend(course.iter().flat_map(tools::of_commands));
    machine.push(containment());
    machine.extend(sandbox::findings(course.as_ref().ok()));
    machine.extend(limits::findings(&temporary));
    machine.push(temporary);
    let mut about_course = Vec::new();
    match &course {
        Ok(course) => {
            machine.push(target_folder(course));
            let found = format!("{}: {}", file.display(), course.title);
            about_course.push(finding("course file", Health::Fine, found));
            let can_build = machine.iter().all(|finding| finding.health != Health::Missing);
            for assignment in &course.assignments {
                about_course.extend(checker(work, course, assignment));
                let (exit, finding) = reference(work, course, assignment, can_build);
                let runs = finding.health == Health::Fine;
                let findings = if exit == Exit::Machine { &mut machine } else { &mut about_course };
                findings.push(finding);
                let held = runs.then(|| cases::finding_of(work, course, assignment));
                about_course.extend(held.flatten());
            }
        }
        Err(failure) => {
            let found = finding("course file", Health::Missing, in_words(failure));
            let hint =
                "name another course with --course, or write a new one with `harness init DIR`";
            // The failure may have a hint already.
            let remedy = (!found.found.contains("\nhint: ")).then(|| hint.to_owned());
            about_course.push(Finding { remedy, ..found });
        }
    }
    machine.push(browser());
    machine.extend([companion::AUTHOR, companion::SERVER].iter().map(companion));
    let is_missing = |finding: &Finding| finding.health == Health::Missing;
    let exit = match (machine.iter().any(is_missing), about_course.iter().any(is_missing)) {
        (true, _) => Exit::Machine,
        (false, true) => Exit::BrokenCourse,
        (false, false) => Exit::Done,
    };
    (machine.into_iter().chain(about_course).collect(), exit)
}

fn finding(what: &str, health: Health, found: impl Into<String>) -> Finding {
    Finding { what: what.to_owned(), health, found: found.into(), remedy: None }
}

/// How bad it is that a thing is not there.
fn absent(is_required: bool) -> Health {
    if is_required { Health::Missing } else { Health::Optional }
}

fn cargo(is_required: bool) -> Finding {
    const NEEDED: &str = env!("CARGO_PKG_RUST_VERSION");
    let wrong = |found: String| {
        if !is_required {
            let found = format!("{found}; only courses in Rust need it");
            return finding("cargo", Health::Optional, found);
        }
        let remedy =
            format!("get Rust {NEEDED} or newer from https://rustup.rs, or with `rustup update`");
        Finding { remedy: Some(remedy), ..finding("cargo", Health::Missing, found) }
    };
    let output = match build::cargo().arg("--version").output() {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        Ok(output) => {
            return wrong(format!(
                "it does not run: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            ));
        }
        Err(error) => return wrong(format!("it cannot be started: {error}")),
    };
    let numbers = |version: &str| -> Vec<u32> {
        version.split('.').map_while(|number| number.parse().ok()).collect()
    };
    match output.split(' ').nth(1).map(numbers) {
        Some(version) if version >= numbers(NEEDED) => {
            finding("cargo", Health::Fine, format!("{output}; {NEEDED} or newer is needed"))
        }
        _ => wrong(format!("{output} is older than {NEEDED}")),
    }
}

/// What keeps the processes of a run together.
fn containment() -> Finding {
    const WHAT: &str = "containment";
    match process::containment() {
        Containment::Namespace => {
            let found = "PID namespace: what a run starts ends with it";
            finding(WHAT, Health::Fine, found)
        }
        Containment::Group(reason) => {
            let found = format!(
                "process group: a run can leave processes behind and end others, because there are no PID namespaces: {reason}"
            );
            let remedy = "allow user namespaces, or in a container, the capability CAP_SYS_ADMIN";
            Finding { remedy: Some(remedy.to_owned()), ..finding(WHAT, Health::Optional, found) }
        }
    }
}

fn browser() -> Finding {
    match files::on_path(&["chromium", "chromium-browser", "google-chrome"]) {
        Some(path) => finding("browser", Health::Fine, path.display().to_string()),
        None => Finding {
            remedy: Some("for example `apt-get install chromium`".to_owned()),
            ..finding(
                "browser",
                Health::Optional,
                "there is no Chromium: only tests of the harness itself need one",
            )
        },
    }
}

/// A program with commands that not everybody needs.
fn companion(companion: &Companion) -> Finding {
    match companion.found() {
        Ok(path) => finding(companion.name, Health::Fine, path.display().to_string()),
        Err(problem) => Finding {
            remedy: Some(companion.remedy()),
            ..finding(companion.name, Health::Optional, problem.message)
        },
    }
}

/// Programs need temporary files for their input and their folders.
fn temporary_files() -> Finding {
    let folder = env::temp_dir();
    match files::nameless_in(&folder) {
        Ok(_) => room("temporary files", &folder),
        Err(error) => Finding {
            remedy: Some("set TMPDIR to a folder that exists and can be written".to_owned()),
            ..unwritable("temporary files", Health::Missing, &folder, &error)
        },
    }
}

/// If nothing has to be built, a folder that cannot be written is enough. Otherwise, a reference below cannot be built.
fn target_folder(course: &Course) -> Finding {
    let folder = course.folder.join("target").join("harness");
    match files::check_writable(&folder) {
        Ok(()) => room("target folder", &folder),
        Err(error) => Finding {
            remedy: Some("make it writable, or copy the course to a folder that is".to_owned()),
            ..unwritable("target folder", Health::Optional, &folder, &error)
        },
    }
}

fn unwritable(what: &str, health: Health, folder: &Path, error: &io::Error) -> Finding {
    finding(what, health, format!("nothing can be written into {}: {error}", folder.display()))
}

/// How much room there is on the disk of a folder that can be written.
fn room(what: &str, folder: &Path) -> Finding {
    /// What the builds of a course of several assignments take, generously.
    const NEEDED: u64 = 1 << 30;
    let gigabytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    let name = folder.display();
    let disk = rustix::fs::statvfs(files::nearest_existing(folder));
    match disk.map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)) {
        Ok(room) if room < NEEDED => {
            let (room, needed) = (gigabytes(room), gigabytes(NEEDED));
            let found = format!("{name} has room for {room:.2} GB; {needed:.0} GB are needed");
            let remedy = Some("make room on that disk".to_owned());
            Finding { remedy, ..finding(what, Health::Missing, found) }
        }
        Ok(room) => {
            finding(what, Health::Fine, format!("{name} has room for {:.0} GB", gigabytes(room)))
        }
        Err(_) => finding(what, Health::Fine, format!("{name} can be written")),
    }
}

/// Whether the program of a checker is there, if the assignment has one.
fn checker(work: &Work, course: &Course, assignment: &Assignment) -> Option<Finding> {
    let what = format!("checker of {}", assignment.id);
    let program = Judge::new(work, course, assignment)
        .and_then(|judge| judge.program().map_err(Failure::broken_course));
    match program {
        Ok(program) => Some(finding(&what, Health::Fine, program?.display().to_string())),
        Err(failure) => Some(finding(&what, Health::Missing, in_words(&failure))),
    }
}

/// Builds the reference and runs it once, under the limits that `score` sets. Also gives the exit status of the finding.
fn reference(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    can_build: bool,
) -> (Exit, Finding) {
    let what = format!("reference of {}", assignment.id);
    if !can_build {
        let found = "was not built: see what is missing above";
        return (Exit::Done, finding(&what, Health::Optional, found));
    }
    let _progress = Progress::new(&format!("building the reference of {}", assignment.id), None);
    if let Some(unit) = &assignment.unit {
        return with_unit_tests(work, (course, assignment), unit, &what);
    }
    let flags = name::first_flags(&assignment.tests);
    let case = decode::case_of_draft(assignment, &Draft { flags, input: Vec::new() });
    let ran =
        Programs::build(&Plan::reference(work, course, assignment)).and_then(|mut programs| {
            programs.rows(&[case])?;
            compared(assignment, &mut programs)
        });
    match ran {
        Ok(compared) => {
            (Exit::Done, finding(&what, Health::Fine, format!("is built and runs{compared}")))
        }
        Err(failure) => failed(&what, &failure),
    }
}

/// The finding of a reference that failed, with its exit status.
fn failed(what: &str, failure: &Failure) -> (Exit, Finding) {
    let problems = failure.problems.iter().map(|problem| {
        let mut problem = problem.clone();
        // Elsewhere, a hint names this command.
        problem.hint = problem.hint.filter(|hint| !hint.contains("`harness doctor`"));
        problem.to_string()
    });
    let found = finding(what, Health::Missing, problems.collect::<Vec<_>>().join("\n"));
    // The failure may have a hint already.
    let remedy = (!found.found.contains("\nhint: "))
        .then(|| "mend the program, or install what the message names".to_owned());
    (failure.kind.into(), Finding { remedy, ..found })
}

/// Builds the reference of unit tests, and runs the course's own test cases on it.
fn with_unit_tests(
    work: &Work,
    of: (&Course, &Assignment),
    unit_tests: &UnitTests,
    what: &str,
) -> (Exit, Finding) {
    let checked = unit::check_installed(unit_tests).and_then(|()| {
        witness_file::check(work, of, unit_tests, &[], Vec::new(), prepare::jobs(None))
    });
    match checked {
        Ok(Some(Witnessed { problems, .. })) if !problems.is_empty() => {
            failed(what, &Failure { kind: FailureKind::Course, problems })
        }
        Ok(checked) => {
            let found = match checked {
                Some(it) => format!("is built and runs; {} test cases pass", it.cases),
                None => "is built; the course has no test cases of its own to run".to_owned(),
            };
            (Exit::Done, finding(what, Health::Fine, found))
        }
        Err(failure) => failed(what, &failure),
    }
}

/// Compares the reference's engine with processes on a few witnesses, and gives the result in words.
fn compared(assignment: &Assignment, programs: &mut Programs) -> Result<String, Failure> {
    const CASES: usize = 16;
    const TIME: Duration = Duration::from_secs(1);
    let Ok(mutants) = catalogue::read(assignment) else { return Ok(String::new()) };
    let witnesses = mutants.iter().filter_map(|mutant| mutant.witness.as_ref()).take(CASES);
    let cases: Vec<_> =
        witnesses.map(|witness| decode::case_of_draft(assignment, &witness.draft())).collect();
    let trust = programs.check(&cases, TIME)?;
    uncounted::check_reference(assignment, &programs.rows(&cases)?)?;
    let slower = programs.slower().into_iter().next();
    Ok(match (slower, trust.runs) {
        (Some(slower), _) => format!(" by {}: {}", slower.engine, slower.reason),
        (None, 0) => String::new(),
        (None, runs) => format!("; {runs} runs equal those of processes"),
    })
}

fn in_words(failure: &Failure) -> String {
    failure.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
