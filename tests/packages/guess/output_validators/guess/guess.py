"""Answers up to eight guesses of a number from 1 to 100."""

import sys

ACCEPTS, REJECTS = 42, 43


def reject(message):
    with open(sys.argv[3] + "judgemessage.txt", "w") as file:
        file.write(message)
    sys.exit(REJECTS)


with open(sys.argv[1]) as file:
    number = int(file.read())
for guesses in range(8):
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        reject("the program stops guessing")
    if not line.strip().isdigit():
        reject("a guess is no number")
    guess = int(line)
    answer = "correct" if guess == number else "lower" if number < guess else "higher"
    try:
        print(answer, flush=True)
    except BrokenPipeError:
        reject("the program does not wait for an answer")
    if guess == number:
        sys.exit(ACCEPTS)
reject("eight guesses are not enough")
