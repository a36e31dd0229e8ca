#if __INCLUDE_LEVEL__ < 14
#warning again
#include "program.cpp"
#warning and again
#include "program.cpp"
#endif
