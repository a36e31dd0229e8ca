// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// What is wrong with the command line or with the map.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

class Problem : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    /// Lines and columns count from 1, as in a text editor.
    static Problem at(std::size_t line, std::size_t column, const std::string& message) {
        return Problem{"line " + std::to_string(line) + ", column " + std::to_string(column) + ": "
                       + message};
    }

    static Problem on(std::size_t line, const std::string& message) {
        return Problem{"line " + std::to_string(line) + ": " + message};
    }
};
