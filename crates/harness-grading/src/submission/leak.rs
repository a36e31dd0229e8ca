//! Runs valgrind on cases that the program passes, and reads what it found.
//!
//! A program that causes that it cannot be checked earns nothing for leaks. What the machine or valgrind cannot do is not the student's
//! fault: such a case counts as not checked. Which of the two it is, no word of the program decides: where valgrind stops at an
//! instruction, the sources are built again for every processor, and where it fails in any other way, it must work on a program that is
//! known to have no leaks.

mod xml;

use super::SourceFile;
use super::build::{self, Programs};
use super::case::MadeCase;
use super::channel::Channel;
use super::cores::Turn;
use super::language;
use super::program::{Call, Measured, RunLimits, SandboxedProgram};
use super::trial::Bench;
use crate::course::submission::Leaks;
use crate::diagnostic::{Failure, printable};
use crate::files;
use crate::result::graded::{Leak, LeaksReport, MemoryError};
use crate::sandbox::Ending;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use subject::{Case, End};
use xml::{Found, FoundLeak, Valgrind};

/// The most bytes of what valgrind writes.
const MOST_BYTES: usize = 16 << 20;
const SIGILL: i32 = 4;
/// What the sandbox ends a program with that starts a process.
const SIGSYS: i32 = 31;
/// The most leaks and errors that are listed.
const MOST_LISTED: usize = 10;
/// How many times as long as alone a program takes under valgrind, at most.
const SLOWDOWN: f64 = 100.0;

/// Checks some cases that the program passed.
///
/// # Errors
/// If the machine fails.
pub fn check(
    bench: &Bench,
    passed: &[&MadeCase],
    sources: &[SourceFile],
    programs: &Programs,
    turn: Turn<'_>,
) -> Result<LeaksReport, Failure> {
    let mut report = LeaksReport::default();
    if passed.is_empty() {
        return Ok(report);
    }
    if files::on_path(&["valgrind"]).is_none() {
        report.unchecked = Some("valgrind is not installed on this machine".to_owned());
        return Ok(report);
    }
    let mut known = Known::default();
    let mut portable = None;
    for made in passed {
        let name = bench.submission.program.of(&made.flags);
        let on = |programs: &Programs| match programs.get(name) {
            Some(folder) => run(bench, made, name, folder.path(), turn),
            None => Ok(Checked::Unknown),
        };
        let mut checked = on(portable.as_ref().unwrap_or(programs))?;
        if matches!(checked, Checked::Unknown) && portable.is_none() {
            let built = build::portable(&bench.sandbox, sources, &bench.submission, turn)?;
            checked = on(portable.insert(built))?;
        }
        known.add(&mut report, checked, &made.name, bench)?;
        if report.evaded.is_some() {
            break;
        }
    }
    report.leaks.truncate(MOST_LISTED);
    report.errors.truncate(MOST_LISTED);
    Ok(report)
}

/// What a run of valgrind says about a case.
enum Checked {
    Found(Found),
    /// The case cannot be checked, whatever the program does.
    Not(String),
    /// The program kept valgrind from checking it. What was found until then may still help.
    Evaded(Found, String),
    /// The program has an instruction that valgrind does not know.
    Unknown,
}

