// Verdict: time
// Never ends.
int main(void) {
    for (volatile long i = 0;;)
        i++;
}
