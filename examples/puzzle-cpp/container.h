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
