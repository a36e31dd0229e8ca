//! `harness grade` of archives as students make them: each is graded for what it is, and loses nothing for how it was made.

use super::course::Course;
use super::repository;
use super::sums::{has_no_compiler, messages};
use harness::result::graded::{Graded, SubmissionReport};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

const ID: &str = "A8A3A33EF075ACEF9B08F5B9845569ECCB423725";
const DEBUG: &str = "debug: CXXFLAGS += -g3 -DDEBUG\ndebug:\n\t$(CXX) $(CXXFLAGS) $(SOURCES) -o $(EXECUTABLE)_debug\n.PHONY: debug\n\n";
const RELEASE: &str =
    "release: CXXFLAGS += -O3 -DNDEBUG\nrelease: $(EXECUTABLE)\n.PHONY: release\n\n";

type Files = BTreeMap<String, Vec<u8>>;

/// An archive, and how its points differ from those of the plain one.
struct Archive {
    name: &'static str,
    files: Files,
    /// Whether the build makes the program, and whether its tests count.
    has_program: bool,
    has_tests: bool,
    lost: f64,
    /// What the checks say, in any order.
    says: Vec<String>,
}

/// The Makefile that students begin with: the first target is `debug`, and `release` makes the program.
fn makefile() -> String {
    format!(
        "# Project Identifier: {ID}\nEXECUTABLE = puzzle\nCXX = g++\nCXXFLAGS = -std=c++17 -Wall -Wextra -pedantic\nSOURCES = $(wildcard *.cpp)\nOBJECTS = $(SOURCES:%.cpp=%.o)\n\n{DEBUG}{RELEASE}$(EXECUTABLE): $(OBJECTS)\n\t$(CXX) $(CXXFLAGS) $(OBJECTS) -o $(EXECUTABLE)\n\n%.o: %.cpp\n\t$(CXX) $(CXXFLAGS) -c $<\n\nclean:\n\trm -f $(OBJECTS) $(EXECUTABLE) $(EXECUTABLE)_debug\n"
    )
}

/// A right program in one source with its tests, made from a sample, and that Makefile.
fn right() -> Files {
    let sample = repository().join("submissions/puzzle/wrong");
    let entries = fs::read_dir(sample).unwrap().map(|entry| entry.unwrap());
    let mut files: Files = entries
        .map(|it| (it.file_name().into_string().unwrap(), fs::read(it.path()).unwrap()))
        .collect();
    replace(&mut files, "puzzle.cpp", "line.rfind(\"// \", 0)", "line.rfind(\"//\", 0)");
    let wrong_order = "{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}";
    replace(&mut files, "puzzle.cpp", wrong_order, "{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}");
    files.insert("Makefile".to_owned(), makefile().into_bytes());
    files
}

fn replace(files: &mut Files, name: &str, from: &str, to: &str) {
    let text = String::from_utf8(files[name].clone()).unwrap();
    assert!(text.contains(from), "{name} does not contain {from}");
    files.insert(name.to_owned(), text.replace(from, to).into_bytes());
}

fn add(files: &mut Files, name: &str, contents: &[u8]) {
    files.insert(name.to_owned(), contents.to_owned());
}

/// The files under other paths.
fn moved(files: &Files, to: impl Fn(&str) -> String) -> Files {
    files.iter().map(|(name, contents)| (to(name), contents.clone())).collect()
}

/// An archive that a change makes of the right submission.
fn archive(name: &'static str, says: &[&str], change: impl FnOnce(&mut Files)) -> Archive {
    let mut files = right();
    change(&mut files);
    let says = says.iter().map(|&text| text.to_owned()).collect();
    Archive { name, files, has_program: true, has_tests: true, lost: 0.0, says }
}

