// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The Puzzle Solver: finds a way through a maze of colored doors and buttons.
#include "discoveries.h"
#include "map.h"
#include "options.h"
#include "output.h"
#include "path.h"
#include "reader.h"
#include "search.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <stdexcept>

namespace {

int printNoSolution(const Options& options, const Map& map, const Discoveries& discoveries) {
    std::cout << "No solution.\nDiscovered:\n";
    printDiscoveredPlaces(map, discoveries, std::cout);
    return EXIT_SUCCESS;
}

int solve(const Options& options, const Map& map) {
    Discoveries discoveries{map};
    const std::optional<State> target = search(map, options.order, discoveries);
    if (!target) {
        return printNoSolution(options, map, discoveries);
    }
    markPath(map, *target, discoveries);
    if (options.output == OutputType::list) {
        printList(map, discoveries, std::cout);
    } else {
        printMaps(map, discoveries, std::cout);
    }
    return EXIT_SUCCESS;
}

int run(int argc, char* argv[]) {
    const Options options = readOptions(argc, argv);
    if (options.help) {
        std::cout << helpText;
        return EXIT_SUCCESS;
    }
    return solve(options, readMap(std::cin));
}

} // namespace

int main(int argc, char* argv[]) {
    try {
        std::ios_base::sync_with_stdio(false);
        const int status = run(argc, argv);
        if (!std::cout.flush()) {
            throw std::runtime_error{"cannot write the answer"};
        }
        return status;
    } catch (const std::bad_alloc&) {
        std::cerr << "the map is too large for the memory\n";
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << '\n';
    }
    return EXIT_FAILURE;
}
