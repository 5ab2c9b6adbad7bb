# arrays and NumPy scalars in variables of a module
# kiln-test: needs=numpy
import numpy as np
from _harness import sizes

values = np.linspace(0.0, 1.0, 20000)
results = {}
for n in sizes():
    total = 0.0
    for i in range(n):  # kiln-native
        total += values[i]
    results.setdefault(n, set()).add(repr(total))
for n, found in results.items():
    print(n, *sorted(found))
