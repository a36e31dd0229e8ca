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
use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What a virtual machine reserves beside its heap, and does not use.
const ROOM: u64 = 1 << 30;

/// Where the compiler finds the classes of the program, and where it puts those of the tests, which are in a file of that name then.
pub(super) const SUBJECT: &str = "subject";
pub(super) const TESTS: &str = "tests";

/// How many members each file of a disguise has more than the program's, and the option with which it is compiled.
const DISGUISES: [(usize, &str); 5] =
    [(0, "-g:none"), (1, "-g"), (2, "-g:none"), (4, "-g:lines"), (7, "-parameters")];

/// The class that keeps what is reached in a program that tells it. The program that runs the tests asks it.
const REACHED: &str = "harness/Reached";

/// It keeps bugs.
const REACHED_BUGS: &str = "package harness;
public class Reached {
    static final java.util.Set<String> reached = new java.util.concurrent.ConcurrentSkipListSet<>();
    public static boolean on(String id) { reached.add(id); return false; }
}
";

/// It keeps points, which are numbers below 2^15.
const REACHED_POINTS: &str = "package harness;
public class Reached {
    static final java.util.Set<Integer> reached = new java.util.concurrent.ConcurrentSkipListSet<>();
    private static final boolean[] known = new boolean[1 << 15];
    public static void line(int number) { if (!known[number]) { known[number] = true; reached.add(number); } }
}
";

/// What marks bugs in a program, and its class.
const BUG: &str = "Bug";

/// What a bug that is marked says, in each program and in the one that tells which bugs it reaches.
const ABSENT: &str = "false";
const TOLD: &str = "harness.Reached.on(id)";

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

    /// The classes of sources, with this class that keeps what is reached, and with bugs that say so.
    fn telling(
        given: Given<'_>,
        mut variant: Variant,
        keeper: &str,
        bug: &str,
        name: &str,
    ) -> Result<Variant, Failure> {
        variant.files.push((Path::new(REACHED).with_extension("java"), keeper.into()));
        Self::compiled_with(given, &variant, bug, &[], name)
    }

    /// The sources of the reference or a mutant, and what it is called.
    fn sources_of(given: Given<'_>, id: Option<&str>) -> Result<(Variant, String), Failure> {
        Ok(match id {
            Some(id) => (Variant::of_mutant(given.assignment, id)?, format!("the mutant `{id}`")),
            None => {
                (Variant::of_sources(sources(given.assignment)?, None)?, "the reference".into())
            }
        })
    }

    /// The classes of a variant that is sources.
    fn compiled(
        given: Given<'_>,
        variant: &Variant,
        options: &[&str],
        name: &str,
    ) -> Result<Variant, Failure> {
        Self::compiled_with(given, variant, ABSENT, options, name)
    }

    /// The same with bugs that say this.
    fn compiled_with(
        given: Given<'_>,
        variant: &Variant,
        bug: &str,
        options: &[&str],
        name: &str,
    ) -> Result<Variant, Failure> {
        let program = variant.files.iter().filter(|(path, _)| !is_bug(path)).cloned();
        let files: Vec<_> = program.chain(bugs(variant, bug)).collect();
        let flags = sources(given.assignment)?.flags.iter().cloned();
        let options: Vec<_> = flags.chain(options.iter().map(|it| (*it).to_owned())).collect();
        let what = format!("build {name} of `{}`", given.assignment.id);
        let folder = build::classes(given.course, given.assignment, &files, &options, &what)?;
        Ok(Variant::binary(read(&folder)?))
    }
}

