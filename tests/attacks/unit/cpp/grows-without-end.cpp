// Lets a template take all memory of the compiler.
// Comes of it: rejected: takes too long or too much memory | rejected: template instantiation depth
#include <doctest/doctest.h>

template <int DEPTH, class... ALL> struct Grow : Grow<DEPTH - 1, ALL..., ALL...>, Grow<DEPTH - 1, ALL..., int> {};
template <class... ALL> struct Grow<0, ALL...> {};

TEST_CASE("grown") { Grow<40, int, int> grown; (void)grown; }
