// Each mutant fails one of these cases at least. Students do not get this file.
#include <doctest/doctest.h>

#include "Matrix.h"

TEST_CASE("a new matrix is 0 everywhere") {
    Matrix matrix;
    matrix.data[4] = 7;
    Matrix_init(&matrix, 2, 3);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 2; ++column) {
            CHECK(*Matrix_at(&matrix, row, column) == 0);
        }
    }
}

TEST_CASE("a matrix has its size") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    CHECK(Matrix_width(&matrix) == 2);
    CHECK(Matrix_height(&matrix) == 3);
}

TEST_CASE("fill reaches every element") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    Matrix_fill(&matrix, -4);
    CHECK(*Matrix_at(&matrix, 0, 0) == -4);
    CHECK(*Matrix_at(&matrix, 2, 1) == -4);
    CHECK(Matrix_max(&matrix) == -4);
}

TEST_CASE("the border encloses what it does not fill") {
    Matrix matrix;
    Matrix_init(&matrix, 3, 3);
    Matrix_fill_border(&matrix, 1);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            CHECK(*Matrix_at(&matrix, row, column) == (row == 1 && column == 1 ? 0 : 1));
        }
    }
}

TEST_CASE("the first of several minima counts") {
    Matrix matrix;
    Matrix_init(&matrix, 4, 1);
    *Matrix_at(&matrix, 0, 0) = -5;
    *Matrix_at(&matrix, 0, 3) = -9;
    CHECK(Matrix_column_of_min(&matrix, 0, 1, 3) == 1);
}

TEST_CASE("elements of a matrix that is no square have places of their own") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    *Matrix_at(&matrix, 1, 0) = 8;
    CHECK(Matrix_at(&matrix, 1, 0) != Matrix_at(&matrix, 0, 1));
    Matrix_init(&matrix, 3, 2);
    CHECK(Matrix_at(&matrix, 1, 0) != Matrix_at(&matrix, 0, 2));
}

TEST_CASE("the maximum may be in the last row") {
    Matrix matrix;
    Matrix_init(&matrix, 1, 2);
    *Matrix_at(&matrix, 1, 0) = 5;
    CHECK(Matrix_max(&matrix) == 5);
}

TEST_CASE("transposing swaps the sizes") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    Matrix_transpose(&matrix);
    CHECK(Matrix_width(&matrix) == 3);
}
