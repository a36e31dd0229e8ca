//! `harness pack PLATFORM`: writes what a platform needs to grade submissions. The package holds this program and the files that the
//! course file names.

mod archive;
mod cargo;
mod imports;
mod needed;

pub use archive::course;

use crate::cli::pack::{Pack, Platform};
use crate::course::submission::ProgramLanguage;
use crate::course::{self, Assignment, AssignmentProgram, Course};
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::files;
use crate::report::packed::{Packed, Part, SCHEMA};
use needed::Needed;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(super) fn run(options: &Pack) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    if assignment.submission.is_none() {
        let message = format!("`{}` has no `submission:` entry in harness.yaml", assignment.id);
        let hint = "docs/grading.md describes it";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    if options.out.symlink_metadata().is_ok() {
        let problem = Problem::new(format!("{} already exists", options.out.display()));
        let hint = "name a new file; existing files are never overwritten";
        return Err(Failure::usage(problem.hint(hint)));
    }
    let mut archive = Archive::new();
    let packed = match options.platform {
        Platform::Gradescope => archive.gradescope(assignment),
        Platform::Prairielearn => archive.prairielearn(assignment),
        Platform::Github => Ok(()),
    };
    let folder = if options.platform == Platform::Prairielearn { "tests/" } else { "" };
    let (contents, parts) = if options.platform == Platform::Github {
        let text = filled(include_str!("pack/github.yml"), assignment).into_bytes();
        (Ok(text), Vec::new())
    } else {
        let needed = Needed::of(&course)?;
        let packed = packed.and_then(|()| archive.course(folder, &options.course, &needed));
        let Archive { zip, parts } = archive;
        (packed.and_then(|()| Ok(zip.finish()?.into_inner())), parts)
    };
    let contents = contents.map_err(|error| Failure::machine("pack the course", error))?;
    files::create(&options.out, &contents)
        .map_err(|error| Failure::unwritable(&options.out, &error))?;
    let packed = Packed {
        schema: SCHEMA.to_owned(),
        assignment: assignment.id.clone(),
        file: options.out.display().to_string(),
        bytes: contents.len() as u64,
        parts,
    };
    super::print("the report", &packed, options.format)?;
    Ok(Exit::Done)
}

/// A text with the assignment's id and title in it.
fn filled(text: &str, assignment: &Assignment) -> String {
    let rust = if assignment.program.needs_cargo() { "yes" } else { "no" };
    let files = assignment.submission.as_ref().map(|it| it.files.clone()).unwrap_or_default();
    text.replace("@ASSIGNMENT@", &assignment.id)
        .replace("@UUID@", &uuid(assignment))
        .replace("@TITLE@", &assignment.title.replace(['"', '<', '&'], ""))
        .replace("@RUST@", rust)
        .replace("@PACKAGES@", &packages(assignment).join(" "))
        .replace("@FILES@", &files.join(", ").replace('"', ""))
}

/// The packages of Debian and Ubuntu that build and run the assignment's programs and tests.
fn packages(assignment: &Assignment) -> Vec<&'static str> {
    let submitted = assignment.submission.iter().map(|it| &it.program.language);
    let languages = submitted.filter_map(|language| match language {
        ProgramLanguage::Of(language) => Some(*language),
        ProgramLanguage::Rust | ProgramLanguage::Any(_) => None,
    });
    let own = match &assignment.program {
        AssignmentProgram::Sources(sources) => Some(sources.language),
        AssignmentProgram::Cargo(_) | AssignmentProgram::Commands { .. } => None,
    };
    let languages = languages.chain(own);
    let mut all = vec!["bubblewrap", "ca-certificates", "curl", "g++", "make", "valgrind"];
    all.extend(languages.flat_map(|language| language.rules().packages));
    all.extend(assignment.unit.as_ref().and_then(|unit| unit.framework.package()));
    all.sort_unstable();
    all.dedup();
    all
}

/// A UUID that stays the same for an assignment.
fn uuid(assignment: &Assignment) -> String {
    let digest = Sha256::digest(format!("{}/{}", assignment.id, assignment.title));
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

/// A zip in memory. The same files give the same bytes.
struct Archive {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    parts: Vec<Part>,
}

impl Archive {
    fn new() -> Self {
        Self { zip: ZipWriter::new(Cursor::new(Vec::new())), parts: Vec::new() }
    }

    /// The zip of an autograder: it is unpacked to `/autograder/source`.
    fn gradescope(&mut self, assignment: &Assignment) -> io::Result<()> {
        self.text("setup.sh", include_str!("pack/setup.sh"), assignment)?;
        self.text("run_autograder", include_str!("pack/run_autograder"), assignment)
    }

    /// The zip of a question: its folder `tests` becomes `/grade/tests`.
    fn prairielearn(&mut self, assignment: &Assignment) -> io::Result<()> {
        self.text("info.json", include_str!("pack/info.json"), assignment)?;
        self.text("question.html", include_str!("pack/question.html"), assignment)?;
        self.text("Dockerfile", include_str!("pack/Dockerfile"), assignment)?;
        self.text("tests/setup.sh", include_str!("pack/setup.sh"), assignment)?;
        self.text("tests/run.sh", include_str!("pack/run.sh"), assignment)
    }

    fn file(&mut self, name: &str, contents: &[u8], is_program: bool) -> io::Result<()> {
        let mode = if is_program { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default().unix_permissions(mode);
        self.zip.start_file(name, options)?;
        self.zip.write_all(contents)
    }

    /// Adds a file that is a part of its own.
    fn alone(&mut self, name: &str, contents: &[u8], is_program: bool) -> io::Result<()> {
        self.parts.push(Part { path: name.to_owned(), files: 1, bytes: contents.len() as u64 });
        self.file(name, contents, is_program)
    }

    fn text(&mut self, name: &str, text: &str, assignment: &Assignment) -> io::Result<()> {
        self.alone(name, filled(text, assignment).as_bytes(), text.starts_with("#!"))
    }

    /// Adds this program, and the files of the course in the folder `course`.
    fn course(&mut self, folder: &str, course: &Path, needed: &Needed) -> io::Result<()> {
        let program = fs::read(std::env::current_exe()?)?;
        self.alone(&format!("{folder}harness"), &program, true)?;
        let file = if course.is_dir() { course.join(course::FILE) } else { course.to_owned() };
        self.alone(&format!("{folder}course/{}", course::FILE), &fs::read(file)?, false)?;
        for (part, files) in &needed.parts {
            let name = |path: &Path| format!("{folder}course/{}", path.to_string_lossy());
            let mut bytes = 0;
            for file in files {
                let path = needed.path(file);
                let contents = fs::read(&path)?;
                bytes += contents.len() as u64;
                self.file(&name(file), &contents, files::is_executable(&path))?;
            }
            self.parts.push(Part { path: name(part), files: files.len(), bytes });
        }
        Ok(())
    }
}
