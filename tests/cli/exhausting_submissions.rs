//! Submissions that would use up the time or the memory of `harness grade` itself: each is graded soon, and ends no class.

use super::sums::{MAKEFILE, SUM, course, grade_with, has_no_compiler, messages, set, submit};
use harness::result::graded::{Graded, SubmissionReport, Verdict};
use std::fs;

/// Grades a class of an honest submission and of these, whose files are instead of the honest ones or beside them.
fn class(hostile: &[(&str, &[(&str, String)])]) -> Vec<SubmissionReport> {
    let course = course(&[]);
    set(&course, "build: { seconds: 10 }");
    set(&course, "time: { seconds: 5, runs: 1 }");
    let honest = [("sum.cpp", SUM), ("Makefile", MAKEFILE)];
    submit(&course, "honest", &honest);
    for (name, files) in hostile {
        let files = files.iter().map(|(name, text)| (*name, text.as_str()));
        submit(&course, name, &honest.into_iter().chain(files).collect::<Vec<_>>());
    }
    let all = grade_with(&course, "class", &["--format", "json"]).exits(0);
    // Nobody reads more than that, and a platform takes no more.
    let most = 300_000 * (hostile.len() + 1);
    assert!(all.stdout.len() < most, "{} bytes", all.stdout.len());
    let all = all.json::<Graded>().submissions;
    let honest = all.iter().find(|report| report.name == "honest").unwrap();
    assert_eq!(honest.points.earned.to_string(), "80", "{honest:?}");
    all.into_iter().filter(|report| report.name != "honest").collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn code_without_end_is_cut_and_cannot_be_checked() {
    if has_no_compiler() {
        return;
    }
    let id = "// Project Identifier: ABCDEF0123456789\n";
    let many = |line: &str| format!("{id}{}", line.repeat(1_000_000 / line.len()));
    let again = "#include \"many.h\"\n".repeat(40) + SUM;
    let words = |text: &str| vec![("words.h", format!("{id}{text}"))];
    let (lines, line) = (words(&many("unique_ptr\n")), words(&many("unique_ptr ").replace(id, "")));
    let huge = [("many.h", many(";\n")), ("sum.cpp", again)];
    let named = format!("{SUM}#line 7 \"{}\"\n#warning long\n", "n".repeat(500_000));
    let all = class(&[
        ("huge", &huge),
        ("line", &line),
        ("lines", &lines),
        ("named", &[("sum.cpp", named)]),
    ]);
    let of = |name: &str| all.iter().find(|report| report.name == name).unwrap();
    assert_eq!(messages(of("huge")), ["what the compiler saw of sum.cpp cannot be checked"]);
    for name in ["line", "lines"] {
        let said = messages(of(name));
        assert_eq!(said[0], "`unique_ptr` may not be used", "{name}");
        assert!(said[10].ends_with("more of this kind"), "{name}: {said:?}");
    }
    assert_eq!(of("named").build.as_ref().unwrap().warnings[0].message, "#warning long [-Wcpp]");
}

#[test]
fn output_without_end_is_compared_at_its_beginning() {
    if has_no_compiler() {
        return;
    }
    let prints = |text: &str| {
        let loop_ = format!("for (int i = 0; i < 10000000; ++i) std::putchar({text});\n");
        let source = SUM.replace("    std::printf(", &format!("    {loop_}    std::printf("));
        [("sum.cpp", source)]
    };
    let all = class(&[("line", &prints("'\\1'")), ("lines", &prints("'\\n'"))]);
    for report in &all {
        let verdicts: Vec<_> = report.groups[0].cases.iter().map(|case| case.verdict).collect();
        assert_eq!(verdicts, [Verdict::Wrong; 2], "{}", report.name);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_build_that_leaves_long_paths_or_never_cleans_up_is_graded() {
    if has_no_compiler() {
        return;
    }
    let deep = "\tname=$$(printf %0250d 7); for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do mkdir $$name && cd $$name; done; touch $$name\n";
    let deep = MAKEFILE.replace("clean:\n", &format!("{deep}clean:\n"));
    let hung = MAKEFILE.replace("\trm -f sum\n", "\twhile :; do sleep 1; done\n");
    let all = class(&[("deep", &[("Makefile", deep)]), ("hung", &[("Makefile", hung)])]);
    assert_eq!((messages(&all[0]), all[0].groups[0].passed), (vec![], 2));
    assert_eq!(messages(&all[1]), ["`make -R -r clean` fails"]);
    assert_eq!(all[1].groups[0].passed, 2);
}

#[test]
fn an_archive_with_a_name_that_no_disk_takes_is_refused() {
    let course = course(&[]);
    let long = format!("{}.cpp", "n".repeat(300));
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(SUM.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, &long, SUM.as_bytes()).unwrap();
    fs::write(course.path().join("mine.tar"), tar.into_inner().unwrap()).unwrap();
    let run = grade_with(&course, "mine.tar", &["--format", "json"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    let report = run.json::<Graded>().submissions.remove(0);
    assert!(report.refused, "{report:?}");
    assert_eq!(messages(&report)[0], "the name nnnnnnnnnnnnnnnnnnnn… has more than 255 bytes");
}
