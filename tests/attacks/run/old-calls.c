// Verdict: signal 31, signal 11
// Makes system calls as a 32-bit program does, which have other numbers.
int main(void) {
#if defined __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    return 0;
#else
    __builtin_trap();
#endif
}
