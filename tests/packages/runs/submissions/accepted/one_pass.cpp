// Counts the current run.
#include <algorithm>
#include <iostream>

int main() {
    int n, last = -1, run = 0, longest = 0;
    std::cin >> n;
    for (int x; n > 0 && std::cin >> x; --n) {
        run = x == last ? run + 1 : 1;
        last = x;
        longest = std::max(longest, run);
    }
    std::cout << longest << '\n';
}
