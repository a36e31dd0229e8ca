// Any two positive numbers with the sum are right.
#include <fstream>
#include <iostream>
#include <string>

#include "verdict.h"

int main(int, char** argv) {
    std::ifstream input(argv[1]);
    long long sum, a, b;
    std::string rest;
    input >> sum;
    if (!(std::cin >> a >> b) || std::cin >> rest) {
        return wrong(argv[3], "expected two numbers");
    }
    if (a < 1 || b < 1) {
        return wrong(argv[3], "a part is not positive");
    }
    return a + b == sum ? 42 : wrong(argv[3], "the parts do not have the sum");
}
