# Waits for an answer before it has guessed.
input()
print(50)
