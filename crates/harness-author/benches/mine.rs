//! Measures `mutants mine`: programs in C++ with one to three of the catalogue's bugs each. Each bug is a mutant, so that a deviation
//! that no mutant represents is a mistake of the report.
//!
//! Run it with `cargo bench -p harness-author`, or `cargo bench -p harness-author -- 300` for another number of programs.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use fastrand::Rng;
use harness_author::report::mined::{DeviationMined, Mined};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A course whose reference is in C++.
const COURSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/puzzle-cpp");
/// The number of programs, unless the command line names another.
const USUAL: usize = 40;
const MOST_BUGS: usize = 3;

fn main() {
    let count = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(USUAL);
    let folder = tempfile::tempdir().expect("there is room for a benchmark");
    let course = Course::copy(folder.path());
    let [right, class] = ["right", "class"].map(|name| folder.path().join(name));
    course.write(&right, 0, &[]);
    let warm = course.mine(&right);
    assert!(warm.deviations.is_empty(), "{:?}", warm.deviations);
    let bugs: Vec<_> = (0..count).map(|at| course.bugs(at as u64)).collect();
    bugs.iter().enumerate().for_each(|(at, bugs)| course.write(&class, at, bugs));
    let (start, before) = (Instant::now(), used());
    let mined = course.mine(&class);
    let (clock, processor) = (start.elapsed().as_secs_f64(), used() - before);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{count} programs on {cores} cores");
    println!("  by the clock          {clock:>8.1} s");
    println!("  processor time        {processor:>8.1} s");
    println!("  for each              {:>8.2} s   goal: 0.8 s", processor / count as f64);
    println!("  programs per minute   {:>8.0}     goal: 150", count as f64 / clock * 60.0);
    told(&mined, &bugs);
}

/// Prints how well the report tells the bugs apart.
fn told(mined: &Mined, bugs: &[Vec<String>]) {
    let all: usize = bugs.iter().map(Vec::len).sum();
    let is_told = |program: usize, bug: &String| of(mined, program).any(|it| it.is_like(bug));
    let found = bugs.iter().enumerate();
    let found = found.map(|(at, bugs)| bugs.iter().filter(|bug| is_told(at, bug)).count());
    let wrong: Vec<_> = mined.deviations.iter().filter(|it| !it.represented).collect();
    let programs: BTreeSet<_> = wrong.iter().flat_map(|it| &it.programs).collect();
    println!("  bugs named            {:>8} of {all}", found.sum::<usize>());
    println!(
        "  called unrepresented  {:>8} deviations, in {} programs",
        wrong.len(),
        programs.len()
    );
    for deviation in wrong {
        let bugs = deviation.programs.iter().map(|name| bugs[number(name)].join(" + "));
        println!("    {:>5} cases: {}", deviation.cases, bugs.collect::<Vec<_>>().join("; "));
    }
}

fn of(mined: &Mined, program: usize) -> impl Iterator<Item = &DeviationMined> {
    let has = move |it: &&DeviationMined| it.programs.iter().any(|name| number(name) == program);
    mined.deviations.iter().filter(has)
}

/// The number of the program with this name.
fn number(name: &str) -> usize {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("a program has a number")
}

/// A course of its own, so that nothing is built yet.
struct Course {
    folder: PathBuf,
    /// The ids of its mutants.
    ids: Vec<String>,
    /// The reference in one file.
    program: String,
}

impl Course {
    fn copy(to: &Path) -> Self {
        let folder = to.join("course");
        let (from, mut ids) = (Path::new(COURSE), Vec::new());
        fs::create_dir_all(folder.join("mutants")).expect("there is room");
        for file in entries(&from.join("mutants")) {
            let id = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
            fs::copy(&file, folder.join(format!("mutants/{id}.yaml"))).expect("there is room");
            ids.push(id);
        }
        for file in entries(from).iter().filter(|file| file.is_file()) {
            fs::copy(file, folder.join(file.file_name().expect("it has a name")))
                .expect("there is room");
        }
        let sources = entries(from).into_iter();
        let sources = sources.filter(|it| it.extension().is_some_and(|ending| ending == "cpp"));
        let mut included = BTreeSet::from(["subject.h".to_owned()]);
        let program = sources.map(|source| whole(&source, &mut included)).collect();
        Self { folder, ids, program }
    }

    /// One to three different bugs, the same each time.
    fn bugs(&self, seed: u64) -> Vec<String> {
        let mut rng = Rng::with_seed(seed);
        let count = rng.usize(1..=MOST_BUGS);
        rng.choose_multiple(&self.ids, count).into_iter().cloned().collect()
    }

    /// Writes a program with these bugs into a folder. No other program has the same text.
    fn write(&self, folder: &Path, number: usize, bugs: &[String]) {
        let text = self.ids.iter().fold(self.program.clone(), |text, id| {
            text.replace(
                &format!("BUG(\"{id}\")"),
                if bugs.contains(id) { "true" } else { "false" },
            )
        });
        fs::create_dir_all(folder).expect("there is room");
        fs::write(folder.join(format!("{number:03}.cpp")), format!("// Number {number}.\n{text}"))
            .expect("there is room");
    }

    fn mine(&self, programs: &Path) -> Mined {
        let mut command = Command::new(env!("CARGO_BIN_EXE_harness-author"));
        command.args(["mutants", "mine", "--format", "json", "--course"]).arg(&self.folder);
        let output = command.arg(programs).output().expect("harness starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("it is a report")
    }
}

/// A source with the headers that it includes, each once.
fn whole(source: &Path, included: &mut BTreeSet<String>) -> String {
    let text = fs::read_to_string(source).expect("a source is text");
    let line = |line: &str| {
        let name = line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"'));
        match name {
            Some(name) if included.insert(name.to_owned()) => {
                whole(&source.with_file_name(name), included)
            }
            Some(_) => String::new(),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// The seconds of processor time of all programs that have ended.
fn used() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("the system tells");
    let (_, fields) = stat.rsplit_once(") ").expect("the name is in parentheses");
    // Fields 16 and 17 are user and system time, in hundredths of a second.
    let ticks: u64 =
        fields.split(' ').skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

/// What is in a folder, in the order of the names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths
}
