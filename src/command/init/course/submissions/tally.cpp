// Prints the sum (--sum) or the largest (--max) of the numbers on standard input, one on each line.

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

static long long largest(const vector<long long>& numbers) {
    long long result = numbers[0];
    for (size_t at = 0; at < numbers.size(); ++at) {
        result = max(result, numbers[at]);
    }
    return result;
}

int main(int argc, char** argv) {
    vector<long long> numbers;
    long long number = 0, sum = 0;
    while (cin >> number) {
        numbers.push_back(number);
        sum += number;
    }
    const string option = argc == 2 ? argv[1] : "";
    const bool wantsSum = option == "--sum" || option == "-s";
    if (!wantsSum && numbers.empty()) {
        return 1;
    }
    cout << (wantsSum ? sum : largest(numbers)) << '\n';
}
