//! `harness init DIR`: writes a course that builds, scores and grades at once.

mod samples;

use super::companion;
use crate::cli::{Init, NewLanguage};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::files;
use std::io::{self, Write};
use std::path::Path;

/// The files of every new course: the mutants, the shape, the sample suite, and the cases of what students hand in.
const SHARED: &[(&str, &str)] = &[
    (
        "mutants/tally/max-starts-at-zero.yaml",
        include_str!("init/course/mutants/max-starts-at-zero.yaml"),
    ),
    (
        "mutants/tally/skips-the-first-number.yaml",
        include_str!("init/course/mutants/skips-the-first-number.yaml"),
    ),
    (
        "mutants/tally/stops-at-a-blank-line.yaml",
        include_str!("init/course/mutants/stops-at-a-blank-line.yaml"),
    ),
    ("cases/tally/cases.yaml", include_str!("init/course/cases.yaml")),
    ("shapes/tally.yaml", include_str!("init/course/shape.yaml")),
    ("student_tests/tally/test-1-m.txt", include_str!("init/course/tests/test-1-m.txt")),
    ("student_tests/tally/test-2-m.txt", include_str!("init/course/tests/test-2-m.txt")),
    ("student_tests/tally/test-3-s.txt", include_str!("init/course/tests/test-3-s.txt")),
];

/// The files of a course in Rust. The course includes `subject`, so that it needs nothing else.
const RUST: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("init/course/Cargo.toml.in")),
    (".gitignore", "/target\n"),
    ("reference/tally/Cargo.toml", include_str!("init/course/reference/tally/Cargo.toml.in")),
    ("reference/tally/src/main.rs", include_str!("init/course/reference/tally/main.rs")),
    ("subject/Cargo.toml", include_str!("init/course/subject.toml.in")),
    ("subject/src/lib.rs", include_str!("../../crates/subject/src/lib.rs")),
    ("subject/src/case.rs", include_str!("../../crates/subject/src/case.rs")),
    ("subject/src/cycles.rs", include_str!("../../crates/subject/src/cycles.rs")),
    ("subject/src/direct.rs", include_str!("../../crates/subject/src/direct.rs")),
    ("subject/src/env.rs", include_str!("../../crates/subject/src/env.rs")),
    ("subject/src/index_set.rs", include_str!("../../crates/subject/src/index_set.rs")),
    ("subject/src/select.rs", include_str!("../../crates/subject/src/select.rs")),
    ("subject/src/wire.rs", include_str!("../../crates/subject/src/wire.rs")),
    ("subject/src/wire/codec.rs", include_str!("../../crates/subject/src/wire/codec.rs")),
    ("subject/src/worker.rs", include_str!("../../crates/subject/src/worker.rs")),
];

const SUBJECT_H: (&str, &str) =
    ("reference/tally/subject.h", include_str!("../../crates/subject/c/subject.h"));

/// What `make` writes.
const BUILT: (&str, &str) =
    (".gitignore", "/target\n/reference/tally/tally\n/reference/tally/tally-*\n");

const C: &[(&str, &str)] = &[
    BUILT,
    ("reference/tally/tally.c", include_str!("init/course/reference/tally/tally.c")),
    SUBJECT_H,
];

const CPP: &[(&str, &str)] = &[
    BUILT,
    ("reference/tally/tally.cpp", include_str!("init/course/reference/tally/tally.cpp")),
    SUBJECT_H,
];

const PYTHON: &[(&str, &str)] = &[
    (".gitignore", "/target\n__pycache__/\n"),
    ("reference/tally/tally.py", include_str!("init/course/reference/tally/tally.py")),
    ("reference/tally/subject.py", include_str!("../../crates/subject/python/subject.py")),
];

const JAVA: &[(&str, &str)] =
    &[(".gitignore", "/target\n*.class\n"), ("reference/tally/Tally.java", TALLY_JAVA)];

const TALLY_JAVA: &str = include_str!("init/course/reference/tally/Tally.java");

/// Each mutant in Java: its file, and the part of the reference that it changes.
const JAVA_MUTANTS: [(&str, [&str; 2]); 3] = [
    (
        "mutants/tally/max-starts-at-zero.java",
        ["return Collections.max(numbers);", "return Math.max(0, Collections.max(numbers));"],
    ),
    (
        "mutants/tally/skips-the-first-number.java",
        [
            "return Collections.max(numbers);",
            "return Collections.max(numbers.size() > 1 ? numbers.subList(1, numbers.size()) : numbers);",
        ],
    ),
    (
        "mutants/tally/stops-at-a-blank-line.java",
        ["                continue;", "                break;"],
    ),
];

