// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "options.h"

#include "problem.h"

#include <getopt.h>
#include <optional>
#include <string>

const char* const helpText =
    "Usage: puzzle (-q | -s) [-o map|list] < MAP\n"
    "\n"
    "Finds a way from '@' to '?' through a maze of coloured doors and buttons.\n"
    "\n"
    "Options:\n"
    "  -q, --queue          search with a queue, breadth first\n"
    "  -s, --stack          search with a stack, depth first\n"
    "  -o, --output TYPE    print the solution as a 'map' (the default) or a 'list'\n"
    "  -h, --help           print this help\n"
    "\n"
    "Exactly one of --queue and --stack must be given, exactly once.\n";

namespace {

const option longOptions[] = {
    {"help", no_argument, nullptr, 'h'},
    {"queue", no_argument, nullptr, 'q'},
    {"stack", no_argument, nullptr, 's'},
    {"output", required_argument, nullptr, 'o'},
    {nullptr, 0, nullptr, 0},
};

Problem usage(const std::string& message) {
    return Problem{message + "\nhint: puzzle --help lists the options"};
}

OutputType outputType(const std::string& name) {
    if (name == "map") {
        return OutputType::map;
    }
    if (name == "list") {
        return OutputType::list;
    }
    throw usage("the output type is 'map' or 'list', not '" + name + "'");
}

/// Sets an option that may be given only once.
template <typename T>
void setOnce(std::optional<T>& option, T value, const char* rule) {
    if (option) {
        throw usage(rule);
    }
    option = value;
}

} // namespace

Options readOptions(int argc, char* argv[]) {
    std::optional<SearchOrder> order;
    std::optional<OutputType> output;
    int letter;
    while ((letter = getopt_long(argc, argv, "hqso:", longOptions, nullptr)) != -1) {
        switch (letter) {
        case 'h': return {{}, {}, true};
        case 'q':
        case 's':
            setOnce(order, letter == 'q' ? SearchOrder::oldestFirst : SearchOrder::newestFirst,
                    "only one of --queue and --stack may be given, and only once");
            break;
        case 'o':
            setOnce(output, outputType(optarg), "--output may be given only once");
            break;
        default:
            // getopt_long has already said what is wrong.
            throw usage("the command line is invalid");
        }
    }
    if (!order) {
        throw usage("one of --queue and --stack must be given");
    }
    const auto usual = OutputType::map;
    return {*order, output.value_or(usual), false};
}
