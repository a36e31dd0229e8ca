//! A new course in Python.

use super::{Language, Sample};

pub(super) const PYTHON: Language = Language {
    files: &[&[
        (".gitignore", "/target\n__pycache__/\n"),
        ("reference/tally/tally.py", include_str!("../course/reference/tally/tally.py")),
        (
            "reference/tally/subject.py",
            include_str!("../../../../crates/subject/python/subject.py"),
        ),
    ]],
    program: "python: reference/tally/tally.py      # the reference, with its bugs",
    submission: "{ python: tally.py }   # what students hand in",
    reference: "`reference/tally/tally.py`",
    mark: "`bug`",
    beside: "`subject.py` beside it defines `bug`.",
    makefile: None,
    sample: Sample {
        file: "tally.py",
        right: include_str!("../course/submissions/tally.py"),
        slow: [
            "    for number in numbers:\n        result = max(result, number)\n",
            "    for at in range(len(numbers)):\n        result = max(numbers[: at + 1])\n",
        ],
        wrong: ["result = numbers[0]", "result = 0"],
        broken: ["print(sum(numbers))", "print(sum(numbers)"],
        compile: "",
    },
};
