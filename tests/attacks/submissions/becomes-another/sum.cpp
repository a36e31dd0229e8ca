// Leaks, and becomes another program, so that valgrind does not see its end.
#include <cstdlib>
#include <iostream>
#include <unistd.h>

int *volatile lost;

int main() {
    int a = 0, b = 0;
    if (!(std::cin >> a >> b))
        return 1;
    lost = new int[10];
    lost = nullptr;
    std::cout << a + b << std::endl;
    if (getenv("LD_PRELOAD")) {
        unsetenv("LD_PRELOAD");
        execl("/bin/true", "true", static_cast<char *>(nullptr));
    }
}
