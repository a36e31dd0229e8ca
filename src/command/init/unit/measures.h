// What students test. There is at least one number.

// The largest of `count` numbers.
int largest(const int *numbers, int count);

// Their mean, rounded towards zero.
int mean(const int *numbers, int count);
