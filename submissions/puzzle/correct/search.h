// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The search for the target.
#pragma once

#include "discoveries.h"
#include "map.h"
#include "options.h"
#include "state.h"

#include <optional>

/// The player at the start, before any button is pressed.
State initialState(const Map& map);

/// Discovers states until one of them is at the target, and returns that one. Returns nothing if
/// there is no path to the target.
std::optional<State> search(const Map& map, SearchOrder order, Discoveries& discoveries);
