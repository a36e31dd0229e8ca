// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "discoveries.h"

#include <algorithm>

Discoveries::Discoveries(const Map& map) : map_{map}, layers_(map.colors() + std::size_t{1}) {}

Mark Discoveries::at(State state) const {
    return everHad(state.color) ? layers_[state.color][map_.indexOf(state.place)] : Mark{};
}

void Discoveries::mark(State state, Mark mark) {
    layers_[state.color][map_.indexOf(state.place)] = mark;
}

bool Discoveries::isDiscoveredInAnyColor(Place place) const {
    const auto index = map_.indexOf(place);
    return std::any_of(layers_.begin(), layers_.end(), [index](const auto& layer) {
        return !layer.empty() && layer[index].isDiscovered();
    });
}
