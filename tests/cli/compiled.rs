//! `harness grade` judges code and options by what the compiler did, whatever the sources and the Makefile look like.

use super::sums::{MAKEFILE, SUM, course, grade_with, graded, has_no_compiler, set};
use harness::course::submission::Rule;
use harness::result::graded::SubmissionReport;

/// A Makefile that builds the program with these commands.
fn makefile(commands: &[&str]) -> String {
    let commands: String = commands.iter().map(|command| format!("\t{command}\n")).collect();
    format!(
        "# Project Identifier: ABCDEF0123456789\nsum: sum.cpp\n{commands}clean:\n\trm -f sum *.o\n"
    )
}

#[track_caller]
fn grade(files: &[(&str, &str)]) -> SubmissionReport {
    graded(&grade_with(&course(files), "mine", &["--format", "json"]))
}

/// What is said about a rule: the file, the line and the message.
fn said(report: &SubmissionReport, rule: Rule) -> Vec<String> {
    let place = |file: &Option<String>, line: Option<usize>| match (file, line) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        (Some(file), None) => format!("{file}: "),
        _ => String::new(),
    };
    let found = report.findings.iter().filter(|finding| finding.rule == rule);
    found.map(|it| place(&it.file, it.line) + &it.message).collect()
}

/// What is banned in a program that begins with `lines` after its first line, compiled with `options`.
#[track_caller]
fn banned(lines: &str, options: &str) -> Vec<String> {
    let source = SUM.replace("#include <cstdio>\n", &format!("#include <cstdio>\n{lines}"));
    let makefile = makefile(&[&format!("g++ -O3 {options} -o sum sum.cpp")]);
    let mut files = vec![("sum.cpp", &*source), ("Makefile", &makefile)];
    if lines.contains("own.h") {
        files.push(("own.h", "// ABCDEF0123456789\n#include <thread>\n"));
    }
    let report = grade(&files);
    assert!(report.build.as_ref().unwrap().built, "{:?}", report.build);
    said(&report, Rule::Banned)
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_banned_header_is_found_however_it_is_included() {
    if has_no_compiler() {
        return;
    }
    let thread = "the header <thread> may not be included";
    let cases: [(&str, &str, &[&str]); 12] = [
        ("#define H <thread>\n\n#include H\n", "", &["sum.cpp:5: "]),
        ("%:include <thread>\n", "", &["sum.cpp:3: "]),
        ("??=include <thread>\n", "-std=c++11 -Wno-trigraphs", &["sum.cpp:3: "]),
        ("#inc\\\nlude \\\n<thread>\n", "", &["sum.cpp:3: "]),
        ("#include /* */ \"thread\"\n", "", &["sum.cpp:3: "]),
        ("#if __has_include(<thread>)\n#include <thread>\n#endif\n", "", &["sum.cpp:4: "]),
        // It was read before, so the compiler does not read it again.
        ("#include <future>\n#include <thread>\n", "", &["sum.cpp:4: "]),
        ("#include <../include/./c++/../c++/12/thread>\n", "-I/usr/include", &["sum.cpp:3: "]),
        ("", "-include thread", &["sum.cpp: "]),
        ("#include H\n", "-D'H=<thread>'", &["sum.cpp:3: "]),
        ("#line 7 \"/usr/include/c++/12/vector\"\n#include <thread>\n", "", &["sum.cpp: "]),
        ("#include \"own.h\"\n", "", &["own.h:2: "]),
    ];
    for (lines, options, places) in cases {
        if lines.contains("c++/12") && !std::path::Path::new("/usr/include/c++/12/thread").exists()
        {
            continue;
        }
        let expected: Vec<_> = places.iter().map(|place| format!("{place}{thread}")).collect();
        assert_eq!(banned(lines, options), expected, "{lines} {options}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_banned_word_is_found_however_it_is_written() {
    if has_no_compiler() {
        return;
    }
    let word = "`unique_ptr` may not be used";
    let cases = [
        (
            "#include <memory>\n#define P(a, b) a##b\nstd::P(unique, _ptr)<int> p;\n",
            "",
            "sum.cpp:5: ",
        ),
        (
            "#include <memory>\n#define P(a, b) a%:%:b\nstd::P(unique, _ptr)<int> p;\n",
            "",
            "sum.cpp:5: ",
        ),
        ("#include <memory>\nstd::unique_\\\nptr<int> p;\n", "", "sum.cpp:4: "),
        ("#include <memory>\nstd::own<int> p;\n", "-Down=unique_ptr", "sum.cpp:4: "),
        ("#include <memory>\n#line 1 \"other.h\"\nstd::unique_ptr<int> p;\n", "", "sum.cpp: "),
    ];
    for (lines, options, place) in cases {
        assert_eq!(banned(lines, options), [format!("{place}{word}")], "{lines} {options}");
    }
}

#[test]
fn code_that_is_not_compiled_uses_nothing() {
    if has_no_compiler() {
        return;
    }
    let lines = "#include <memory>\n#if 0\n#include <thread>\nstd::unique_ptr<int> p;\n#endif\n#define unused unique_ptr\n// shared_ptr\nauto text = \"shared_ptr\";\n";
    assert!(banned(lines, "").is_empty());
    // Without a compilation, the text is all there is.
    let source = SUM.replace("#include <cstdio>", "#include <thread>");
    let report = grade(&[("sum.cpp", &source), ("Makefile", &makefile(&["false"]))]);
    let expected = "sum.cpp:2: the header <thread> may not be included";
    assert_eq!(said(&report, Rule::Banned), [expected]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn code_that_hides_from_the_check_is_reported() {
    if has_no_compiler() {
        return;
    }
    let hidden = "#include <memory>\n# 1 \"/usr/include/c++/hidden\" 1 3\nstd::unique_ptr<int> p;\n# 4 \"sum.cpp\" 2\n";
    let cannot = |file: &str| format!("what the compiler saw of {file} cannot be checked");
    // The text is judged then.
    let marker = "sum.cpp:4: this line pretends that what follows is from another file";
    assert_eq!(banned(hidden, ""), [marker, "sum.cpp:5: `unique_ptr` may not be used"]);
    let plain = ("sum.cpp", SUM);
    let check = |commands: &[&str]| {
        let report = grade(&[plain, ("Makefile", &makefile(commands))]);
        assert!(report.build.as_ref().unwrap().built, "{:?}", report.build);
        said(&report, Rule::Banned)
    };
    let made = ["cp sum.cpp made.cpp", "g++ -O3 -o sum made.cpp", "rm made.cpp"];
    assert_eq!(check(&made), [cannot("made.cpp")]);
    assert_eq!(check(&["g++ -O3 -o sum -x c++ - < sum.cpp"]), [cannot("-")]);
    let piped = [r#"echo '#include "/dev/stdin"' > own.cpp"#, "g++ -O3 -o sum own.cpp < sum.cpp"];
    assert_eq!(check(&piped), [cannot("own.cpp")]);
    let preprocessed = ["g++ -E sum.cpp > sum.ii", "g++ -O3 -o sum sum.ii"];
    assert_eq!(check(&preprocessed), [cannot("sum.ii")]);
    assert_eq!(check(&["mkdir -p sub && cd sub && g++ -O3 -I.. -o ../sum ../sum.cpp"]), [""; 0]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn code_that_was_compiled_around_the_trace_is_found_in_the_program() {
    if has_no_compiler() {
        return;
    }
    let other = "// ABCDEF0123456789\nint other() { return 3; }\n";
    let check = |commands: &[&str]| {
        let files = [("sum.cpp", SUM), ("other.cpp", other), ("Makefile", &*makefile(commands))];
        let report = grade(&files);
        assert!(report.build.as_ref().unwrap().built, "{:?}", report.build);
        said(&report, Rule::Flags)
    };
    let link = "g++ -O3 -o sum sum.cpp other.o";
    let unseen = "sum holds other.cpp, whose compilation was not seen";
    assert_eq!(check(&["env -u COMPILER_PATH g++ -O0 -c other.cpp", link]), [unseen]);
    let all = "env -u COMPILER_PATH g++ -O0 -o sum sum.cpp";
    let none = "sum was made by no compilation of gcc or g++ that was seen";
    assert_eq!(check(&[all]), [none]);
    assert_eq!(check(&["g++ -O3 -c sum.cpp", all]), [none]);
    let marked = "env -u COMPILER_PATH g++ -O0 -frecord-gcc-switches -o sum sum.cpp";
    assert_eq!(check(&["g++ -O3 -c sum.cpp", marked]), ["a part of sum was compiled without -O3"]);
    let own = [
        "printf '#!/bin/sh\\nexec %s \"$$@\"\\n' $$(env -u COMPILER_PATH g++ -print-prog-name=cc1plus) > cc1plus",
        "chmod +x cc1plus",
        "g++ -B. -O0 -o sum sum.cpp",
    ];
    let unknown = "code of an unknown compiler was assembled, not compiled";
    assert_eq!(check(&own), [none, unknown]);
    // The driver passes the name of a folder that looks like an option.
    assert_eq!(check(&["g++ -I -O3 -o sum sum.cpp"]), ["a part of sum was compiled without -O3"]);
    assert_eq!(check(&["g++ -O3 -c -o other.o other.cpp", link]), [""; 0]);
    assert_eq!(check(&["g++ -O3 -flto -o sum sum.cpp other.cpp"]), [""; 0]);
    assert_eq!(check(&["g++ -O3 -static -s -o sum sum.cpp"]), [""; 0]);
    assert_eq!(check(&["g++ -O3 -c sum.cpp", "g++ -o sum sum.o"]), [""; 0]);
    let report = grade(&[("sum.cpp", SUM), ("Makefile", MAKEFILE)]);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn code_that_was_not_compiled_at_all_is_reported() {
    if has_no_compiler() {
        return;
    }
    let check = |commands: &[&str]| {
        let report = grade(&[("sum.cpp", SUM), ("Makefile", &*makefile(commands))]);
        assert!(report.build.as_ref().unwrap().built, "{:?}", report.build);
        said(&report, Rule::Flags)
    };
    let by_hand = ["printf '.globl f\\nf: ret\\n' > f.s", "g++ -O3 -o sum sum.cpp f.s"];
    assert_eq!(check(&by_hand), ["f.s was assembled, not compiled"]);
    assert_eq!(check(&["g++ -O3 -pipe -o sum sum.cpp"]), [""; 0]);
    assert_eq!(check(&["g++ -O3 -S sum.cpp", "g++ -o sum sum.s"]), [""; 0]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_course_can_ask_for_separate_compilation() {
    if has_no_compiler() {
        return;
    }
    let other = "// ABCDEF0123456789\nint other() { return 3; }\n";
    let check = |commands: &[&str]| {
        let files = [("sum.cpp", SUM), ("other.cpp", other), ("Makefile", &*makefile(commands))];
        let course = course(&files);
        set(&course, "build: { separate: true }");
        let report = graded(&grade_with(&course, "mine", &["--format", "json"]));
        assert!(report.build.as_ref().unwrap().built, "{:?}", report.build);
        said(&report, Rule::Separate)
    };
    let link = "g++ -O3 -o sum sum.o other.o";
    assert_eq!(check(&["g++ -O3 -c sum.cpp", "g++ -O3 -c -o other.o other.cpp", link]), [""; 0]);
    let at_once = |file: &str| format!("{file} was not compiled to an object file");
    let both = [at_once("sum.cpp"), at_once("other.cpp")];
    assert_eq!(check(&["g++ -O3 -o sum sum.cpp other.cpp"]), both);
    assert_eq!(check(&["g++ -O3 -c other.cpp", "g++ -O3 -o sum sum.cpp other.o"]), both[..1]);
}
