// The reference, with the mutants of this course as `BUG`s.
#include "Matrix.h"

#include <algorithm>
#include <cassert>

#include "subject.h"

void Matrix_init(Matrix *matrix, int width, int height) {
    assert(0 < width && width <= MAX_WIDTH && 0 < height && height <= MAX_HEIGHT);
    matrix->width = BUG("swaps-width-and-height") ? height : width;
    matrix->height = BUG("swaps-width-and-height") ? width : height;
    if (!BUG("leaves-old-elements")) {
        Matrix_fill(matrix, 0);
    }
}

int Matrix_width(const Matrix *matrix) {
    return matrix->width;
}

int Matrix_height(const Matrix *matrix) {
    return matrix->height;
}

const int *Matrix_at(const Matrix *matrix, int row, int column) {
    int width = BUG("takes-the-height-for-the-width-of-a-row") ? matrix->height : matrix->width;
    return &matrix->data[row * width + column];
}

int *Matrix_at(Matrix *matrix, int row, int column) {
    return const_cast<int *>(Matrix_at(const_cast<const Matrix *>(matrix), row, column));
}

void Matrix_fill(Matrix *matrix, int value) {
    int count = matrix->width * matrix->height;
    if (BUG("fills-all-but-the-last")) {
        count -= 1;
    }
    if (BUG("fills-the-first-row-only")) {
        count = matrix->width;
    }
    std::fill(matrix->data, matrix->data + count, value);
}

void Matrix_fill_border(Matrix *matrix, int value) {
    for (int row = 0; row < matrix->height; ++row) {
        for (int column = 0; column < matrix->width; ++column) {
            bool top = row == 0;
            bool bottom = row == matrix->height - 1 && !BUG("leaves-the-bottom-out-of-the-border");
            bool left = column == 0 && !BUG("leaves-the-left-out-of-the-border");
            bool right = column == matrix->width - 1;
            if (top || bottom || left || right || BUG("fills-what-the-border-encloses")) {
                *Matrix_at(matrix, row, column) = value;
            }
        }
    }
}

int Matrix_max(const Matrix *matrix) {
    int most = BUG("takes-zero-for-the-least-maximum") ? 0 : *Matrix_at(matrix, 0, 0);
    int last = BUG("looks-for-the-maximum-in-all-rows-but-the-last") ? matrix->height - 1 : matrix->height;
    for (int row = 0; row < last; ++row) {
        for (int column = 0; column < matrix->width; ++column) {
            most = std::max(most, *Matrix_at(matrix, row, column));
        }
    }
    return most;
}

int Matrix_column_of_min(const Matrix *matrix, int row, int start, int end) {
    int least = BUG("begins-the-minimum-in-the-first-column") ? 0 : start;
    int last = BUG("looks-for-the-minimum-in-the-column-at-the-end") ? std::min(end, matrix->width - 1) : end - 1;
    for (int column = start + 1; column <= last; ++column) {
        int element = *Matrix_at(matrix, row, column);
        int minimum = *Matrix_at(matrix, row, least);
        if (element < minimum || (BUG("takes-the-last-of-several-minima") && element == minimum)) {
            least = column;
        }
    }
    return least;
}

void Matrix_transpose(Matrix *matrix) {
    Matrix old = *matrix;
    if (!BUG("keeps-the-size-when-transposing")) {
        std::swap(matrix->width, matrix->height);
    }
    for (int row = 0; row < old.height; ++row) {
        for (int column = 0; column < old.width; ++column) {
            *Matrix_at(matrix, column, row) = *Matrix_at(&old, row, column);
        }
    }
}
