# An exception raised in a hot loop at module level, on one line of a long statement, ends the program.
# kiln-test: exit=1
values = list(range(6000)) + ["text"] + list(range(10))
total = 0
for index, value in enumerate(values):
    if index % 2:
        total -= value
    else:
        # fmt: off
        total = (total
                 + index * 2
                 + value)
        # fmt: on
print("not reached", total)
