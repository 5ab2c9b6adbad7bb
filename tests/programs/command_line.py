# sys.argv, __name__, __file__ and sys.path[0] for a script, -c, -m and stdin, each with a hot loop at module level.
# kiln-test: run=script,command,module args="one 'two words' -x --long=1 ''" flags="-X dev -W ignore"
import os
import sys

total = 0
for i in range(20000):
    total += i % 5
print(total, i, __name__, sys.argv[0] if sys.argv[0].startswith("-") else os.path.basename(sys.argv[0]), sys.argv[1:])
print([os.path.basename(a) if a.endswith(".py") else a if len(a) < 40 else "source" for a in sys.orig_argv[1:]])
print(
    "__file__" in globals(), __spec__ and __spec__.name, __package__, os.path.basename(sys.path[0]), sys.flags.dev_mode
)


def hot(n):
    total = 0
    for j in range(n):
        total += j
        if j == n - 1:
            total += sys._getframe().f_lineno
    return total


print(hot(20000), hot.__module__)
