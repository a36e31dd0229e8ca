#include "measures.h"

#include "subject.h"

int largest(const int *numbers, int count) {
    int result = BUG("takes-zero-for-the-least") ? 0 : numbers[0];
    const int end = BUG("leaves-out-the-last-number") ? count - 1 : count;
    for (int at = 0; at < end; ++at) {
        if (numbers[at] > result) {
            result = numbers[at];
        }
    }
    return result;
}

int mean(const int *numbers, int count) {
    long long sum = 0;
    for (int at = 0; at < count; ++at) {
        sum += numbers[at];
    }
    if (BUG("rounds-down") && sum < 0) {
        sum -= count - 1;
    }
    return static_cast<int>(sum / count);
}
