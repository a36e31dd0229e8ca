# Verdict: timeout
# Waits for an answer before it guesses.
input()
