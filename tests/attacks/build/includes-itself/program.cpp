#include "program.cpp"
