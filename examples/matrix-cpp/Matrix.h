// A matrix of whole numbers. A program makes one with `Matrix_init` before it calls anything else.
#ifndef MATRIX_H
#define MATRIX_H

const int MAX_WIDTH = 100;
const int MAX_HEIGHT = 100;

struct Matrix {
    int width;
    int height;
    int data[MAX_WIDTH * MAX_HEIGHT];
};

// Makes a matrix of this size, with 0 everywhere. Both sizes are from 1 to the most.
void Matrix_init(Matrix *matrix, int width, int height);

int Matrix_width(const Matrix *matrix);
int Matrix_height(const Matrix *matrix);

// The place of an element, which the caller may change. Rows and columns count from 0.
int *Matrix_at(Matrix *matrix, int row, int column);
const int *Matrix_at(const Matrix *matrix, int row, int column);

// Sets every element to `value`.
void Matrix_fill(Matrix *matrix, int value);

// Sets the first and the last row and column to `value`, and nothing else.
void Matrix_fill_border(Matrix *matrix, int value);

// The largest element.
int Matrix_max(const Matrix *matrix);

// The column of the least element of `row` in the columns from `start` to the one before `end`. If several are the least, the first one.
int Matrix_column_of_min(const Matrix *matrix, int row, int start, int end);

// Swaps rows with columns.
void Matrix_transpose(Matrix *matrix);

#endif
