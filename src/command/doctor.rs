//! `harness doctor`: lists what is missing on this machine and how to install it. It changes nothing, but builds the references.

mod limits;

use crate::cli::shell::Doctor;
use crate::course::{Assignment, Course};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure};
use crate::report::doctor::{Diagnosis, Finding, Health, SCHEMA};
use crate::run::build;
use crate::run::programs::{Plan, Programs};
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub(super) fn run(options: &Doctor) -> Result<Exit, Failure> {
    let course = Course::read(&options.course);
    // Without a course, Cargo may be needed.
    let needs_cargo = course.as_ref().map_or(true, |course| {
        course.assignments.iter().any(|assignment| assignment.program.needs_cargo())
    });
    let mut machine = vec![cargo(needs_cargo), c_compiler(needs_cargo)];
    machine.extend(limits::findings());
    machine.push(writable(
        "temporary files",
        &env::temp_dir(),
        "set TMPDIR to a folder that may be written",
    ));
    let mut about_course = Vec::new();
    match &course {
        Ok(course) => {
            let target = course.folder.join("target").join("harness");
            machine.push(writable(
                "target folder",
                &target,
                "make it writable, or move the course where you may write",
            ));
            about_course.push(finding(
                "course file",
                Health::Fine,
                format!("{}: {}", options.course.display(), course.title),
            ));
            let can_build = machine.iter().all(|finding| finding.health != Health::Missing);
            about_course.extend(
                course
                    .assignments
                    .iter()
                    .map(|assignment| reference(course, assignment, can_build)),
            );
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
    let is_missing = |finding: &Finding| finding.health == Health::Missing;
    let exit = match (machine.iter().any(is_missing), about_course.iter().any(is_missing)) {
        (true, _) => Exit::Machine,
        (false, true) => Exit::BrokenCourse,
        (false, false) => Exit::Done,
    };
    let findings = machine.into_iter().chain(about_course).collect();
    let diagnosis = Diagnosis { schema: SCHEMA.to_owned(), healthy: exit == Exit::Done, findings };
    super::print("the result", &diagnosis, options.format)?;
    Ok(exit)
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
    let wrong = |found: String| Finding {
        remedy: Some(format!(
            "get Rust {NEEDED} or newer from https://rustup.rs, or with `rustup update`"
        )),
        ..finding("cargo", absent(is_required), found)
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
        _ => wrong(format!("{output}, and {NEEDED} or newer is needed")),
    }
}

fn c_compiler(is_required: bool) -> Finding {
    match on_path(&["cc"]) {
        Some(path) => finding("C compiler", Health::Fine, path.display().to_string()),
        None => Finding {
            remedy: Some("for example `apt-get install gcc libc6-dev`".to_owned()),
            ..finding(
                "C compiler",
                absent(is_required),
                "there is no `cc`, which links Rust programs and builds docs/any-program",
            )
        },
    }
}

fn browser() -> Finding {
    match on_path(&["chromium", "chromium-browser", "google-chrome"]) {
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

/// The first of these programs that is on the path.
fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let is_program = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    names.iter().find_map(|name| {
        env::split_paths(&folders).map(|folder| folder.join(name)).find(is_program)
    })
}

/// Whether files can be written into a folder, and how much room there is.
fn writable(what: &str, folder: &Path, remedy: &str) -> Finding {
    /// What the builds of a course of several assignments take, generously.
    const NEEDED: u64 = 1 << 30;
    let gigabytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    let wrong = |found: String, remedy: &str| Finding {
        remedy: Some(remedy.to_owned()),
        ..finding(what, Health::Missing, found)
    };
    if let Err(error) =
        fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder).map(drop))
    {
        return wrong(format!("nothing can be written into {}: {error}", folder.display()), remedy);
    }
    let room =
        rustix::fs::statvfs(folder).map(|system| system.f_bavail.saturating_mul(system.f_frsize));
    match room {
        Ok(room) if room < NEEDED => {
            let found = format!(
                "{} has room for {:.2} GB; {:.0} GB are needed",
                folder.display(),
                gigabytes(room),
                gigabytes(NEEDED)
            );
            wrong(found, "make room on that disk")
        }
        Ok(room) => finding(
            what,
            Health::Fine,
            format!("{} has room for {:.0} GB", folder.display(), gigabytes(room)),
        ),
        Err(_) => finding(what, Health::Fine, format!("{} can be written", folder.display())),
    }
}

fn reference(course: &Course, assignment: &Assignment, can_build: bool) -> Finding {
    let what = format!("reference of {}", assignment.id);
    if !can_build {
        return finding(&what, Health::Optional, "was not built: see what is missing above");
    }
    let _progress = Progress::new(&format!("building the reference of {}", assignment.id), None);
    match Programs::build(&Plan::reference(course, assignment)) {
        Ok(_) => finding(&what, Health::Fine, "is built"),
        Err(failure) => Finding {
            remedy: Some("fix it, then run `harness doctor` again".to_owned()),
            ..finding(&what, Health::Missing, in_words(&failure))
        },
    }
}

fn in_words(failure: &Failure) -> String {
    failure.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