impl Kit for Classes {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        let (variant, name) = Self::sources_of(given, id)?;
        Self::compiled(given, &variant, &[], &name)
    }

    fn right(&self, given: Given<'_>, path: &Path, name: &str) -> Result<Variant, Failure> {
        Self::compiled(given, &Variant::of_right(given.assignment, path)?, &[], name)
    }

    fn disguises(&self) -> usize {
        DISGUISES.len()
    }

    fn disguised(&self, given: Given<'_>, at: usize, id: Option<&str>) -> Result<Variant, Failure> {
        let (variant, name) = Self::sources_of(given, id)?;
        let (many, option) = DISGUISES[at];
        let disguised = variant.with_texts(variant.texts().map(|text| disguised(&text, many)));
        Self::compiled(given, &disguised, &[option], &name)
    }

    fn teller(&self, given: Given<'_>) -> Result<Option<Variant>, Failure> {
        let variant = Variant::marked(sources(given.assignment)?)?;
        let name = "what tells the bugs that a test reaches";
        Self::telling(given, variant, REACHED_BUGS, TOLD, name).map(Some)
    }

    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure> {
        let reference = Variant::of_sources(sources(given.assignment)?, None)?;
        let name = "what tells the lines that a test reaches";
        let compiled = Self::telling(given, reference.clone(), REACHED_POINTS, ABSENT, name)?;
        let (variant, points) = with_points(&compiled, reference.program()).ok_or_else(|| {
            let problem = "its classes have no lines, or too many";
            Failure::broken_course(Problem::new(problem))
        })?;
        let kit = Self { seconds: self.seconds * f64::from(FACTOR), ..self.clone() };
        Ok(Box::new(Counting { variant, points, kit: Box::new(kit) }))
    }

    /// The classes, which look otherwise each time, so that a test that found them would learn nothing for the next run.
    fn input(&self, variant: &Variant) -> Vec<u8> {
        let varied = |class: &Vec<u8>| class_file::varied(class).unwrap_or_else(|| class.clone());
        let files = variant.files.iter().map(|(path, class)| (path.clone(), varied(class)));
        packed(&files.collect::<Vec<_>>())
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
        _variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        let tests = built.folder.join(TESTS).to_string_lossy().into_owned();
        let args = vec![built.file.file.clone(), tests, self.seconds.to_string()];
        Ok(Ok(self.machine.runs(args, built.folder.to_owned())))
    }
}

/// Whether a file is the class that marks bugs, in any package.
fn is_bug(path: &Path) -> bool {
    path.file_stem().is_some_and(|name| name == BUG)
}

/// The class that marks bugs, in each package in which a program is or from which it takes that class.
fn bugs(variant: &Variant, says: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let packages: BTreeSet<_> = variant.texts().flat_map(|text| packages(&text)).collect();
    let bug = |package: String| {
        let declared = match &*package {
            "" => String::new(),
            package => format!("package {package};\n"),
        };
        let class = format!(
            "public class {BUG} {{ public static boolean on(String id) {{ return {says}; }} }}\n"
        );
        let path = Path::new(&package.replace('.', "/")).join(BUG).with_extension("java");
        (path, (declared + &class).into_bytes())
    };
    packages.into_iter().map(bug).collect()
}

/// The package of a source, which is empty if it names none, and those from which it imports the class that marks bugs.
fn packages(text: &str) -> Vec<String> {
    let mut packages = vec![String::new()];
    for line in text.lines() {
        let named = |word| Some(line.trim_start().strip_prefix(word)?.split_once(';')?.0.trim());
        if let Some(own) = named("package ") {
            own.clone_into(&mut packages[0]);
        } else if let Some((package, BUG)) = named("import ").and_then(|it| it.rsplit_once('.')) {
            packages.push(package.to_owned());
        }
    }
    packages
}

/// The classes of a program in which each line tells that it is reached, and the points that they tell. `None` if they cannot.
fn with_points(classes: &Variant, sources: &[(PathBuf, Vec<u8>)]) -> Option<(Variant, Points)> {
    let (mut files, mut points) = (Vec::new(), Points::new());
    for (path, class) in &classes.files {
        if is_bug(path) || path.with_extension("") == Path::new(REACHED) {
            files.push((path.clone(), class.clone()));
            continue;
        }
        let marked = class_file::marked(class, REACHED, points.len())?;
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

/// Classes as one file: how many they are, and three parts of each after their lengths. These are its name, random bytes, and what makes
/// its contents of them.
pub(super) fn packed(classes: &[(PathBuf, Vec<u8>)]) -> Vec<u8> {
    let length = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    let mut packed = length(classes.len()).to_vec();
    for (path, bytes) in classes {
        let name = path.with_extension("").to_string_lossy().replace('/', ".");
        let random: Vec<_> = iter::repeat_with(|| fastrand::u8(..)).take(bytes.len()).collect();
        let hidden: Vec<_> = bytes.iter().zip(&random).map(|(a, b)| a ^ b).collect();
        for part in [name.as_bytes(), &random, &hidden] {
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
