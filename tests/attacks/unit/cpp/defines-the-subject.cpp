// Has functions of its own under the names of the program's, so that these are tested.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

static int calls;

int *Matrix_at(Matrix *matrix, int row, int column) {
    ++calls;
    return &matrix->data[row * matrix->width + column];
}

const int *Matrix_at(const Matrix *matrix, int row, int column) {
    ++calls;
    return &matrix->data[row * matrix->width + column];
}

TEST_CASE("calls") {
    Matrix matrix;
    Matrix_init(&matrix, 3, 3);
    Matrix_fill_border(&matrix, 1);
    Matrix_max(&matrix);
    Matrix_column_of_min(&matrix, 0, 1, 3);
    CHECK(calls == 0);
}
