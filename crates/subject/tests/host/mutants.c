// Mutants of a program for C and C++.
#include <stdio.h>
#include <stdlib.h>
#include "subject.h"
static inline int shared(void) { return BUG("off-by-one"); }
#ifdef __cplusplus
template <class T> static T sum(T most) {
#else
static int sum(int most) {
#endif
    int total = 0;
    for (int at = 0; at <= most; at++) {
        if (at == 1 && BUG("loops")) at = 0;
        if (at == most && shared()) break;
        if (at == 2 && BUG("crashes")) *(volatile int *)0 = 1;
        total += at;
    }
    if (BUG("slower")) for (volatile int at = 0; at < 20; at = at + 1) {}
    return total;
}
int main(void) {
    int most = -1;
    if (scanf("%d", &most) != 1) return 1;
    if (most > 100 && BUG("never")) puts("never");
    printf("%d\n", sum(most));
    if (BUG("aborts") && most == 3) abort();
    if (BUG("elsewhere")) puts("elsewhere");
    return 0;
}
