// Another right program: it has the elements column by column, and of several least elements looks from the end.
#include "Matrix.h"

#include <algorithm>

void Matrix_init(Matrix *matrix, int width, int height) {
    matrix->width = width;
    matrix->height = height;
    Matrix_fill(matrix, 0);
}

int Matrix_width(const Matrix *matrix) {
    return matrix->width;
}

int Matrix_height(const Matrix *matrix) {
    return matrix->height;
}

int *Matrix_at(Matrix *matrix, int row, int column) {
    return matrix->data + column * matrix->height + row;
}

const int *Matrix_at(const Matrix *matrix, int row, int column) {
    return matrix->data + column * matrix->height + row;
}

void Matrix_fill(Matrix *matrix, int value) {
    for (int at = 0; at < matrix->width * matrix->height; ++at) {
        matrix->data[at] = value;
    }
}

void Matrix_fill_border(Matrix *matrix, int value) {
    for (int row = 0; row < matrix->height; ++row) {
        *Matrix_at(matrix, row, 0) = *Matrix_at(matrix, row, matrix->width - 1) = value;
    }
    for (int column = 0; column < matrix->width; ++column) {
        *Matrix_at(matrix, 0, column) = *Matrix_at(matrix, matrix->height - 1, column) = value;
    }
}

int Matrix_max(const Matrix *matrix) {
    return *std::max_element(matrix->data, matrix->data + matrix->width * matrix->height);
}

int Matrix_column_of_min(const Matrix *matrix, int row, int start, int end) {
    int least = end - 1;
    for (int column = end - 2; column >= start; --column) {
        if (*Matrix_at(matrix, row, column) <= *Matrix_at(matrix, row, least)) {
            least = column;
        }
    }
    return least;
}

void Matrix_transpose(Matrix *matrix) {
    Matrix old = *matrix;
    matrix->width = old.height;
    matrix->height = old.width;
    for (int row = 0; row < old.height; ++row) {
        for (int column = 0; column < old.width; ++column) {
            *Matrix_at(matrix, column, row) = *Matrix_at(&old, row, column);
        }
    }
}