/// What differs in the form of the archive.
fn forms() -> Vec<Archive> {
    let tests: Vec<_> = right().into_keys().filter(|name| name.starts_with("test")).collect();
    let in_folder = |folder: &str, names: &[String]| -> Vec<String> {
        names.iter().map(|name| format!("{folder}{name} is in a folder")).collect()
    };
    let apples = |folder: &'static str| move |name: &str| format!("{folder}._{name}");
    vec![
        Archive {
            has_tests: false,
            says: in_folder("tests/", &tests),
            ..archive("tests-folder", &[], |files| {
                *files = moved(files, |name| {
                    let folder = if name.starts_with("test") { "tests/" } else { "" };
                    format!("{folder}{name}")
                });
            })
        },
        archive("one-folder", &["all files are in the folder final"], |files| {
            *files = moved(files, |name| format!("final/{name}"));
        }),
        archive("mac", &[], |files| {
            let hidden = moved(files, apples(""));
            files.extend(hidden);
        }),
        archive("mac-zip", &["all files are in the folder final"], |files| {
            let hidden = moved(files, apples("__MACOSX/final/"));
            *files = moved(files, |name| format!("final/{name}"));
            files.extend(hidden);
        }),
        archive("crlf", &[], |files| {
            for contents in files.values_mut() {
                let text = String::from_utf8(contents.clone()).unwrap();
                *contents = text.replace('\n', "\r\n").into_bytes();
            }
        }),
        archive(
            "objects",
            &["puzzle was built by a compiler", "puzzle.o was built by a compiler"],
            |files| {
                add(files, "puzzle", b"\x7fELF...");
                add(files, "puzzle.o", b"\x7fELF...");
            },
        ),
        archive(
            "junk",
            &[
                "notes.pdf does not belong here",
                "puzzle.cpp~ does not belong here",
                "puzzle.dSYM/Contents/Info.plist is in a folder",
                ".vscode/settings.json is in a folder",
            ],
            |files| {
                for name in [
                    ".DS_Store",
                    "notes.pdf",
                    "puzzle.cpp~",
                    "puzzle.dSYM/Contents/Info.plist",
                    ".vscode/settings.json",
                ] {
                    add(files, name, b"...");
                }
            },
        ),
        Archive {
            has_tests: false,
            ..archive("partial", &[], |files| files.retain(|name, _| !name.starts_with("test")))
        },
        archive(
            "test-name",
            &["tests.txt: a test is named test-n-flags.txt, for example test-1-sm.txt"],
            |files| add(files, "tests.txt", b"1 1 1\n@\n"),
        ),
    ]
}

/// What differs in the sources and the Makefile.
fn contents() -> Vec<Archive> {
    vec![
        archive("real", &[], |_| {}),
        archive("all-first", &[], |files| {
            replace(files, "Makefile", "debug: CXX", "all: release\n\ndebug: CXX");
        }),
        Archive {
            has_program: false,
            ..archive(
                "no-release",
                &["puzzle.cpp was compiled without -O3", "puzzle.cpp was compiled with -g"],
                |files| replace(files, "Makefile", RELEASE, "# release: see the first target\n\n"),
            )
        },
        archive(
            "no-identifier",
            &["Makefile has no project identifier", "puzzle.cpp has no project identifier"],
            |files| {
                replace(files, "Makefile", ID, "");
                replace(files, "puzzle.cpp", ID, "");
            },
        ),
        archive("identifier-variable", &[], |files| {
            replace(files, "Makefile", "# Project Identifier: ", "IDENTIFIER = ");
        }),
        archive("no-clean", &["`make -R -r clean` fails"], |files| {
            replace(files, "Makefile", "clean:", "clear:");
        }),
        Archive {
            lost: 5.0,
            ..archive("no-O3", &["puzzle.cpp was compiled without -O3"], |files| {
                replace(files, "Makefile", "-O3 ", "-O2 ");
            })
        },
        Archive {
            lost: 5.0,
            ..archive("banned", &["`shared_ptr` may not be used"], |files| {
                let text = String::from_utf8(files["puzzle.cpp"].clone()).unwrap();
                let end = format!("{text}\n#include <memory>\nstd::shared_ptr<int> unused;\n");
                add(files, "puzzle.cpp", end.as_bytes());
            })
        },
        Archive {
            has_program: false,
            ..archive("src-folder", &["src/puzzle.cpp is in a folder"], |files| {
                let source = files.remove("puzzle.cpp").unwrap();
                add(files, "src/puzzle.cpp", &source);
                replace(files, "Makefile", "$(wildcard *.cpp)", "$(wildcard src/*.cpp)");
            })
        },
        Archive {
            has_program: false,
            ..archive("compile-error", &[], |files| {
                replace(files, "puzzle.cpp", "int main(", "int main((");
            })
        },
    ]
}

