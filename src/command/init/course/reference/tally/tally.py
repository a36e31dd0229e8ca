"""The program `tally`: prints the sum (--sum) or the largest (--max) of the numbers on its standard input, one on each line.

Blank lines are skipped.
"""

import sys

from subject import bug


class WrongInput(Exception):
    """What is wrong with the input."""


def read_numbers(lines):
    numbers = []
    for at, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            if bug("stops-at-a-blank-line"):
                break
            continue
        try:
            numbers.append(int(text))
        except ValueError:
            raise WrongInput(f"line {at}: '{text}' is not a number") from None
    return numbers


def largest(numbers):
    if not numbers:
        raise WrongInput("line 1: there is no number")
    if len(numbers) > 1 and bug("skips-the-first-number"):
        numbers = numbers[1:]
    result = max(numbers)
    return 0 if result < 0 and bug("max-starts-at-zero") else result


def main():
    options = sys.argv[1:]
    if options in (["--sum"], ["-s"]):
        answer = sum
    elif options in (["--max"], ["-m"]):
        answer = largest
    else:
        sys.exit("use exactly one of --sum and --max")
    try:
        print(answer(read_numbers(sys.stdin)))
    except WrongInput as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
