//! `harness init --from PACKAGE DIR`: makes a course of a problem package of Kattis or ICPC.
//!
//! The fastest accepted submission becomes the reference, and wrong submissions become mutants. The package is read first; nothing is
//! written outside of the new folder, which is removed again if something fails.
//!
//! The package is read into a `Package`, which names the parts that a course can use ([`contents`]); only [`tree`] touches the
//! package's folder, and it follows no link out of it. Then a course is written with an assignment for each accepted submission, these
//! run on the data ([`accepted`]), the course is written with the chosen reference, and the wrong submissions run by the same engines
//! as `score` ([`wrong`]).

mod accepted;
mod contents;
mod data;
mod flags;
mod scripts;
mod settings;
mod submissions;
mod tree;
mod writing;
mod wrong;

use crate::report::imported::{Imported, Remark, SCHEMA};
use accepted::Chosen;
use contents::Package;
use data::Data;
use harness::cli::Init;
use harness::command::print;
use harness::course::{Course, FILE};
use harness::diagnostic::progress::Progress;
use harness::diagnostic::{Failure, FailureKind, Problem};
use harness::exit::Exit;
use harness::files;
use harness::run::build;
use harness::run::work::Work;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;
use writing::{Copier, Entry, Inspectors, course_file, program};

pub(super) fn run(work: &Work, package: &Path, options: &Init) -> Result<Exit, Failure> {
    print("the report", &course_of(work, package, &options.folder)?, options.format)?;
    Ok(Exit::Done)
}

