from itertools import groupby

input()
print(max(len(list(group)) for _, group in groupby(input().split())))
