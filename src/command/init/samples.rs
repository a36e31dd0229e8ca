//! The sample submissions of a new course: a right program and, each with one change, a slow, a wrong and a broken one.

use crate::cli::NewLanguage;

/// The tests of the right one, which expose every mutant.
const TESTS: [(&str, &str); 3] =
    [("test-1-m.txt", "-1\n"), ("test-2-m.txt", "7\n1\n"), ("test-3-s.txt", "3\n\n4\n")];

/// A sample in one language. Each change is a part of the right program, and what stands there instead.
struct Sample {
    file: &'static str,
    right: &'static str,
    slow: [&'static str; 2],
    wrong: [&'static str; 2],
    broken: [&'static str; 2],
    /// The words of the Makefile that compile it. Empty if there is none.
    compile: &'static str,
}

const C: Sample = Sample {
    file: "tally.c",
    right: include_str!("course/submissions/tally.c"),
    slow: [
        "        result = numbers[at] > result ? numbers[at] : result;\n",
        "        for (size_t before = 0; before <= at; before++) {\n            result = numbers[before] > result ? numbers[before] : result;\n            __asm__ volatile(\"\");\n        }\n",
    ],
    wrong: ["long long result = numbers[0];", "long long result = 0;"],
    broken: ["numbers[count++] = number;", "numbers[count++] = number"],
    compile: "gcc -std=c11 -O3 -Wall -o tally tally.c",
};

const CPP: Sample = Sample {
    file: "tally.cpp",
    right: include_str!("course/submissions/tally.cpp"),
    slow: [
        "        result = max(result, numbers[at]);\n",
        "        vector<long long> before(numbers.begin(), numbers.begin() + static_cast<ptrdiff_t>(at) + 1);\n        result = *max_element(before.begin(), before.end());\n",
    ],
    wrong: ["long long result = numbers[0];", "long long result = 0;"],
    broken: ["sum += number;", "sum += number"],
    compile: "g++ -std=c++17 -O3 -Wall -o tally tally.cpp",
};

const PYTHON: Sample = Sample {
    file: "tally.py",
    right: include_str!("course/submissions/tally.py"),
    slow: [
        "    for number in numbers:\n        result = max(result, number)\n",
        "    for at in range(len(numbers)):\n        result = max(numbers[: at + 1])\n",
    ],
    wrong: ["result = numbers[0]", "result = 0"],
    broken: ["print(sum(numbers))", "print(sum(numbers)"],
    compile: "",
};

const JAVA: Sample = Sample {
    file: "Tally.java",
    right: include_str!("course/submissions/Tally.java"),
    slow: [
        "            result = Math.max(result, numbers.get(at));\n",
        "            for (int before = 0; before <= at; before++) {\n                result = Math.max(result, numbers.get(before));\n            }\n",
    ],
    wrong: ["long result = numbers.get(0);", "long result = 0;"],
    broken: ["long sum = 0;", "long sum = 0"],
    compile: "",
};

const RUST: Sample = Sample {
    file: "tally.rs",
    right: include_str!("course/submissions/tally.rs"),
    slow: [
        "        result = result.max(numbers[at]);\n",
        "        let before = numbers[..=at].to_vec();\n        result = before.into_iter().max().unwrap_or(result);\n",
    ],
    wrong: ["let mut result = numbers[0];", "let mut result = 0;"],
    broken: ["let mut input = String::new();", "let mut input = String::new()"],
    compile: "",
};

/// `program` of the submission in the course file, with what a comment says of it.
pub(super) fn program(language: NewLanguage) -> &'static str {
    match language {
        NewLanguage::Rust => "{ rust: tally.rs }     # what students hand in; rustc compiles it",
        NewLanguage::C => "{ c: tally }           # what the student's Makefile makes",
        NewLanguage::Cpp => "{ cpp: tally }         # what the student's Makefile makes",
        NewLanguage::Python => "{ python: tally.py }   # what students hand in",
        NewLanguage::Java => "{ java: Tally.java }   # what students hand in; javac compiles it",
    }
}

/// The files of the samples.
pub(super) fn files(language: NewLanguage) -> Vec<(String, String)> {
    let sample = match language {
        NewLanguage::Rust => RUST,
        NewLanguage::C => C,
        NewLanguage::Cpp => CPP,
        NewLanguage::Python => PYTHON,
        NewLanguage::Java => JAVA,
    };
    let kinds = [
        ("right", ["", ""]),
        ("slow", sample.slow),
        ("wrong", sample.wrong),
        ("broken", sample.broken),
    ];
    let mut files = Vec::new();
    for (kind, [right, other]) in kinds {
        let at = |file: &str| format!("submissions/tally/{kind}/{file}");
        files.push((at(sample.file), sample.right.replacen(right, other, 1)));
        if !sample.compile.is_empty() {
            let (source, compile) = (sample.file, sample.compile);
            let text = format!("tally: {source}\n\t{compile}\n\nclean:\n\trm -f tally\n");
            files.push((at("Makefile"), text));
        }
        if kind == "right" {
            files.extend(TESTS.map(|(file, text)| (at(file), text.to_owned())));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sample_differs_from_the_right_one_in_one_place() {
        for sample in [C, CPP, PYTHON, JAVA, RUST] {
            for [right, other] in [sample.slow, sample.wrong, sample.broken] {
                assert_eq!(sample.right.matches(right).count(), 1, "{right}");
                assert_ne!(right, other);
            }
        }
    }
}
