"""What runs under PyTorch: its own operations, where it has the like. Usage: worker_torch.py first|all."""

import json
import sys
import time

import numpy

start = time.perf_counter()
import torch

IMPORT_MS = (time.perf_counter() - start) * 1e3

from timing import kernel_ms, launch_us


def time_kernel(launch) -> float:
    return kernel_ms(launch, lambda: torch.cuda.Event(enable_timing=True), lambda a, b: a.elapsed_time(b))


def main() -> None:
    """Prints the figures asked for. The matrix product is the library's, not a tiled kernel, without TF32."""
    figures, checks = {"import": IMPORT_MS}, {}
    if sys.argv[1] == "all":
        sizes = json.loads(sys.argv[2])
        torch.backends.cuda.matmul.allow_tf32 = False
        a, b, c = (torch.full((32,), value, device="cuda") for value in (1.0, 2.0, 0.0))
        figures["launch(array, array, array)"] = launch_us(lambda: torch.add(a, b, out=c), torch.cuda.synchronize)
        a, b, c = (torch.full((sizes["add"],), value, device="cuda") for value in (1.0, 2.0, 0.0))
        figures["vector add"] = time_kernel(lambda: torch.add(a, b, out=c))
        checks["vector add"] = float(c[-1])
        n = sizes["matmul"]
        rows = torch.from_numpy((numpy.arange(n * n, dtype=numpy.float32) % 7).reshape(n, n)).cuda()
        other, product = rows.T.contiguous(), torch.empty((n, n), device="cuda")
        figures["matmul"] = time_kernel(lambda: torch.matmul(rows, other, out=product))
        checks["matmul"] = float(product[1, 2])
    print(json.dumps({"figures": figures, "checks": checks}))


if __name__ == "__main__":
    main()
