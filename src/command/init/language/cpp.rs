//! A new course in C++.

use super::{Language, Makefile, Sample};

pub(super) const CPP: Language = Language {
    files: &[&[
        (".gitignore", "/target\n/reference/tally/tally\n/reference/tally/tally-*\n"),
        ("reference/tally/tally.cpp", include_str!("../course/reference/tally/tally.cpp")),
        ("reference/tally/subject.h", include_str!("../../../../crates/subject/c/subject.h")),
    ]],
    program: "cpp: reference/tally/tally.cpp      # the reference, with its bugs\n      flags: [-std=c++17, -O1, -Wall, -Wextra]",
    submission: "{ cpp: tally }         # what the student's Makefile makes",
    reference: "`reference/tally/tally.cpp`",
    mark: "`BUG`",
    beside: "`subject.h` beside it defines `BUG`.",
    makefile: Some(Makefile {
        source: "tally.cpp",
        compile: "$(CXX) $(CXXFLAGS)",
        variables: "CXX = c++\nCXXFLAGS = -std=c++17 -O1 -Wall -Wextra",
    }),
    sample: Sample {
        file: "tally.cpp",
        right: include_str!("../course/submissions/tally.cpp"),
        slow: [
            "        result = max(result, numbers[at]);\n",
            "        vector<long long> before(numbers.begin(), numbers.begin() + static_cast<ptrdiff_t>(at) + 1);\n        result = *max_element(before.begin(), before.end());\n",
        ],
        wrong: ["long long result = numbers[0];", "long long result = 0;"],
        broken: ["sum += number;", "sum += number"],
        compile: "g++ -std=c++17 -O3 -Wall -o tally tally.cpp",
    },
};
