"""Reports of running programs: kiln -m kiln top, KILN_REPORT=live. Usage: test_top.py KILN [unittest options]."""

import contextlib
import os
import pathlib
import pty
import select
import signal
import subprocess
import termios
import time
import unittest
from collections.abc import Callable, Iterator

import report_case
from report_case import ReportTest

# Two functions, one of which is compiled, until the file `end` is there. Prints what it computed, which is always the same.
BUSY = """
import os, sys, threading, time

def light(n):
    s = 0
    for i in range(n):
        s = (s + i * i) % 1000003
    return s

def numbers(n):
    for i in range(n):
        yield i

def summed(n):
    return sum(numbers(n))

def main():
    results = {(light(20000), summed(20000))}
    while not os.path.exists("end"):
        results.add((light(20000), summed(20000)))
    sys.stdout.write(f"{results}\\n")  # in one piece
"""
RESULT = "{(670626, 199990000)}\n"
PLAIN = BUSY + "print('ready', flush=True)\nmain()\n"
THREADS = BUSY + """
print('ready', flush=True)
threads = [threading.Thread(target=main) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
FORKING = BUSY + """
print('ready', flush=True)
while not os.path.exists("watched"):
    light(20000)
child = os.fork()
if child == 0:
    light(20000)
    print([open(f"/proc/self/task/{task}/comm").read().strip() for task in os.listdir("/proc/self/task")], flush=True)
    os._exit(0)
