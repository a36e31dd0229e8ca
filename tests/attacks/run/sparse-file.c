// Verdict: output
// Makes a file that looks as if it had a terabyte.
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    return ftruncate(open("sparse", O_CREAT | O_WRONLY, 0644), 1L << 40) == 0 ? 0 : 3;
}
