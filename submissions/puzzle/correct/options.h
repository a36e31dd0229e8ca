// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The command line.
#pragma once

enum class SearchOrder { oldestFirst, newestFirst };
enum class OutputType { map, list };

struct Options {
    SearchOrder order = SearchOrder::oldestFirst;
    OutputType output = OutputType::map;
    /// The user asks for help, and the other options mean nothing.
    bool help = false;
};

extern const char* const helpText;

/// Reads the options in order, up to the first --help. Throws a Problem at the first error. Ignores
/// operands.
Options readOptions(int argc, char* argv[]);
