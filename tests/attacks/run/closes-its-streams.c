// Verdict: wall
// Closes its streams and stays.
#include <unistd.h>
int main(void) {
    for (int file = 0; file < 3; file++)
        close(file);
    for (;;)
        pause();
}
