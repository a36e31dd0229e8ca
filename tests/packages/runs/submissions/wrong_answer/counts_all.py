# Counts how often the most frequent number occurs, in one run or not.
from collections import Counter

input()
print(max(Counter(input().split()).values()))
