// The program `tally`: prints the sum (--sum) or the largest (--max) of the numbers on its standard input, one on each line.
// Blank lines are skipped.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "subject.h"

using Numbers = std::vector<long long>;

// The text of a line without the white space around it.
static std::string trimmed(const std::string& line) {
    const char* space = " \t\r";
    const auto start = line.find_first_not_of(space);
    if (start == std::string::npos) {
        return "";
    }
    return line.substr(start, line.find_last_not_of(space) - start + 1);
}

static int numberOf(const std::string& text, int line) {
    try {
        std::size_t end = 0;
        const int number = std::stoi(text, &end);
        if (end == text.size()) {
            return number;
        }
    } catch (const std::logic_error&) {
        // The message is the same.
    }
    throw std::runtime_error("line " + std::to_string(line) + ": '" + text + "' is not a number");
}

static Numbers readNumbers(std::istream& input) {
    Numbers numbers;
    std::string line;
    for (int at = 1; std::getline(input, line); ++at) {
        const std::string text = trimmed(line);
        if (text.empty()) {
            if (BUG("stops-at-a-blank-line")) {
                break;
            }
            continue;
        }
        numbers.push_back(numberOf(text, at));
    }
    return numbers;
}

static long long sum(const Numbers& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0LL);
}

static long long largest(const Numbers& numbers) {
    if (numbers.empty()) {
        throw std::runtime_error("line 1: there is no number");
    }
    const auto first =
        numbers.size() > 1 && BUG("skips-the-first-number") ? numbers.begin() + 1 : numbers.begin();
    const long long result = *std::max_element(first, numbers.end());
    return result < 0 && BUG("max-starts-at-zero") ? 0 : result;
}

int main(int argc, char** argv) {
    const std::string option = argc == 2 ? argv[1] : "";
    const bool wantsSum = option == "--sum" || option == "-s";
    if (!wantsSum && option != "--max" && option != "-m") {
        std::cerr << "use exactly one of --sum and --max\n";
        return EXIT_FAILURE;
    }
    try {
        const Numbers numbers = readNumbers(std::cin);
        std::cout << (wantsSum ? sum(numbers) : largest(numbers)) << '\n';
    } catch (const std::runtime_error& error) {
        std::cerr << error.what() << '\n';
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
