//! C++.

use super::{Compiler, HandedIn, LanguageRules, Made, Tool, c};

const COMMON: &str = "#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <getopt.h>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stack>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
";

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "cpp",
    extensions: &["cpp", "cc", "cxx"],
    // What C needs belongs to the library of C++.
    made: Made::Linked(Compiler {
        name: "c++",
        variable: "CXX",
        standard: &["-std=c++17"],
        libraries: &[],
        common: Some(("c++-header", COMMON)),
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
