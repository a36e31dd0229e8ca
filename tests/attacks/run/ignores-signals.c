// Verdict: time
// Never ends, and ignores whatever can be ignored.
#include <signal.h>
int main(void) {
    for (int signal_ = 1; signal_ < 65; signal_++)
        signal(signal_, SIG_IGN);
    for (volatile long i = 0;;)
        i++;
}
