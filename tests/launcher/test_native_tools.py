"""What perf, gdb and the reader of an assembly dump see of compiled code."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

from support import KILN, SECONDS, clean_environment, run_kiln, write_files

SPIN = """
def spin(n):
    s = 0
    for i in range(n):
        s = (s + i * i) % 1000003
    return s
for _ in range(5):
    spin(20000)
"""
# Prints whether each entry of this process's map with `spin` in its name lies in memory that is executable, and only that.
SHOW_MAP = """
import os
def show(who):
    code = [line.split()[:2] for line in open('/proc/self/maps') if line.split()[1].startswith('r-x')]
    code = [tuple(int(end, 16) for end in ends.split('-')) for ends, _ in code]
    for line in open(f'/tmp/perf-{os.getpid()}.map'):
        start, size, name = line.rstrip('\\n').split(' ', 2)
        if 'spin' in name:
            start, size = int(start, 16), int(size, 16)
            print(who, name, size > 0 and any(low <= start and start + size <= high for low, high in code))
    os.unlink(f'/tmp/perf-{os.getpid()}.map')
"""
FORK = """
import sys
sys.stdout.flush()
child = os.fork()
if child == 0:
    show('child')
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
show('parent')
"""
PLANTED = """
import os
path = f'/tmp/perf-{os.getpid()}.map'
os.symlink(os.path.abspath('victim'), path)
"""
SPIN_FOREVER = """
import signal
signal.alarm(1)
spin(10**11)
"""


def read_jitdump(pid: int) -> list[tuple[str, bytes, list]]:
    """Reads and removes a jitdump, by tools/perf/Documentation/jitdump-specification.txt of the Linux kernel."""
    path = pathlib.Path(f"/tmp/jit-{pid}.dump")
    data = path.read_bytes()
    mode = path.stat().st_mode & 0o777
    path.unlink()
    magic, version, size, machine, _, owner, _, flags = struct.unpack_from("<IIIIIIQQ", data)
    assert (magic, version, size, machine, owner, flags, mode) == (0x4A695444, 1, 40, 62, pid, 0, 0o600)
    functions, lines, at, indexes = [], {}, size, []
    while at < len(data):
        kind, total, _ = struct.unpack_from("<IIQ", data, at)
        body = data[at + 16 : at + total]
        assert len(body) == total - 16
        if kind == 2:
            address, count = struct.unpack_from("<QQ", body)
            place, rows = 16, []
            for _ in range(count):
                where, line, _ = struct.unpack_from("<QII", body, place)
                end = body.index(b"\0", place + 16)
                rows.append((where - address, line, body[place + 16 : end].decode()))
                place = end + 1
            assert place == len(body)
            lines[address] = rows
        else:
            assert kind == 0
            owner, _, virtual, address, code_size, index = struct.unpack_from("<IIQQQQ", body)
            end = body.index(b"\0", 40)
            assert owner == pid and virtual == address and len(body) == end + 1 + code_size
            indexes.append(index)
            functions.append((body[40:end].decode(), body[end + 1 :], lines.pop(address, [])))
        at += total
    assert not lines and indexes == list(range(len(indexes)))
    return functions


class NativeTools(unittest.TestCase):
    """Each test runs a program in a folder of its own, compiled at the first chance."""

    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="launcher"))
        self.addCleanup(shutil.rmtree, self.folder)

    def output(self, source: str, **env: str) -> list[str]:
        """The lines that a program prints, which must succeed and have no errors."""
        write_files(self.folder, {"p.py": source})
        result = run_kiln("p.py", cwd=self.folder, KILN_JIT="always", **env)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def test_perf_map(self) -> None:
        """Names the compiled function by its file and line, at addresses that can run."""
        lines = self.output(SPIN + SHOW_MAP + "show('')", KILN_PERF="1")
        self.assertIn(f" py::spin:{self.folder}/p.py:2 True", lines)
        self.assertEqual([line for line in lines if not line.endswith(" True")], [])

    def test_perf_map_of_a_loop(self) -> None:
        """Code of the module has the line of its loop."""
        source = "spinning = 0\n\nfor i in range(30000):\n    spinning += i & 3\n"
        show = SHOW_MAP.replace("'spin' in name", "'<module>' in name")
        self.assertIn(f" py::<module>:{self.folder}/p.py:3 True", self.output(source + show + "show('')", KILN_PERF="1"))

    def test_perf_map_of_a_child(self) -> None:
        """A forked process has a map of its own, with what was compiled before the fork; the parent's stays as it was."""
        lines = self.output(SPIN + SHOW_MAP + FORK, KILN_PERF="1")
        children = [line.removeprefix("child ") for line in lines if line.startswith("child ")]
        parents = [line.removeprefix("parent ") for line in lines if line.startswith("parent ")]
        self.assertEqual(children, parents)
        self.assertIn(f"py::spin:{self.folder}/p.py:2 True", parents)

    def test_no_map_unasked(self) -> None:
        """The default."""
        source = SPIN + "import os; print(os.path.exists(f'/tmp/perf-{os.getpid()}.map'))"
        self.assertEqual(self.output(source), ["False"])

    def test_planted_link(self) -> None:
        """Is not followed: there is no map then, the program runs, and the log tells it."""
        write_files(self.folder, {"p.py": PLANTED + SPIN + "os.unlink(path); print(spin(10))"})
        for log in "", "compile":
            result = run_kiln("p.py", cwd=self.folder, KILN_JIT="always", KILN_PERF="1", KILN_LOG=log)
            self.assertEqual((result.returncode, result.stdout), (0, "285\n"))
            self.assertEqual("can't be written" in result.stderr, log == "compile")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "victim")))

    def dump_of(self, tier: str, source: str = SPIN, **env: str) -> tuple[int, list[tuple[str, bytes, list]]]:
        """The functions of a program's jitdump: name, code, and lines as (offset, line, file); and the process."""
        program = source + "import os, sys; print(os.getpid())"
        [pid] = self.output(program, KILN_PERF="jitdump", KILN_TIER=tier, **env)
        return int(pid), read_jitdump(int(pid))

    def test_jitdump(self) -> None:
        """Has the machine code of each function, and the lines of the loop inside it, in both tiers."""
        for tier in "quick", "thorough":
            _, functions = self.dump_of(tier)
            spins = [function for function in functions if function[0].startswith(f"py::spin:{self.folder}/p.py:")]
            self.assertTrue(spins, functions)
            seen = set()
            for name, code, lines in functions:
                self.assertGreater(len(code), 16)
                offsets = [offset for offset, _, _ in lines]
                self.assertEqual(offsets, sorted(offsets))
                self.assertTrue(all(0 <= offset < len(code) for offset in offsets), name)
            for _, _, lines in spins:
                self.assertTrue(all(file == f"{self.folder}/p.py" and 2 <= line <= 6 for _, line, file in lines), lines)
                seen |= {line for _, line, _ in lines}
            self.assertLessEqual({4, 5}, seen, tier)

    def test_jitdump_of_inlined_code(self) -> None:
        """The lines of a callee are its own."""
        source = "def callee(i):\n    return i * i % 7\n\n\ndef spin(n):\n    s = 0\n    for i in range(n):\n        s += callee(i)\n    return s\n"
        _, functions = self.dump_of("auto", source + "for _ in range(5): spin(20000)\n")
        lines = {line for name, _, lines in functions if name.startswith("py::spin:") for _, line, _ in lines}
        self.assertIn(2, lines)
        self.assertIn(8, lines)

    def test_jitdump_of_a_child(self) -> None:
        """Has what was compiled before the fork, too."""
        source = SPIN + "import os\nif os.fork() == 0:\n    print(os.getpid(), flush=True)\n    os._exit(0)\nos.wait()\n"
        pids = self.output(source + "print(os.getpid())", KILN_PERF="jitdump")
        child, parent = (sorted(name for name, _, _ in read_jitdump(int(pid))) for pid in pids)
        self.assertTrue(any(name.startswith("py::spin:") for name in child))
        self.assertEqual(child, parent)

    def test_jitdump_follows_no_link(self) -> None:
        """A planted one is replaced."""
        plant = "import os\npath = f'/tmp/jit-{os.getpid()}.dump'\nos.symlink(os.path.abspath('victim'), path)\n"
        pid, functions = self.dump_of("auto", plant + SPIN)
        self.assertTrue(functions)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "victim")))

    def test_assembly(self) -> None:
        """KILN_DUMP=asm prints the machine code of each compilation, by its name."""
        write_files(self.folder, {"p.py": SPIN})
        dump = run_kiln("p.py", cwd=self.folder, KILN_JIT="always", KILN_DUMP="asm").stderr
        self.assertRegex(dump, rf'(?m)^; assembly$(?:\n.*)*^"py::spin:{re.escape(self.folder)}/p.py:2#\d+":')
        self.assertRegex(dump, r"(?m)^\tretq$")
        self.assertEqual(run_kiln("p.py", cwd=self.folder, KILN_JIT="always").stderr, "")

    @unittest.skipUnless(shutil.which("gdb"), "no gdb")
    def test_gdb(self) -> None:
        """A backtrace names the compiled function, and goes on below it."""
        write_files(self.folder, {"p.py": SPIN + SPIN_FOREVER})
        commands = ["set pagination off", "handle SIGALRM stop nopass", "run", "backtrace", "kill"]
        gdb = ["gdb", "-batch", "-nx", *(word for command in commands for word in ("-ex", command)), "--args", KILN, "p.py"]

        def trace(**env: str) -> str:
            environment = clean_environment(KILN_JIT="always", **env)
            text = subprocess.run(
                gdb, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=self.folder, timeout=SECONDS, env=environment
            ).stdout
            for process in re.findall(r"\(process (\d+)\)", text):
                pathlib.Path(f"/tmp/perf-{process}.map").unlink(missing_ok=True)
            return text

        traces = [trace(KILN_PERF="1"), trace(), trace(KILN_PERF="1", KILN_TIER="quick")]
        if "ptrace" in traces[0]:
            self.skipTest("gdb may not trace here")
        for of_tier in traces[0], traces[2]:
            self.assertRegex(of_tier, rf"(?m)^#\d+ .* py::spin:{re.escape(self.folder)}/p.py:2(#\d+)?.* \(\)$")
            self.assertRegex(of_tier, r"(?m)^#\d+ .*Py_RunMain")
        self.assertIn("SIGALRM", traces[1])
        self.assertNotIn("py::", traces[1])


if __name__ == "__main__":
    unittest.main()
