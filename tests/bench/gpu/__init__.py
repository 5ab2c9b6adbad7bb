"""The GPU suite: kernels under kiln, numba-cuda, CuPy and PyTorch; or on the CPU, beside C++."""
