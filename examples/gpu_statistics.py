"""Mean and variance of a structured array of measurements: @vectorize for the squares, cuda.reduce for the sums. Needs NumPy."""

import numpy as np
from numba import cuda, vectorize

Measurement = np.dtype([("sensor", np.int32), ("value", np.float64)], align=True)


@cuda.reduce
def add(a, b):
    return a + b


@vectorize(["float64(float64, float64)"], target="cuda")
def squared_distance(x, mean):
    return (x - mean) ** 2


@cuda.jit
def calibrate(measurements, offsets, values):
    i = cuda.grid(1)
    if i < measurements.size:
        m = measurements[i]
        m.value -= offsets[m.sensor]
        values[i] = m.value


count = 100_000
rng = np.random.default_rng(7)
measurements = np.zeros(count, Measurement)
measurements["sensor"] = rng.integers(0, 3, count)
offsets = np.array([0.5, -0.25, 2.0])
measurements["value"] = rng.normal(10.0, 2.0, count) + offsets[measurements["sensor"]]

on_device = cuda.to_device(measurements)
values = cuda.device_array(count)
calibrate[(count + 255) // 256, 256](on_device, offsets, values)
mean = add(values) / count
variance = add(squared_distance(values, mean)) / count
print(f"mean {mean:.2f}, deviation {variance ** 0.5:.2f}")
expected = measurements["value"] - offsets[measurements["sensor"]]
print("as NumPy's:", np.allclose([mean, variance], [expected.mean(), expected.var()]))
