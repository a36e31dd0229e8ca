// Verdict: exit 3
// Reads and changes the memory of other processes.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
    char buffer[16];
    struct iovec here = {buffer, 16}, there = {(void *)0x400000, 16};
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
        return 0;
    for (int process = 1; process < 10; process++) {
        if (ptrace(PTRACE_ATTACH, process, 0, 0) == 0 || ptrace(PTRACE_SEIZE, process, 0, 0) == 0)
            return 0;
        if (process_vm_readv(process, &here, 1, &there, 1, 0) > 0)
            return 0;
    }
    return open("/proc/1/mem", O_RDWR) >= 0 ? 0 : 3;
}
