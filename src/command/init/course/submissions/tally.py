"""Prints the sum (--sum) or the largest (--max) of the numbers on standard input, one on each line."""

import sys


def read_numbers():
    return [int(line) for line in sys.stdin if line.strip()]


def largest(numbers):
    result = numbers[0]
    for number in numbers:
        result = max(result, number)
    return result


def main():
    numbers = read_numbers()
    if sys.argv[1] in ("--sum", "-s"):
        print(sum(numbers))
    else:
        print(largest(numbers))


main()
