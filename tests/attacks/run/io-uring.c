// Verdict: exit 3
// Gives its work to the kernel, past the filter of system calls.
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    char parameters[256] = {0};
    if (syscall(425, 8, parameters) >= 0 || syscall(426, 3, 1, 1, 0, 0, 0) >= 0 || syscall(427, 3, 0, 0, 0) >= 0)
        return 0;
    return 3;
}
