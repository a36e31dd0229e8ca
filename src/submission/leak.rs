//! Runs valgrind on cases that the program passes, and reads what it found.
//!
//! What valgrind cannot do is not the student's fault: such a case counts as not checked.

mod xml;

use super::case::MadeCase;
use super::channel::Channel;
use super::program::{Measured, Program, RunLimits};
use super::trial::Bench;
use crate::course::submission::Leaks;
use crate::files;
use crate::problem::Failure;
use crate::result::graded::{Leak, LeaksReport, MemoryError};
use crate::sandbox::Ending;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use subject::End;
use tempfile::TempDir;
use xml::{Found, FoundLeak, Valgrind};

/// The most bytes of what valgrind writes.
const MOST_BYTES: usize = 16 << 20;
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
    let mut known = Known::default();
    for made in passed {
        let name = bench.submission.program.of(&made.flags);
        let Some(folder) = programs.get(name) else { continue };
        let checked = run(bench, made, (name, folder.path()), core)?;
        known.add(&mut report, checked, &made.name, &bench.submission.leaks);
    }
    report.leaks.truncate(MOST_LISTED);
    report.errors.truncate(MOST_LISTED);
    Ok(report)
}

/// What a run of valgrind says about a case.
enum Checked {
    Found(Found),
    /// It could not check the case. What it found until then may still help.
    Not(Found, String),
    /// The program wrote into valgrind's report, or kept it from being written.
    Forged,
}

/// Runs valgrind on a case.
fn run(
    bench: &Bench<'_>,
    made: &MadeCase,
    (name, folder): (&str, &Path),
    core: Option<usize>,
) -> Result<Checked, Failure> {
    let leaks = &bench.submission.leaks;
    let answer = bench.reference.answer(made, core)?;
    // The system reports this status, so a program cannot hide that there are errors.
    let found = if answer.end == End::Exit(99) { 98 } else { 99 };
    let channel = Channel::open(MOST_BYTES)?;
    let program = Program::of_student(name, folder).showing(channel.folder());
    let program = program.under(words(leaks, found, &channel.path()));
    let limits = RunLimits {
        time: Duration::try_from_secs_f64(leaks.seconds).unwrap_or(Duration::MAX),
        // Valgrind needs a few times the memory of the program.
        memory: bench.limits().memory.saturating_mul(4).max(2 << 30),
        ..bench.limits()
    };
    let mut measured =
        program.run(bench.sandbox, (&made.case, &bench.args(&made.case)), limits, core)?;
    let received = channel.received();
    let is_found = measured.outcome.end == End::Exit(found);
    if is_found {
        measured.outcome.end = answer.end.clone();
    }
    let is_right = bench.judge.fault(&made.case, &answer, &measured.outcome)?.is_none();
    let valgrind = xml::read(&received.bytes);
    Ok(verdict(&measured, valgrind, (is_right, is_found), leaks.seconds))
}

/// The command line of valgrind, which exits with `found` if it finds an error.
fn words(leaks: &Leaks, found: u8, report: &Path) -> Vec<OsString> {
    let kinds: Vec<_> = leaks.kinds.iter().map(|kind| kind.word()).collect();
    let kinds = if kinds.is_empty() { "none".to_owned() } else { kinds.join(",") };
    let words = [
        "valgrind".to_owned(),
        "--leak-check=full".to_owned(),
        "--show-leak-kinds=all".to_owned(),
        format!("--errors-for-leak-kinds={kinds}"),
        format!("--error-exitcode={found}"),
        "--xml=yes".to_owned(),
        format!("--xml-file={}", report.display()),
        // A program cannot escape by starting itself again.
        "--trace-children=yes".to_owned(),
        "--child-silent-after-fork=yes".to_owned(),
        "--num-callers=12".to_owned(),
    ];
    words.into_iter().map(Into::into).collect()
}

