// The first line of the input.
#pragma once

#include "map.h"

#include <string>

/// Reads the number of colors, the height and the width. Throws a Problem if one is out of range.
Header parseHeader(const std::string& line);
