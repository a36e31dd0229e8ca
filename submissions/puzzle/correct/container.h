// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The states that are discovered and not yet investigated.
#pragma once

#include "options.h"
#include "state.h"

#include <deque>

class Container {
public:
    explicit Container(SearchOrder order);

    bool isEmpty() const { return states_.empty(); }
    void put(State state);
    State take();
    void clear() { states_.clear(); }

private:
    SearchOrder order_;
    std::deque<State> states_;
};
