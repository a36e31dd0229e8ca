// Verdict: wall
// Waits for ever, and uses no processor time.
#include <unistd.h>
int main(void) {
    for (;;)
        pause();
}
