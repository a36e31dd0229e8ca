// Mutants in each place where a program may have one. The build without a host includes the header twice.
#include "subject.h"
#include <stdio.h>
#include "subject.h"
#ifdef __cplusplus
template <class T> static bool in_template() { return BUG("a"); }
struct Type {
    int member() { return BUG("b") ? 1 : 0; }
};
inline bool inlined() { return BUG("a"); }
static int first(void) { return in_template<int>() | in_template<long>(); }
static int second(void) { return Type().member(); }
static int third(void) { return [] { return inlined() ? 1 : 0; }(); }
#else
static inline int inlined(void) { return BUG("a"); }
static int first(void) { return inlined(); }
static int second(void) { return BUG("b") ? 1 : 0; }
static int third(void) { return inlined() && BUG("a"); }
#endif
int main(void) {
    int last = 0;
    if (!BUG("a") && BUG("b")) last = 1;
    printf("%d%d%d%d", first() != 0, second(), third(), last);
    return 0;
}
