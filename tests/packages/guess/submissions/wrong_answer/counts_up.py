for guess in range(1, 101):
    print(guess, flush=True)
    if input() == "correct":
        break
