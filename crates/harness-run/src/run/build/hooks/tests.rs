//! Each loop and each recursion keeps a hook, and programs do with hooks what they do without. Programs are compiled for real.

mod endless;
mod flow;
mod random;

use super::{HOOK, RESTORE, SAVE, with_hooks};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// In the place of `steps.c`: ends a program after so many steps with a status of its own.
const STEPS: &str = "#include <stdint.h>\n#include <unistd.h>\n\
    struct { int64_t unused, left; } subject_steps = {0, 200000};\n\
    void subject_no_steps(void) { _exit(STOPPED); }\n";
const STOPPED: i32 = 42;

const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

/// Whether programs get hooks by their assembly here, and there are compilers. In continuous integration there must be.
fn can_test() -> bool {
    let is_there = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let has = is_there("cc") && is_there("c++");
    assert!(has || std::env::var("CI").as_deref() != Ok("true"), "`cc` or `c++` is missing");
    let can = has && cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if !can {
        eprintln!("skipped: this test needs Linux on x86-64, `cc` and `c++`");
    }
    can
}

/// A folder in which programs are compiled.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let steps = folder.write("steps.c", STEPS);
        let status = format!("-DSTOPPED={STOPPED}");
        run(Command::new("cc")
            .args(["-O2", &status, "-c", "-o"])
            .arg(folder.path("steps.o"))
            .arg(steps));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The assembly of a program.
    fn assembly(&self, compiler: &str, text: &str, options: &[&str]) -> String {
        let source = self.write(if compiler == "cc" { "main.c" } else { "main.cpp" }, text);
        let mut command = Command::new(compiler);
        command.args(options).args(["-w", "-S", "-o"]).arg(self.path("main.s")).arg(source);
        run(&mut command);
        fs::read_to_string(self.path("main.s")).unwrap()
    }

    /// What the program with this assembly does.
    fn output(&self, compiler: &str, assembly: &str) -> Output {
        let (source, program) = (self.write("hooked.s", assembly), self.path("program"));
        run(Command::new(compiler).arg(source).arg(self.path("steps.o")).arg("-o").arg(&program));
        limited(&program)
    }
}

#[track_caller]
fn run(command: &mut Command) {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Runs a program. If hooks do not end it, the system does after some seconds of processor time.
fn limited(program: &Path) -> Output {
    let limit = "ulimit -t 20; exec \"$0\"";
    Command::new("sh").args(["-c", limit]).arg(program).output().unwrap()
}

fn hooked(assembly: &str) -> String {
    with_hooks(assembly).expect("the compiler writes what is expected")
}

#[test]
fn each_loop_and_recursion_of_random_programs_keeps_a_hook() {
    if !can_test() {
        return;
    }
    let folder = Folder::new();
    let mut unhooked = 0;
    for seed in 0..24 {
        let (text, level) = (random::program(seed), LEVELS[seed as usize % LEVELS.len()]);
        let assembly = folder.assembly("cc", &text, &[level]);
        unhooked += usize::from(flow::cycle(&assembly, HOOK).is_some());
        if let Some(lines) = flow::cycle(&hooked(&assembly), HOOK) {
            panic!("seed {seed} at {level} has a cycle without a hook: {lines}");
        }
    }
    assert_eq!(unhooked, 24, "the programs have cycles");
}

#[test]
fn random_programs_do_with_hooks_what_they_do_without() {
    if !can_test() {
        return;
    }
    let folder = Folder::new();
    for seed in 100..112 {
        let (text, level) = (random::program(seed), LEVELS[seed as usize % LEVELS.len()]);
        let assembly = folder.assembly("cc", &text, &[level]);
        let [plain, counted] =
            [&assembly, &hooked(&assembly)].map(|text| folder.output("cc", text));
        assert_eq!(plain, counted, "seed {seed} at {level}");
        assert!(plain.status.success() && !plain.stdout.is_empty(), "seed {seed}: {plain:?}");
    }
}

#[test]
fn programs_that_never_end_are_stopped() {
    if !can_test() {
        return;
    }
    let folder = Folder::new();
    for (number, &(compiler, text)) in endless::PROGRAMS.iter().enumerate() {
        for level in ["-O0", "-O2"] {
            let options = [level, if compiler == "cc" { "-std=gnu17" } else { "-std=c++20" }];
            let assembly = folder.assembly(compiler, text, &options);
            let status = folder.output(compiler, &hooked(&assembly)).status;
            assert_eq!(
                status.code(),
                Some(STOPPED),
                "program {number} at {level}: {status}\n{text}"
            );
        }
    }
}

#[test]
fn what_cannot_repeat_has_no_hook() {
    if !can_test() {
        return;
    }
    let folder = Folder::new();
    let text = "#include <stdio.h>\n\
                static int __attribute__((noinline)) one(int x) { return x > 3 ? x * 2 : x + 1; }\n\
                int two(int x) { if (x & 1) return one(x); return one(x + 5) + one(x - 5); }\n\
                int three(int x) { switch (x) { case 1: return two(7); case 2: return 5; case 3: return 8; } return 0; }\n";
    for level in ["-O1", "-O2"] {
        let hooked = hooked(&folder.assembly("cc", text, &[level]));
        assert_eq!(hooked.matches(HOOK).count(), 0, "{level}\n{hooked}");
    }
}

/// The loop reads the flags that are set before it and at its end.
const READS_FLAGS: &str = "\t.text\n\t.globl\tmain\n\t.type\tmain, @function\nmain:\n\txorl\t%eax, %eax\n\
    \tmovl\t$3, %ecx\n\ttestl\t%ecx, %ecx\n.L2:\n\tje\t.L3\n\tincl\t%eax\n\tdecl\t%ecx\n\tjmp\t.L2\n.L3:\n\tret\n\
    \t.size\tmain, .-main\n\t.section\t.note.GNU-stack,\"\",@progbits\n";

#[test]
fn a_hook_keeps_flags_that_are_needed() {
    if !can_test() {
        return;
    }
    let hooked = hooked(READS_FLAGS);
    assert!(hooked.contains(&format!(".L2:\n{SAVE}{HOOK}{RESTORE}\tje")), "{hooked}");
    assert_eq!(Folder::new().output("cc", &hooked).status.code(), Some(3));
}

#[test]
fn assembly_of_another_kind_is_left_to_the_compiler() {
    assert_eq!(with_hooks("\t.intel_syntax noprefix\n\t.text\nmain:\n\tjmp\tmain\n"), None);
}
