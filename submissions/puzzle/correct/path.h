// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The path from the start to the target.
#pragma once

#include "discoveries.h"
#include "map.h"
#include "state.h"

#include <optional>

/// Goes back from the target. Marks each earlier state of the path with how the path goes on.
void markPath(const Map& map, State target, Discoveries& discoveries);

/// The state that follows on a marked path. There is none after the last one.
std::optional<State> nextOnPath(const Map& map, State state, const Discoveries& discoveries);
