//! Programs in Java: each variant is the classes of the program, with one bug or none in their sources, compiled once for the course. Tests
//! are compiled once with those of the reference.

use super::Kit;
use super::archives;
use super::class_file;
use super::javac::Javac;
use super::machine::Machine;
use super::points::{Counting, Points};
use crate::built::Built;
use crate::course::UnitTests;
use crate::coverage::{Counter, FACTOR};
use crate::diagnostic::{Failure, Problem};
use crate::framework::Framework;
use crate::run::build::{self, Runnable};
use crate::variant::{Given, Variant, sources};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What a virtual machine reserves beside its heap, and does not use.
const ROOM: u64 = 1 << 30;

/// The files of classes, of the program and of the tests.
pub(super) const SUBJECT: &str = "subject";
pub(super) const TESTS: &str = "tests";

/// How many members each disguise has more than the program, and the option with which it is compiled. Decoys are the reference in them.
const DECOYS: [(usize, &str); 5] =
    [(0, "-g:none"), (1, "-g"), (2, "-g:none"), (4, "-g:lines"), (7, "-parameters")];

/// What marks bugs in the program that tells which it reaches.
const TELLING: &str = "public class Bug {
    static final java.util.Set<String> reached = new java.util.concurrent.ConcurrentSkipListSet<>();
    public static boolean on(String id) { reached.add(id); return false; }
}
";

/// The same of the program that tells which points it reaches, which are numbers below 2^15.
const TELLING_POINTS: &str = "public class Bug {
    static final java.util.Set<Integer> reached = new java.util.concurrent.ConcurrentSkipListSet<>();
    private static final boolean[] known = new boolean[1 << 15];
    public static boolean on(String id) { return false; }
    public static void line(int number) { if (!known[number]) { known[number] = true; reached.add(number); } }
}
";

#[derive(Clone)]
pub(super) struct Classes {
    compiler: Javac,
    machine: Machine,
    seconds: f64,
}

impl Classes {
    pub(super) fn new(
        given: Given<'_>,
        unit: &UnitTests,
        framework: &'static dyn Framework,
    ) -> Result<Self, Failure> {
        let (archives, shared) = unit
            .with
            .iter()
            .cloned()
            .partition(|path| path.extension().is_some_and(|extension| extension == "jar"));
        let archives = archives::all(framework, archives)?;
        let compiler = Javac { archives: archives.clone(), shared, flags: unit.flags.clone() };
        let machine = Machine::new(given, framework, &archives)?;
        Ok(Self { compiler, machine, seconds: given.assignment.run.seconds })
    }

    /// The classes of sources, with this class `Bug` in the package of the program.
    fn telling(
        given: Given<'_>,
        mut variant: Variant,
        bug: &str,
        name: &str,
    ) -> Result<Variant, Failure> {
        let package = package(&variant);
        let declared = package.as_ref().map(|it| format!("package {it};")).unwrap_or_default();
        variant.files.retain(|(path, _)| !path.ends_with("Bug.java"));
        variant.files.push(("Bug.java".into(), format!("{declared}\n{bug}").into()));
        Self::compiled(given, &variant, &[], name)
    }

    /// The classes of a variant that is sources as they look in the disguise with a number.
    fn disguised_at(
        given: Given<'_>,
        variant: &Variant,
        at: usize,
        name: &str,
    ) -> Result<Variant, Failure> {
        let (many, option) = DECOYS[at % DECOYS.len()];
        let text = disguised(&variant.text(), many);
        Self::compiled(given, &variant.clone().with_text(text), &[option], name)
    }

    /// The classes of a variant that is sources.
    fn compiled(
        given: Given<'_>,
        variant: &Variant,
        options: &[&str],
        name: &str,
    ) -> Result<Variant, Failure> {
        let flags = sources(given.assignment)?.flags.iter().cloned();
        let options: Vec<_> = flags.chain(options.iter().map(|it| (*it).to_owned())).collect();
        let what = format!("build {name} of `{}`", given.assignment.id);
        let folder =
            build::classes(given.course, given.assignment, &variant.files, &options, &what)?;
        Ok(Variant::binary(read(&folder)?))
    }
}

