//! Programs are built only if something that they were built from has changed.

use super::course::Course;
use super::language::PYTHON;
use super::run::{Run, command, has_a_compiler, output};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Compilers that count their calls, or refuse them.
struct Compilers(TempDir);

impl Compilers {
    /// A program that calls `original`, for each pair of a name and an original.
    fn new(names: &[(&str, &str)]) -> Self {
        let folder = super::folder(&[]);
        for (name, original) in names {
            let here = folder.path().display();
            let script = format!(
                "#!/bin/sh\nif [ -e {here}/refuses ]; then echo 'called anyway' >&2; exit 1; fi\necho >>{here}/calls\nexec {original} \"$@\"\n"
            );
            let path = folder.path().join(name);
            fs::write(&path, script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// How often one of them was called so far.
    fn calls(&self) -> usize {
        fs::read_to_string(self.path("calls")).map_or(0, |calls| calls.lines().count())
    }

    /// From now on, a call fails and says that it was made.
    fn refuse(&self) {
        fs::write(self.path("refuses"), "").unwrap();
    }
}

fn score(course: &Course, set: &[(&str, &Path)]) -> Run {
    let mut command = command();
    command.args(["score", "--course", ".", "student_tests"]).current_dir(course.path(""));
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").envs(set.iter().copied());
    output(&mut command).into()
}

#[track_caller]
fn builds(run: &Run) {
    assert!(run.stderr.contains("called anyway"), "{}{}", run.stdout, run.stderr);
}

fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn cargo_is_called_after_any_change_of_what_a_crate_is_built_from() {
    let course = Course::tally();
    let tools = Compilers::new(&[("cargo", &cargo()), ("rustc", "rustc")]);
    let set: &[(&str, &Path)] = &[("CARGO", &tools.path("cargo"))];
    score(&course, set).exits(0);
    tools.refuse();
    score(&course, set).exits(0);

    let files = [
        ("reference/tally/src/main.rs", "// new\n"),
        ("subject/src/lib.rs", "// new\n"),
        ("reference/tally/Cargo.toml", "# new\n"),
        ("subject/Cargo.toml", "# new\n"),
        ("Cargo.toml", "# new\n"),
        ("Cargo.lock", "# new\n"),
    ];
    for (name, more) in files {
        let whole = course.read(name);
        course.write(name, format!("{whole}{more}"));
        builds(&score(&course, set));
        course.write(name, whole);
        score(&course, set).exits(0);
    }
    let new = [
        ("reference/tally/build.rs", "fn main() {}\n"),
        ("subject/build.rs", "fn main() {}\n"),
        ("reference/tally/src/lib.rs", "\n"),
        ("reference/tally/src/bin/other.rs", "fn main() {}\n"),
        ("reference/other/Cargo.toml", "[package]\nname = 'other'\n"),
        (".cargo/config.toml", "[build]\nrustflags = ['--cfg', 'new']\n"),
        ("rust-toolchain.toml", "[toolchain]\nchannel = 'nightly'\n"),
        ("rust-toolchain", "nightly\n"),
    ];
    for (name, contents) in new {
        course.write(name, contents);
        builds(&score(&course, set));
        fs::remove_file(course.path(name)).unwrap();
        let folder = course.path(name).parent().unwrap().to_owned();
        // This fails unless the folder is new.
        let _ = fs::remove_dir(folder);
        score(&course, set).exits(0);
    }
    let home = super::folder(&[("config.toml", b"[build]\nincremental = true\n")]);
    for (name, value) in [
        ("RUSTFLAGS", Path::new("--cfg=new")),
        ("RUSTC_WRAPPER", Path::new("env")),
        ("RUSTUP_TOOLCHAIN", Path::new("nightly")),
        ("CARGO_BUILD_TARGET", Path::new("new")),
        ("CARGO_HOME", home.path()),
        ("CFLAGS", Path::new("-O1")),
        ("RUSTC", &tools.path("rustc")),
    ] {
        builds(&score(&course, &[set, &[(name, value)]].concat()));
    }
    score(&course, set).exits(0);
    score(&course, &[("CARGO", Path::new("/no/such/cargo"))]).exits(0);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_damaged_record_or_program_is_never_trusted() {
    let course = Course::tally();
    let tools = Compilers::new(&[("cargo", &cargo())]);
    let set: &[(&str, &Path)] = &[("CARGO", &tools.path("cargo"))];
    let whole = score(&course, set).exits(0).stdout;
    for name in ["bin/combined", "bin/reference", "bin/combined.json", "bin/reference.json"] {
        let path = course.path("target/harness/tally").join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        for damage in ["flip", "cut", "remove"] {
            match damage {
                "flip" => bytes[middle] ^= 1,
                "cut" => bytes.truncate(middle),
                _ => bytes.clear(),
            }
            fs::remove_file(&path).unwrap();
            if damage != "remove" {
                fs::write(&path, &bytes).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
            let before = tools.calls();
            assert_eq!(score(&course, set).exits(0).stdout, whole, "{name}: {damage}");
            assert!(tools.calls() > before, "{name}: {damage}");
        }
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_follows_its_source_included_files_and_variables() {
    let course = Course::tally();
    let main = "reference/tally/src/main.rs";
    let counts = |set: &[(&str, &Path)]| {
        let run = score(&course, set);
        assert_eq!(run.status, 0, "{}", run.stderr);
        !run.stderr.contains("max-starts-at-zero: its witness does not expose it")
    };
    course.replace(main, "bug!(\"max-starts-at-zero\")", "option_env!(\"FIXED\").is_none() && include_str!(\"fixed\").is_empty() && bug!(\"max-starts-at-zero\")");
    course.write("reference/tally/src/fixed", "");
    assert!(counts(&[]));
    assert!(!counts(&[("FIXED", Path::new("1"))]));
    assert!(counts(&[]));
    course.write("reference/tally/src/fixed", "yes");
    assert!(!counts(&[]));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn several_runs_at_once_build_a_program_once() {
    let course = Course::tally();
    let tools = Compilers::new(&[("cargo", &cargo())]);
    let set: &[(&str, &Path)] = &[("CARGO", &tools.path("cargo"))];
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| score(&course, set))).collect();
        let runs: Vec<_> = runs.into_iter().map(|run| run.join().unwrap().exits(0)).collect();
        assert!(runs.iter().all(|run| run.stdout == runs[0].stdout));
    });
    // `cargo build` and `cargo metadata`, for the reference and for the combined build.
    assert_eq!(tools.calls(), 4);
}

/// A course in C++ that prints its input's first character, with two mutants.
pub(super) fn cpp() -> Course {
    let main = "#include \"part.h\"\n#include \"subject.h\"\n#include <iostream>\n\
                int main() { char c = 0; std::cin >> c; if (BUG(\"doubles\")) std::cout << c; if (BUG(\"shouts\")) std::cout << '!'; std::cout << c << END; }\n";
    Course::new("first", "{ cpp: main.cpp }")
        .mutant("doubles", &[])
        .mutant("shouts", &[])
        .file("main.cpp", main)
        .file("part.h", "#define END '\\n'\n")
        .file("student_tests/test-1.txt", "x\n")
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_cpp_course_is_compiled_twice_for_all_its_mutants_and_follows_its_headers() {
    if !has_a_compiler() {
        return;
    }
    let course = cpp();
    let tools = Compilers::new(&[("c++", "c++")]);
    let set: &[(&str, &Path)] = &[("CXX", &tools.path("c++"))];
    let run = score(&course, set).exits(0);
    assert!(run.stdout.contains("exposes  2: doubles, shouts"), "{}", run.stdout);
    // Each of the two programs is compiled and linked. One has hooks in its assembly, and is linked with what counts its steps.
    let calls = tools.calls();
    assert_eq!(calls, if cfg!(target_arch = "x86_64") { 6 } else { 5 });
    score(&course, set).exits(0);
    assert_eq!(tools.calls(), calls);
    course.write("part.h", "#error the header has changed\n");
    let run = score(&course, set);
    assert!(
        run.status == 4
            && run.stderr.starts_with("error: cannot build the reference of `first`\n")
            && run.stderr.contains("the header has changed"),
        "{}",
        run.stderr
    );
    course.write("part.h", "#define END '\\n'\n");
    score(&course, set).exits(0);
    let run = score(&course, &[("CXX", Path::new("/no/such/compiler"))]);
    assert!(
        run.stderr.contains("hint: is `/no/such/compiler` installed and on the PATH?"),
        "{}",
        run.stderr
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_may_be_a_file_or_a_folder_of_its_own() {
    if !has_a_compiler() {
        return;
    }
    let course = cpp()
        .mutant("whole", &[])
        .mutant("parts", &[])
        .file("mutants/whole.cpp", "#include \"part.h\"\n#include <cstdio>\nint main() { std::putchar('w'); std::putchar(END); }\n")
        .file("mutants/parts/main.cpp", "#include \"own/p.h\"\nint main() { print(); }\n")
        .file("mutants/parts/own/p.h", "void print();\n")
        .file("mutants/parts/own/p.cpp", "#include \"p.h\"\n#include <cstdio>\nvoid print() { std::puts(\"p\"); }\n");
    let run = score(&course, &[]).exits(0);
    assert!(run.stdout.contains("exposes  4: doubles, parts, shouts, whole"), "{}", run.stdout);
    course.write(
        "mutants/parts/own/p.cpp",
        "#include <cstdio>\nvoid print() { std::puts(\"x\"); }\n",
    );
    let run = score(&course, &[]);
    assert!(run.stderr.contains("parts: its witness does not expose it"), "{}", run.stderr);
}

#[test]
fn a_syntax_error_in_python_is_shown_as_python_prints_it() {
    if !PYTHON.is_here() {
        return;
    }
    let course = Course::new("first", "{ python: main.py }")
        .mutant("m", &[])
        .file("main.py", "from subject import bug\nprint(bug('m')\n")
        .file("student_tests/test-1.txt", "x\n");
    let run = score(&course, &[]);
    assert_eq!(run.status, 4, "{}", run.stderr);
    let place = course.path("main.py").canonicalize().unwrap();
    let expected = format!(
        "error: cannot build the reference of `first`\n  File \"{}\", line 2\n    print(bug('m')\n         ^\nSyntaxError: '(' was never closed\n",
        place.display()
    );
    assert_eq!(run.stderr, expected);
}

/// A course in C whose build commands have these options and, in the course file, these sources. The program prints a word that the
/// header `included` defines.
pub(super) fn by_commands(options: &str, sources: &str, included: &str) -> Course {
    let build = format!(
        "build: [./compile, '-D{{macro}}', -o, '{{output}}', {options}, src/main.c], run: ['{{output}}']"
    );
    let program = format!("{{ reference: {{ {build} }}, mutant: {{ {build} }}{sources} }}");
    let main = format!(
        "#include <stdio.h>\n#include \"{included}\"\nint main(void) {{\n#ifdef M\nputs(\"m\");\n#endif\nputs(ANSWER); }}\n"
    );
    let course = Course::new("answer", &program)
        .mutant("m", &[])
        .file("src/main.c", main)
        .file("compile", "#!/bin/sh\necho >>target/calls\nexec cc \"$@\"\n")
        .file("student_tests/test-1.txt", "x\n");
    fs::set_permissions(course.path("compile"), fs::Permissions::from_mode(0o755)).unwrap();
    course.file(&format!("src/{included}"), "#define ANSWER \"yes\"\n")
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_built_by_commands_is_built_again_if_a_known_source_changes() {
    if !has_a_compiler() {
        return;
    }
    let variants = [
        // A header beside the source, a declared folder, and a list that the compiler writes.
        ("-O1", "", "part.h"),
        ("-O1", ", sources: [src]", "deep/part.h"),
        ("-MMD, -MF, '{depfile}'", "", "deep/part.h"),
    ];
    for (options, sources, header) in variants {
        let course = by_commands(options, sources, header);
        let calls = || course.read("target/calls").lines().count();
        score(&course, &[]).exits(0);
        score(&course, &[]).exits(0);
        assert_eq!(calls(), 2, "{options} {sources}");
        course.write(&format!("src/{header}"), "#define ANSWER \"no\"\n");
        score(&course, &[]).exits(0);
        assert_eq!(calls(), 4, "{options} {sources}");
        let printed = Command::new(course.path("target/harness/answer/reference")).output();
        assert_eq!(printed.unwrap().stdout, b"no\n");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_whose_sources_are_unknown_is_always_built() {
    let build = "build: [sh, -c, 'echo >>calls; cp /bin/cat {output}']";
    let program = format!(
        "{{ reference: {{ {build}, run: ['{{output}}'] }}, mutant: {{ {build}, run: ['{{output}}', -n] }} }}"
    );
    let course =
        Course::new("a", &program).mutant("m", &[]).file("student_tests/test-1.txt", "x\n");
    for runs in 1..=3 {
        score(&course, &[]).exits(0);
        assert_eq!(course.read("calls").lines().count(), 2 * runs);
    }
}