/// What to make of a run of valgrind: `is_right` if the program did what it does without valgrind, and `is_found` if valgrind said by its
/// exit status that there are errors.
fn verdict(
    measured: &Measured,
    valgrind: Valgrind,
    (is_right, is_found): (bool, bool),
    seconds: f64,
) -> Checked {
    let is_illegal = measured.ending == Ending::Signal(SIGILL)
        || valgrind.signal == Some(SIGILL)
        || String::from_utf8_lossy(&measured.outcome.stderr).contains("nrecognised instruction");
    let why = match &measured.ending {
        _ if is_illegal => {
            "valgrind does not know an instruction of the program; -march=native can cause it"
                .to_owned()
        }
        Ending::TimeLimit | Ending::WallLimit => {
            format!("valgrind did not finish within {seconds} seconds")
        }
        Ending::MemoryLimit => "valgrind used too much memory".to_owned(),
        Ending::NotStarted(why) => format!("valgrind cannot be started: {why}"),
        _ if valgrind.programs > 1 => "the program starts others".to_owned(),
        _ if valgrind.is_forged => return Checked::Forged,
        _ if !is_right => "the program does something else under valgrind".to_owned(),
        _ if !valgrind.is_finished => return Checked::Forged,
        _ if is_found && valgrind.found.is_empty() => return Checked::Forged,
        _ => return Checked::Found(valgrind.found),
    };
    Checked::Not(valgrind.found, why)
}

/// What was found until now, each kind and place once. A hostile program can make thousands of them.
#[derive(Default)]
struct Known {
    /// Where each leak is in the report.
    leaks: BTreeMap<(String, Vec<String>), usize>,
    errors: BTreeSet<(String, Vec<String>)>,
}

impl Known {
    /// Adds what was found on one case.
    fn add(&mut self, report: &mut LeaksReport, checked: Checked, case: &str, settings: &Leaks) {
        let found = match checked {
            Checked::Found(found) => found,
            Checked::Not(found, why) => {
                report.unchecked = Some(format!("{case}: {why}"));
                return self.add_errors(report, found, case);
            }
            Checked::Forged => {
                let message = "the program changed the report of valgrind".to_owned();
                let found = Found { errors: vec![(message, Vec::new())], leaks: Vec::new() };
                report.checked += 1;
                return self.add_errors(report, found, case);
            }
        };
        report.checked += 1;
        let counts = |kind: &str| settings.kinds.iter().any(|counted| counted.word() == kind);
        report.clean += usize::from(found.leaks.iter().all(|leak| !counts(&leak.kind)));
        for FoundLeak { kind, bytes, place } in &found.leaks {
            if !counts(kind) {
                continue;
            }
            let at = *self.leaks.entry((kind.clone(), place.clone())).or_insert_with(|| {
                let (kind, place, case) = (kind.clone(), place.clone(), case.to_owned());
                report.leaks.push(Leak { kind, counts: true, bytes: 0, place, case });
                report.leaks.len() - 1
            });
            report.leaks[at].bytes = report.leaks[at].bytes.max(*bytes);
        }
        self.add_errors(report, found, case);
    }

    /// Adds errors that are not known yet.
    fn add_errors(&mut self, report: &mut LeaksReport, found: Found, case: &str) {
        for (message, place) in found.errors {
            if self.errors.insert((message.clone(), place.clone())) {
                report.errors.push(MemoryError { message, place, case: case.to_owned() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use subject::Outcome;

    fn checked(ending: Ending, valgrind: Valgrind, seen: (bool, bool)) -> Result<Found, String> {
        let end = if let Ending::Exited(status) = ending {
            End::Exit(status as u8)
        } else {
            End::Crash(String::new())
        };
        let outcome =
            Outcome { end, stdout: Vec::new(), stderr: Vec::new(), files: BTreeMap::new() };
        let measured = Measured { outcome, ending, seconds: 0.0, memory: 0 };
        match verdict(&measured, valgrind, seen, 60.0) {
            Checked::Found(found) => Ok(found),
            Checked::Not(_, why) => Err(why),
            Checked::Forged => Err("forged".to_owned()),
        }
    }

    #[test]
    fn an_instruction_that_valgrind_does_not_know_is_not_the_students_fault() {
        let why = checked(Ending::Signal(SIGILL), Valgrind::default(), (false, false));
        assert!(why.unwrap_err().contains("-march=native"));
    }

    #[test]
    fn a_report_that_fits_neither_the_status_nor_the_answer_is_not_believed() {
        let clean = || Valgrind { is_finished: true, programs: 1, ..Valgrind::default() };
        let check = |valgrind, seen| checked(Ending::Exited(0), valgrind, seen).err();
        assert_eq!(check(clean(), (true, false)), None);
        assert_eq!(check(clean(), (true, true)).as_deref(), Some("forged"));
        assert_eq!(check(Valgrind::default(), (true, false)).as_deref(), Some("forged"));
        let other = "the program does something else under valgrind";
        assert_eq!(check(clean(), (false, false)).as_deref(), Some(other));
    }
}
