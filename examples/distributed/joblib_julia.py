"""joblib: its worker processes run under kiln, because it starts them by sys.executable."""

import sys

from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from julia import parts, rows

WIDTH, HEIGHT, DEPTH = 400, int(sys.argv[1]) if len(sys.argv) > 1 else 4000, 500

if __name__ == "__main__":
    jobs = [delayed(rows)(first, last, WIDTH, HEIGHT, DEPTH) for first, last in parts(HEIGHT, 8)]
    print(sum(Parallel(n_jobs=2)(jobs)))
    get_reusable_executor().shutdown(wait=True)  # so that the workers end before this process, and leave their reports