/// Runs valgrind on a case.
fn run(
    bench: &Bench,
    made: &MadeCase,
    name: &str,
    folder: &Path,
    turn: Turn<'_>,
) -> Result<Checked, Failure> {
    let leaks = &bench.submission.leaks;
    let words = language::start(&bench.submission, name);
    let file = words.first().map_or(name, |word| word.trim_start_matches("./"));
    if let Some(why) = build::unseen_by_valgrind(file, folder) {
        return Ok(Checked::Evaded(Found::default(), why.to_owned()));
    }
    let answer = bench.reference.answer(made, turn)?;
    // The system reports this status, so a program cannot hide that there are errors.
    let found = if answer.end == End::Exit(99) { 98 } else { 99 };
    let args = bench.args(&made.case);
    let call = Call { case: &made.case, args: &args };
    let (mut measured, valgrind) = under_valgrind(
        bench,
        SandboxedProgram::of_student(&words, folder).talking(bench.interactor.as_ref()),
        call,
        found,
        turn,
    )?;
    let is_found = measured.outcome.end == End::Exit(found);
    if is_found {
        measured.outcome.end = answer.end.clone();
    }
    let is_late = matches!(measured.ending, Ending::TimeLimit | Ending::WallLimit);
    if is_late && bench.reference.about(&made.case, turn)? * SLOWDOWN > leaks.seconds {
        let why = format!("the case is too large for valgrind to finish in {} s", leaks.seconds);
        return Ok(Checked::Not(why));
    }
    let is_right = bench.judge.fault_of_stranger(&made.case, &answer, &measured.outcome)?.is_none();
    Ok(verdict(&measured, valgrind, is_right, is_found, leaks.seconds))
}

/// Runs a program on a case under valgrind, which exits with `found` if it finds an error, and reads its report.
fn under_valgrind(
    bench: &Bench,
    program: SandboxedProgram<'_>,
    call: Call<'_>,
    found: u8,
    turn: Turn<'_>,
) -> Result<(Measured, Valgrind), Failure> {
    let leaks = &bench.submission.leaks;
    let channel = Channel::open(MOST_BYTES)?;
    let program = program.showing(channel.folder()).alone();
    let program = program.under(words(leaks, found, &channel.path()));
    let time = Duration::try_from_secs_f64(leaks.seconds).unwrap_or(Duration::MAX);
    let limits = RunLimits {
        time,
        wall: time.saturating_mul(10),
        // Valgrind needs a few times the memory of the program.
        memory: bench.limits().memory.saturating_mul(4).max(2 << 30),
        ..bench.limits()
    };
    let measured = program.run(&bench.sandbox, call, limits, turn)?;
    Ok((measured, xml::read(&channel.received().bytes)))
}

/// Why valgrind does not even work with a program that does nothing, if it does not.
///
/// # Errors
/// If the machine fails.
pub(super) fn obstacle(bench: &Bench) -> Result<Option<String>, Failure> {
    let nothing = Call { case: &Case::default(), args: &[] };
    let (measured, valgrind) = under_valgrind(
        bench,
        SandboxedProgram::of_machine(&["true"]),
        nothing,
        99,
        Turn::default(),
    )?;
    if measured.ending == Ending::Exited(0) && valgrind.is_finished {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&measured.outcome.stderr);
    let said = printable(said.lines().next().unwrap_or_default().trim());
    Ok(Some(format!("valgrind does not work on this machine: {said}")))
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
        // A program cannot escape by starting itself again, by many errors, or by orders to valgrind.
        "--trace-children=yes".to_owned(),
        "--child-silent-after-fork=yes".to_owned(),
        "--error-limit=no".to_owned(),
        "--vgdb=no".to_owned(),
        "--num-callers=12".to_owned(),
    ];
    words.into_iter().map(Into::into).collect()
}

/// What to make of a run of valgrind: `is_right` if the program did what it does without valgrind, and `is_found` if valgrind said by its
/// exit status that there are errors.
fn verdict(
    measured: &Measured,
    valgrind: Valgrind,
    is_right: bool,
    is_found: bool,
    seconds: f64,
) -> Checked {
    // Valgrind says which signal it was, or the system does. If the program sent it to itself, it does so again.
    if measured.ending == Ending::Signal(SIGILL) || valgrind.signal == Some(SIGILL) {
        return Checked::Unknown;
    }
    let why = match &measured.ending {
        Ending::NotStarted(why) => {
            return Checked::Not(format!("valgrind cannot be started: {why}"));
        }
        Ending::TimeLimit | Ending::WallLimit => {
            format!("the program does not finish within {seconds} seconds under valgrind")
        }
        Ending::MemoryLimit => "the program uses too much memory under valgrind".to_owned(),
        Ending::Signal(SIGSYS) => "the program starts a process".to_owned(),
        _ if valgrind.programs > 1 => "the program starts others".to_owned(),
        _ if valgrind.is_forged => FORGED.to_owned(),
        _ if !is_right => "the program does something else under valgrind".to_owned(),
        _ if !valgrind.is_finished => FORGED.to_owned(),
        _ if is_found && valgrind.found.is_empty() => FORGED.to_owned(),
        _ => return Checked::Found(valgrind.found),
    };
    Checked::Evaded(valgrind.found, why)
}

