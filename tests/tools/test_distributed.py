"""examples/distributed: the results are the same as in one process, workers run under kiln, and their reports become one."""

import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

from tool_case import KILN, ToolTest, environment

FOLDER = os.path.join(os.environ["TEST_SOURCE"], "examples", "distributed")
HEIGHT = 200
sys.path.insert(0, FOLDER)
sys.dont_write_bytecode = True
EXPECTED = __import__("julia").rows(0, HEIGHT, 400, HEIGHT, 500)
SHELL = 'KILN_REPORT=out.$PMI_RANK$OMPI_COMM_WORLD_RANK.json exec "$0" "$@"'

# Starts `dask worker` by the kiln that the command line names, as one would on another machine; the scheduler is its own.
DASK_WORKER = """
import os, subprocess, sys
from dask.distributed import Client, LocalCluster
from julia import parts, rows
kiln, height = sys.argv[1], int(sys.argv[2])
with LocalCluster(n_workers=0, dashboard_address=None) as cluster, Client(cluster) as client:
    command = [kiln, "-m", "dask", "worker", cluster.scheduler_address, "--nworkers", "2", "--nthreads", "1", "--no-dashboard"]
    workers = subprocess.Popen(command, env={**os.environ, "KILN_REPORT": "out.json"}, stderr=subprocess.DEVNULL)
    client.wait_for_workers(2)
    print(sum(client.gather([client.submit(rows, *part, 400, height, 500, pure=False) for part in parts(height, 8)])))
    client.shutdown()
workers.wait(60)
"""


def has(*modules: str) -> bool:
    """Whether the active environment has all of them."""
    code = "import importlib.util, sys; sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1:]))"
    return subprocess.run([KILN, "-c", code, *modules], env=environment()).returncode == 0


HAS_MPI = has("mpi4py") and shutil.which("mpiexec") is not None


class Distributed(ToolTest):
    """Each example, with a small picture."""

    def check(self, *command: str, **variables: str) -> None:
        """Runs a command that starts an example; looks at the reports that it leaves."""
        result = subprocess.run(
            command, cwd=self.folder, env=environment(PYTHONDONTWRITEBYTECODE="1", **variables), capture_output=True, text=True,
            timeout=300,
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, f"{EXPECTED}\n")
        paths = sorted(glob.glob(os.path.join(self.folder, "out*.json")))
        self.assertGreaterEqual(len(paths), 2)
        merged = self.run_kiln("-m", "kiln", "report", *paths)
        self.assertEqual((merged.returncode, merged.stderr), (0, ""))
        self.assertIn(f", {len(paths)} processes", merged.stdout)
        calls = 0
        for path in paths:
            with open(path, encoding="utf-8") as file:
                functions = json.load(file)["functions"]
            calls += sum(sum(row["calls"].values()) for row in functions if row["name"] == "row" and row["file"].endswith("julia.py"))
        self.assertEqual(calls, HEIGHT)

    @unittest.skipUnless(has("joblib"), "needs joblib")
    def test_joblib(self) -> None:
        """Its own worker processes."""
        self.check(KILN, os.path.join(FOLDER, "joblib_julia.py"), str(HEIGHT), KILN_REPORT="out.json")

    @unittest.skipUnless(has("distributed"), "needs dask[distributed]")
    def test_dask(self) -> None:
        """A cluster on this machine."""
        self.check(KILN, os.path.join(FOLDER, "dask_julia.py"), str(HEIGHT), KILN_REPORT="out.json")

    @unittest.skipUnless(has("distributed"), "needs dask[distributed]")
    def test_dask_worker(self) -> None:
        """Workers that are started by their command."""
        self.check(KILN, self.write("driver.py", DASK_WORKER), KILN, str(HEIGHT), PYTHONPATH=FOLDER)

    @unittest.skipUnless(HAS_MPI, "needs mpi4py and mpiexec")
    def test_mpi(self) -> None:
        """Processes that mpiexec starts."""
        self.check("mpiexec", "-n", "2", "sh", "-c", SHELL, KILN, os.path.join(FOLDER, "mpi_julia.py"), str(HEIGHT))

    @unittest.skipUnless(has("ray"), "needs ray")
    def test_ray(self) -> None:
        """Workers that end by themselves, and processes of Ray's own that do nothing of the program."""
        self.check(KILN, os.path.join(FOLDER, "ray_julia.py"), str(HEIGHT), KILN_REPORT="out.json", RAY_AUTH_MODE="disabled")

    @unittest.skipUnless(has("numpy"), "needs numpy")
    def test_gpus(self) -> None:
        """Kernels of threads and of workers give one result; here on the CPU."""
        result = subprocess.run(
            [KILN, os.path.join(FOLDER, "gpus_julia.py"), "64"], cwd=self.folder, env=environment(PYTHONDONTWRITEBYTECODE="1"),
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        head, *rows = result.stdout.splitlines()
        self.assertEqual(head, "64 rows on the CPU")
        self.assertEqual(len(rows), 3 if has("distributed") else 2)
        self.assertEqual(len({row.split()[-1] for row in rows}), 1)

    def test_a_file_that_is_no_report(self) -> None:
        """Is named."""
        self.run_kiln("-c", "pass", KILN_REPORT="out.json")
        other = self.write("other.json", "{}")
        refused = self.run_kiln("-m", "kiln", "report", "out.json", other)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn(f"cannot show {other}", refused.stderr)


if __name__ == "__main__":
    unittest.main()
