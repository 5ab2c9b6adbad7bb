# np.abs of complex numbers: arrays' code for it, whose results are not those of abs().
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, edge_values, fresh, heard

COUNT = 3000


def lengths(values):
    out = []
    for i in range(COUNT):
        z = values[i % len(values)]
        out.append((np.abs(z), np.absolute(z), abs(z)))
    return out


def escape(count):
    rounds = []
    for i in range(count):
        c = complex((i % 40) / 20.0 - 1.4, (i // 40) / 40.0 - 0.9)
        z, n = 0j, 0
        while np.abs(z) < 2.0 and n < 60:
            z = z * z + c
            n += 1
        rounds.append(n)
    return rounds


def of_array(array, out):
    for i in range(len(array)):
        out[i] = np.abs(array[i])
    return out


random = np.random.RandomState(7)
numbers = random.normal(size=400) + 1j * random.normal(size=400)
for values in (list(numbers), list(numbers.astype(np.complex64)), numbers.tolist(), list(edge_values("complex128")), list(edge_values("complex64"))):
    result, warned = heard(fresh(lengths), values)
    print(*digest([x for xs in result for x in xs]), warned)
print(escape(1500))
for dtype in ("complex128", "complex64"):
    array = np.tile(numbers, 10).astype(dtype)
    print(*digest(list(fresh(of_array)(array, np.zeros(len(array), array.real.dtype)))))
array = np.tile(numbers, 10)
array[3333] = 1.7e308 * (1 + 1j)
print(heard(fresh(of_array), array, np.zeros(len(array)))[1])
