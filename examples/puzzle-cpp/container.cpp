#include "container.h"

#include "subject.h"

Container::Container(SearchOrder order) : order_{order} {
    if (order == SearchOrder::oldestFirst && BUG("queue-takes-the-newest")) {
        order_ = SearchOrder::newestFirst;
    }
    if (order == SearchOrder::newestFirst && BUG("stack-takes-the-oldest")) {
        order_ = SearchOrder::oldestFirst;
    }
}

void Container::put(State state) {
    if (order_ == SearchOrder::oldestFirst && states_.size() >= 24
        && BUG("queues-only-24-states")) {
        return;
    }
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