const FORGED: &str = "the program changes the report of valgrind";
/// What is said of a program that valgrind does not know, even if it is built for every processor.
const UNKNOWN: &str = "the program has an instruction that valgrind does not know";

/// What was found until now, each kind and place once. A hostile program can make thousands of them.
#[derive(Default)]
struct Known {
    /// Where each leak is in the report.
    leaks: BTreeMap<(String, Vec<String>), usize>,
    errors: BTreeSet<(String, Vec<String>)>,
}

impl Known {
    /// Adds what was found on one case.
    fn add(
        &mut self,
        report: &mut LeaksReport,
        checked: Checked,
        case: &str,
        bench: &Bench,
    ) -> Result<(), Failure> {
        let settings = &bench.submission.leaks;
        let found = match checked {
            Checked::Found(found) => found,
            Checked::Not(why) => {
                report.unchecked = Some(format!("{case}: {why}"));
                return Ok(());
            }
            Checked::Evaded(found, why) => {
                self.add_errors(report, found, case);
                return evaded(report, bench, case, &why);
            }
            Checked::Unknown => return evaded(report, bench, case, UNKNOWN),
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
        Ok(())
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

/// Says that the program kept valgrind from checking a case, unless valgrind does not work at all.
fn evaded(report: &mut LeaksReport, bench: &Bench, case: &str, why: &str) -> Result<(), Failure> {
    match bench.obstacle_to_valgrind()? {
        Some(why) => report.unchecked = Some(why.to_owned()),
        None => report.evaded = Some(format!("{case}: {why}")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use subject::Outcome;

    fn checked(ending: Ending, valgrind: Valgrind, seen: (bool, bool)) -> Checked {
        let end = if let Ending::Exited(status) = ending {
            End::Exit(status as u8)
        } else {
            End::Crash(String::new())
        };
        // What the program prints decides nothing.
        let stderr = b"valgrind: Unrecognised instruction at address 0x1.\n".to_vec();
        let outcome = Outcome { end, stdout: Vec::new(), stderr, files: BTreeMap::new() };
        let measured = Measured { outcome, ending, seconds: 0.0, memory: 0 };
        let (is_right, is_found) = seen;
        verdict(&measured, valgrind, is_right, is_found, 60.0)
    }

    #[test]
    fn only_the_signal_tells_that_valgrind_does_not_know_an_instruction() {
        let unknown = checked(Ending::Signal(SIGILL), Valgrind::default(), (false, false));
        assert!(matches!(unknown, Checked::Unknown));
        let other = checked(Ending::Exited(1), Valgrind::default(), (false, false));
        assert!(matches!(other, Checked::Evaded(..)));
    }

    #[test]
    fn a_report_that_fits_neither_the_status_nor_the_answer_is_not_believed() {
        let clean = || Valgrind { is_finished: true, programs: 1, ..Valgrind::default() };
        let check = |valgrind, seen| match checked(Ending::Exited(0), valgrind, seen) {
            Checked::Evaded(_, why) => Some(why),
            _ => None,
        };
        assert_eq!(check(clean(), (true, false)), None);
        assert_eq!(check(clean(), (true, true)).as_deref(), Some(FORGED));
        assert_eq!(check(Valgrind::default(), (true, false)).as_deref(), Some(FORGED));
        let other = "the program does something else under valgrind";
        assert_eq!(check(clean(), (false, false)).as_deref(), Some(other));
    }
}
