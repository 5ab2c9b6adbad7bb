# The program itself comes through stdin: argv, a hot loop at module level, a traceback whose source can't be shown.
# kiln-test: run=stdin args="a b" exit=1
import sys

total = 0
for i in range(20000):
    total += i % 5
print(total, sys.argv, __name__, "__file__" in globals(), sys.orig_argv[-3:])
for i in range(20000):
    total //= 15000 - i
