//! A machine on which nobody may make control groups, so that nothing limits the memory of all processes of a run together.

use super::machine::{on_other_disks, tmpfs};
use super::run::has_a_sandbox;
use super::sums::{MAKEFILE, SUM, course, has_no_compiler, submit};
use super::{Run, path, repository};
use harness::report::doctor::{Diagnosis, Finding, Health};
use harness::result::graded::{Graded, Verdict};
use std::fs;

/// What every report says once.
const UNLIMITED: &str = "not for all processes of a run together";

/// Runs `harness` where control groups cannot be made. `None` if that cannot be arranged here.
fn run(args: &[&str]) -> Option<Run> {
    let hidden = tmpfs("size=64k", "/sys/fs/cgroup");
    on_other_disks(&hidden, args, &["true"]).map(|run| run.exits(0))
}

#[test]
fn doctor_says_what_the_limit_on_memory_does_not_hold() {
    let course = repository().join("docs/any-program");
    let args = ["doctor", "--course", course.to_str().unwrap(), "--format", "json"];
    let Some(run) = run(&args) else { return };
    let found: Diagnosis =
        serde_json::from_str(run.stdout.strip_suffix("list:\n").unwrap()).unwrap();
    let is_it = |finding: &&Finding| finding.what == "limit on memory";
    let Finding { health, found, remedy, .. } = found.findings.iter().find(is_it).unwrap();
    assert_eq!(*health, Health::Optional, "{found}");
    assert!(found.contains("each process alone") && found.contains(UNLIMITED), "{found}");
    assert!(found.contains("files in memory"), "{found}");
    assert!(remedy.as_ref().unwrap().contains("Delegate=yes"), "{remedy:?}");
}

#[test]
fn every_report_for_staff_says_once_what_the_limit_on_memory_did_not_hold() {
    if has_no_compiler() {
        return;
    }
    // Nothing but the machine matters here.
    let course = course(&[]);
    submit(&course, "ann", &[("Makefile", "sum:\n\tfalse\n"), ("sum.cpp", "")]);
    submit(&course, "bob", &[("Makefile", "sum:\n\tfalse\n"), ("sum.cpp", "")]);
    let at = |name: &str| course.path().join(name).to_str().unwrap().to_owned();
    let formats = ["json", "html"].map(|name| format!("{name}={}", at(name)));
    let (class, out, one) = (at("class"), at("out"), at("class/ann"));
    let grade = |args: &[&str]| {
        let usual = ["grade", "--course", path(&course), "--unsafe-no-sandbox", "--jobs", "1"];
        run(&[&usual, args].concat())
    };
    let formats = ["--format", "text", "--format", &formats[0], "--format", &formats[1]];
    for submission in [&[class.as_str(), "--out", &out][..], &[&one]] {
        let Some(run) = grade(&[submission, &formats, &["--overwrite"]].concat()) else { return };
        let read = |name: &str| fs::read_to_string(at(name)).unwrap();
        let text = run.stdout.replace('\n', " ");
        for said in [&text, &read("json"), &read("html"), &read("out/class.html")] {
            assert_eq!(said.matches(UNLIMITED).count(), 1, "{said}");
        }
        let graded: Graded = serde_json::from_str(&read("json")).unwrap();
        assert!(graded.not_limited.is_some());
    }
    // A student need not know.
    let run = grade(&[&one, "--audience", "normal"]).unwrap();
    assert!(!run.stdout.replace('\n', " ").contains(UNLIMITED), "{}", run.stdout);
}

#[test]
fn a_program_in_the_sandbox_can_hold_memory_only_in_its_processes() {
    if has_no_compiler() || !has_a_sandbox() {
        return;
    }
    let hoards = "#include <sys/mman.h>\n#include <sys/msg.h>\n#include <sys/shm.h>\n";
    let tries = "int main() {\n    if (memfd_create(\"hidden\", 0) >= 0 || shmget(7, 4096, IPC_CREAT | 0600) >= 0 \
                 || msgget(7, IPC_CREAT | 0600) >= 0)\n        return 9;\n";
    let source = hoards.to_owned() + &SUM.replace("int main() {\n", tries);
    let course = course(&[("sum.cpp", &source), ("Makefile", MAKEFILE)]);
    let mine = course.path().join("mine");
    let args = ["grade", mine.to_str().unwrap(), "--course", path(&course), "--format", "json"];
    let Some(run) = run(&args) else { return };
    let graded: Graded = serde_json::from_str(run.stdout.strip_suffix("list:\n").unwrap()).unwrap();
    let verdicts = graded.submissions[0].groups.iter().flat_map(|group| &group.cases);
    let verdicts: Vec<_> = verdicts.map(|case| case.verdict).collect();
    assert_eq!(verdicts, [Verdict::Passed; 3]);
    assert!(!graded.not_limited.unwrap().contains("files in memory"));
}
