# Takes the number of numbers for one digit.
table = [0] * 10
n = int(input())
table[n] = 1
longest = run = 0
last = None
for x in input().split():
    run = run + 1 if x == last else 1
    last = x
    longest = max(longest, run)
print(longest)
