#include <cstdlib>
#include <unistd.h>
int main() { return access(std::getenv("SECRET"), F_OK) == 0 ? 0 : 1; }
