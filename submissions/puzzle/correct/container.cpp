// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "container.h"

namespace {

constexpr SearchOrder opposite(SearchOrder order) {
    return order == SearchOrder::oldestFirst ? SearchOrder::newestFirst : SearchOrder::oldestFirst;
}

} // namespace

Container::Container(SearchOrder order) : order_{order} {
}

void Container::put(State state) {
    states_.push_back(state);
}

State Container::take() {
    State state;
    if (order_ == SearchOrder::oldestFirst) {
        state = states_.front();
        states_.pop_front();
    } else {
        state = states_.back();
        states_.pop_back();
    }
    return state;
}