impl Kit for Classes {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        let (variant, name) = match id {
            Some(id) => (Variant::of_mutant(given.assignment, id)?, format!("the mutant `{id}`")),
            None => {
                (Variant::of_sources(sources(given.assignment)?, None)?, "the reference".into())
            }
        };
        Self::compiled(given, &variant, &[], &name)
    }

    fn right(&self, given: Given<'_>, path: &Path, name: &str) -> Result<Variant, Failure> {
        Self::compiled(given, &Variant::of_right(given.assignment, path)?, &[], name)
    }

    fn decoys(&self, given: Given<'_>, _reference: &Variant) -> Result<Vec<Variant>, Failure> {
        let reference = Variant::of_sources(sources(given.assignment)?, None)?;
        let decoy = |at| Self::disguised_at(given, &reference, at, "a decoy");
        (0..DECOYS.len()).map(decoy).collect()
    }

    fn disguised(&self, given: Given<'_>, at: usize, id: &str) -> Result<Option<Variant>, Failure> {
        let mutant = Variant::of_mutant(given.assignment, id)?;
        Self::disguised_at(given, &mutant, at, &format!("the mutant `{id}`")).map(Some)
    }

    fn teller(&self, given: Given<'_>) -> Result<Option<Variant>, Failure> {
        let variant = Variant::marked(sources(given.assignment)?)?;
        let name = "what tells the bugs that a test reaches";
        Self::telling(given, variant, TELLING, name).map(Some)
    }

    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure> {
        let reference = Variant::of_sources(sources(given.assignment)?, None)?;
        let name = "what tells the lines that a test reaches";
        let compiled = Self::telling(given, reference.clone(), TELLING_POINTS, name)?;
        let teller = match package(&reference) {
            Some(package) => format!("{}/Bug", package.replace('.', "/")),
            None => "Bug".to_owned(),
        };
        let (variant, points) =
            with_points(&compiled, &teller, reference.program()).ok_or_else(|| {
                let problem = "its classes have no lines, or too many";
                Failure::broken_course(Problem::new(problem))
            })?;
        let kit = Self { seconds: self.seconds * f64::from(FACTOR), ..self.clone() };
        Ok(Box::new(Counting { variant, points, kit: Box::new(kit) }))
    }

    fn room(&self) -> u64 {
        ROOM
    }

    fn build(&self, built: Built<'_>, reference: &Variant) -> Result<Result<(), Problem>, Failure> {
        let folder = built.folder.join("build");
        let unwritten = |error| Failure::machine("write a temporary file", error);
        self.compiler.lay(built.file, reference, &folder).map_err(unwritten)?;
        if let Err(problem) = self.compiler.compile(built.work, built.file, &folder)? {
            return Ok(Err(problem));
        }
        let classes = packed(&read(&folder.join(TESTS))?);
        fs::write(built.folder.join(TESTS), classes).map_err(unwritten)?;
        Ok(Ok(()))
    }

    fn program(
        &self,
        built: Built<'_>,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        let lay = || -> io::Result<PathBuf> {
            let folder = tempfile::Builder::new().prefix("").tempdir_in(built.folder)?.keep();
            Variant::binary(vec![(SUBJECT.into(), packed(&variant.files))]).lay(&folder)?;
            Ok(folder)
        };
        let folder = lay().map_err(|error| Failure::machine("write a temporary file", error))?;
        let files = [folder.join(SUBJECT), built.folder.join(TESTS)];
        let mut args = vec![built.file.file.clone()];
        args.extend(files.map(|path| path.to_string_lossy().into_owned()));
        args.push(self.seconds.to_string());
        Ok(Ok(self.machine.runs(args, folder)))
    }
}

/// The package of the program in which the class `Bug` is, if it has a name.
fn package(variant: &Variant) -> Option<String> {
    let text = variant.text();
    let declared = text.lines().find_map(|line| line.strip_prefix("package "))?;
    Some(declared.split_once(';')?.0.trim().to_owned())
}

/// The classes of a program in which each line tells that it is reached, and the points that they tell. `None` if they cannot.
fn with_points(
    classes: &Variant,
    teller: &str,
    sources: &[(PathBuf, Vec<u8>)],
) -> Option<(Variant, Points)> {
    let (mut files, mut points) = (Vec::new(), Points::new());
    for (path, class) in &classes.files {
        if path.with_extension("") == Path::new(teller) {
            files.push((path.clone(), class.clone()));
            continue;
        }
        let marked = class_file::marked(class, teller, points.len())?;
        let name = source(sources, Path::new(&marked.source))?.to_string_lossy();
        points.extend(marked.lines.iter().map(|line| (name.clone().into_owned(), *line)));
        files.push((path.clone(), marked.class));
    }
    Some((Variant::binary(files), points))
}

/// The source with this name, which begins with the folders of its package. It need not be in them.
fn source<'a>(sources: &'a [(PathBuf, Vec<u8>)], name: &Path) -> Option<&'a Path> {
    let all = || sources.iter().map(|(path, _)| &**path);
    all()
        .find(|it| it.ends_with(name))
        .or_else(|| all().find(|it| it.file_name() == name.file_name()))
}

/// The files of classes below a folder, with their paths in it.
pub(super) fn read(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let unread = |error| Failure::machine(format!("read {}", folder.display()), error);
    let mut classes = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| unread(error.into()))?;
        let path = entry.path();
        if entry.file_type().is_file() && path.extension().is_some_and(|found| found == "class") {
            let bytes = fs::read(path).map_err(unread)?;
            classes.push((path.strip_prefix(folder).unwrap_or(path).to_owned(), bytes));
        }
    }
    Ok(classes)
}

/// Classes as one file: how many they are, and the name and the contents of each after its length.
pub(super) fn packed(classes: &[(PathBuf, Vec<u8>)]) -> Vec<u8> {
    let length = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    let mut packed = length(classes.len()).to_vec();
    for (path, bytes) in classes {
        let name = path.with_extension("").to_string_lossy().replace('/', ".");
        for part in [name.as_bytes(), bytes] {
            packed.extend(length(part.len()));
            packed.extend(part);
        }
    }
    packed
}

/// A source whose first class has so many more methods, which nobody calls.
fn disguised(text: &str, many: usize) -> String {
    let Some(open) = text.find("class ").and_then(|at| Some(at + text[at..].find('{')? + 1)) else {
        return text.to_owned();
    };
    let more = |at| format!(" private static int unused{at}() {{ return {at}; }}");
    let more: String = (0..many).map(more).collect();
    format!("{}{more}{}", &text[..open], &text[open..])
}