pub(super) fn run(options: &Init) -> Result<Exit, Failure> {
    let folder = &options.folder;
    if options.from.is_some() {
        return Err(companion::AUTHOR.start());
    }
    let (own, written) = (own(options.language), written(options.language));
    let fixed = SHARED.iter().chain(own).map(|&(name, contents)| (Path::new(name), contents));
    let written = written.iter().map(|(name, text)| (Path::new(*name), text.as_str()));
    let samples = samples::files(options.language);
    let samples = samples.iter().map(|(name, text)| (Path::new(name), text.as_str()));
    files::write_tree(folder, fixed.chain(written).chain(samples))?;
    let folder = folder.display();
    writeln!(
        io::stdout(),
        "Wrote a new course to {folder}. Score its sample suite, and grade its sample submissions:\n\n    harness score --course {folder} {folder}/student_tests\n    \
         harness grade --course {folder} {folder}/submissions/tally"
    )
    .map_err(|error| Failure::unwritten("the next step", &error))?;
    Ok(Exit::Done)
}

fn own(language: NewLanguage) -> &'static [(&'static str, &'static str)] {
    match language {
        NewLanguage::Rust => RUST,
        NewLanguage::C => C,
        NewLanguage::Cpp => CPP,
        NewLanguage::Python => PYTHON,
        NewLanguage::Java => JAVA,
    }
}

/// The files that name the language.
fn written(language: NewLanguage) -> Vec<(&'static str, String)> {
    let source = "      # the reference, with its bugs";
    let (program, reference, mark, beside) = match language {
        NewLanguage::Rust => (
            "      cargo: reference/tally          # the crate of the reference; each mutant is one of its features".to_owned(),
            "`reference/tally`",
            "`bug!`",
            "`subject` is the library with `bug!`.",
        ),
        NewLanguage::C => (
            format!("      c: reference/tally/tally.c{source}\n      flags: [-std=c11, -O1, -Wall, -Wextra]"),
            "`reference/tally/tally.c`",
            "`BUG`",
            "`subject.h` beside it defines `BUG`.",
        ),
        NewLanguage::Cpp => (
            format!("      cpp: reference/tally/tally.cpp{source}\n      flags: [-std=c++17, -O1, -Wall, -Wextra]"),
            "`reference/tally/tally.cpp`",
            "`BUG`",
            "`subject.h` beside it defines `BUG`.",
        ),
        NewLanguage::Python => (
            format!("      python: reference/tally/tally.py{source}"),
            "`reference/tally/tally.py`",
            "`bug`",
            "`subject.py` beside it defines `bug`.",
        ),
        NewLanguage::Java => (
            "      java: reference/tally/Tally.java  # the reference; each mutant is a program of its own".to_owned(),
            "",
            "",
            "",
        ),
    };
    let course = include_str!("init/course/harness.yaml.in").replace("{program}", &program);
    let course = course.replace("{submission}", samples::program(language));
    let readme = match language {
        NewLanguage::Java => include_str!("init/course/README-java.md.in"),
        _ => include_str!("init/course/README.md.in"),
    };
    let readme = readme
        .replace("{reference}", reference)
        .replace("{mark}", mark)
        .replace("{beside}", beside);
    let mut files = vec![("harness.yaml", course), ("README.md", readme)];
    files.extend(makefile(language).map(|text| ("reference/tally/Makefile", text)));
    if language == NewLanguage::Java {
        let mutants = JAVA_MUTANTS.iter();
        files.extend(
            mutants.map(|(file, [right, wrong])| (*file, TALLY_JAVA.replacen(right, wrong, 1))),
        );
    }
    files
}

fn makefile(language: NewLanguage) -> Option<String> {
    let (source, compile, variables) = match language {
        NewLanguage::C => {
            ("tally.c", "$(CC) $(CFLAGS)", "CC = cc\nCFLAGS = -std=c11 -O1 -Wall -Wextra")
        }
        NewLanguage::Cpp => (
            "tally.cpp",
            "$(CXX) $(CXXFLAGS)",
            "CXX = c++\nCXXFLAGS = -std=c++17 -O1 -Wall -Wextra",
        ),
        NewLanguage::Rust | NewLanguage::Python | NewLanguage::Java => return None,
    };
    let text = include_str!("init/course/reference/tally/Makefile.in");
    let text = text.replace("{source}", source).replace("{compile}", compile);
    Some(text.replace("{variables}", variables))
}
