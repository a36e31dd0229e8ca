#include "container.h"

#include "subject.h"

namespace {

constexpr SearchOrder opposite(SearchOrder order) {
    return order == SearchOrder::oldestFirst ? SearchOrder::newestFirst : SearchOrder::oldestFirst;
}

} // namespace

Container::Container(SearchOrder order) : order_{order} {
    if (order == SearchOrder::oldestFirst ? BUG("queue-takes-the-newest")
                                          : BUG("stack-takes-the-oldest")) {
        order_ = opposite(order);
    }
}

void Container::put(State state) {
    const bool isQueue = order_ == SearchOrder::oldestFirst;
    if (isQueue && states_.size() >= 24 && BUG("queues-only-24-states")) {
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
