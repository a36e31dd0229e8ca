//! A new course in Java, whose mutants are programs of their own.

use super::{Language, Sample};

/// The reference.
const TALLY: &str = include_str!("../course/reference/tally/Tally.java");

pub(super) const JAVA: Language = Language {
    files: &[(".gitignore", "/target\n*.class\n"), ("reference/tally/Tally.java", TALLY)],
    program: "java: reference/tally/Tally.java  # the reference; each mutant is a program of its own",
    submission: "{ java: Tally.java }   # what students hand in; javac compiles it",
    reference: "`reference/tally/Tally.java`",
    mark: "",
    beside: "",
    makefile: None,
    mutants: &[
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
    ],
    sample: Sample {
        file: "Tally.java",
        right: include_str!("../course/submissions/Tally.java"),
        slow: [
            "            result = Math.max(result, numbers.get(at));\n",
            "            for (int before = 0; before <= at; before++) {\n                result = Math.max(result, numbers.get(before));\n            }\n",
        ],
        wrong: ["long result = numbers.get(0);", "long result = 0;"],
        broken: ["long sum = 0;", "long sum = 0"],
        compile: "",
    },
};
