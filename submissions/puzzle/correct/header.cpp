// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "header.h"

#include "problem.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace {

const char* const blanks = " \t\f\r\n";

/// The words of the line, read one by one.
class Words {
public:
    explicit Words(const std::string& line) : line_{line} {}

    /// The next word, which is empty at the end of the line.
    std::string next() {
        begin_ = std::min(line_.find_first_not_of(blanks, end_), line_.size());
        end_ = std::min(line_.find_first_of(blanks, begin_), line_.size());
        return line_.substr(begin_, end_ - begin_);
    }

    std::uint32_t nextNumber(const std::string& what) {
        const std::string word = next();
        if (word.empty()) {
            throw problem(what + " is missing");
        }
        std::uint64_t number = 0;
        for (const char digit : word) {
            if (digit < '0' || digit > '9') {
                throw problem(what + " is not an unsigned integer");
            }
            number = number * 10 + static_cast<unsigned>(digit - '0');
            if (number > std::numeric_limits<std::uint32_t>::max()) {
                throw problem(what + " does not fit in 32 bits");
            }
        }
        return static_cast<std::uint32_t>(number);
    }

    /// A problem with the last word that was read.
    Problem problem(const std::string& message) const {
        return Problem::at(1, begin_ + 1, message);
    }

private:
    const std::string& line_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

Color parseColors(Words& words) {
    const auto colors = words.nextNumber("the number of colors");
    if (colors > mostColors) {
        throw words.problem("there are too many colors");
    }
    return static_cast<Color>(colors);
}

std::uint32_t parseLength(Words& words, const std::string& what) {
    const auto length = words.nextNumber(what);
    if (length == 0) {
        throw words.problem(what + " is less than 1");
    }
    return length;
}

} // namespace

Header parseHeader(const std::string& line) {
    Words words{line};
    const Color colors = parseColors(words);
    auto height = parseLength(words, "the height");
    auto width = parseLength(words, "the width");
    if (!words.next().empty()) {
        throw words.problem("there are more than three numbers");
    }
    return {colors, height, width};
}
