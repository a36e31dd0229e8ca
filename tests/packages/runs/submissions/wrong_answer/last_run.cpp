// Looks at a run only when the next one begins, and forgets the last one.
#include <algorithm>
#include <iostream>

int main() {
    int n, last = -1, run = 0, longest = 1;
    std::cin >> n;
    for (int x; n > 0 && std::cin >> x; --n) {
        if (x == last) {
            ++run;
        } else {
            longest = std::max(longest, run);
            run = 1;
        }
        last = x;
    }
    std::cout << longest << '\n';
}