fn write(folder: &Path, archive: &Archive) {
    let is_zip = archive.name.ends_with("zip");
    let ending = if is_zip { "zip" } else { "tar.gz" };
    let file = File::create(folder.join(format!("{}.{ending}", archive.name))).unwrap();
    if is_zip {
        let mut zip = zip::ZipWriter::new(file);
        for (name, contents) in &archive.files {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(contents).unwrap();
        }
        zip.finish().unwrap();
        return;
    }
    let gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    let mut tar = tar::Builder::new(gzip);
    for (name, contents) in &archive.files {
        let mut header = tar::Header::new_gnu();
        header.set_size(contents.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, format!("./{name}"), contents.as_slice()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap();
}

fn part(report: &SubmissionReport, name: &str) -> f64 {
    let part = report.points.parts.iter().find(|part| part.name == name);
    part.and_then(|part| part.earned).unwrap_or(0.0)
}

/// The repository's course with the small cases of the puzzle alone: what an archive loses, it loses there, too.
fn course() -> Course {
    let course = Course::like(".", &repository().join("target"));
    let cases = repository().join("cases/puzzle");
    let read = |name: &str| fs::read_to_string(cases.join(name)).unwrap();
    let all = read("cases.yaml");
    let (small, rest) = all.split_once("\nlarge:").expect("it has large cases");
    let (_, invalid) = rest.split_once("\ninvalid:").expect("it has invalid cases");
    let course = course.file("cases.yaml", format!("{small}\ninvalid:{invalid}"));
    let course = course.file("spec.txt", read("spec.txt"));
    let yaml = course.read("harness.yaml");
    let is_theirs = |line: &&str| line.ends_with("/cases/puzzle/cases.yaml");
    let line = yaml.lines().find(is_theirs).expect("the puzzle has cases");
    // What leaks on one case would leak on all of them.
    let keys = "      cases: cases.yaml\n      leaks: { cases: 1 }";
    course.replace("harness.yaml", line, keys);
    course
}

#[test]
#[ignore = "it builds and runs a dozen programs; .ci/run runs it"]
fn twenty_archives_as_students_make_them_are_graded_fairly() {
    if has_no_compiler() {
        return;
    }
    let plain = archive("plain", &[], |files| {
        let sample = repository().join("submissions/puzzle/wrong/Makefile");
        add(files, "Makefile", &fs::read(sample).unwrap());
    });
    let all: Vec<_> = [plain].into_iter().chain(forms()).chain(contents()).collect();
    assert_eq!(all.len(), 20);
    let folder = tempfile::tempdir().unwrap();
    let (class, out) = (folder.path().join("class"), folder.path().join("results"));
    fs::create_dir(&class).unwrap();
    all.iter().for_each(|archive| write(&class, archive));
    let names = [class.to_str().unwrap(), out.to_str().unwrap()];
    let args = ["grade", names[0], "--assignment", "puzzle", "--out", names[1], "--format", "json"];
    let reports = course().harness(&args).exits(0).json::<Graded>().submissions;
    let of = |name: &str| reports.iter().find(|report| report.name == name).unwrap();
    let plain = of("plain");
    assert!(part(plain, "cases") >= 80.0 && part(plain, "leaks") >= 10.0, "{:?}", plain.points);
    assert!(part(plain, "tests") > 5.0, "{:?}", plain.points);
    for archive in &all {
        let (name, report) = (archive.name, of(archive.name));
        let when = |is: bool, points: f64| if is { points } else { 0.0 };
        let expected = [
            ("cases", when(archive.has_program, part(plain, "cases"))),
            ("leaks", when(archive.has_program, part(plain, "leaks"))),
            ("tests", when(archive.has_tests, part(plain, "tests"))),
            ("deductions", -archive.lost),
        ];
        for (kind, points) in expected {
            let earned = part(report, kind);
            assert!((earned - points).abs() < 0.005, "{name}, {kind}: {earned}, not {points}");
        }
        let mut said = messages(report);
        said.sort_unstable();
        let mut says: Vec<_> = archive.says.iter().map(String::as_str).collect();
        says.sort_unstable();
        assert_eq!(said, says, "{name}");
    }
    let error = |name: &str| of(name).build.clone().unwrap().error.unwrap();
    let made = "the build made no program `puzzle`, but `puzzle_debug`";
    assert_eq!(error("no-release").message, made);
    assert!(error("src-folder").hint.unwrap().starts_with("src/puzzle.cpp is in a folder: "));
    assert_eq!(error("compile-error").file.as_deref(), Some("puzzle.cpp"));
}
