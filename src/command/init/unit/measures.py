"""What students test: functions of a list of numbers, of which there is at least one."""

from subject import bug


def largest(numbers):
    """The largest of the numbers."""
    result = 0 if bug("takes-zero-for-the-least") else numbers[0]
    for number in numbers[:-1] if bug("leaves-out-the-last-number") else numbers:
        if number > result:
            result = number
    return result


def mean(numbers):
    """Their mean, rounded towards zero."""
    total, count = sum(numbers), len(numbers)
    if total < 0 and not bug("rounds-down"):
        return -(-total // count)
    return total // count
