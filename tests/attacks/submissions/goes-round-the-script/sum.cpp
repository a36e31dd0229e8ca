#include <iostream>

int main() {
    int a = 0, b = 0;
    if (!(std::cin >> a >> b))
        return 1;
    std::cout << a + b << '\n';
}
