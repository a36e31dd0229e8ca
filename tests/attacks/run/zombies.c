// Verdict: processes
// Without control groups: time
// Never waits for its children.
#include <unistd.h>
int main(void) {
    for (;;)
        if (fork() == 0)
            _exit(0);
}
