//! A new course in Java.

use super::{Language, Sample};

pub(super) const JAVA: Language = Language {
    files: &[&[
        (".gitignore", "/target\n*.class\n"),
        ("reference/tally/Tally.java", include_str!("../course/reference/tally/Tally.java")),
        ("reference/tally/Bug.java", include_str!("../../../../crates/subject/java/Bug.java")),
    ]],
    program: "java: [reference/tally/Tally.java, reference/tally/Bug.java]  # the reference, with its bugs",
    submission: "{ java: Tally.java }   # what students hand in; javac compiles it",
    reference: "`reference/tally/Tally.java`",
    mark: "`Bug.on`",
    beside: "`Bug.java` beside it defines `Bug.on`.",
    makefile: None,
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
