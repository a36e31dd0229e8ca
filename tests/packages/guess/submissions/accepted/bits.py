low = 0
for step in (64, 32, 16, 8, 4, 2, 1):
    guess = low + step
    if guess > 100:
        continue
    print(guess, flush=True)
    answer = input()
    if answer == "correct":
        break
    if answer == "higher":
        low = guess
