//! C++.

use super::{Compiler, HandedIn, LanguageRules, Made, Tool, c};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "cpp",
    extensions: &["cpp", "cc", "cxx"],
    // What C needs belongs to the library of C++.
    made: Made::Linked(Compiler {
        name: "c++",
        variable: "CXX",
        standard: &["-std=c++17"],
        libraries: &[],
    }),
    tools: &[Tool {
        what: "C++ compiler",
        name: "c++",
        remedy: "for example `apt-get install g++`",
    }],
    packages: &[],
    handed_in: HandedIn {
        ending: ".cpp",
        has_makefile: true,
        is_native: true,
        files: &["*.cpp", "*.h", "*.hpp", "Makefile", "test*.txt"],
    },
    // The same header marks bugs.
    ..c::RULES
};
