// Verdict: exit 3
// Makes system calls by the numbers of the x32 interface, past a filter that lists numbers.
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    for (long number = 0; number < 600; number++)
        if (syscall(0x40000000 | number, 0, 0, 0, 0, 0, 0) >= 0)
            return 0;
    return 3;
}
