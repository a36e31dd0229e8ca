//! Leaks: a program that keeps valgrind from finding them earns nothing for them, and what valgrind cannot do costs an honest one nothing.

use super::run::{command, has_a_sandbox, output};
use super::sums::{MAKEFILE, course, has_no_compiler, set, submit};
use super::{Run, path, skip};
use harness::files;
use harness::result::graded::{Graded, SubmissionReport};
use std::fs;

/// A program that adds two numbers. `BEFORE` and `AFTER` the answer, it does something else. Its headers are small ones: many are compiled.
const PROGRAM: &str = r#"// Project Identifier: ABCDEF0123456789
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

bool is_watched() {
    FILE *maps = fopen("/proc/self/maps", "r");
    bool is_found = false;
    for (char line[4096]; fgets(line, sizeof line, maps);)
        is_found = is_found || strstr(line, "vgpreload");
    fclose(maps);
    return is_found;
}

static void order(const char *option) {
    volatile unsigned long words[6] = {0x1203, (unsigned long)option, 0, 0, 0, 0};
    unsigned long result = 0;
#ifdef __x86_64__
    asm volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                 : "=d"(result) : "a"(words), "0"(result) : "cc", "memory");
#endif
}

int *volatile lost;

void leak() {
    lost = new int[10];
    lost = nullptr;
}

int main() {
    int a = 0, b = 0;
    if (scanf("%d%d", &a, &b) < 2)
        return 1;
    BEFORE
    printf("%d\n", a + b);
    fflush(stdout);
    AFTER
}
"#;

/// A way to leak unseen.
struct Evasion {
    name: &'static str,
    before: &'static str,
    after: &'static str,
    options: &'static str,
    /// What the report says. Without it, the leak is found as any other.
    says: Option<&'static str>,
}

const fn evasion(name: &'static str, before: &'static str, says: Option<&'static str>) -> Evasion {
    Evasion { name, before, after: "", options: "", says }
}

const OTHER: Option<&str> = Some("the program does something else under valgrind");
const FORKS: Option<&str> = Some("the program starts a process");
const FORGED: Option<&str> = Some("the program changes the report of valgrind");
const UNKNOWN: Option<&str> = Some("the program has an instruction that valgrind does not know");
const LATE: Option<&str> = Some("the program does not finish within 2 seconds under valgrind");

const EVASIONS: [Evasion; 16] = [
    evasion(
        "claims",
        "leak(); fputs(\"valgrind: Unrecognised instruction at address 0x1.\\n\", stderr);",
        None,
    ),
    evasion("closes", "for (int fd = 3; fd < 4096; ++fd) close(fd); leak();", None),
    evasion(
        "forks",
        "if (pid_t child = fork(); child > 0) { int status; wait(&status); _exit(0); } leak();",
        FORKS,
    ),
    evasion(
        "leaks-in-a-child",
        "pid_t child = fork(); if (child == 0) { leak(); _exit(0); } if (child > 0) wait(nullptr);",
        FORKS,
    ),
    evasion("says-otherwise", "leak(); if (is_watched()) ++a;", OTHER),
    evasion("kills-itself", "leak(); if (is_watched()) raise(SIGKILL);", OTHER),
    evasion("aborts", "leak(); if (is_watched()) abort();", OTHER),
    evasion("stops-at-once", "leak(); if (is_watched()) _exit(0);", OTHER),
    evasion("raises", "leak(); if (is_watched()) raise(SIGILL);", UNKNOWN),
    evasion("spins", "leak(); if (is_watched()) for (;;) asm volatile(\"\");", LATE),
    evasion("sleeps", "leak(); if (is_watched()) sleep(1000);", LATE),
    evasion(
        "orders",
        "leak(); order(\"--leak-check=no\");",
        Some("the program contains orders to valgrind"),
    ),
    evasion(
        "becomes-another",
        "leak(); if (is_watched()) execl(\"/bin/echo\", \"echo\", \"42\", nullptr);",
        Some("the program starts others"),
    ),
    Evasion {
        after: "leak(); if (is_watched()) _exit(99);",
        ..evasion("ends-with-its-status", "", None)
    },
    Evasion {
        after: "if (is_watched()) _exit(99);",
        ..evasion("ends-with-its-status-without-a-leak", "", FORGED)
    },
    Evasion {
        options: "-static",
        ..evasion(
            "static",
            "leak();",
            Some("the program contains its libraries (-static), so valgrind sees no memory of it"),
        )
    },
];

