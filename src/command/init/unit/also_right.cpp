#include <algorithm>
#include <numeric>

#include "measures.h"

int largest(const int *numbers, int count) {
    return *std::max_element(numbers, numbers + count);
}

int mean(const int *numbers, int count) {
    return static_cast<int>(std::accumulate(numbers, numbers + count, 0LL) / count);
}