/// Writes the course of `package` into `folder`.
fn course_of(work: &Work, package: &Path, folder: &Path) -> Result<Imported, Failure> {
    let mut package = Package::read(package)?;
    let mut data = Data::read(&package)?;
    data.check_shape(&package)?;
    if !files::is_free(folder) {
        let message = format!("{} already exists and is not an empty folder", folder.display());
        let hint = "name a new folder; existing files are never overwritten";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    let mut imported = None;
    files::fill(folder, || {
        imported = Some(import(work, &mut package, folder, &mut data)?);
        Ok::<_, Failure>(())
    })
    .map_err(|failure| of_package(failure, &package, folder))?;
    Ok(imported.expect("the folder was filled"))
}

/// A failure that names the parts of the package instead of their copies, which are gone.
fn of_package(mut failure: Failure, package: &Package, folder: &Path) -> Failure {
    let shown = package.tree.shown(Path::new("")).display().to_string();
    let copies = [folder.to_owned(), folder.canonicalize().unwrap_or_default()];
    for problem in &mut failure.problems {
        let is_copy = |file: &Path| copies.iter().any(|copy| file.starts_with(copy));
        problem.place = problem.place.take().filter(|place| !is_copy(&place.file));
        for copy in copies.iter().filter(|copy| !copy.as_os_str().is_empty()) {
            let copy = copy.join("").display().to_string();
            problem.message = problem.message.replace(&copy, &shown);
        }
    }
    failure
}

fn import(
    work: &Work,
    package: &mut Package,
    folder: &Path,
    data: &mut Data,
) -> Result<Imported, Failure> {
    let mut left_out = std::mem::take(&mut package.left_out);
    let copier = Copier { package, folder };
    let mut inspectors = copier.inspectors(&mut left_out)?;
    write_tests(&copier, data)?;
    let progress = Progress::new("running the accepted submissions", None);
    let course = trial(&copier, &inspectors, data)?;
    let Chosen { reference, others, right, slowest } =
        accepted::choose(work, package, &course, data, &mut left_out)?;
    leave_out_what_does_not_build(&course, &mut inspectors, &mut left_out)?;
    drop(progress);
    let path = copier.move_to("accepted", "reference", reference)?;
    let references = right.iter().map(|other| copier.submission(other, "accepted"));
    let mut entry = Entry {
        id: &package.id,
        program: program(folder, &path, reference.language)?,
        references: references.collect::<Result<_, _>>()?,
        inspectors: &inspectors,
        time: time_limit(package, slowest),
        mutants: package.wrong().count(),
        bytes: data.largest(),
    };
    for wrong in package.wrong() {
        copier.submission(wrong, "mutants")?;
    }
    remove(&folder.join("target"))?;
    let course = written(&copier, std::slice::from_ref(&entry))?;
    let submissions = wrong::built(package, &course, &mut left_out)?;
    entry.mutants = submissions.len();
    let course = written(&copier, &[entry])?;
    let mutants = wrong::describe(work, &copier, &course, &submissions, data)?;
    Ok(Imported {
        schema: SCHEMA.to_owned(),
        assignment: package.id.clone(),
        folder: folder.display().to_string(),
        format: package.settings.format().to_owned(),
        reference: submissions::part(&reference.path, "").part,
        accepted: others,
        mutants,
        tests: data.cases.len(),
        validators: inspectors.validators.len(),
        judge: inspectors.judge(package)?,
        shape: inspectors.shape,
        left_out,
        data_problems: std::mem::take(&mut data.problems),
    })
}

/// Leaves out the validators that no compiler accepts. The log of a compiler says little of a package, so its first line is enough.
fn leave_out_what_does_not_build(
    course: &Course,
    inspectors: &mut Inspectors,
    left_out: &mut Vec<Remark>,
) -> Result<(), Failure> {
    let mut usable = Vec::new();
    for validator in std::mem::take(&mut inspectors.validators) {
        let path = course.folder.join(&validator.command);
        let name = format!("the validator `{}`", validator.command);
        if files::is_executable(&path) {
            usable.push(validator);
            continue;
        }
        match build::inspector(course, &course.assignments[0], &path, &name) {
            Ok(_) => usable.push(validator),
            Err(failure) if failure.kind == FailureKind::Course => {
                let said = failure.problems.first().map_or("", |problem| problem.message.as_str());
                let said = said.split_once('\n').map_or("", |(_, printed)| printed);
                let root = course.folder.canonicalize().unwrap_or_default().join("");
                let said = said.replace(&root.display().to_string(), "");
                let reason = format!("it does not compile{}", scripts::first_line(&said));
                left_out.push(submissions::part(&validator.part, reason));
            }
            Err(failure) => return Err(failure),
        }
    }
    inspectors.validators = usable;
    Ok(())
}

/// A course with an assignment for each accepted submission.
fn trial(copier: &Copier<'_>, inspectors: &Inspectors, data: &Data) -> Result<Course, Failure> {
    const TIME: Duration = Duration::from_secs(20);
    let plain =
        Inspectors { shape: None, validators: Vec::new(), checker: inspectors.checker.clone() };
    let mut entries = Vec::new();
    for submission in copier.package.accepted() {
        let path = copier.submission(submission, "accepted")?;
        entries.push(Entry {
            id: &submission.id,
            program: program(copier.folder, &path, submission.language)?,
            references: Vec::new(),
            inspectors: &plain,
            time: TIME,
            mutants: 1,
            bytes: data.largest(),
        });
    }
    written(copier, &entries)
}

/// The course with these assignments, once its file is written.
fn written(copier: &Copier<'_>, entries: &[Entry<'_>]) -> Result<Course, Failure> {
    let mutants = copier.folder.join("mutants");
    fs::create_dir_all(&mutants)
        .map_err(|error| Failure::machine(format!("create {}", mutants.display()), error))?;
    let text = course_file(copier.package, entries)?;
    copier.write(Path::new(FILE), text.as_bytes())?;
    Course::read(copier.folder)
}

/// The time limit: that of the package, or else a multiple of the slowest accepted submission's time, in whole seconds.
fn time_limit(package: &Package, slowest: Duration) -> Duration {
    const MOST: f64 = 60.0;
    let limits = &package.settings.limits;
    let seconds = limits
        .time_limit
        .unwrap_or_else(|| (slowest.as_secs_f64() * limits.multiplier()).ceil().max(1.0));
    Duration::try_from_secs_f64(seconds.clamp(0.1, MOST)).unwrap_or(Duration::from_secs(1))
}

/// Writes the inputs as a suite, and a list of where each comes from.
fn write_tests(copier: &Copier<'_>, data: &Data) -> Result<(), Failure> {
    let mut list = String::new();
    for (number, datum) in (1..).zip(&data.cases) {
        let name = format!("test-{number}.txt");
        copier.write(&Path::new("tests").join(&name), &datum.case.input)?;
        writeln!(list, "{name}  {}", datum.name).expect("a `String` takes any text");
    }
    copier.write(Path::new("tests.txt"), list.as_bytes())?;
    copier.write(Path::new(".gitignore"), b"/target\n__pycache__/\n")
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::machine(format!("remove {}", folder.display()), error))
        }
        _ => Ok(()),
    }
}