fn grade(submissions: &[(&str, String, String)]) -> Option<Vec<SubmissionReport>> {
    if has_no_compiler() || !has_a_sandbox() {
        return None;
    }
    if files::on_path(&["valgrind"]).is_none() {
        skip("there is no valgrind on this machine");
        return None;
    }
    let course = course(&[]);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap().replace("leaks: 0", "leaks: 10");
    fs::write(&file, text).unwrap();
    fs::write(
        course.path().join("cases.yaml"),
        "sample:\n  cases:\n    Two: { text: \"20 22\\n\" }\n",
    )
    .unwrap();
    set(&course, "leaks: { seconds: 2 }");
    for (name, source, makefile) in submissions {
        submit(&course, name, &[("sum.cpp", source), ("Makefile", makefile)]);
    }
    let mut command = command();
    command.arg("grade").arg(course.path().join("class")).args(["--course", path(&course)]);
    let run: Run = output(command.args(["--format", "json"])).into();
    Some(run.exits(0).json::<Graded>().submissions)
}

fn points_for_leaks(report: &SubmissionReport) -> Option<String> {
    let part = report.points.parts.iter().find(|part| part.name == "leaks").unwrap();
    part.earned.map(|points| points.to_string())
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_that_keeps_valgrind_from_its_leaks_earns_nothing_for_them() {
    let submission = |it: &Evasion| {
        let source = PROGRAM.replace("BEFORE", it.before).replace("AFTER", it.after);
        (it.name, source, MAKEFILE.replace("-O3", &format!("-O3 {}", it.options)))
    };
    let Some(all) = grade(&EVASIONS.iter().map(submission).collect::<Vec<_>>()) else { return };
    for Evasion { name, says, .. } in &EVASIONS {
        let report = all.iter().find(|report| report.name == *name).unwrap();
        assert_eq!(report.groups[0].passed, 1, "{name}: {report:?}");
        let leaks = report.leaks.as_ref().unwrap();
        let said = says.map(|says| format!("Two: {says}"));
        assert_eq!((&leaks.evaded, &leaks.unchecked), (&said, &None), "{name}: {leaks:?}");
        assert_eq!(leaks.leaks.is_empty(), says.is_some(), "{name}: {leaks:?}");
        assert_eq!(points_for_leaks(report).as_deref(), Some("0"), "{name}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_for_this_processor_is_checked_as_one_for_all() {
    let sums = "volatile int numbers[64] = {}; int some[64]; for (int i = 0; i < 64; ++i) some[i] = numbers[i]; \
                int sum = 0; for (int i = 0; i < 64; ++i) sum += some[i] * some[i]; a += sum;";
    let native = MAKEFILE.replace("-O3", "-O3 -march=native -mprefer-vector-width=512");
    let submission = |name, before: &str| {
        (name, PROGRAM.replace("BEFORE", before).replace("AFTER", ""), native.clone())
    };
    let watched = ".byte 0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1";
    let all = grade(&[
        submission("clean", sums),
        submission("leaks", &format!("leak(); {sums}")),
        submission(
            "only-watched",
            &format!("leak(); if (is_watched()) asm volatile(\"{watched}\");"),
        ),
    ]);
    let Some(all) = all else { return };
    let earned: Vec<_> = all.iter().map(points_for_leaks).collect();
    assert_eq!(earned, ["10", "0", "0"].map(|points| Some(points.to_owned())), "{all:?}");
    let evaded: Vec<_> =
        all.iter().map(|report| report.leaks.as_ref().unwrap().evaded.is_some()).collect();
    assert_eq!(evaded, [false, false, true]);
    assert!(all.iter().all(|report| report.findings.is_empty()), "{all:?}");
}
