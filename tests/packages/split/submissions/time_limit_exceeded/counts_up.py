n = int(input())
parts = [1, 1]
while sum(parts) < n:
    parts[1] += 1
print(*parts)