os.waitpid(child, 0)
main()
"""
WAITING = BUSY + "print('ready', flush=True)\nsys.stdin.read()\nmain()\n"
ALTERNATE, NORMAL = "\033[?1049h", "\033[?1049l"


class TopTest(ReportTest):
    def setUp(self) -> None:
        super().setUp()
        self.programs: list[subprocess.Popen[str]] = []
        self.addCleanup(self.kill_all)

    def kill_all(self) -> None:
        for program in self.programs:
            program.kill()
            program.wait()
            for stream in (program.stdin, program.stdout, program.stderr):
                if stream is not None:
                    stream.close()

    def start(self, source: str, **variables: str) -> subprocess.Popen[str]:
        """The program, when it says that it is ready."""
        path = pathlib.Path(self.directory, "busy.py")
        path.write_text(source, encoding="utf-8")
        pathlib.Path(self.directory, "end").unlink(missing_ok=True)
        program = subprocess.Popen(
            [report_case.kiln, str(path)], env=self.environment("0", **variables), cwd=self.directory, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.programs.append(program)
        self.assertEqual(program.stdout.readline(), "ready\n")
        return program

    def finish(self, program: subprocess.Popen[str]) -> str:
        """What the program prints after it was told to end."""
        self.make("end")
        output, errors = program.communicate(timeout=60)
        self.assertEqual((program.returncode, errors), (0, ""))
        return output

    def make(self, name: str) -> None:
        pathlib.Path(self.directory, name).touch()

    def top(self, pid: int, *options: str, **arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [report_case.kiln, "-m", "kiln", "top", str(pid), *options], env=self.environment("0"), text=True,
            capture_output=True, timeout=120, check=False, **arguments,
        )

    def wait_for(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def threads(self, pid: int) -> list[str]:
        names = []
        for path in pathlib.Path(f"/proc/{pid}/task").glob("*/comm"):
            with contextlib.suppress(OSError):  # the thread has ended
                names.append(path.read_text().strip())
        return names

    def is_sampled(self, program: subprocess.Popen[str]) -> bool:
        return "kiln-sampler" in self.threads(program.pid)


class Tables(TopTest):
    def check_once(self, source: str, result: str, **variables: str) -> None:
        program = self.start(source, **variables)
        self.assertFalse(self.is_sampled(program))
        shown = self.top(program.pid, "--once", "--interval", "0.5")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn(f"{program.pid} {self.directory}/busy.py", shown.stdout)
        self.assertIn(" busy.py:", shown.stdout)
        self.wait_for(lambda: not self.is_sampled(program))
        self.assertEqual(self.finish(program), result)

    def test_once(self) -> None:
        """One table, and the program goes on as before."""
        self.check_once(PLAIN, RESULT)
        self.check_once(PLAIN, RESULT, KILN_JIT="off")
        self.check_once(PLAIN, RESULT, KILN_JIT="always")
        self.check_once(PLAIN, RESULT, KILN_STRESS="deopt")

    def test_threads(self) -> None:
        self.check_once(THREADS, 3 * RESULT)

    def test_compiled_code_goes_on(self) -> None:
        """A breaker that stayed set would keep everything interpreted."""
        program = self.start(BUSY + "print('ready', flush=True)\nwhile not os.path.exists('end'): light(200000)\n")
        for _ in range(2):
            self.top(program.pid, "--once", "--interval", "0.2")
        self.wait_for(lambda: not self.is_sampled(program))
        shown = self.top(program.pid, "--once", "--interval", "1")
        row = next(line for line in shown.stdout.splitlines() if "light busy.py" in line)
        self.assertEqual(row.split()[4], "native", shown.stdout)
        interpreted, native, _ = (int(part) for part in row.split()[5].split("/"))
        self.assertGreater(native, interpreted, shown.stdout)

    def test_beside_a_report(self) -> None:
        """The whole run's report misses nothing."""
        program = self.start(PLAIN, KILN_REPORT="out.json")
        self.top(program.pid, "--once", "--interval", "0.5")
        self.finish(program)
        report = self.read()
        self.assertAlmostEqual(sum(f["self_s"] for f in report["functions"]), report["processes"][0]["elapsed_s"], delta=0.3)

    def test_end(self) -> None:
        """The process ends while it is watched."""
        program = self.start(PLAIN)
        watcher = subprocess.Popen(
            [report_case.kiln, "-m", "kiln", "top", str(program.pid), "--interval", "0.2"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.programs.append(watcher)
        self.assertIn(str(program.pid), watcher.stdout.readline())
        self.assertEqual(self.finish(program), RESULT)
        output, errors = watcher.communicate(timeout=60)
        self.assertEqual((watcher.returncode, errors), (0, ""))
        self.assertEqual(output.splitlines()[-1], f"process {program.pid} has ended")

    def test_fork(self) -> None:
        """A child is not measured because its parent is."""
        program = self.start(FORKING)
        watcher = subprocess.Popen([report_case.kiln, "-m", "kiln", "top", str(program.pid)], stdout=subprocess.PIPE, text=True)
        self.programs.append(watcher)
        watcher.stdout.readline()
        self.make("watched")
        self.assertNotIn("kiln-sampler", program.stdout.readline())
        self.wait_for(lambda: self.is_sampled(program))
        watcher.send_signal(signal.SIGINT)
        watcher.communicate()
        self.wait_for(lambda: not self.is_sampled(program))
        self.assertEqual(self.finish(program), RESULT)

    def test_watcher_is_killed(self) -> None:
        """Nothing is measured any more soon after, whether the program runs or waits."""
        program = self.start(WAITING + "sys.stdin.read()\n")
        os.write(program.stdin.fileno(), b"")
        program.stdin.close()
        program.stdin = None
        watcher = subprocess.Popen(
            [report_case.kiln, "-m", "kiln", "top", str(program.pid), "--interval", "0.1"], stdout=subprocess.PIPE, text=True
        )
        self.programs.append(watcher)
        watcher.stdout.readline()
        self.assertTrue(self.is_sampled(program))
        watcher.kill()
        self.wait_for(lambda: not self.is_sampled(program))
        self.assertEqual(self.finish(program), RESULT)


class Waiting(TopTest):
    def wakeups(self, pid: int) -> int:
        """Of all threads, so far."""
        texts = []
        for path in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
            with contextlib.suppress(OSError):  # the thread has ended
                texts.append(path.read_text())
        return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if line.startswith("voluntary_ctxt"))

    def test_silent(self) -> None:
        """A program that waits is said to wait, and is shown when it runs."""
        program = self.start(WAITING)
        watcher = subprocess.Popen(
            [report_case.kiln, "-m", "kiln", "top", str(program.pid), "--interval", "0.2"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.programs.append(watcher)
        self.assertRegex(watcher.stderr.readline(), rf"kiln: process {program.pid}: it runs no Python code since \d+ s")
        program.stdin.close()
        program.stdin = None
        self.assertIn(str(program.pid), watcher.stdout.readline())
        self.finish(program)

    def test_stopped(self) -> None:
        program = self.start(PLAIN)
        program.send_signal(signal.SIGSTOP)
        watcher = subprocess.Popen([report_case.kiln, "-m", "kiln", "top", str(program.pid)], text=True, stderr=subprocess.PIPE)
        self.programs.append(watcher)
        self.assertIn("it is stopped", watcher.stderr.readline())
        program.send_signal(signal.SIGCONT)
        self.finish(program)

    def test_sleeps_with_the_program(self) -> None:
        """Whoever was watched and waits is woken by nothing once nobody asks."""
        source = BUSY + """
print('ready', flush=True)
while not os.path.exists("wait"):
    light(20000)
sys.stdin.read()
main()
"""
        program = self.start(source)
        watcher = subprocess.Popen(
            [report_case.kiln, "-m", "kiln", "top", str(program.pid), "--interval", "0.1"], stdout=subprocess.PIPE, text=True
        )
        self.programs.append(watcher)
        watcher.stdout.readline()
        self.make("wait")
        watcher.kill()

        def is_quiet() -> bool:
            before = self.wakeups(program.pid)
            time.sleep(0.5)
            return self.wakeups(program.pid) <= before + 5

        self.wait_for(is_quiet)
        program.stdin.close()
        program.stdin = None
        self.wait_for(lambda: not self.is_sampled(program))
        self.assertEqual(self.finish(program), RESULT)


class Refusals(TopTest):
    def assert_refused(self, pid: int, message: str, *options: str, **arguments: object) -> None:
        shown = self.top(pid, "--once", *options, **arguments)
        self.assertEqual((shown.returncode, shown.stdout), (1, ""))
        self.assertIn(message, shown.stderr)
        self.assertNotIn("Traceback", shown.stderr)

    def test_not_there(self) -> None:
        ended = subprocess.Popen(["true"])
        ended.wait()
        self.assert_refused(ended.pid, f"kiln: there is no process {ended.pid}; ")
        self.assert_refused(-1, "kiln: there is no process -1; ")
        self.assert_refused(os.getpid(), f"process {os.getpid()} is no kiln that can be watched: it runs ")

    def test_which_there_are(self) -> None:
        """Without a process, and as a hint where there is no kiln."""
        program = self.start(PLAIN)
        shown = self.run_kiln("-m", "kiln", "top", report="0")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertRegex(shown.stdout, rf"(?m)^ *{program.pid} .*busy\.py$")
        others = [int(line.split()[0]) for line in shown.stdout.splitlines()]
        self.assertEqual(others, sorted(others))
        self.assert_refused(os.getpid(), "; kiln runs in ")
        wrong = self.run_kiln("-m", "kiln", "top", "program.py", report="0")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("argument PID: 'program.py' is no number of a process; kiln -m kiln top alone prints", wrong.stderr)
        self.assertEqual(self.finish(program), RESULT)

    def test_first_process(self) -> None:
        """The machine's, or the container's: what forbids it is said, and what it is."""
        shown = self.top(1, "--once")
        self.assertEqual((shown.returncode, shown.stdout), (1, ""))
        self.assertRegex(shown.stderr, r"\Akiln: process 1 (\(.+\) (belongs to|may not)|is no kiln|measures nothing)")
        self.assertRegex(shown.stderr, r"try|KILN_REPORT=live|kiln runs in|no other kiln")
        self.assertFalse(os.geteuid() == 0 and "sudo" in shown.stderr, shown.stderr)

    def test_zombie(self) -> None:
        ended = subprocess.Popen([report_case.kiln, "-c", ""])
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        self.assert_refused(ended.pid, f"process {ended.pid} has ended")
        ended.wait()

    def test_off(self) -> None:
        program = self.start(PLAIN, KILN="0")
        self.assert_refused(program.pid, f"process {program.pid} measures nothing: it starts, ends, or runs with KILN=0")

    def test_interval(self) -> None:
        for interval in ("0", "-1", "nan", "1e9"):
            self.assert_refused(os.getpid(), "--interval is between 0.1 and 3600 seconds", f"--interval={interval}")

    def test_two_watchers(self) -> None:
        program = self.start(PLAIN)
        watcher = subprocess.Popen([report_case.kiln, "-m", "kiln", "top", str(program.pid)], stdout=subprocess.PIPE, text=True)
        self.programs.append(watcher)
        watcher.stdout.readline()
        self.assert_refused(program.pid, f"process {program.pid} is watched by process {watcher.pid} already")
        watcher.kill()
        watcher.wait()
        self.assertEqual(self.top(program.pid, "--once", "--interval", "0.2").returncode, 0)
        self.assertEqual(self.finish(program), RESULT)

    @unittest.skipUnless(os.geteuid() == 0, "needs a second user")
    def test_other_user(self) -> None:
        try:
            status = subprocess.run([report_case.kiln, "-c", ""], user=65534, cwd="/", stderr=subprocess.DEVNULL, check=False).returncode
        except PermissionError:
            status = 1
        if status != 0:
            self.skipTest("the other user may not run kiln")
        program = self.start(PLAIN)
        self.assert_refused(program.pid, "belongs to root, so that you may not look into it", user=65534, cwd="/")


class Terminals(TopTest):
    @contextlib.contextmanager
    def on_terminal(self, pid: int, rows: int = 24) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
        """top on a terminal of its own: the other end of it, and the process."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(ours, (rows, 80))
        self.modes = termios.tcgetattr(theirs)
        watcher = subprocess.Popen(
            [report_case.kiln, "-m", "kiln", "top", str(pid), "--interval", "0.2"], stdin=theirs, stdout=theirs, stderr=theirs,
            env=self.environment("0"), preexec_fn=take_terminal,
        )
        self.programs.append(watcher)
        try:
            yield ours, watcher
            self.assertEqual(termios.tcgetattr(theirs), self.modes)
        finally:
            os.close(ours)
            os.close(theirs)

    def read_until(self, terminal: int, text: str) -> str:
        seen = ""
        end = time.monotonic() + 60
        while text not in seen:
            self.assertLess(time.monotonic(), end, seen)
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 65536).decode("utf-8", "replace")
        return seen

    def test_quit(self) -> None:
        """By a key or Ctrl-C; the terminal is as before, and the program goes on."""
        for key in (b"q", b"\x03"):
            program = self.start(PLAIN)
            with self.on_terminal(program.pid) as (terminal, watcher):
                self.assertIn(ALTERNATE, self.read_until(terminal, "numbers busy.py:10"))
                os.write(terminal, b"a")
                self.read_until(terminal, "since the start of watching")
                os.write(terminal, key)
                self.read_until(terminal, NORMAL)
                self.assertEqual(watcher.wait(60), 0)
            self.assertEqual(self.finish(program), RESULT)

    def test_terminated(self) -> None:
        program = self.start(PLAIN)
        with self.on_terminal(program.pid) as (terminal, watcher):
            self.read_until(terminal, "numbers busy.py:10")
            watcher.terminate()
            self.read_until(terminal, NORMAL)
            watcher.wait(60)

    def test_end(self) -> None:
        """When the process has ended, the sum stays on the screen."""
        program = self.start(PLAIN)
        with self.on_terminal(program.pid, rows=7) as (terminal, watcher):
            self.read_until(terminal, "kiln report")  # the sum has rows beyond these
            self.finish(program)
            rest = self.read_until(terminal, f"process {program.pid} has ended").rpartition(NORMAL)[2]
            self.assertIn("samples, every 1.0 ms", rest)
            self.assertEqual(watcher.wait(60), 0)


class Live(TopTest):
    def test_tables(self) -> None:
        """One each second, and the whole at the end. Output is the program's; its children print nothing of their own."""
        source = BUSY + """
child = os.fork()
if child == 0:
    end = time.monotonic() + 3
    while time.monotonic() < end: light(20000)
    os._exit(0)
end = time.monotonic() + 3
while time.monotonic() < end: light(20000)
os.waitpid(child, 0)
print("done")
"""
        done = self.run_source(source, "live")
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"))
        tables = done.stderr.split("kiln report: ")[1:]
        self.assertGreaterEqual(len(tables), 3)
        self.assertIn("2 processes", tables[-1])
        self.assertFalse([table for table in tables[:-1] if "processes" in table])
        self.assertTrue(all("light program.py:4" in table for table in tables), done.stderr)
        self.assert_no_leftovers()

    def test_top_beside_it(self) -> None:
        program = self.start(PLAIN, KILN_REPORT="live")
        shown = self.top(program.pid, "--once")
        self.assertIn(" busy.py:", shown.stdout)
        self.make("end")
        self.assertEqual(program.communicate(timeout=60)[0], RESULT)


def take_terminal() -> None:
    """In a child: its standard input becomes the terminal that Ctrl-C comes from."""
    os.setsid()
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


if __name__ == "__main__":
    report_case.main()
