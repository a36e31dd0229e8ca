"""The same, written otherwise."""


def largest(numbers):
    return max(numbers)


def mean(numbers):
    size = abs(sum(numbers)) // len(numbers)
    return size if sum(numbers) > 0 else -size
