"""Time in which no thread runs: whose it is, and that nothing calls it lost. Usage: test_waiting.py KILN [unittest options]."""

import os
import tempfile
import time
import unittest

import browser
import report_case
from report_case import ReportTest

# A thread that wakes up now and then, as one of a library's does, holds the GIL last nearly always.
NAPS = """
import threading, time
def nap():
    while True: time.sleep(0.003)
threading.Thread(target=nap, daemon=True).start()
"""

WAITS = NAPS + """
def wait(seconds):
    time.sleep(seconds)  # waits
wait(1)
"""

WORKS = NAPS + """
import hashlib
data = b"x" * 20_000_000
def work():
    for k in range(40): hashlib.sha256(data)
def join(thread):
    thread.start()
    thread.join()
join(threading.Thread(target=work))
"""

LOSES = WAITS + """
def stream(n):
    for i in range(n): yield i
def loses(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: sum(stream(1000))
loses(0.3)
"""

LAUNCHES = """
import numpy
from numba import njit, prange
@njit(parallel=True)
def launch(x, n):
    for i in prange(x.shape[0]):
        t = 0.0
        for k in range(n):
            t += (x[i] + k) ** 0.5
        x[i] = t
launch(numpy.ones(4000), 40000)
"""

TRACKED = """
import multiprocessing
from multiprocessing import resource_tracker
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(resource_tracker._resource_tracker._pid, pool.apply(sum, [range(100000)]) and 0)
"""


class Waiting(ReportTest):
    def samples(self, source: str) -> dict[tuple[str, str], int]:
        """By name and tier of the innermost function."""
        done = self.run_source(source, "out.json", KILN_JIT="off")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = self.read()
        counts: dict[tuple[str, str], int] = {}
        for _, frame, samples, _ in report["stacks"]["nodes"]:
            index, _, tier = report["stacks"]["frames"][frame]
            key = (report["functions"][index]["name"], tier)
            counts[key] = counts.get(key, 0) + samples
        return counts

    def test_belongs_to_the_main_thread(self) -> None:
        counts = self.samples(WAITS)
        self.assertGreater(counts["wait", "idle"], 100)
        naps = sum(count for (name, _), count in counts.items() if name == "nap")
        self.assertLess(naps, counts["wait", "idle"] / 4, counts)

    def test_c_code_without_the_gil_is_no_waiting(self) -> None:
        """Whoever holds the GIL last, and though the main thread waits for it."""
        counts = self.samples(WORKS)
        self.assertGreater(counts["work", "c"], 50)
        self.assertEqual(counts.get(("work", "idle"), 0), 0)
        naps = sum(count for (name, _), count in counts.items() if name == "nap")
        self.assertLess(naps, counts["work", "c"] / 4, counts)

    def test_kernels_are_work(self) -> None:
        """The thread that launches waits for those that compute."""
        if self.run_kiln("-c", "import numpy", report="0").returncode != 0:
            self.skipTest("NumPy is not installed")
        done = self.run_source(LAUNCHES, "out.json", KILN_NUMBA="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        counts = {tier: 0 for tier in ("kernel", "idle")}
        report = self.read()
        for _, frame, samples, _ in report["stacks"]["nodes"]:
            index, _, tier = report["stacks"]["frames"][frame]
            if tier in counts and report["functions"][index]["file"].endswith("program.py"):
                counts[tier] += samples
        self.assertGreater(counts["kernel"], 20, counts)
        self.assertLess(counts["idle"], counts["kernel"] / 10, counts)

    def test_source_shows_it(self) -> None:
        self.run_source(WAITS, "out.json", KILN_JIT="off")
        done = self.run_kiln("-m", "kiln", "report", "out.json", "--source", "program.py:wait", report="0")
        self.assertRegex(done.stdout, r"(?m)^ +8 +\d+\.\d - \| +time.sleep\(seconds\)")

    def test_table_does_not_count_it(self) -> None:
        done = self.run_source(LOSES, "1", KILN_JIT="off")
        verdict = done.stderr.splitlines()[-1]
        self.assertRegex(verdict, r"^interpreted \(i\) 100% · native \(n\) 0% · .*\(c\) 0%; besides, no thread ran for \d+\.\d+ s$")

    def test_multiprocessings_helpers_write_nothing(self) -> None:
        """They end after the program: what they wrote would come when its reports have been read."""
        done = self.run_source(TRACKED, "out.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        tracker = int(done.stdout.split()[0])
        for _ in range(1000):
            if not os.path.exists(f"/proc/{tracker}"):
                break
            time.sleep(0.01)
        files = [file for file in os.listdir(self.directory) if file.startswith("out.")]
        self.assertNotIn(f"out.{tracker}.json", files)
        self.assertEqual(len(files), 2, "the program's and the worker's")


@unittest.skipUnless(browser.CHROMIUM, "no Chromium")
class Verdict(ReportTest):
    def verdict(self, source: str) -> str:
        done = self.run_source(source, "out.html", KILN_JIT="off")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(profile.cleanup)
        page = browser.Browser(profile.name)
        self.addCleanup(page.__exit__)
        page.open(os.path.join(self.directory, "out.html"))
        self.assertEqual(page.complaints(), [])
        return page.run("document.getElementById('verdict').textContent")

    def test_names_what_runs(self) -> None:
        """It waited for longer than it ran: that is said, and is not what was lost."""
        verdict = self.verdict(LOSES)
        self.assertRegex(verdict, r"^0 % of [\d.]+ m?s native; \d+ % of the time is lost to (stream|loses) line ")
        self.assertRegex(verdict, r"; besides, it waited for [\d.]+ m?s, while no thread ran, mostly in wait line 8\.$")

    def test_blames_nobody_for_waiting(self) -> None:
        self.assertNotIn("lost to wait", self.verdict(WAITS))
        self.assertNotIn("nap", self.verdict(WAITS))


if __name__ == "__main__":
    report_case.main()
