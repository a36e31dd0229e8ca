#include <iostream>
#include <string>

int main() {
    int low = 1, high = 100;
    for (std::string answer; answer != "correct";) {
        int guess = (low + high) / 2;
        std::cout << guess << std::endl;
        if (!(std::cin >> answer)) return 1;
        if (answer == "lower") high = guess - 1;
        // Never reaches the last number of a range.
        if (answer == "higher") low = guess;
    }
}
