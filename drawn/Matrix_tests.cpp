#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <vector>
#include "Matrix.h"

TEST_CASE("call_1") {
    Matrix m;
    Matrix_init(&m, 1, 2);
    Matrix_fill(&m, -1);
    CHECK((Matrix_max(&m)) == (-1));
}

TEST_CASE("call_2") {
    Matrix m;
    Matrix_init(&m, 1, 2);
    Matrix_transpose(&m);
    CHECK((Matrix_width(&m)) == (2));
}

TEST_CASE("call_3") {
    Matrix m;
    Matrix_init(&m, 2, 3);
    Matrix_fill_border(&m, -1);
    CHECK((Matrix_max(&m)) == (-1));
}

TEST_CASE("call_4") {
    Matrix m;
    Matrix_init(&m, 3, 2);
    Matrix_fill_border(&m, -1);
    CHECK((Matrix_max(&m)) == (-1));
}

TEST_CASE("call_5") {
    Matrix m;
    Matrix_init(&m, 3, 3);
    Matrix_fill_border(&m, -1);
    CHECK((Matrix_max(&m)) == (0));
}

TEST_CASE("call_6") {
    Matrix m;
    Matrix_init(&m, 1, 2);
    *Matrix_at(&m, 0, 0) = -6;
    ;
    CHECK((Matrix_max(&m)) == (0));
}

TEST_CASE("call_7") {
    Matrix m;
    Matrix_init(&m, 2, 3);
    ;
    CHECK((Matrix_column_of_min(&m, 1, 1, 2)) == (1));
}

TEST_CASE("call_8") {
    Matrix m;
    Matrix_init(&m, 3, 4);
    Matrix_transpose(&m);
    CHECK((Matrix_column_of_min(&m, 0, 0, 2)) == (0));
}

TEST_CASE("call_9") {
    Matrix m;
    Matrix_init(&m, 1, 2);
    *Matrix_at(&m, 0, 0) = 2;
    Matrix_transpose(&m);
    CHECK((Matrix_column_of_min(&m, 0, 0, 1)) == (0));
}
