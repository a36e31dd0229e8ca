//! What a run finds, and does at its end, however many there were before it.

use super::fixture::{Engine, HostProgram, case, has_compilers};
use super::programs;
use subject::End;

#[test]
fn early_output_and_exit_handlers_count_in_every_run() {
    if !has_compilers() {
        return;
    }
    HostProgram::cpp(programs::EARLY)
        .check(&["", "x", "exit", "", "abort", ""].map(|args| case(args, "in")));
}

#[test]
fn what_a_program_and_its_libraries_do_last_counts_in_every_run() {
    if !has_compilers() {
        return;
    }
    let library = HostProgram::compiled(
        "cc",
        "library.c",
        r#"
        #include <stdio.h>
        int number = 7;
        __attribute__((destructor)) static void last(void) { printf("library %d\n", number); }
        "#,
        &["-shared", "-fPIC"],
    );
    let main = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #ifdef LIBRARY
        extern int number;
        #else
        static int number;
        #endif
        __attribute__((destructor(201))) static void last(void) { puts("last"); }
        __attribute__((destructor)) static void before(void) { puts("before"); }
        static void at_exit(void) { puts("at exit"); }
        int main(int count, char **words) {
            number += count;
            atexit(at_exit);
            if (count > 1) exit(words[1][0]);
            return number;
        }
    "#;
    let library = library.path();
    let with_library =
        HostProgram::compiled("cc", "main.c", main, &["-DLIBRARY", library.to_str().unwrap()]);
    for program in [HostProgram::c(main), with_library] {
        program.check(&["", "x", "", "y"].map(|args| case(args, "")));
    }
}

#[test]
fn memory_is_as_at_first_in_every_run_however_seldom_it_changes() {
    if !has_compilers() {
        return;
    }
    // It finds nothing of what others have changed, and changes a place of each kind of memory.
    let program = HostProgram::c(
        r"
        #include <stdio.h>
        #include <stdlib.h>
        enum { WORDS = 8192 };
        static int table[WORDS], zeros[WORDS], sparse[WORDS] = {[100] = 1};
        static int *heap;
        __attribute__((constructor)) static void fill(void) {
            heap = malloc(sizeof table);
            for (int at = 0; at < WORDS; at++) table[at] = 3, heap[at] = at % 2000 == 0;
        }
        int main(int count, char **words) {
            int wrong = 0;
            for (int at = 0; at < WORDS; at++) {
                wrong += table[at] != 3 || zeros[at] != 0 || sparse[at] != (at == 100) || heap[at] != (at % 2000 == 0);
            }
            if (count > 1) {
                int at = atoi(words[1]);
                table[at] = 0, zeros[at]++, sparse[at]++, sparse[100] = 0, heap[at] ^= 1;
            }
            return wrong != 0;
        }
        ",
    );
    // Pages that no run has changed for some hundreds of runs are forgotten, and then learned again.
    let cases: Vec<_> = (0..3000)
        .map(|number| match number {
            number if number % 700 < 20 => case(&(number * 211 % 8192).to_string(), ""),
            _ => case("", ""),
        })
        .collect();
    for (at, outcome) in program.outcomes(Engine::Snapshot, &cases).iter().enumerate() {
        assert_eq!(outcome.end, End::Exit(0), "case {at}");
    }
}
