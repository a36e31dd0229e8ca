//! A new course in C.

use super::{Language, Makefile, Sample};

pub(super) const C: Language = Language {
    files: &[&[
        (".gitignore", "/target\n/reference/tally/tally\n/reference/tally/tally-*\n"),
        ("reference/tally/tally.c", include_str!("../course/reference/tally/tally.c")),
        ("reference/tally/subject.h", include_str!("../../../../crates/subject/c/subject.h")),
    ]],
    program: "c: reference/tally/tally.c      # the reference, with its bugs\n      flags: [-std=c11, -O1, -Wall, -Wextra]",
    submission: "{ c: tally }           # what the student's Makefile makes",
    reference: "`reference/tally/tally.c`",
    mark: "`BUG`",
    beside: "`subject.h` beside it defines `BUG`.",
    makefile: Some(Makefile {
        source: "tally.c",
        compile: "$(CC) $(CFLAGS)",
        variables: "CC = cc\nCFLAGS = -std=c11 -O1 -Wall -Wextra",
    }),
    sample: Sample {
        file: "tally.c",
        right: include_str!("../course/submissions/tally.c"),
        slow: [
            "        result = numbers[at] > result ? numbers[at] : result;\n",
            "        for (size_t before = 0; before <= at; before++) {\n            result = numbers[before] > result ? numbers[before] : result;\n            __asm__ volatile(\"\");\n        }\n",
        ],
        wrong: ["long long result = numbers[0];", "long long result = 0;"],
        broken: ["numbers[count++] = number;", "numbers[count++] = number"],
        compile: "gcc -std=c11 -O3 -Wall -o tally tally.c",
    },
};
