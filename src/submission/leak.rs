//! Runs valgrind on cases that the program passes, and reads what it found.
//!
//! What valgrind cannot do is not the student's fault: such a case counts as not checked.

mod xml;

use super::case::MadeCase;
use super::program::{Program, RunLimits};
use super::trial::Bench;
use crate::course::submission::{Arguments, LeakKind, Leaks};
use crate::files;
use crate::problem::Failure;
use crate::result::graded::{Leak, LeaksReport, MemoryError};
use crate::sandbox::{Ending, Ran};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use xml::{Found, Valgrind};

/// The file that valgrind writes.
const FILE: &str = ".valgrind.xml";
const SIGILL: i32 = 4;
/// The most leaks and errors that are listed.
const MOST_LISTED: usize = 10;

/// Checks some cases that the program passed.
///
/// # Errors
/// If the machine fails.
pub fn check(
    bench: &Bench<'_>,
    passed: &[&MadeCase],
    programs: &BTreeMap<String, TempDir>,
    core: Option<usize>,
) -> Result<LeaksReport, Failure> {
    let mut report = LeaksReport {
        checked: 0,
        clean: 0,
        leaks: Vec::new(),
        errors: Vec::new(),
        unchecked: None,
    };
    if passed.is_empty() {
        return Ok(report);
    }
    if files::on_path(&["valgrind"]).is_none() {
        report.unchecked = Some("valgrind is not installed on this machine".to_owned());
        return Ok(report);
    }
    for made in passed {
        let name = bench.submission.program.of(&made.flags);
        let Some(folder) = programs.get(name) else { continue };
        match run(bench, made, (name, folder.path()), core)? {
            Ok(found) => add(&mut report, &found, &made.name, &bench.submission.leaks),
            Err(why) => report.unchecked = Some(format!("{}: {why}", made.name)),
        }
    }
    report.leaks.truncate(MOST_LISTED);
    report.errors.truncate(MOST_LISTED);
    Ok(report)
}

/// Runs valgrind on a case. Gives what it found, or why it could not check the case.
fn run(
    bench: &Bench<'_>,
    made: &MadeCase,
    (name, folder): (&str, &Path),
    core: Option<usize>,
) -> Result<Result<Found, String>, Failure> {
    let words = ["valgrind", "--leak-check=full", "--show-leak-kinds=all", "--xml=yes"];
    let words = words.into_iter().map(Into::into).chain([
        format!("--xml-file={FILE}").into(),
        "--child-silent-after-fork=yes".into(),
        "--num-callers=12".into(),
    ]);
    let program = Program::of_student(name, folder).under(words.collect());
    let args = match bench.submission.arguments {
        Arguments::Reference => made.case.args.clone(),
        Arguments::Document => bench.assignment.domain.document_args(&made.case),
    };
    let limits = RunLimits {
        time: Duration::try_from_secs_f64(bench.submission.leaks.seconds).unwrap_or(Duration::MAX),
        // Valgrind needs a few times the memory of the program.
        memory: bench.limits().memory.saturating_mul(4).max(2 << 30),
        ..bench.limits()
    };
    let kept = files::temporary_folder()
        .map_err(|error| Failure::machine("make a temporary folder", error))?;
    let ran = program.ran(bench.sandbox, (&made.case, &args), limits, core, kept.path())?;
    let file = kept.path().join(FILE);
    let is_file = file.symlink_metadata().is_ok_and(|it| it.is_file());
    let text = if is_file { fs::read(&file).unwrap_or_default() } else { Vec::new() };
    Ok(verdict(&ran, xml::read(&text), bench.submission.leaks.seconds))
}

/// What valgrind found, if it finished.
fn verdict(ran: &Ran, valgrind: Valgrind, seconds: f64) -> Result<Found, String> {
    let is_illegal = ran.ending == Ending::Signal(SIGILL)
        || valgrind.signal == Some(SIGILL)
        || String::from_utf8_lossy(&ran.stderr).contains("nrecognised instruction");
    if is_illegal {
        let why =
            "valgrind does not know an instruction of the program; -march=native can cause it";
        return Err(why.to_owned());
    }
    match &ran.ending {
        Ending::TimeLimit | Ending::WallLimit => {
            Err(format!("valgrind did not finish within {seconds} seconds"))
        }
        Ending::MemoryLimit => Err("valgrind used too much memory".to_owned()),
        Ending::NotStarted(why) => Err(format!("valgrind cannot be started: {why}")),
        _ if !valgrind.is_finished => Err("valgrind did not finish".to_owned()),
        _ => Ok(valgrind.found),
    }
}

/// Adds what was found on one case.
fn add(report: &mut LeaksReport, found: &Found, case: &str, settings: &Leaks) {
    report.checked += 1;
    let counts = |kind: &str| {
        let kind = match kind {
            "definite" => LeakKind::Definite,
            "indirect" => LeakKind::Indirect,
            "possible" => LeakKind::Possible,
            _ => LeakKind::Reachable,
        };
        settings.kinds.contains(&kind)
    };
    report.clean += usize::from(found.leaks.iter().all(|leak| !counts(&leak.kind)));
    for leak in &found.leaks {
        let same = |other: &&mut Leak| other.kind == leak.kind && other.place == leak.place;
        match report.leaks.iter_mut().find(same) {
            Some(known) => known.bytes = known.bytes.max(leak.bytes),
            None if counts(&leak.kind) => report.leaks.push(Leak {
                kind: leak.kind.clone(),
                counts: true,
                bytes: leak.bytes,
                place: leak.place.clone(),
                case: case.to_owned(),
            }),
            None => {}
        }
    }
    for error in &found.errors {
        if report.errors.iter().all(|other| (&other.message, &other.place) != (&error.0, &error.1))
        {
            let (message, place) = error.clone();
            report.errors.push(MemoryError { message, place, case: case.to_owned() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(ending: Ending) -> Ran {
        Ran {
            ending,
            stdout: Vec::new(),
            stderr: Vec::new(),
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
            peak_memory: 0,
            disk_is_full: false,
            not_kept: Vec::new(),
        }
    }

    #[test]
    fn an_instruction_that_valgrind_does_not_know_is_not_the_students_fault() {
        let why = verdict(&ran(Ending::Signal(SIGILL)), Valgrind::default(), 60.0).err().unwrap();
        assert!(why.contains("-march=native"), "{why}");
        let unfinished = verdict(&ran(Ending::Exited(0)), Valgrind::default(), 60.0);
        assert_eq!(unfinished.err().unwrap(), "valgrind did not finish");
    }
}
