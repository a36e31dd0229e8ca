// Verdict: signal 11
// Calls itself without end.
static int deeper(int *above) {
    volatile int here[256];
    here[0] = *above;
    return deeper((int *)here) + here[0];
}
int main(void) {
    int top = 1;
    return deeper(&top);
}
